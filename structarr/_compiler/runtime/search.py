"""Searching and sorting in index buffers."""

from __future__ import annotations

from bisect import bisect_left
from typing import Any

import numpy as np

from structarr._compiler.runtime._mark import helper, u

SHORT = 24  # entries; below, insertion sort beats quicksort


@helper(interpreted=bisect_left)
def search(buf: Any, key: Any, lo: int, hi: int) -> int:
    """
    Return the first position in [lo, hi) whose entry is at least the key, or hi.

    The entries ascend. The search strides exponentially forward from lo, then bisects: a cursor
    that moves a little pays for a little.
    """
    if lo >= hi or buf[u(lo)] >= key:
        return lo
    below, above, stride = lo, lo + 1, 1  # buf[below] < key throughout
    while above < hi and buf[u(above)] < key:
        below = above
        above += stride
        stride += stride
    if above > hi:
        above = hi
    while above - below > 1:
        middle = (below + above) >> 1
        if buf[u(middle)] < key:
            below = middle
        else:
            above = middle
    return above


@helper(interpreted=bisect_left)
def bisect(buf: Any, key: Any, lo: int, hi: int) -> int:
    """Return the first position in [lo, hi) whose entry is at least the key, or hi, by halving."""
    while lo < hi:
        middle = (lo + hi) >> 1
        if buf[u(middle)] < key:
            lo = middle + 1
        else:
            hi = middle
    return lo


def sort_range(buf: Any, lo: int, hi: int) -> None:
    """Sort buf[lo:hi] in place, ascending."""
    if hi - lo > SHORT:
        np.asarray(buf)[lo:hi].sort()
        return
    for end in range(lo + 1, hi):
        entry = buf[u(end)]
        hole = end
        while hole > lo and buf[u(hole - 1)] > entry:
            buf[u(hole)] = buf[u(hole - 1)]
            hole -= 1
        buf[u(hole)] = entry
