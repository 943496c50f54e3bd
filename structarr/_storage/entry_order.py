"""The order of entries by their coordinates: a stable sort for each axis, the fastest axis first.

Long axes are sorted by digits, several times quicker than by comparisons; few entries, and those
that are nearly in order, by comparisons.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from structarr._compiler.backend.call import call
from structarr._support.uninterrupted import heard
from structarr.formats.entries import Array

DIGIT = 16  # the bits of a long axis by which one pass sorts
FEW = 2048  # fewer entries are sorted by comparisons
LONG = 1 << 13  # entries from which one loop looks whether they are in order, not NumPy in several
RUNS = 128  # the mean length of ascending runs from which comparisons are quicker


def entry_order(axes: Sequence[Array], count: int, lengths: Sequence[int] | None = None) -> Array:
    """
    Return the permutation that puts entries in order, those at the same place as they come.

    Parameters
    ----------
    axes : sequence of array
        The coordinates on each axis, the one that varies slowest first.
    count : int
        The number of entries.
    lengths : sequence of int, optional
        Those of the axes: given these, helpers of kernels sort, else NumPy alone.

    Examples
    --------
    >>> entry_order([np.array([1, 0, 1]), np.array([2, 5, 0])], 3).tolist()
    [1, 2, 0]
    """
    if count < FEW and axes:
        return np.lexsort(axes[::-1])
    order = None
    for k in reversed(range(len(axes))):
        if lengths is None:
            order = _by_numpy(axes[k], order)
        else:
            order = _by_helpers(axes[k], lengths[k], np.arange(count) if order is None else order)
    return np.arange(count) if order is None else order


def changes(axes: Sequence[Array], count: int) -> Array:
    """A mask of the entries that differ from the one before on any axis; the first one does."""
    new: Array = np.zeros(count, bool)
    new[:1] = True
    for axis in axes:
        new[1:] |= axis[1:] != axis[:-1]
    return new


def steps(axes: Sequence[Array], count: int) -> tuple[Array, Array]:
    """Masks of the entries but the first: those after the one before, and those at its place."""
    rises: Array = np.zeros(max(count - 1, 0), bool)
    same: Array = ~rises
    for axis in axes:
        rises |= same & (axis[1:] > axis[:-1])
        same &= axis[1:] == axis[:-1]
    return rises, same


def are_in_order(axes: Sequence[Array], count: int) -> bool:
    """Whether entries come in the order of their coordinates, no two at the same place."""
    if count < 2:
        return True
    if len(axes) == 2 and count >= LONG:
        return bool(call("count_entry_falls", tuple(axes), (), count) == 0)
    if not axes:
        return False
    *outer, last = axes
    rises: Array = last[1:] > last[:-1]
    for axis in reversed(outer):
        after, before = axis[1:], axis[:-1]
        rises &= after == before
        rises |= after > before
    return bool(rises.all())


def longest_counted(count: int) -> int:
    """The longest axis that is sorted in one pass, for a number of entries."""
    return max(4 * count, 1 << DIGIT)


def _by_numpy(key: Array, order: Array | None) -> Array | None:
    """The order sorted by a key as well; None stands for the order of the entries as given."""
    remaining = key if order is None else key[order]
    while descents := np.count_nonzero(remaining[1:] < remaining[:-1]):
        # NumPy sorts 16-bit integers by counting, wider ones by merging runs.
        merged = descents * RUNS < len(key) and remaining.max() >> DIGIT
        step = _stable_order(remaining if merged else remaining.astype(np.uint16))
        order = step if order is None else order[step]
        if merged:
            break
        remaining = remaining[step] >> DIGIT
    return order


def _by_helpers(key: Array, length: int, order: Array) -> Array:
    bits = (length - 1).bit_length()
    digit = bits if length <= longest_counted(len(key)) else DIGIT
    for shift in range(0, bits, max(digit, 1)):
        mask = (1 << min(digit, bits - shift)) - 1
        slot, to = np.zeros(mask + 3, np.int64), np.empty_like(order)
        call("count_keys", (key, shift, mask), (slot,), len(key))
        call("scatter_keys", (key, shift, mask, order), (slot, to), len(key))
        order = to
    return order


def _stable_order(keys: Array) -> Array:
    """The places of keys in their order."""
    return heard(lambda: np.argsort(keys, kind="stable"), len(keys))
