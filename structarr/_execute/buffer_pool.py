"""The buffer pool: memory of large results, reused once no array holds it.

The system clears a new page when it is first written to, which takes as long as a kernel that only
reads and writes. A block returns to the pool when the last array over it is gone.
"""

from __future__ import annotations

from collections import deque
from typing import Any, Final

import numpy as np

from structarr._support.caches import clears
from structarr.formats.entries import Array

LEAST: Final = 1 << 22
"""The least size of a pooled block in bytes; C's allocator keeps smaller ones."""

KEPT: Final = 1 << 28
"""The most bytes that may wait in the pool; beyond, the oldest blocks are freed."""

# A deque, as its operations need no lock: memory may be returned at any point of a thread.
_waiting: deque[Array] = deque()


class _Block:
    """A block of pooled memory, which the arrays over it keep alive."""

    __slots__ = ("__array_interface__", "_memory")

    def __init__(self, memory: Array, size: int, dtype: np.dtype[Any]) -> None:
        self._memory = memory
        self.__array_interface__ = {
            "version": 3,
            "data": (memory.ctypes.data, False),
            "shape": (size,),
            "typestr": dtype.str,
        }

    def __del__(self) -> None:
        _give(self._memory)


def empty(size: int, dtype: np.dtype[Any]) -> Array:
    """Return an uninitialized array, as `numpy.empty` does."""
    needed = size * dtype.itemsize
    if needed < LEAST:
        return np.empty(size, dtype)
    memory = _take(needed)
    return np.asarray(_Block(_new(needed) if memory is None else memory, size, dtype))


@clears
def let_go() -> None:
    """Free all blocks that wait to be reused."""
    _waiting.clear()


def _new(needed: int) -> Array:
    """A new block, rounded up so that results of about the same size can reuse it."""
    step = 1 << max(needed.bit_length() - 5, 0)
    rounded = -(-needed // step) * step
    try:
        return np.empty(rounded, np.uint8)
    except MemoryError:
        let_go()
        return np.empty(rounded, np.uint8)


def _take(needed: int) -> Array | None:
    """The smallest waiting block of `needed` to twice as many bytes; None if there is none."""
    best: Array | None = None
    for _ in range(len(_waiting)):
        try:
            memory = _waiting.pop()
        except IndexError:  # another thread was faster
            break
        most = 2 * needed if best is None else best.nbytes - 1
        if needed <= memory.nbytes <= most:
            if best is not None:
                _waiting.appendleft(best)
            best = memory
        else:
            _waiting.appendleft(memory)
    return best


def _give(memory: Array) -> None:
    _waiting.append(memory)
    # A list: making a tuple may collect garbage, which changes the deque while it is read.
    while sum([one.nbytes for one in list(_waiting)]) > KEPT:
        try:
            _waiting.popleft()
        except IndexError:
            return
