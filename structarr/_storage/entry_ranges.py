"""Entries of a matrix put in order by ranges of rows that fit a cache, and united by places.

To move each entry to its row at once takes a miss of the cache an entry where there are many rows,
and to sort them as a whole as many passes over memory as the coordinates have digits. Entries are
split by ranges of rows, few enough to be written to by turns, and each range is sorted by digits.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from structarr._compiler.backend.call import call
from structarr._support.buffer_pool import copied, empty
from structarr.formats.entries import Array

RANGE: Final = 16  # the bits of how many entries of a range are sorted together
RANGES: Final = 11  # the bits of how many ranges are written to by turns
DIGIT: Final = 11  # the most bits that one pass sorts by
SPARE: Final = 8  # one in how many entries may be left unused behind those that are united
PART: Final = 1 << 18  # places whose values are added up together


class Ranges(NamedTuple):
    """
    Entries split by ranges of rows, in the order in which they came in each.

    Attributes
    ----------
    bounds : array
        Where each range begins, and the end.
    bits : int
        Those of a row that tell the rows of a range apart.
    rows, columns, values : array
        The entries.
    """

    bounds: Array
    bits: int
    rows: Array
    columns: Array
    values: Array


def split(rows: Array, columns: Array, values: Array) -> Ranges:
    """
    Return entries split by ranges of rows; nobody else has the arrays.

    Parameters
    ----------
    rows : array
        Checked, and nobody changes them. Nothing is read where other arrays say.
    columns, values : array
        Of any numbers.
    """
    count, bits = len(rows), int(rows.max(initial=0)).bit_length()
    digit = max(0, min(RANGES, count.bit_length() - RANGE, bits))
    slot = np.zeros((1 << digit) + 2, np.int64)
    outputs = [empty(count, one.dtype) for one in (rows, columns, values)]
    inputs = rows, rows, columns, values, 0, count, bits - digit, digit, 0
    call("move_entries", inputs, (slot, *outputs), 2 * count)
    return Ranges(slot[:-1], bits - digit, *outputs)


def sort(ranges: Ranges) -> None:
    """
    Put entries in order, in place: by rows, then by columns, then as they come.

    Parameters
    ----------
    ranges : Ranges
        Its columns are not negative.

    Examples
    --------
    >>> parts = split(np.array([1, 0, 1]), np.array([2, 5, 0]), np.array([0.5, 1.5, 2.5]))
    >>> sort(parts)
    >>> parts.rows.tolist(), parts.columns.tolist(), parts.values.tolist()
    ([0, 1, 1], [5, 0, 2], [1.5, 2.5, 0.5])
    """
    bounds, bits, *entries = ranges
    longest = int(np.diff(bounds).max())
    most = min(DIGIT, longest.bit_length())
    by_column, by_row = (
        _digits(int(ranges.columns.max(initial=0)), most),
        _digits((1 << bits) - 1, most),
    )
    spare = [np.empty(longest, one.dtype) for one in entries]
    slot = np.zeros((1 << max(by_column[0], by_row[0])) + 2, np.int64)
    work = 2.0 * (by_column[1] + by_row[1]) * len(ranges.rows)
    call("sort_ranges", (bounds, *by_column, *by_row), (*entries, *spare, slot), work)


def _digits(largest: int, most: int) -> tuple[int, int]:
    """The bits of digits of as many each, up to a number, and how many there are."""
    bits = largest.bit_length()
    passes = -(-bits // most)
    return -(-bits // max(passes, 1)), passes


def unite(entries: list[Array]) -> None:
    """
    Add up the values of each place, in the order in which they come, in place.

    Parameters
    ----------
    entries : list of array
        Rows, columns and values in order, which nobody else has; shorter arrays take their places.

    Examples
    --------
    >>> entries = [np.array([0, 0, 1]), np.array([2, 2, 2]), np.array([0.5, 1.5, 2.5])]
    >>> unite(entries)
    >>> [one.tolist() for one in entries]
    [[0, 1], [2, 2], [2.0, 2.5]]
    """
    rows, columns, values = entries
    count = len(rows)
    if not call("count_entry_falls", (rows, columns), (), count):
        return
    start = end = 0
    first = np.empty(PART + 1, np.int64)
    while start < count:
        work = min(PART, count - start)
        found = call("unite_places", (start, end, PART), (rows, columns, first), work)
        stop = start + int(first[found])
        own = values[start:stop]
        if len(own) > found:
            own = np.add.reduceat(own, first[:found], dtype=values.dtype)
        if stop > end + found:
            values[end : end + found] = own
        start, end = stop, end + found
    del rows, columns, values
    for k in range(3):
        left = entries[k][:end]
        entries[k] = left if (count - end) * SPARE <= count else copied(left)
