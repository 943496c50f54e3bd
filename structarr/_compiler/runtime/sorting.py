"""Rows of values sorted one by one: short stretches by insertion, then merged. Equal ones stay."""

from __future__ import annotations

from typing import Any

from structarr._compiler.runtime._mark import u
from structarr._compiler.runtime.search import bisect


def comes_before(one: Any, other: Any) -> bool:
    """Return whether a value is sorted before another; NaN is behind all others."""
    return bool(one < other or (other != other and one == one))


def sort_stretch(val: Any, lo: int, hi: int) -> None:
    """Sort some neighbours by insertion."""
    for q in range(lo + 1, hi):
        value = val[u(q)]
        p = q
        while p > lo and comes_before(value, val[u(p - 1)]):
            val[u(p)] = val[u(p - 1)]
            p -= 1
        val[u(p)] = value


def merge_stretches(source: Any, lo: int, middle: int, hi: int, to: Any) -> None:
    """Write two neighbouring sorted stretches as one."""
    p, q = lo, middle
    for k in range(lo, hi):
        if p < middle and (q >= hi or not comes_before(source[u(q)], source[u(p)])):
            to[u(k)] = source[u(p)]
            p += 1
        else:
            to[u(k)] = source[u(q)]
            q += 1


def sort_each(ptr: Any, val: Any, to_val: Any, spare: Any) -> None:
    """Write the sorted values of rows."""
    for q in range(len(val)):
        to_val[u(q)] = val[u(q)]
    for i in range(len(ptr) - 1):
        start, stop = ptr[u(i)], ptr[u(i + 1)]
        for lo in range(start, stop, 16):
            sort_stretch(to_val, lo, min(lo + 16, stop))
        width = 16
        while width < stop - start:
            for lo in range(start, stop, 2 * width):
                middle, hi = min(lo + width, stop), min(lo + 2 * width, stop)
                merge_stretches(to_val, lo, middle, hi, spare)
            for q in range(start, stop):
                to_val[u(q)] = spare[u(q)]
            width *= 2


def count_around(ptr: Any, val: Any, fill: Any, below: Any, missing: Any) -> None:
    """Count the values of each sorted row that are before the fill, and those that are NaN."""
    for i in range(len(ptr) - 1):
        start, stop = ptr[u(i)], ptr[u(i + 1)]
        while stop > start and val[u(stop - 1)] != val[u(stop - 1)]:
            stop -= 1
        missing[u(i)] = ptr[u(i + 1)] - stop
        below[u(i)] = (stop if fill != fill else bisect(val, fill, start, stop)) - start


def sort_rows(
    ptr: Any, val: Any, fill: Any, length: int, to_idx: Any, to_val: Any, spare: Any
) -> None:
    """Write the sorted entries of rows of a length, around what is not stored: the fill."""
    sort_each(ptr, val, to_val, spare)
    for i in range(len(ptr) - 1):
        start, stop = ptr[u(i)], ptr[u(i + 1)]
        late = stop
        while late > start and comes_before(fill, to_val[u(late - 1)]):
            late -= 1
        for q in range(start, late):
            to_idx[u(q)] = q - start
        for q in range(late, stop):
            to_idx[u(q)] = length + q - stop
