"""Workspaces of kernels, kept for the calls to come: a kernel leaves them as it found them.

A workspace costs what is written to it, but to make one costs its length. So those of a call wait
for the next that wants such, whatever its kernel. No two calls ever have the same, since each takes
what it works with out of those that wait; what an exception interrupts is not given back.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from threading import Lock
from typing import Final, NamedTuple

from structarr.formats.base import Format, Level
from structarr.formats.entries import Array

KEPT: Final = 1 << 26
"""So many bytes may wait; where more would, all are let go."""


class Wanted(NamedTuple):
    """A workspace for a row of which at most so many children are touched."""

    level: Level
    dim: int
    touched: int
    positions: str  # the dtype of coordinates and positions
    dtype: str


_waiting: dict[Wanted, list[tuple[int, tuple[Array, ...]]]] = {}  # each with its bytes
_bytes = 0
_lock = Lock()


def wanting(format: Format, dtype: str) -> Callable[[int, int], Wanted]:
    """Return what describes a workspace of a format for a row of a length, so much of it touched.

    Calls that touch about as much want the same.
    """

    @lru_cache(64)
    def rounded(dim: int, bits: int) -> Wanted:
        return Wanted(format.root, dim, min(dim, (1 << bits) - 1), format.index, dtype)

    return lambda dim, touched: rounded(dim, min(dim, touched).bit_length())


def take(one: Wanted) -> tuple[Array, ...]:
    """Return the buffers of a workspace, in which nothing is touched."""
    global _bytes
    with _lock:
        waiting = _waiting.get(one)
        if waiting:
            size, found = waiting.pop()
            _bytes -= size
            return found
    level, *sizes = one
    return level.space(*sizes)  # type: ignore[attr-defined,no-any-return]


def give(one: Wanted, buffers: tuple[Array, ...]) -> None:
    """Keep what `take` returned for the same, and what is touched no more."""
    global _bytes
    size = sum([buffer.nbytes for buffer in buffers])
    with _lock:
        if _bytes + size > KEPT:
            _waiting.clear()
            _bytes = 0
        if size <= KEPT:
            _waiting.setdefault(one, []).append((size, buffers))
            _bytes += size
