"""The results of pieces of a call: each is told of, and sums are added up pairwise."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from structarr._compiler.progress import followed, is_told
from structarr._execute.threads import mapped
from structarr.formats.entries import Array

Job = TypeVar("Job")
Result = TypeVar("Result")

STRETCH = 1 << 15  # the elements that a thread combines at a time


def told(
    function: Callable[[Job], Result], jobs: Sequence[Job], waits: bool = False
) -> list[Result]:
    """The function's value for each job, by several threads; if anybody is told, of each it is."""
    if not is_told():
        return list(mapped(function, jobs, waits))
    found: list[Result] = []
    done: deque[None] = deque()

    def counted(job: Job) -> Result:
        result = function(job)
        done.append(None)
        return result

    with followed("computing") as follow:
        for one in mapped(counted, jobs, waits):
            found.append(one)
            follow(len(done) / len(jobs))
    return found


def combined(parts: Sequence[Sequence[Array]], operators: Sequence[str]) -> None:
    """Combine the results of pieces pairwise, in their order, into those of the first."""
    if not operators:
        return
    if sum([len(one) for one in parts[0]]) <= STRETCH:  # as all but few are
        with np.errstate(all="ignore"):
            for name, every in zip(operators, zip(*parts, strict=True), strict=True):
                _combine(every, getattr(np, name))
        return
    stretches = [
        ([one[lo : lo + STRETCH] for one in every], getattr(np, name))
        for name, every in zip(operators, zip(*parts, strict=True), strict=True)
        for lo in range(0, len(every[0]), STRETCH)
    ]
    for _ in mapped(_combine_quietly, stretches):
        pass


def _combine_quietly(stretch: tuple[list[Array], np.ufunc]) -> None:
    with np.errstate(all="ignore"):
        _combine(*stretch)


def _combine(every: Sequence[Array], operator: np.ufunc) -> None:
    step = 1
    while step < len(every):
        for into, one in zip(every[:: 2 * step], every[step :: 2 * step], strict=False):
            operator(into, one, out=into)
        step *= 2
