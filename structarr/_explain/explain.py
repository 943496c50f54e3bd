"""Explanations of array expressions and programs, stage by stage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, TypeAlias

from structarr._compiler.ir.show import show
from structarr._compiler.options import options
from structarr._compiler.rules.defaults import rules_in_force
from structarr._execute.executor import Executor
from structarr._execute.steps import Call, last_call
from structarr._explain.candidates import Candidate, programs_of, ways_of
from structarr._explain.card import card
from structarr._explain.readable import Readable
from structarr._explain.report import Explanation, ProgramExplanation, head_of
from structarr._language.execute.compile import Asked
from structarr._language.execute.run import Runner
from structarr._lazy import graph
from structarr._storage.auto_format import is_vast, table
from structarr._storage.memo import origin_of
from structarr._storage.statistics import measure
from structarr._storage.tensor import Tensor
from structarr.formats.names import name_of


@dataclass(frozen=True, repr=False)
class StoredExplanation(Readable):
    """
    An array that needs no kernel; printing it shows what it would take in each format.

    Attributes
    ----------
    tensor : Tensor
        What is stored.
    cin, looplets, kernel, steps, cost, plan, candidates
        Nothing: an empty text, no steps, 0 and None.
    """

    tensor: Tensor
    cin: ClassVar[str] = ""
    looplets: ClassVar[str] = ""
    kernel: ClassVar[str] = ""
    steps: ClassVar[tuple[str, ...]] = ()
    cost: ClassVar[int] = 0
    plan: ClassVar[None] = None
    candidates: ClassVar[tuple[Candidate, ...]] = ()

    @property
    def format(self) -> str:
        """The format that it has."""
        return name_of(self.tensor.format)

    @cached_property
    def sizes(self) -> str:
        """The bytes that it would take in each format, a line each."""
        return "" if is_vast(self.tensor) else table(measure(self.tensor))

    def __str__(self) -> str:
        return f"{self._held}\n\n{self.sizes}" if self.sizes else self._held

    @property
    def _held(self) -> str:
        return f"stored as {self.format} in {self.tensor.nbytes} bytes"

    @property
    def _brief(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return super()._repr_html_() + card(self.tensor)


Explained: TypeAlias = Explanation | ProgramExplanation | StoredExplanation


def explain(node: graph.Node, measure: bool = False) -> Explanation | StoredExplanation:
    """Compile an expression and tell its stages; `measure` runs all that compute the same."""
    calls: list[tuple[Call, Tensor]] = []  # that were run while the plan was made
    executor = Executor(told=lambda *one: calls.append(one))
    step = executor.planner.plan(node, blas=False)
    call, made = last_call(step), ""
    if call is None:
        tensor = executor.run(step)
        call = _made_by(calls, tensor)
        if call is None:
            return StoredExplanation(tensor)
        made = name_of(tensor.format)
    choice, plan, given = call.choice, call.pick.plan, call.given
    sources = plan.compiled.program.inputs.items()
    origins = {name: origin_of(given.tensors[source.number]) for name, source in sources}
    moved = {name: one[2] for name, one in origins.items() if one and one[1] == "order"}
    with options(tier="compiled") if measure else nullcontext():
        candidates = [*ways_of(node, measure)]
        if measure:
            candidates += programs_of(call, lambda one: head_of(show(one.stmt)))
    rules, found = rules_in_force(), tuple(candidates)
    return Explanation(plan, given, rules, moved, choice.programs, found, made)


def _made_by(calls: Sequence[tuple[Call, Tensor]], tensor: Tensor) -> Call | None:
    """The call of whose result a tensor was derived; None if there is none."""
    origin = origin_of(tensor)
    while origin is not None:
        for call, result in calls:
            if result is origin[0]:
                return call
        origin = origin_of(origin[0])
    return None


def explain_program(
    runner: Runner, values: Mapping[str, object], asked: Asked
) -> ProgramExplanation:
    """Compile a program, running all stages but the last, and tell what its kernels are."""
    rules = rules_in_force()
    found = []
    for call in runner.calls(values, asked):
        ready, plan = call.ready, call.ready.plan(call.given)
        sources = plan.compiled.program.inputs.items()
        moved = {n: ready.moved[s.number] for n, s in sources if s.number in ready.moved}
        found.append(Explanation(plan, call.given, rules, moved, ready.choice.programs))
    return ProgramExplanation(tuple(found))
