"""Entries of a matrix in order: split by ranges of rows, each of which is sorted digit by digit.

A pass moves entries to as many places by turns as there are keys, so keys are few; and what is
sorted digit by digit is read and written once a digit, so few entries are sorted together.
"""

from __future__ import annotations

from typing import Any

from structarr._compiler.runtime._mark import u


def move_entries(
    row: Any,
    idx: Any,
    val: Any,
    start: int,
    stop: int,
    bit: int,
    idx_bits: int,
    digit: int,
    first: int,
    slot: Any,
    to_row: Any,
    to_idx: Any,
    to_val: Any,
) -> None:
    """
    Move entries by some bits of their places, from a `bit` on, to what begins at `first`.

    A place is a row, and below it an index of `idx_bits`. Entries alike in these bits stay in
    order. In the end those of key k are from `slot[k]` to `slot[k + 1]`, counted from `first`.
    """
    low, up, down = min(bit, 62), max(idx_bits - bit, 0), max(bit - idx_bits, 0)
    mask, row_mask = (1 << digit) - 1, (1 << max(digit - up, 0)) - 1
    up = min(up, digit)
    for k in range(mask + 3):
        slot[u(k)] = 0
    for q in range(start, stop):
        k = ((idx[u(q)] >> low) & mask) | (((row[u(q)] >> down) & row_mask) << up)
        slot[u(k + 2)] += 1
    for k in range(2, mask + 3):
        slot[u(k)] += slot[u(k - 1)]
    for q in range(start, stop):
        k = ((idx[u(q)] >> low) & mask) | (((row[u(q)] >> down) & row_mask) << up)
        at = slot[u(k + 1)]
        slot[u(k + 1)] = at + 1
        to_row[u(first + at)] = row[u(q)]
        to_idx[u(first + at)] = idx[u(q)]
        to_val[u(first + at)] = val[u(q)]


def sort_ranges(
    bounds: Any,
    idx_bits: int,
    digit: int,
    turns: int,
    row: Any,
    idx: Any,
    val: Any,
    spare_row: Any,
    spare_idx: Any,
    spare_val: Any,
    slot: Any,
) -> None:
    """Sort the entries between any two bounds, by two digits a turn: there, and back."""
    for b in range(len(bounds) - 1):
        lo, hi = bounds[u(b)], bounds[u(b + 1)]
        for turn in range(turns if hi - lo > 1 else 0):
            bit = 2 * turn * digit
            move_entries(
                row, idx, val, lo, hi, bit, idx_bits, digit, 0, slot, spare_row, spare_idx, spare_val
            )
            bit += digit
            end = hi - lo
            move_entries(
                spare_row, spare_idx, spare_val, 0, end, bit, idx_bits, digit, lo, slot, row, idx, val
            )


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
