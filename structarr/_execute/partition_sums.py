"""The results of pieces of a call: each is told of, and sums are added up pairwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import numpy as np

from structarr._execute.threads import mapped
from structarr.formats.entries import Array

T = TypeVar("T")

STRETCH = 1 << 15  # the elements that a thread combines at a time


def told(parts: Iterator[T], follow: Callable[[float], None], count: int) -> Iterator[T]:
    """Some parts, of each of which is told that it is done."""
    for number, part in enumerate(parts, 1):
        follow(number / count)
        yield part


def combined(parts: Sequence[Sequence[Array]], operators: Sequence[str]) -> None:
    """Combine the results of pieces pairwise, in their order, into those of the first."""
    stretches = [
        ([one[lo : lo + STRETCH] for one in every], getattr(np, name))
        for name, every in zip(operators, zip(*parts, strict=True), strict=True)
        for lo in range(0, len(every[0]), STRETCH)
    ]
    for _ in mapped(_combine, stretches):
        pass


def _combine(stretch: tuple[list[Array], np.ufunc]) -> None:
    every, operator = stretch
    step = 1
    with np.errstate(all="ignore"):
        while step < len(every):
            for into, one in zip(every[:: 2 * step], every[step :: 2 * step], strict=False):
                operator(into, one, out=into)
            step *= 2
