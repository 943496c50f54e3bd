"""Workspaces of kernels, kept for the calls to come: a kernel leaves them as it found them.

A workspace costs what is written to it, but to make one costs its length. So those of a call wait
for the next that wants such, whatever its kernel. No two calls ever have the same, since each takes
what it works with out of those that wait; what an exception interrupts is not given back.
"""

from __future__ import annotations

from threading import Lock
from typing import Final, NamedTuple

from structarr.formats.base import Level
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


_waiting: dict[Wanted, list[tuple[Array, ...]]] = {}
_bytes = 0
_lock = Lock()


def wanted(level: Level, dim: int, touched: int, positions: str, dtype: str) -> Wanted:
    """Describe a workspace; calls that touch about as much want the same."""
    return Wanted(level, dim, min(dim, (1 << touched.bit_length()) - 1), positions, dtype)


def take(one: Wanted) -> tuple[Array, ...]:
    """Return the buffers of a workspace, in which nothing is touched."""
    global _bytes
    with _lock:
        waiting = _waiting.get(one)
        if waiting:
            found = waiting.pop()
            _bytes -= _size(found)
            return found
    level, *sizes = one
    return level.space(*sizes)  # type: ignore[attr-defined,no-any-return]


def give(one: Wanted, buffers: tuple[Array, ...]) -> None:
    """Keep what `take` returned for the same, and what is touched no more."""
    global _bytes
    size = _size(buffers)
    with _lock:
        if _bytes + size > KEPT:
            _waiting.clear()
            _bytes = 0
        if size <= KEPT:
            _waiting.setdefault(one, []).append(buffers)
            _bytes += size


def _size(buffers: tuple[Array, ...]) -> int:
    return sum([buffer.nbytes for buffer in buffers])
