"""Picks: the plans of calls of some magnitudes, and what other processes are told of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from structarr._execute.kept_plans import Picked
from structarr._execute.known_cuts import KnownCuts
from structarr._execute.partition_split import Split
from structarr._execute.plan import Plan
from structarr._scheduler.assemble import Program
from structarr._scheduler.operands import Operands
from structarr._storage.tensor import Tensor
from structarr.formats.entries import Array

NONE: Final = -1
"""In the place of a program's number, that none could be lowered within the budget."""


class Pick(NamedTuple):
    """The program and pieces by which calls of some magnitudes are made."""

    plan: Plan
    split: Split | None
    seconds: list[float]  # the expected time of a call, once it was computed
    cuts: KnownCuts  # of calls that were made


class Call(NamedTuple):
    """A call of a kernel, as the tests' witness is told of it."""

    programs: tuple[Program, ...]  # the candidates
    program: Program
    given: Operands
    results: Sequence[Tensor]
    starts: Sequence[Array | None] | None  # the elements with which results began, if given


def picked(made: tuple[Plan, Split | None], found: Picked, sizes: Any) -> Pick:
    """A pick of another process, for calls of some magnitudes."""
    plan, split = made
    if found.steps is not None:
        plan.steps[sizes] = found.steps
    return Pick(
        plan,
        split,
        [] if found.seconds is None else [found.seconds],
        KnownCuts(split, plan.appends),
    )


def told(number: int, pick: Pick | None, sizes: Any) -> Picked:
    """The part of a pick that other processes may use, as far as it is known."""
    if pick is None:
        return Picked(NONE, None, None)
    seconds = pick.seconds[0] if pick.seconds else None
    return Picked(number, pick.plan.steps.get(sizes), seconds)
