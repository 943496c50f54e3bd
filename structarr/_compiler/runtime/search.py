"""Searching and sorting in index buffers."""

from __future__ import annotations

from bisect import bisect_left
from typing import Any

import numpy as np

from structarr._compiler.runtime._mark import helper, u


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
def search_near(buf: Any, key: Any, lo: int, hi: int) -> int:
    """
    Return what `search` does, going on step by step at first: for what is a few steps away.

    Whether there is a first step nobody can guess, so it is taken without a branch.
    """
    if lo >= hi:
        return lo
    near = min(lo + 16, hi)
    lo += buf[u(lo)] < key
    while lo < near and buf[u(lo)] < key:
        lo += 1
    return search(buf, key, lo, hi) if lo == near else lo


def new_fingers(rows: int) -> Any:
    """Return room for a finger on each of some rows."""
    return np.empty(max(rows, 0), np.int64)


@helper(interpreted=bisect_left)
def search_back(buf: Any, key: Any, lo: int, hi: int) -> int:
    """Return what `search` does, striding from hi backward: for a cursor that runs down."""
    if lo >= hi or buf[u(hi - 1)] < key:
        return hi
    above, below, stride = hi - 1, hi - 2, 1  # buf[above] >= key throughout
    while below >= lo and buf[u(below)] >= key:
        above = below
        below -= stride
        stride += stride
    if below < lo:
        below = lo - 1
    while above - below > 1:
        middle = (below + above) >> 1
        if buf[u(middle)] < key:
            below = middle
        else:
            above = middle
    return above


def entry_before(buf: Any, at: int, first: int) -> int:
    """Return the entry before one, 0 before the first: where what ends at an entry begins."""
    return int(buf[u(at - 1)]) if at > first else 0


def block_by(stop: Any, ofs: Any, key: int, at: int, hi: int) -> int:
    """
    Return `at`, the first block before hi that ends past an index, or the block before it.

    It is the last that begins at the index or before it. Block b ends at stop[b] and is
    ofs[b + 1] - ofs[b] wide.
    """
    if at < hi and stop[u(at)] - (ofs[u(at + 1)] - ofs[u(at)]) <= key:
        return at
    return at - 1


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


def _sort_array(buf: Any, lo: int, hi: int) -> None:
    np.asarray(buf)[lo:hi].sort()


@helper(interpreted=_sort_array)
def sort_range(buf: Any, lo: int, hi: int) -> None:
    """
    Sort buf[lo:hi] in place, ascending.

    Shell's sort, by gaps that shrink to 4/9: up to a thousand entries it is as fast as Numba's
    quicksort, at worst 1.8 times slower beyond, and compiling it takes 0.1 s instead of 0.8 s.
    """
    gap = 1
    while 9 * gap < 4 * (hi - lo):
        gap = gap * 9 // 4 + 1
    while gap > 0:
        for end in range(lo + gap, hi):
            entry = buf[u(end)]
            hole = end
            while hole >= lo + gap and buf[u(hole - gap)] > entry:
                buf[u(hole)] = buf[u(hole - gap)]
                hole -= gap
            buf[u(hole)] = entry
        gap = gap * 4 // 9


def _sort_marked(buf: Any, mask: Any, count: int, dim: int) -> None:
    np.asarray(buf)[:count].sort()


@helper(interpreted=_sort_marked)
def list_marked(buf: Any, mask: Any, count: int, dim: int) -> None:
    """Put in order the `count` indices below `dim` that are marked, which `buf` holds already.

    Where many are, going through the marks takes less time than sorting: they are read by eights,
    so there are some more up to a multiple of eight.
    """
    if dim > 128 * count:
        sort_range(buf, 0, count)
        return
    words = np.frombuffer(mask, np.uint64)
    at = 0
    for word in range((dim + 7) >> 3):
        if words[u(word)] != 0:
            for i in range(8 * word, 8 * word + 8):
                buf[u(at)] = i
                at += mask[u(i)]


def rarely(cond: Any) -> Any:
    """Return a condition that seldom holds: what it guards is worth a branch."""
    return cond


@helper()
def out_of_bounds(site: int, index: int, dim: int) -> None:
    """Refuse an index: say which of the checked accesses it is for, the index and the length."""
    raise IndexError(site, index, dim)
