"""Reordering lists by counting: where each key's entries begin, then every entry to its place.

The places are kept in `slot`, two longer than there are keys and zero at first. In the end key k's
entries are those from `slot[k]` up to `slot[k + 1]`, in the order in which they came.
"""

from __future__ import annotations

from typing import Any

from structarr._compiler.runtime._mark import u
from structarr._compiler.runtime.output import differ


def count_keys(key: Any, shift: int, mask: int, slot: Any) -> None:
    """Set `slot[k + 1]` to where the entries of key k begin, for keys `(key >> shift) & mask`."""
    for q in range(len(key)):
        slot[u(((key[u(q)] >> shift) & mask) + 2)] += 1
    for k in range(2, len(slot)):
        slot[u(k)] += slot[u(k - 1)]


def scatter_keys(key: Any, shift: int, mask: int, order: Any, slot: Any, to: Any) -> None:
    """Sort an order of entries by their keys."""
    for q in range(len(order)):
        entry = order[u(q)]
        k = u(((key[u(entry)] >> shift) & mask) + 1)
        at = slot[k]
        slot[k] = at + 1
        to[u(at)] = entry


def transpose_rows(
    ptr: Any, idx: Any, val: Any, fill: Any, slot: Any, to_idx: Any, to_val: Any
) -> int:
    """Move the entries of rows to the rows of the transpose; return how many are not the fill."""
    kept = 0
    for q in range(len(idx)):
        slot[u(idx[u(q)] + 2)] += 1
    for k in range(2, len(slot)):
        slot[u(k)] += slot[u(k - 1)]
    for i in range(len(ptr) - 1):
        for q in range(ptr[u(i)], ptr[u(i + 1)]):
            k = u(idx[u(q)] + 1)
            at = slot[k]
            slot[k] = at + 1
            to_idx[u(at)] = i
            value = val[u(q)]
            to_val[u(at)] = value
            kept += differ(value, fill)
    return kept


def transpose_entries(
    row: Any, idx: Any, val: Any, fill: Any, slot: Any, to_idx: Any, to_val: Any
) -> int:
    """The same of entries that come with their rows."""
    kept = 0
    for q in range(len(idx)):
        slot[u(idx[u(q)] + 2)] += 1
    for k in range(2, len(slot)):
        slot[u(k)] += slot[u(k - 1)]
    for q in range(len(idx)):
        k = u(idx[u(q)] + 1)
        at = slot[k]
        slot[k] = at + 1
        to_idx[u(at)] = row[u(q)]
        value = val[u(q)]
        to_val[u(at)] = value
        kept += differ(value, fill)
    return kept


def spread_rows(ptr: Any, to: Any) -> None:
    """Write the row of each entry."""
    for i in range(len(ptr) - 1):
        for q in range(ptr[u(i)], ptr[u(i + 1)]):
            to[u(q)] = i


def count_places(place: Any, count: Any) -> None:
    """Count how often each place is there."""
    for q in range(len(place)):
        count[u(place[u(q)])] += 1


def scatter_rows(ptr: Any, idx: Any, val: Any, across: int, along: int, to: Any) -> None:
    """Write the entries of rows to their places: rows and columns are so many elements apart."""
    for i in range(len(ptr) - 1):
        for q in range(ptr[u(i)], ptr[u(i + 1)]):
            to[u(i * across + idx[u(q)] * along)] = val[u(q)]


def count_rows(row: Any, ptr: Any) -> None:
    """Set pointers, zero at first, by the row of each entry."""
    for q in range(len(row)):
        ptr[u(row[u(q)] + 1)] += 1
    for i in range(1, len(ptr)):
        ptr[u(i)] += ptr[u(i - 1)]


def multiply_rows(
    left_ptr: Any,
    left_idx: Any,
    left_val: Any,
    ptr: Any,
    idx: Any,
    val: Any,
    width: int,
    to_ptr: Any,
    to_idx: Any,
    to_val: Any,
) -> None:
    """Write the rows of a Kronecker product, whose second factor has so many columns."""
    n, rows = 0, len(ptr) - 1
    for i in range(len(left_ptr) - 1):
        for k in range(rows):
            for p in range(left_ptr[u(i)], left_ptr[u(i + 1)]):
                start, value = left_idx[u(p)] * width, left_val[u(p)]
                for q in range(ptr[u(k)], ptr[u(k + 1)]):
                    to_idx[u(n)] = start + idx[u(q)]
                    to_val[u(n)] = value * val[u(q)]
                    n += 1
            to_ptr[u(i * rows + k + 1)] = n
