"""The indices that a row has marked, in order.

The marks of a row are bytes. Beyond them lie a bit for each index, by words of 64, and a bit for
each of these words: many indices are put in order by setting their bits and reading those that are
set, 3 to 5 ns each. Between two rows all bits are clear.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._compiler.runtime._mark import u
from structarr._compiler.runtime.search import FEW, sort_range

SCARCE = 1 << 15  # with fewer than one marked index in so many, sorting is quicker than a scan


def words_of_marks(dim: int) -> int:
    """Return how many words of eight bytes the marks of a row take."""
    words = (dim + 63) >> 6
    return ((dim + 7) >> 3) + words + ((words + 63) >> 6)


def words_of(mask: Any) -> Any:
    """Return the marks of a row as words of eight bytes."""
    return np.frombuffer(mask, np.uint64)


def lowest(word: Any) -> int:
    """Return the place of the lowest bit that is set in a word, which has one."""
    return (int(word) & -int(word)).bit_length() - 1


def list_marked(buf: Any, mask: Any, count: int, dim: int) -> None:
    """Put in order the `count` indices below `dim` that are marked, which `buf` holds already."""
    if count <= FEW or dim > SCARCE * count:
        sort_range(buf, 0, count)
        return
    at = 0
    if 4 * count > dim:  # a pass over all bytes is shorter
        for i in range(dim):
            buf[u(at)] = i
            at += mask[u(i)]
        return
    words = words_of(mask)
    one = np.uint64(1)
    low = (dim + 7) >> 3
    high = low + ((dim + 63) >> 6)
    for k in range(count):
        index = u(buf[u(k)])
        word = index >> u(6)
        words[u(low) + word] |= one << np.uint64(index & u(63))
        words[u(high) + (word >> u(6))] |= one << np.uint64(word & u(63))
    for k in range(high, words_of_marks(dim)):
        above = words[u(k)]
        words[u(k)] = 0
        while above != 0:
            word = u(64 * (k - high) + lowest(above))
            above &= above - one
            bits = words[u(low) + word]
            words[u(low) + word] = 0
            while bits != 0:
                buf[u(at)] = (word << u(6)) + u(lowest(bits))
                at += 1
                bits &= bits - one
