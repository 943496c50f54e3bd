"""Entries of a matrix in order: split by ranges of rows, each of which is sorted digit by digit.

A pass moves entries to as many places by turns as there are keys, so keys are few; and what is
sorted digit by digit is read and written once a digit, so few entries are sorted together.
"""

from __future__ import annotations

from typing import Any

from structarr._compiler.runtime._mark import u


def find_ranges(row: Any, idx: Any, up: int, down: int, bounds: Any, bits: int, to: Any) -> None:
    """
    Write how many bounds of ranges are not above each place, which is a number of so many bits.

    A place is its row, and below it, by `up` bits, its index without the last `down` ones.
    """
    for q in range(len(row)):
        place = (row[u(q)] << up) | (idx[u(q)] >> down)
        at, bit = 0, bits
        while bit > 0:
            bit -= 1
            # A number that is shifted, which no target makes a branch of.
            at += (0 + (bounds[u(at + (1 << bit) - 1)] <= place)) << bit
        to[u(q)] = at


def move_entries(
    key: Any,
    row: Any,
    idx: Any,
    val: Any,
    start: int,
    stop: int,
    least: int,
    shift: int,
    digit: int,
    first: int,
    slot: Any,
    to_row: Any,
    to_idx: Any,
    to_val: Any,
) -> None:
    """
    Move entries by a digit of so many bits of what their keys are above the least one.

    Those of equal digits stay in order. In the end those of digit k are from `slot[k]` up to
    `slot[k + 1]`, counted from the `first` place that is moved to.
    """
    keys = 1 << digit
    for k in range(keys + 2):
        slot[u(k)] = 0
    for q in range(start, stop):
        slot[u((((key[u(q)] - least) >> shift) & (keys - 1)) + 2)] += 1
    for k in range(2, keys + 2):
        slot[u(k)] += slot[u(k - 1)]
    for q in range(start, stop):
        k = u((((key[u(q)] - least) >> shift) & (keys - 1)) + 1)
        at = slot[k]
        slot[k] = at + 1
        to_row[u(first + at)] = row[u(q)]
        to_idx[u(first + at)] = idx[u(q)]
        to_val[u(first + at)] = val[u(q)]


def digit_bits(span: int, most: int) -> int:
    """Return the bits of a digit, at most so many, where all digits of a number have as many."""
    bits = 0
    while span >> bits > 0:
        bits += 1
    passes = max((bits + most - 1) // most, 1)
    return (bits + passes - 1) // passes


def sort_ranges(
    bounds: Any,
    most: int,
    row: Any,
    idx: Any,
    val: Any,
    row2: Any,
    idx2: Any,
    val2: Any,
    slot: Any,
) -> None:
    """
    Sort the entries between any two bounds by their indices, then by their rows.

    Each pass sorts by a digit of `most` bits at most: there, and the next one back.
    """
    for b in range(len(bounds) - 1):
        lo, hi = bounds[u(b)], bounds[u(b + 1)]
        end, is_there = hi - lo, False
        if end > 1:
            low, high = idx[u(lo)], idx[u(lo)]
            least, greatest = row[u(lo)], row[u(lo)]
            for q in range(lo, hi):
                low = idx[u(q)] if idx[u(q)] < low else low
                high = idx[u(q)] if idx[u(q)] > high else high
                least = row[u(q)] if row[u(q)] < least else least
                greatest = row[u(q)] if row[u(q)] > greatest else greatest
            few = most
            while few > 3 and (1 << few) > end:  # what is counted should not be more than entries
                few -= 1
            digit, shift = digit_bits(high - low, few), 0
            while (high - low) >> shift > 0:
                if is_there:
                    move_entries(
                        idx2, row2, idx2, val2, 0, end, low, shift, digit, lo, slot, row, idx, val
                    )
                else:
                    move_entries(
                        idx, row, idx, val, lo, hi, low, shift, digit, 0, slot, row2, idx2, val2
                    )
                is_there = not is_there
                shift += digit
            digit, shift = digit_bits(greatest - least, few), 0
            while (greatest - least) >> shift > 0:
                if is_there:
                    move_entries(
                        row2, row2, idx2, val2, 0, end, least, shift, digit, lo, slot, row, idx, val
                    )
                else:
                    move_entries(
                        row, row, idx, val, lo, hi, least, shift, digit, 0, slot, row2, idx2, val2
                    )
                is_there = not is_there
                shift += digit
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
