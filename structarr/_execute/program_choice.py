"""The schedule of a call: of programs that compute the same, the one expected to be fastest.

The structure of an expression determines the candidate programs; the counts of the operands
determine the best one. A pick is remembered by the magnitudes of all counts and lengths.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from structarr._compiler.options import Forced, Options, current
from structarr._compiler.progress import SLOW, is_told
from structarr._compiler.rules.defaults import rules_with
from structarr._compiler.rules.engine import simplifier
from structarr._execute import partition
from structarr._execute.plan import Plan
from structarr._scheduler.assemble import Program
from structarr._scheduler.compiled import Request
from structarr._scheduler.cost_model import Cost, cost
from structarr._scheduler.gallop import located
from structarr._scheduler.operands import Operands
from structarr._scheduler.pipeline import compile_program
from structarr._storage.tensor import Tensor
from structarr._support.caches import room
from structarr.formats.base import Format
from structarr.formats.entries import Array

LARGE = 1 << 20  # the bytes of operands up to which no call is cut into pieces

Cuts: TypeAlias = tuple[partition.Split, Sequence[tuple[int, int]]]
"""How a call is cut into pieces, and their bounds."""


class Pick(NamedTuple):
    """How calls of some magnitudes are made."""

    plan: Plan
    split: partition.Split | None
    seconds: list[float]  # the expected time of a call, once it was computed


class Call(NamedTuple):
    """A call of a kernel, as the tests' witness is told of it."""

    programs: tuple[Program, ...]  # the candidates
    program: Program
    given: Operands
    results: Sequence[Tensor]
    starts: Sequence[Array | None] | None  # the elements with which results began, if given


class Choice:
    """Programs with the same results, each compiled when it is first picked."""

    def __init__(
        self, programs: Sequence[Program], request: Request, *dtypes: np.dtype[Any]
    ) -> None:
        self.programs = tuple(programs)
        self._request = request
        self._rules = rules_with(request.rules, request.strict)
        self._budget = request.budget
        self._dtypes = dtypes
        self._made: dict[int, tuple[Plan, partition.Split | None]] = {}
        self._outgrown: dict[int, int] = {}  # the largest budget that each program exceeded
        self._picked: dict[Any, Pick] = {}

    def __call__(self, given: Operands, shape: tuple[int, ...], pick: Pick) -> Tensor | None:
        """The one result of a call, as picked; None if it may outgrow its positions."""
        options = current()
        cuts = self._cuts(pick, given, (shape,), options)
        if cuts is None and options.forced is None:
            return pick.plan(given, shape)
        found = self._run(given, (shape,), pick, None, cuts)
        return None if found is None else found[0]

    def several(
        self,
        given: Operands,
        shapes: Sequence[tuple[int, ...]],
        pick: Pick,
        starts: Sequence[Array | None] | None = None,
    ) -> list[Tensor] | None:
        """All results of a call; None if one may outgrow its positions.

        With `starts`, a dense one may begin as a copy of an array.
        """
        cuts = None if starts else self._cuts(pick, given, shapes, current())
        return self._run(given, shapes, pick, starts, cuts)

    def _run(
        self,
        given: Operands,
        shapes: Sequence[tuple[int, ...]],
        pick: Pick,
        starts: Sequence[Array | None] | None,
        cuts: Cuts | None,
    ) -> list[Tensor] | None:
        """All results of a call, in pieces if it is cut; None if one may outgrow its positions."""
        forced = current().forced
        before = starts  # the kernel writes into `starts`
        if starts is not None and forced is not None:
            before = [None if one is None else one.copy() for one in starts]
        if cuts is None:
            results = pick.plan.run(given, shapes, starts)
        else:
            if current().compiles:
                pick.plan.kernel.compile()  # pieces are of calls that take long
            results = partition.run(pick.plan, cuts[0], cuts[1], given, shapes)
        if forced is not None and results is not None:
            self._tell(pick.plan, given, results, before, forced)
        return results

    def _cuts(
        self, pick: Pick, given: Operands, shapes: Sequence[tuple[int, ...]], options: Options
    ) -> Cuts | None:
        """The pieces of a call that is long enough for several."""
        split, forced = pick.split, options.forced
        if split is None:
            return None
        if forced is not None and forced.pieces is not None:
            pieces = forced.pieces
        elif _is_long(split, given, options):
            seconds = self._seconds(pick, given)
            if _is_alone(split, options) and seconds < SLOW:
                return None
            pieces = partition.pieces_of(split, shapes, seconds)
        else:
            return None
        cuts = partition.bounds_of(split, given, pieces) if pieces > 1 else ()
        return (split, cuts) if len(cuts) > 1 else None

    @staticmethod
    def is_plain(pick: Pick, given: Operands) -> bool:
        """Whether calls of the magnitudes of one are neither cut into pieces nor told of."""
        size = sum([tensor.nbytes for tensor in given.tensors])
        return current().forced is None and (pick.split is None or 2 * size < LARGE)

    def _tell(
        self,
        plan: Plan,
        given: Operands,
        results: Sequence[Tensor],
        starts: Sequence[Array | None] | None,
        forced: Forced,
    ) -> None:
        """Tell the witness of a call."""
        if forced.witness is not None:
            forced.witness(Call(self.programs, plan.compiled.program, given, results, starts))

    @property
    def format(self) -> Format:
        """How the first result is stored."""
        return self.programs[0].outputs[0].format

    @property
    def plans(self) -> tuple[Plan, ...]:
        """Those that were picked so far."""
        return tuple([plan for plan, _ in self._made.values()])

    def pick(self, given: Operands) -> Pick | None:
        """How calls of the magnitudes of this one are made.

        None if no program can be lowered within the budget.
        """
        forced = current().forced
        if forced is not None and forced.program is not None:
            return self._first(self._from(forced.program))
        sizes = given.magnitudes
        pick = self._picked.get(sizes)
        if pick is None:
            pick = self._first(self._ranked(given))
            if pick is not None:
                room(self._picked)[sizes] = pick
        return pick

    def numbered(self, number: int) -> Pick | None:
        """How calls are made by one of the programs; None where it outgrows the budget."""
        return self._first([number])

    def located(self) -> Choice:
        """The same programs with every element looked up, whose kernels are short."""
        return Choice([located(one) for one in self.programs], self._request, *self._dtypes)

    def within(self, budget: int) -> Choice:
        """The same programs, lowered within another budget."""
        return Choice(self.programs, replace(self._request, budget=budget), *self._dtypes)

    def _seconds(self, pick: Pick, given: Operands) -> float:
        """About how long a call takes, by the magnitudes of its operands."""
        if not pick.seconds:
            simplify = simplifier(self._rules)
            pick.seconds.append(cost(pick.plan.compiled.program, given, simplify).seconds)
        return pick.seconds[0]

    def costs(self, given: Operands) -> list[Cost]:
        """What a call is expected to take by each program."""
        simplify = simplifier(self._rules)
        return [cost(program, given, simplify) for program in self.programs]

    def least(self, given: Operands) -> float:
        """The least expected seconds of a call."""
        return min([one.seconds for one in self.costs(given)])

    def _ranked(self, given: Operands) -> Sequence[int]:
        """The programs by number, that which is expected to be fastest first."""
        ranked = list(range(len(self.programs)))
        if len(ranked) > 1:
            costs = self.costs(given)
            ranked.sort(key=lambda k: costs[k].seconds)
        return ranked

    def _from(self, first: int) -> Sequence[int]:
        """The programs by number, beginning with one that is forced."""
        count = len(self.programs)
        return [(first + k) % count for k in range(count)]

    def _first(self, ranked: Sequence[int]) -> Pick | None:
        """The first of some programs that can be lowered within the budget.

        Programs of one expression are of similar size: each gets half the budget of the one before
        it, so all that outgrow theirs take at most twice the first budget.
        """
        budget = self._budget
        for k in ranked:
            if self._is_made(k, budget):
                return Pick(*self._made[k], [])
            budget = None if budget is None else budget // 2
        return None

    def _is_made(self, k: int, budget: int | None) -> bool:
        """Whether a program can be lowered within a budget; lowered unless that is known.

        The answer does not depend on budgets within which the program was lowered before.
        """
        if k not in self._made and (budget is None or budget > self._outgrown.get(k, 0)):
            found = compile_program(self.programs[k], self._rules, budget)
            if found is not None:
                self._made[k] = Plan(found, *self._dtypes), partition.split_of(found)
            elif budget is not None:
                self._outgrown[k] = budget
        if k not in self._made:
            return False
        return budget is None or self._made[k][0].compiled.spent <= budget


def _is_long(split: partition.Split, given: Operands, options: Options) -> bool:
    """Whether a call may be long enough for several pieces."""
    if not options.compiles:
        return False
    if sum([buffer.nbytes for tensor in given.tensors for buffer in tensor.buffers]) <= LARGE:
        return False
    return not _is_alone(split, options) or is_told()


def _is_alone(split: partition.Split, options: Options) -> bool:
    """Whether pieces serve no more than to tell how many are done.

    Sums are always cut into pieces, as rounding depends on the pieces; rows do not.
    """
    return options.threads == 1 and not any(split.combine)
