"""Helpers for programs over runs: checked places, and results whose runs are written in order.

`at[0]` is the number of runs written so far; rows before `at[1]` are complete, and `at[1]` is the
row that is being written.
"""

from __future__ import annotations

from typing import Any

from structarr._compiler.runtime._mark import Traits, helper, u
from structarr._compiler.runtime.marked import lowest
from structarr._compiler.runtime.output import differ, fill_range
from structarr._compiler.runtime.search import out_of_bounds


@helper(Traits(ends=True))
def outside(site: int, index: int, length: int) -> None:
    """End the kernel: a place of the program has found something that is out of bounds."""
    out_of_bounds(site, index, length)


def beyond(index: int, length: int) -> bool:
    """Whether an index is out of bounds: one comparison without signs, as no length is negative."""
    return index < 0 or index >= length


def inside(index: int, length: int, site: int) -> int:
    """Return an index, or end the kernel where it is out of bounds."""
    if beyond(index, length):
        outside(site, index, length)
    return index


def close_rows(ptr: Any, at: Any, row: int) -> None:
    """End all rows up to one, which can be read from now on."""
    while at[u(1)] <= row:
        at[u(1)] += 1
        ptr[u(at[u(1)])] = at[u(0)]


def put_run(
    ptr: Any,
    start: Any,
    stop: Any,
    val: Any,
    at: Any,
    row: int,
    lo: int,
    hi: int,
    value: Any,
    fill: Any,
    dim: int,
    site: int,
) -> None:
    """Append a run to a row, or continue the run before by it.

    `site` stands for a run out of bounds, `site + 1` for one that is out of order, and `site + 2`
    for one more than there is room for.
    """
    if lo >= hi:
        return
    if lo < 0:
        outside(site, lo, dim)
    if hi > dim:
        outside(site, hi, dim)
    if row < at[u(1)]:
        outside(site + 1, row, at[u(1)])
    close_rows(ptr, at, row - 1)
    n = at[u(0)]
    if n > ptr[u(row)]:
        if stop[u(n - 1)] > lo:
            outside(site + 1, lo, stop[u(n - 1)])
        if stop[u(n - 1)] == lo and not differ(val[u(n - 1)], value):
            stop[u(n - 1)] = hi
            return
    if not differ(value, fill):
        return
    if n >= len(start):
        outside(site + 2, n, len(start))
    start[u(n)] = lo
    stop[u(n)] = hi
    val[u(n)] = value
    at[u(0)] = n + 1


def put_runs(
    ptr: Any,
    start: Any,
    stop: Any,
    val: Any,
    at: Any,
    row: int,
    low: Any,
    low_at: int,
    low_step: int,
    high: Any,
    high_at: int,
    high_step: int,
    size: int,
    value: Any,
    fill: Any,
    dim: int,
    site: int,
) -> None:
    """Append `size` runs to a row, whose bounds lie in two arrays, a step apart.

    Runs that are in order and do not touch are stored without a look at each row and room; from the
    first one that is not, all are put one by one.
    """
    if size <= 0:
        return
    j = 0
    if row >= at[u(1)]:
        close_rows(ptr, at, row - 1)
        n = at[u(0)]
        if n + size <= len(start) and differ(value, fill):
            end = -1
            if n > ptr[u(row)]:
                end = int(stop[u(n - 1)])
            while j < size:
                lo = int(low[u(low_at + j * low_step)])
                hi = int(high[u(high_at + j * high_step)])
                if int(lo <= end) | int(hi <= lo) | int(hi > dim):
                    break
                start[u(n)] = lo
                stop[u(n)] = hi
                val[u(n)] = value
                end = hi
                n += 1
                j += 1
            at[u(0)] = n
    while j < size:
        lo = int(low[u(low_at + j * low_step)])
        hi = int(high[u(high_at + j * high_step)])
        put_run(ptr, start, stop, val, at, row, lo, hi, value, fill, dim, site)
        j += 1


def divisor(value: Any, site: int) -> Any:
    """Return a divisor, or end the kernel where it is zero."""
    if value == 0:
        outside(site, 0, 0)
    return value


def fill_stretch(buf: Any, base: int, lo: int, hi: int, value: Any, dim: int, site: int) -> None:
    """Set the elements [lo, hi) of a row of an array that begins at `base`."""
    if lo >= hi:
        return
    if lo < 0:
        outside(site, lo, dim)
    if hi > dim:
        outside(site, hi, dim)
    fill_range(buf, base + lo, base + hi, value)


def stretch_at(base: int, lo: int, size: int, dim: int, site: int) -> int:
    """Return where a stretch of a row that begins at `base` begins; end the kernel beyond it."""
    if size > 0:
        if lo < 0:
            outside(site, lo, dim)
        if lo + size > dim:
            outside(site, lo + size, dim)
    return base + lo


def not_behind(at: int, to: int, size: int, site: int) -> None:
    """End the kernel where a stretch is read that the same statement has written in part."""
    if at < to and to < at + size:
        outside(site, to - at, size)


def lowest_one(word: int) -> int:
    """Return the place of the lowest bit that is set in a number of 64 bits, 64 if none is."""
    if word == 0:
        return 64
    return lowest(word)


def same_length(length: int, other: int, site: int) -> None:
    """End the kernel where two rows that are read together are not equally long."""
    if length != other:
        outside(site, length, other)
