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

RANGE: Final = 14  # the bits of how many entries of a range are sorted together
EASY: Final = 8  # the bits of how many ranges are written to by turns at no cost
RANGES: Final = 11  # those of how many there are at most, of four times as many entries
TOGETHER: Final = 1 << 18  # entries up to which all are one range, which a cache holds
DIGIT: Final = 11  # the most bits that one pass sorts by
WIDE: Final = 16  # the same where there is one range
SPARE: Final = 8  # one in how many entries may be left unused behind those that are united
UNEVEN: Final = 4  # the bits of the part of all entries beyond which a range of rows is split
SAMPLES: Final = 16  # the entries of a range that are looked at to tell where it ends
PLACE: Final = 62  # the bits of a place
LEAST: Final = 3  # the fewest bits by which a pass sorts, however few entries there are
PART: Final = 1 << 18  # places whose values are added up together


class Ranges(NamedTuple):
    """
    Entries split by ranges of places, in the order in which they came in each.

    Attributes
    ----------
    bounds : array
        Where each range begins, and the end.
    rows, columns, values : array
        The entries.
    """

    bounds: Array
    rows: Array
    columns: Array
    values: Array


def split(rows: Array, columns: Array, values: Array) -> Ranges:
    """
    Return entries split by ranges of places: of rows, or of parts of rows where some are long.

    Parameters
    ----------
    rows : array
        Checked, and nobody changes them. Nothing is read where other arrays say.
    columns, values : array
        Of any numbers.
    """
    count = len(rows)
    if count <= TOGETHER:
        return Ranges(np.array([0, count]), *[copied(one) for one in (rows, columns, values)])
    most = count.bit_length() - RANGE
    most = max(min(most, EASY), min(most - 2, RANGES))
    bits = int(rows.max()).bit_length()
    digit = min(bits, most)
    slot = np.zeros((1 << digit) + 2, np.int64)
    call("count_keys", (rows, bits - digit, (1 << digit) - 1), (slot,), count)
    key, shift = rows, bits - digit
    if int(np.diff(slot[1:]).max()) > (count >> UNEVEN) + (1 << RANGE):
        key, shift, digit = _ranges(rows, columns, most), 0, most
        slot = np.zeros((1 << digit) + 2, np.int64)
    outputs = [empty(count, one.dtype) for one in (rows, columns, values)]
    inputs = key, rows, columns, values, 0, count, 0, shift, digit, 0
    call("move_entries", inputs, (slot, *outputs), 2 * count)
    return Ranges(slot[:-1], *outputs)


def _ranges(rows: Array, columns: Array, digit: int) -> Array:
    """The number of the range of each entry, where ranges have about as many, by some of them."""
    count, many = len(rows), 1 << digit
    row_bits, bits = [int(one.max(initial=0)).bit_length() for one in (rows, columns)]
    down = max(0, row_bits + bits - PLACE)
    up = max(bits - down, 0)
    at = np.random.default_rng(0).integers(0, count, many * SAMPLES)
    found = np.sort((rows[at].astype(np.int64) << up) | (columns[at].astype(np.int64) >> down))
    bounds = found[SAMPLES::SAMPLES]
    number = empty(count, np.dtype(np.int32))
    call("find_ranges", (rows, columns, up, down, bounds, digit), (number,), digit * count)
    return number


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
    bounds, *entries = ranges
    longest = int(np.diff(bounds).max())
    spare = [empty(longest, one.dtype) for one in entries]
    most = WIDE if len(bounds) == 2 else DIGIT
    slot = np.empty((1 << max(LEAST, min(most, longest.bit_length()))) + 2, np.int64)
    work = 8.0 * len(ranges.rows)
    call("sort_ranges", (bounds, most), (*entries, *spare, slot), work)


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
    first = empty(min(PART, count) + 1, np.dtype(np.int64))
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
