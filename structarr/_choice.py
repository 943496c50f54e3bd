"""The schedule of a call: of programs that compute the same, the one expected to be fastest.

What an expression can be computed by follows from its structure; which of it is best, from how
much the operands store. A pick is remembered by the magnitudes of all counts and lengths.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from structarr import _pieces
from structarr._compiler.context import TooLarge
from structarr._compiler.passes.assemble import Program
from structarr._compiler.pipeline import Request, compile_program, rules_of
from structarr._compiler.rules.engine import Simplifier
from structarr._config import current
from structarr._cost import Cost, cost
from structarr._plan import Operands, Plan
from structarr._tensor import Tensor
from structarr.formats.base import Format

LARGE = 1 << 20  # bytes of operands below which no call is worth being cut into pieces


class Choice:
    """Programs with the same results, each compiled when it is first picked."""

    def __init__(
        self, programs: Sequence[Program], request: Request, *dtypes: np.dtype[Any]
    ) -> None:
        self.programs = tuple(programs)
        self._rules = rules_of(request)
        self._budget = request.budget
        self._dtypes = dtypes
        self._plans: dict[int, Plan] = {}
        self._picked: dict[Any, Plan] = {}
        self._too_large: set[int] = set()
        self._splits: dict[Plan, _pieces.Split | None] = {}
        self._times: dict[Any, float] = {}

    def __call__(self, given: Operands, shape: tuple[int, ...], plan: Plan | None = None) -> Tensor:
        """The result of a call, in pieces where it is long; by a plan, if it is known."""
        plan = self.plan(given) if plan is None else plan
        if plan not in self._splits:
            self._splits[plan] = _pieces.split_of(plan.compiled)
        split = self._splits[plan]
        options = current()
        if split is not None and options.tier != "interpreted":
            # Rows are the same by themselves; what is added up, in pieces alone.
            alone = options.threads == 1 and split.combine is None
            if not alone and sum([t.nbytes for t in given.tensors]) > LARGE:
                cuts = _pieces.bounds_of(split, given, self._seconds(plan, given))
                if len(cuts) > 1:
                    return _pieces.run(plan, split, cuts, given, shape)
        return plan(given, shape)

    @property
    def format(self) -> Format:
        """How the first result is stored."""
        return self.programs[0].outputs[0].format

    @property
    def plans(self) -> tuple[Plan, ...]:
        """Those that were picked so far."""
        return tuple(self._plans.values())

    def plan(self, given: Operands) -> Plan:
        """The plan for a call.

        Raises
        ------
        TooLarge
            If no program can be lowered within the budget.
        """
        sizes = _magnitudes(given) if len(self.programs) > 1 else None
        picked = self._picked.get(sizes)
        if picked is None:
            picked = self._picked[sizes] = self._pick(given)
        return picked

    def _seconds(self, plan: Plan, given: Operands) -> float:
        """About how long a call takes, by the magnitudes of its operands."""
        key = plan, _magnitudes(given)
        if key not in self._times:
            simplify = Simplifier(self._rules)
            self._times[key] = cost(plan.compiled.program, given, simplify).seconds
        return self._times[key]

    def costs(self, given: Operands) -> list[Cost]:
        """What a call is expected to take by each program."""
        simplify = Simplifier(self._rules)
        return [cost(program, given, simplify) for program in self.programs]

    def _pick(self, given: Operands) -> Plan:
        ranked = list(range(len(self.programs)))
        if len(ranked) > 1:
            costs = self.costs(given)
            ranked.sort(key=lambda k: costs[k].seconds)
        for k in ranked:
            if k in self._plans:
                return self._plans[k]
            if k not in self._too_large:
                try:
                    self._plans[k] = self._compiled(self.programs[k])
                    return self._plans[k]
                except TooLarge:
                    self._too_large.add(k)
        raise TooLarge

    def _compiled(self, program: Program) -> Plan:
        simplify = Simplifier(self._rules)
        return Plan(compile_program(program, self._rules, simplify, self._budget), *self._dtypes)


def _magnitudes(given: Operands) -> tuple[Any, ...]:
    """How many bits all counts and lengths have."""
    return (*map(magnitudes_of, given.tensors), *[n.bit_length() for n in given.extents])


def magnitudes_of(tensor: Tensor) -> tuple[int, ...]:
    """How many bits the counts of a tensor's levels have."""
    found = tensor.memo.get("magnitudes")
    if found is None:
        found = tensor.memo["magnitudes"] = tuple(n.bit_length() for n in tensor.counts)
    return found
