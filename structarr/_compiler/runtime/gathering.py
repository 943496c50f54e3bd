"""Entries of lists looked up and copied: those at given places, and those of given columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._compiler.runtime._mark import u
from structarr._compiler.runtime.output import differ
from structarr._compiler.runtime.search import bisect, search, sort_range


def find_entries(begin: Any, end: Any, idx: Any, wanted: Any, first: Any, last: Any) -> None:
    """
    Set where in each segment [begin, end) of ascending coordinates the wanted ones are.

    A search goes on where the last one ended if it is in the same segment and not for less.
    """
    at, segment, before = 0, -1, 0
    for q in range(len(wanted)):
        lo, hi, key = begin[u(q)], end[u(q)], wanted[u(q)]
        if lo != segment or key < before:
            at = lo
        at = search(idx, key, at, hi)
        after = at
        if at < hi and idx[u(at)] == key:
            after = search(idx, key + 1, at + 1, hi)
        first[u(q)] = at
        last[u(q)] = after
        segment, before = lo, key


def take_points(ptr: Any, idx: Any, val: Any, row: Any, column: Any, to: Any, to_val: Any) -> int:
    """
    Set the numbers of the points at which rows store something, and the values; count them.

    A search goes on where the last one ended if it is in the same row and not for less.
    """
    count, at, same, before = 0, 0, -1, 0
    for q in range(len(row)):
        i, key = row[u(q)], column[u(q)]
        if i != same or key < before:
            at = ptr[u(i)]
        stop = ptr[u(i + 1)]
        at = search(idx, key, at, stop)
        if at < stop and idx[u(at)] == key:
            to[u(count)] = q
            to_val[u(count)] = val[u(at)]
            count += 1
        same, before = i, key
    return count


def place_rows(ptr: Any, rows: Any, to: Any) -> int:
    """Set where copies of rows begin, one after the other; return how many entries there are."""
    at = 0
    for p in range(len(rows)):
        to[u(p)] = at
        at += ptr[u(rows[u(p)] + 1)] - ptr[u(rows[u(p)])]
    to[u(len(rows))] = at
    return at


def copy_rows(
    ptr: Any, idx: Any, val: Any, rows: Any, begin: Any, to_idx: Any, to_val: Any
) -> None:
    """Copy rows to where `begin` says."""
    for p in range(len(rows)):
        start = begin[u(p)]
        shift = ptr[u(rows[u(p)])] - start
        for q in range(start, begin[u(p + 1)]):
            to_idx[u(q)] = idx[u(q + shift)]
        for q in range(start, begin[u(p + 1)]):
            to_val[u(q)] = val[u(q + shift)]


def copy_segments(begin: Any, ptr: Any, source: Any, to: Any) -> None:
    """Copy the segments that begin at some places one after the other, to where `ptr` says."""
    for p in range(len(begin)):
        start = ptr[u(p)]
        shift = begin[u(p)] - start
        for q in range(start, ptr[u(p + 1)]):
            to[u(q)] = source[u(q + shift)]


def keep_columns(
    ptr: Any, idx: Any, val: Any, place: Any, to_ptr: Any, to_idx: Any, to_val: Any
) -> int:
    """Copy the entries of rows whose column has a place, which is not below zero; count them."""
    at = 0
    for i in range(len(ptr) - 1):
        to_ptr[u(i)] = at
        for q in range(ptr[u(i)], ptr[u(i + 1)]):
            column = place[u(idx[u(q)])]
            # An entry that is not kept is overwritten by the next one.
            to_idx[u(at)] = column
            to_val[u(at)] = val[u(q)]
            at += column >= 0
    to_ptr[u(len(ptr) - 1)] = at
    return at


def pick_columns(
    ptr: Any, idx: Any, val: Any, place: Any, to_ptr: Any, to_idx: Any, to_val: Any
) -> int:
    """The same where few are kept: values of others are not read."""
    at = 0
    for i in range(len(ptr) - 1):
        to_ptr[u(i)] = at
        for q in range(ptr[u(i)], ptr[u(i + 1)]):
            column = place[u(idx[u(q)])]
            if column >= 0:
                to_idx[u(at)] = column
                to_val[u(at)] = val[u(q)]
                at += 1
    to_ptr[u(len(ptr) - 1)] = at
    return at


def move_columns(
    ptr: Any, idx: Any, val: Any, place: Any, keys: Any, to_ptr: Any, to_idx: Any, to_val: Any
) -> int:
    """
    Copy the entries of rows whose column has a place to these places, in order; count them.

    No two columns have the same place. A row's places are sorted with where they come from, as one
    number each, for which `keys` has room.
    """
    at = 0
    for i in range(len(ptr) - 1):
        to_ptr[u(i)] = at
        begin, count = ptr[u(i)], 0
        for q in range(begin, ptr[u(i + 1)]):
            column = place[u(idx[u(q)])]
            # A key that is not kept is overwritten by the next one.
            keys[u(count)] = (np.int64(column) << 32) | (q - begin)
            count += column >= 0
        sort_range(keys, 0, count)
        for k in range(count):
            to_idx[u(at + k)] = keys[u(k)] >> 32
            to_val[u(at + k)] = val[u(begin + (keys[u(k)] & 0xFFFFFFFF))]
        at += count
    to_ptr[u(len(ptr) - 1)] = at
    return at


def drop_entries(
    ptr: Any, idx: Any, val: Any, rows: Any, columns: Any, to_ptr: Any, to_idx: Any, to_val: Any
) -> int:
    """Copy the entries of rows but those in a marked row and a marked column; count them."""
    at, i, count = 0, 0, len(ptr) - 1
    while i < count:
        start = ptr[u(i)]
        if not rows[u(i)]:  # the rows up to the next marked one are copied as they are
            before = start - at
            while i < count and not rows[u(i)]:
                to_ptr[u(i)] = ptr[u(i)] - before
                i += 1
            for q in range(start, ptr[u(i)]):
                to_idx[u(q - before)] = idx[u(q)]
                to_val[u(q - before)] = val[u(q)]
            at = ptr[u(i)] - before
        else:
            to_ptr[u(i)] = at
            for q in range(start, ptr[u(i + 1)]):
                column = idx[u(q)]
                to_idx[u(at)] = column
                to_val[u(at)] = val[u(q)]
                at += not columns[u(column)]
            i += 1
    to_ptr[u(count)] = at
    return at


def drop_listed(
    row: Any, idx: Any, val: Any, rows: Any, columns: Any, to_row: Any, to_idx: Any, to_val: Any
) -> int:
    """The same of entries that come with their rows."""
    at, q, count = 0, 0, len(row)
    while q < count:
        start, i = q, row[u(q)]
        while i < len(rows) and not rows[u(i)]:
            i += 1
        q = bisect(row, i, start, count)  # the first entry of the next marked row
        before = start - at
        for k in range(start, q):
            to_row[u(k - before)] = row[u(k)]
            to_idx[u(k - before)] = idx[u(k)]
            to_val[u(k - before)] = val[u(k)]
        at = q - before
        while q < count and rows[u(row[u(q)])]:
            column = idx[u(q)]
            to_row[u(at)] = row[u(q)]
            to_idx[u(at)] = column
            to_val[u(at)] = val[u(q)]
            at += not columns[u(column)]
            q += 1
    return at


def place_points(ptr: Any, idx: Any, row: Any, column: Any, values: Any, fill: Any, to: Any) -> int:
    """Set where rows store ascending points; count them, up to one that they do not or need not."""
    at, same = 0, -1
    for k in range(len(row)):
        i, key = row[u(k)], column[u(k)]
        if i != same:
            at = ptr[u(i)]
        stop = ptr[u(i + 1)]
        at = search(idx, key, at, stop)
        if at == stop or idx[u(at)] != key or not differ(values[u(k)], fill):
            return k
        to[u(k)] = at
        same = i
    return len(row)


def put_points(
    ptr: Any,
    idx: Any,
    val: Any,
    fill: Any,
    row: Any,
    column: Any,
    values: Any,
    to_ptr: Any,
    to_idx: Any,
    to_val: Any,
) -> int:
    """
    Copy the entries of rows with other values at points, which ascend; count them.

    What equals the fill is not stored at the points.
    """
    at, q, next_row = 0, 0, 0
    for k in range(len(row)):
        i, key = row[u(k)], column[u(k)]
        begin = ptr[u(i)]
        stop = search(idx, key, max(q, begin), ptr[u(i + 1)])
        for r in range(next_row, i + 1):
            to_ptr[u(r)] = ptr[u(r)] + (at - q)
        next_row = max(next_row, i + 1)
        while q < stop:
            to_idx[u(at)] = idx[u(q)]
            to_val[u(at)] = val[u(q)]
            at += 1
            q += 1
        if q < ptr[u(i + 1)] and idx[u(q)] == key:
            q += 1
        if differ(values[u(k)], fill):
            to_idx[u(at)] = key
            to_val[u(at)] = values[u(k)]
            at += 1
    for r in range(next_row, len(ptr)):
        to_ptr[u(r)] = ptr[u(r)] + (at - q)
    while q < len(idx):
        to_idx[u(at)] = idx[u(q)]
        to_val[u(at)] = val[u(q)]
        at += 1
        q += 1
    return at
