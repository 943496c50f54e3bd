"""Entries of a matrix in order: split by ranges of rows, each of which is sorted digit by digit.

A pass moves entries to as many places by turns as there are keys, so keys are few; and what is
sorted digit by digit is read and written once a digit, so few entries are sorted together.
"""

from __future__ import annotations

from typing import Any

from structarr._compiler.runtime._mark import u


def move_entries(
    key: Any,
    row: Any,
    idx: Any,
    val: Any,
    start: int,
    stop: int,
    shift: int,
    digit: int,
    first: int,
    slot: Any,
    to_row: Any,
    to_idx: Any,
    to_val: Any,
) -> None:
    """
    Move entries by a digit of so many bits of their keys, to places from `first` on.

    Those of equal digits stay in order. In the end those of digit k are from `slot[k]` up to
    `slot[k + 1]`, counted from `first`.
    """
    keys = 1 << digit
    for k in range(keys + 2):
        slot[u(k)] = 0
    for q in range(start, stop):
        slot[u(((key[u(q)] >> shift) & (keys - 1)) + 2)] += 1
    for k in range(2, keys + 2):
        slot[u(k)] += slot[u(k - 1)]
    for q in range(start, stop):
        k = u(((key[u(q)] >> shift) & (keys - 1)) + 1)
        at = slot[k]
        slot[k] = at + 1
        to_row[u(first + at)] = row[u(q)]
        to_idx[u(first + at)] = idx[u(q)]
        to_val[u(first + at)] = val[u(q)]


def sort_ranges(
    bounds: Any,
    idx_digit: int,
    idx_passes: int,
    row_digit: int,
    row_passes: int,
    row: Any,
    idx: Any,
    val: Any,
    row2: Any,
    idx2: Any,
    val2: Any,
    slot: Any,
) -> None:
    """
    Sort the entries between any two bounds by their indices, then by the last bits of their rows.

    Each pass sorts by a digit of one of them: there, and the next one back.
    """
    for b in range(len(bounds) - 1):
        lo, hi = bounds[u(b)], bounds[u(b + 1)]
        end, is_there, shift = hi - lo, False, 0
        for _ in range(idx_passes if end > 1 else 0):
            if is_there:
                move_entries(
                    idx2, row2, idx2, val2, 0, end, shift, idx_digit, lo, slot, row, idx, val
                )
            else:
                move_entries(
                    idx, row, idx, val, lo, hi, shift, idx_digit, 0, slot, row2, idx2, val2
                )
            is_there = not is_there
            shift += idx_digit
        shift = 0
        for _ in range(row_passes if end > 1 else 0):
            if is_there:
                move_entries(
                    row2, row2, idx2, val2, 0, end, shift, row_digit, lo, slot, row, idx, val
                )
            else:
                move_entries(
                    row, row, idx, val, lo, hi, shift, row_digit, 0, slot, row2, idx2, val2
                )
            is_there = not is_there
            shift += row_digit
        if is_there:
            for q in range(end):
                row[u(lo + q)] = row2[u(q)]
                idx[u(lo + q)] = idx2[u(q)]
                val[u(lo + q)] = val2[u(q)]


def unite_places(start: int, end: int, room: int, row: Any, idx: Any, first: Any) -> int:
    """
    Move the first entry of each place to `end` and on, and return how many there are.

    Entries are in order, and read from `start` on. Of at most `room` places it is listed how far
    from there they begin, and behind them where the last one ends.
    """
    count, q = 0, start
    i, j = -1, -1
    while q < len(row):
        if row[u(q)] != i or idx[u(q)] != j:
            if count == room:
                break
            i, j = row[u(q)], idx[u(q)]
            row[u(end + count)] = i
            idx[u(end + count)] = j
            first[u(count)] = q - start
            count += 1
        q += 1
    first[u(count)] = q - start
    return count
