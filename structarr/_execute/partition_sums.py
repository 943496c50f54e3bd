"""The results of pieces of a call: each is told of, and sums are added up pairwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import numpy as np

from structarr.formats.entries import Array

T = TypeVar("T")


def told(parts: Iterator[T], follow: Callable[[float], None], count: int) -> Iterator[T]:
    """Some parts, of each of which is told that it is done."""
    for number, part in enumerate(parts, 1):
        follow(number / count)
        yield part


def combined(
    parts: Iterator[list[list[Array]]], operators: Sequence[np.ufunc]
) -> list[list[Array]]:
    """The pairwise sum of the results of pieces."""
    waiting: list[list[list[Array]]] = []  # each of at most half as many pieces as the last
    for count, part in enumerate(parts, 1):
        waiting.append(part)
        while not count & 1:
            _add(operators, waiting)
            count >>= 1
    while len(waiting) > 1:
        _add(operators, waiting)
    return waiting[0]


def _add(operators: Sequence[np.ufunc], waiting: list[list[list[Array]]]) -> None:
    """Add the last results to those before them."""
    last = waiting.pop()
    with np.errstate(all="ignore"):
        for operator, (total,), (one,) in zip(operators, waiting[-1], last, strict=True):
            operator(total, one, out=total)
