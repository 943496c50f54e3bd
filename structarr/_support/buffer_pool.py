"""The buffer pool: memory of results, reused once no array holds it.

The system clears a new page when it is first written to, which takes as long as a kernel that only
reads and writes. A block returns to the pool when the last array over it is gone. What waits beyond
some bytes is lent to the system, which takes it where memory is short.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from sys import is_finalizing
from typing import Any, Final, TypeAlias

import numpy as np

from structarr._support.caches import clears
from structarr._support.lent_memory import lend
from structarr._support.memory import installed
from structarr._support.memory_account import Held, frees

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

LEAST: Final = 1 << 17
"""The least size of a pooled block in bytes; C's allocator keeps smaller ones."""

KEPT: Final = 1 << 28
"""The most bytes that may wait in the pool; beyond, the oldest blocks are lent or freed."""

LENT: Final = 4
"""One in how many bytes of the memory there is may wait, the lent ones included."""

BLOCKS: Final = 64
"""The most blocks that may wait in the pool."""

ALIGNED: Final = 64
"""What the address of a block is a multiple of: a line of the cache."""

# A deque, as its operations need no lock: memory may be returned at any point of a thread.
_waiting: deque[_Memory] = deque()


class _Memory:
    """Memory of which blocks are made, one at a time."""

    __slots__ = ("_array", "_held", "address", "lent", "size")

    def __init__(self, array: Array, held: Held) -> None:
        self._array, self._held, self.lent = array, held, False
        start: int = array.__array_interface__["data"][0]
        self.address = -(-start // ALIGNED) * ALIGNED
        self.size = array.nbytes - ALIGNED


class _Block:
    """A block of pooled memory, which the arrays over it keep alive."""

    __slots__ = ("__array_interface__", "_memory")

    def __init__(self, memory: _Memory, size: int, dtype: np.dtype[Any]) -> None:
        self._memory = memory
        self.__array_interface__ = {
            "version": 3,
            "data": (memory.address, False),
            "shape": (size,),
            "typestr": dtype.str,
        }

    def __del__(self) -> None:
        if not is_finalizing():  # nobody will ask for it
            _give(self._memory)


def is_block(memory: object) -> bool:
    """Whether what an array is a view of is pooled memory, which one array alone is made over."""
    return isinstance(memory, _Block)


def empty(size: int, dtype: np.dtype[Any]) -> Array:
    """Return an uninitialized array, as `numpy.empty` does."""
    needed = size * dtype.itemsize
    if needed < LEAST:
        return np.empty(size, dtype)
    return np.asarray(_Block(_take(needed) or _new(needed, np.empty), size, dtype))


def zeros(size: int, dtype: np.dtype[Any]) -> Array:
    """Return an array of zeros, as `numpy.zeros` does."""
    needed = size * dtype.itemsize
    if needed < LEAST:
        return np.zeros(size, dtype)
    memory = _take(needed)
    if memory is None:  # the system's memory is clear
        return np.asarray(_Block(_new(needed, np.zeros), size, dtype))
    found = np.asarray(_Block(memory, size, dtype))
    found.view(np.uint8).fill(0)  # in half the time of wider zeros
    return found


def copied(array: Array) -> Array:
    """Return a copy in C order."""
    if array.nbytes < LEAST:
        return array.copy()
    made = empty(array.size, array.dtype).reshape(array.shape)
    made[...] = array
    return made


def flattened(array: Array) -> Array:
    """Return a copy in C order with one axis, as `numpy.ndarray.flatten` does."""
    if array.nbytes < LEAST:
        return array.flatten()
    made = empty(array.size, array.dtype)
    made.reshape(array.shape)[...] = array
    return made


@frees
@clears
def let_go() -> None:
    """Free all blocks that wait to be reused."""
    _waiting.clear()


def _new(needed: int, make: Callable[..., Array]) -> _Memory:
    """New memory, rounded up so that results of about the same size can reuse it."""
    step = _step(needed)
    rounded = -(-needed // step) * step + ALIGNED
    held = Held(rounded)
    try:
        return _Memory(make(rounded, np.uint8), held)
    except MemoryError:
        let_go()
        return _Memory(make(rounded, np.uint8), held)


def _step(needed: int) -> int:
    """What sizes near to one are multiples of."""
    return 1 << max(needed.bit_length() - 5, 0)


def _take(needed: int) -> _Memory | None:
    """Waiting memory of `needed` to twice as many bytes; None if there is none.

    The newest of about that size, which caches may have; else the smallest.
    """
    best, most, enough = None, 2 * needed + 1, needed + _step(needed)
    # A list, of which garbage that is collected here changes nothing.
    for one in reversed(list(_waiting)):
        if needed <= one.size < most:
            best, most = one, one.size
            if most < enough:
                break
    if best is not None:
        try:
            _waiting.remove(best)
        except (ValueError, IndexError):  # another thread was faster
            return None
        best.lent = False
    return best


def _give(memory: _Memory) -> None:
    _waiting.append(memory)
    # An eighth is left to small blocks, for which the others are not counted.
    small = KEPT // 8
    if memory.size * BLOCKS <= small and len(_waiting) <= BLOCKS:
        return
    waiting, kept = list(_waiting), KEPT - small
    if len(waiting) <= BLOCKS and sum([one.size for one in waiting]) <= kept:
        return
    total, most = 0, max(kept, installed() // LENT)
    for number, one in enumerate(reversed(waiting)):  # from the newest on
        total += one.size
        waits = total <= most and number < BLOCKS
        if waits and (one.lent or total <= kept):
            continue
        try:
            _waiting.remove(one)
        except (ValueError, IndexError):  # another thread has taken or freed it
            continue
        if waits and lend(one.address, one.size):
            one.lent = True
            _waiting.insert(len(waiting) - 1 - number, one)  # where it was
