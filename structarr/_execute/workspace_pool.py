"""The workspace pool: released workspaces, kept clean by kernels, for the next matching request.

Making a workspace takes time proportional to its length, using one only to what is written. So
released workspaces are pooled for the next matching request, of whatever kernel. A call takes its
workspaces out of the pool, so no two calls share one; a call that raises does not return its own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final, NamedTuple

from structarr._support.caches import MOST, clears
from structarr._support.locks import lock
from structarr._support.memory_account import Held, frees
from structarr.formats.base import Format, Level
from structarr.formats.entries import Array

KEPT: Final = 1 << 26
"""The most bytes that may wait in the pool; beyond them or `MOST` requests, all are freed."""


class Wanted(NamedTuple):
    """A request for a workspace of a row, of which a bounded number of children is touched."""

    level: Level
    dim: int
    touched: int
    positions: str  # the dtype of coordinates and positions
    dtype: str


class Space(NamedTuple):
    """A workspace: its request, its bytes, its buffers, and what has its bytes counted."""

    wanted: Wanted
    nbytes: int
    buffers: tuple[Array, ...]
    held: Held


_waiting: dict[Wanted, list[Space]] = {}
_bytes = 0
_lock = lock()


def wanting(format: Format, dtype: str) -> Callable[[int, int], Wanted]:
    """Return the function from a row's length and touched children to a request for a workspace.

    The number of touched children is rounded, so that similar calls share workspaces.
    """

    @lru_cache(64)
    def rounded(dim: int, bits: int) -> Wanted:
        return Wanted(format.root, dim, min(dim, (1 << bits) - 1), format.index, dtype)

    return lambda dim, touched: rounded(dim, min(dim, touched).bit_length())


def take(one: Wanted) -> Space:
    """Return a clean workspace."""
    global _bytes
    with _lock:
        waiting = _waiting.get(one)
        if waiting:
            found = waiting.pop()
            _bytes -= found.nbytes
            return found
    level, *sizes = one
    buffers: tuple[Array, ...] = level.space(*sizes)  # type: ignore[attr-defined]
    nbytes = sum([buffer.nbytes for buffer in buffers])
    return Space(one, nbytes, buffers, Held(nbytes))


def _free() -> None:
    global _bytes
    _waiting.clear()
    _bytes = 0


@frees
@clears
def let_go() -> None:
    """Free all workspaces that wait to be used again."""
    with _lock:
        _free()


def give(space: Space) -> None:
    """Pool a workspace that `take` returned and that is clean again."""
    global _bytes
    with _lock:
        if _bytes + space.nbytes > KEPT or len(_waiting) >= MOST:
            _free()
        if space.nbytes <= KEPT:
            _waiting.setdefault(space.wanted, []).append(space)
            _bytes += space.nbytes
