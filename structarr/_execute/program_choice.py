"""The schedule of a call: of programs that compute the same, the one expected to be fastest.

The structure of an expression determines the candidate programs; the counts of the operands
determine the best one. A pick is remembered by the magnitudes of all counts and lengths.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import numpy as np

from structarr._compiler.options import Forced, Options, current
from structarr._compiler.rules.defaults import rules_with
from structarr._compiler.rules.engine import simplifier
from structarr._execute import partition
from structarr._execute.call_size import is_long, is_plain, is_small, is_whole
from structarr._execute.divided_rows import Plans, run_divided
from structarr._execute.kept_plans import Kept, Made
from structarr._execute.known_cuts import KnownCuts
from structarr._execute.owned_ranges import Ranges, run_owned
from structarr._execute.partial_calls import run_partial
from structarr._execute.partition_cuts import streamed
from structarr._execute.partition_spans import Cuts
from structarr._execute.partition_split import LISTS, Split
from structarr._execute.picks import NONE, Call as Call, Pick as Pick, picked, told
from structarr._execute.plan import Plan
from structarr._execute.splits import split_of
from structarr._scheduler.assemble import Program
from structarr._scheduler.compiled import Request
from structarr._scheduler.cost_model import Cost, cost
from structarr._scheduler.gallop import located
from structarr._scheduler.operands import Operands
from structarr._scheduler.partial_loops import partial as partial_program, row_part
from structarr._scheduler.pipeline import compile_program
from structarr._storage.tensor import Tensor
from structarr._support.caches import room
from structarr._support.uninterrupted import uninterrupted
from structarr.formats.base import Format
from structarr.formats.entries import Array

Result = TypeVar("Result")


class Choice:
    """Programs with the same results, each compiled when it is first picked."""

    def __init__(
        self,
        programs: Sequence[Program] | Callable[[], Sequence[Program]],
        request: Request,
        *dtypes: np.dtype[Any],
        kept: Kept | None = None,
        format: Format | None = None,
    ) -> None:
        self._programs = programs
        self._kept = kept
        self._format = format
        self._request = request
        self._rules = rules_with(request.rules, request.strict)
        self._budget = request.budget
        self._dtypes = dtypes
        self._made: dict[int, tuple[Plan, Split | None]] = {}
        self._partials: dict[tuple[int, str], Plan] = {}  # of parts of their outermost loops
        self._outgrown: dict[int, int] = {}  # the largest budget that each program exceeded
        self._picked: dict[Any, Pick] = {}

    def __call__(self, given: Operands, shape: tuple[int, ...], pick: Pick) -> Tensor | None:
        """The one result of a call, as picked; None if it may outgrow its positions."""
        options = current()
        if options.forced is None and is_small(given):
            return pick.plan(given, shape)
        cuts = self._cuts(pick, given, (shape,), options)
        if cuts is None and options.forced is None:
            return self._waited(lambda: pick.plan(given, shape), pick, given, options)
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
        return self._run(given, shapes, pick, starts, cuts, waits=not starts)

    def onto(
        self, given: Operands, shape: tuple[int, ...], pick: Pick, total: Array
    ) -> Tensor | None:
        """The one result of a call that adds to a total, in its place; None as of others.

        Pieces that do not begin with a stretch of it are added up first.
        """
        cuts = None if is_small(given) else self._cuts(pick, given, (shape,), current())
        along = pick.split is not None and pick.split.partial
        apart = cuts is not None and (isinstance(cuts, Ranges) or cuts.has_columns or along)
        starts = None if apart else [total]
        found = self._run(given, (shape,), pick, starts, cuts, waits=True)
        if found is None or not apart:
            return None if found is None else found[0]
        with np.errstate(all="ignore"):
            np.add(total, found[0].buffers[-1], out=total)
        return pick.plan.places[0].made(given, shape, (total,))

    def _run(
        self,
        given: Operands,
        shapes: Sequence[tuple[int, ...]],
        pick: Pick,
        starts: Sequence[Array | None] | None,
        cuts: Cuts | Ranges | None,
        waits: bool = True,
    ) -> list[Tensor] | None:
        """All results of a call, in pieces if it is cut; None if one may outgrow its positions.

        One that writes into what users hold is not waited for: it would go on after an interrupt.
        """
        forced = current().forced
        before = starts  # the kernel writes into `starts`
        if starts is not None and forced is not None:
            before = [None if one is None else one.copy() for one in starts]
        if cuts is None:
            call = partial(pick.plan.run, given, shapes, starts)
            results = self._waited(call, pick, given, current()) if waits else call()
        else:
            results = self._in_pieces(pick, cuts, given, shapes, starts)
        if forced is not None and results is not None:
            self._tell(pick.plan, given, results, before, forced)
        return results

    def _in_pieces(
        self,
        pick: Pick,
        cuts: Cuts | Ranges,
        given: Operands,
        shapes: Sequence[tuple[int, ...]],
        starts: Sequence[Array | None] | None,
    ) -> list[Tensor] | None:
        """All results of a call, in pieces; None if one may outgrow its positions."""
        split = pick.split
        assert split is not None  # it is cut
        if isinstance(cuts, Ranges):
            owned = self._partial(pick, "owned rows", lambda program: row_part(program, True))
            return run_owned(owned, cuts, given, shapes)
        plan = self._partial(pick, "partial", partial_program) if split.partial else pick.plan
        if plan.kernel.compiled is None and current().compiles:
            plan.kernel.compile()  # pieces are of calls that take long
        if cuts.has_columns:
            whole = split.length == LISTS
            part = self._partial(pick, "row part", lambda program: row_part(program, whole))
            return run_divided(Plans(plan, part), split, cuts, given, shapes)
        if split.partial:
            return run_partial(plan, split, cuts, given, shapes)
        return partition.run(plan, split, cuts, given, shapes, starts)

    def _cuts(
        self, pick: Pick, given: Operands, shapes: Sequence[tuple[int, ...]], options: Options
    ) -> Cuts | Ranges | None:
        """The pieces of a call that is long enough for several."""
        if pick.split is None:
            return None
        return pick.cuts.of(given, shapes, options, lambda: self._seconds(pick, given))

    def _waited(
        self, call: Callable[[], Result], pick: Pick, given: Operands, options: Options
    ) -> Result:
        """The result of a call; a long one is waited for, so that interrupts are heard."""
        if not options.compiles or is_small(given) or not is_long(self._seconds(pick, given)):
            return call()
        return uninterrupted(call)

    def is_plain(self, pick: Pick, given: Operands) -> bool:
        """Whether calls of the magnitudes of one are neither cut, nor long, nor told of."""
        seconds = partial(self._seconds, pick, given)
        return current().forced is None and is_plain(pick.split, given, seconds)

    def is_whole(self, pick: Pick, given: Operands) -> bool:
        """Whether calls are cut into pieces for threads, and to tell how many are done, alone."""
        seconds = partial(self._seconds, pick, given)
        return current().forced is None and is_whole(pick.split, seconds)

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
    def programs(self) -> tuple[Program, ...]:
        """The candidates, which are scheduled when they are asked for if some were picked before.

        That was in another process.
        """
        if callable(self._programs):
            self._programs = self._programs()
        self._programs = tuple(self._programs)
        return self._programs

    @property
    def format(self) -> Format:
        """The format of the first result."""
        if self._format is None:
            self._format = self.programs[0].outputs[0].format
        return self._format

    @property
    def is_possible(self) -> bool:
        """Whether there is any program."""
        return self._format is not None or bool(self.programs)

    @property
    def plans(self) -> tuple[Plan, ...]:
        """The plans of programs that were picked so far."""
        return tuple([plan for plan, _ in [*self._made.values()]])

    def pick(self, given: Operands) -> Pick | None:
        """The pick for calls of the magnitudes of this one.

        None if no program can be lowered within the budget.
        """
        forced = current().forced
        if forced is not None and forced.program is not None:
            return self._first(self._from(forced.program))
        sizes = given.magnitudes
        pick = self._picked.get(sizes)
        if pick is None:
            found = None if self._kept is None else self._kept.pick(sizes)
            if found is None or not self._is_kept(found.number):
                pick = self._first(self._ranked(given))
                self._keep(sizes, pick)
            elif found.number != NONE:
                pick = picked(self._made[found.number], found, sizes)
            if pick is not None:
                room(self._picked)[sizes] = pick
        return pick

    def _is_kept(self, k: int) -> bool:
        """Whether a program is made, or lowered by another process, whose plan is taken then."""
        if k not in self._made and k != NONE and self._kept is not None:
            found = self._kept.plan(k, self._rules, lambda: self.programs[k])
            if found is not None:
                made = Plan(found.compiled, *self._dtypes), found.split
                self._made.setdefault(k, made)  # another thread's, which may be picked already
        return k in self._made or k == NONE

    def _keep(self, sizes: Any, pick: Pick | None) -> None:
        """Keep a pick for other processes, or that no program could be lowered."""
        if self._kept is not None:
            number = NONE if pick is None else self._number(pick)
            self._kept.keep_pick(sizes, partial(told, number, pick, sizes))

    def _number(self, pick: Pick) -> int:
        """The number of the program that was picked; another thread may make one meanwhile."""
        return next(k for k, (plan, _) in [*self._made.items()] if plan is pick.plan)

    def numbered(self, number: int) -> Pick | None:
        """The pick of one of the programs; None where it outgrows the budget."""
        return self._first([number])

    def located(self) -> Choice:
        """The same programs with every element looked up, whose kernels are short."""
        kept = self._kept and self._kept.varied("located")
        programs = [located(one) for one in self.programs]
        return Choice(programs, self._request, *self._dtypes, kept=kept)

    def within(self, budget: int) -> Choice:
        """The same programs, lowered within another budget."""
        kept = self._kept and self._kept.varied(f"within {budget}")
        request = replace(self._request, budget=budget)
        return Choice(self.programs, request, *self._dtypes, kept=kept)

    def _seconds(self, pick: Pick, given: Operands) -> float:
        """About how long a call takes, by the magnitudes of its operands."""
        if not pick.seconds:
            found = cost(pick.plan.compiled.program, given, simplifier(self._rules))
            pick.seconds.append(max(found.seconds, streamed(pick.split, given, pick.plan.reads)))
        return pick.seconds[0]

    def costs(self, given: Operands) -> list[Cost]:
        """The expected cost of a call by each program."""
        simplify = simplifier(self._rules)
        return [cost(program, given, simplify) for program in self.programs]

    def least(self, given: Operands) -> float:
        """The least expected seconds of a call."""
        kept = self._kept
        found = kept.least(given.magnitudes) if kept and callable(self._programs) else None
        if found is None:
            found = min([one.seconds for one in self.costs(given)])
            if kept:
                kept.keep_least(given.magnitudes, found)
        return found

    def _ranked(self, given: Operands) -> Sequence[int]:
        """The programs by number, that which is expected to be fastest first."""
        ranked = list(range(len(self.programs)))
        if len(ranked) > 1:
            costs = self.costs(given)
            ranked.sort(key=lambda k: costs[k].seconds)
        return ranked

    def _partial(self, pick: Pick, name: str, made_of: Callable[[Program], Program]) -> Plan:
        """The plan of calls for a part of what was picked, by a program made of its own."""
        number = self._number(pick)
        found = self._partials.get((number, name))
        if found is None:
            kept = self._kept and self._kept.varied(name)
            program = made_of(self.programs[number])
            made = kept.plan(number, self._rules, lambda: program) if kept else None
            if made is None:
                compiled = compile_program(program, self._rules, None)
                assert compiled is not None  # there is no budget
                made = Made(compiled, None)
                if kept:
                    kept.keep_plan(number, made)
            found = self._partials[number, name] = Plan(made.compiled, *self._dtypes)
        if current().compiles:
            found.kernel.compile()
        return found

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
                plan, split = self._made[k]
                return Pick(plan, split, [], KnownCuts(split))
            budget = None if budget is None else budget // 2
        return None

    def _is_made(self, k: int, budget: int | None) -> bool:
        """Whether a program can be lowered within a budget; lowered unless that is known.

        The answer does not depend on budgets within which the program was lowered before.
        """
        untried = k not in self._made and (budget is None or budget > self._outgrown.get(k, 0))
        if untried and not self._is_kept(k):
            found = compile_program(self.programs[k], self._rules, budget)
            if found is not None:
                split = split_of(self.programs[k], self._rules)
                self._made.setdefault(k, (Plan(found, *self._dtypes), split))
                if self._kept is not None:
                    self._kept.keep_plan(k, Made(found, split))
            elif budget is not None:
                self._outgrown[k] = budget
        if k not in self._made:
            return False
        return budget is None or self._made[k][0].compiled.spent <= budget
