"""Overlaps of the regions of two maps of labels."""

from __future__ import annotations

from math import prod
from typing import Any, Final

import numpy as np
from scipy.sparse import csr_array

from structarr._api.creation.creation import asarray
from structarr._api.images.compact import relabel
from structarr._api.images.rows import as_volume, values_of
from structarr._api.programs.loops import kernel
from structarr._api.programs.over_runs import runs
from structarr._array import Array
from structarr._support.array_types import ArrayLike

SMALL: Final = 1 << 12
"""Tables of so many pairs are made in any case."""


def contingency_table(labels: ArrayLike, others: ArrayLike, /) -> Array:
    """
    Count the elements that have each pair of labels in two maps.

    Parameters
    ----------
    labels, others : array_like
        Integers that are not below 0, of equal shapes.

    Returns
    -------
    Array
        Int64, in format "csr", computed at the call: element (i, j) is the number of elements
        that are labelled i in the first map and j in the second; the background 0 counts, too.

    Raises
    ------
    ValueError
        If shapes differ, or a label is below 0.
    TypeError
        If labels are not integers.

    See Also
    --------
    regions : Properties of the regions of one map.

    Notes
    -----
    It takes time for each stretch in which neither label changes, and that of sorting the pairs
    where there are many labels. `skimage.metrics.contingency_table` has the same counts.

    Examples
    --------
    >>> from structarr import ndimage
    >>> ndimage.contingency_table([0, 1, 1, 2], [0, 2, 2, 2]).todense()
    array([[1, 0, 0],
           [0, 0, 2],
           [0, 0, 1]])
    """
    first, names = relabel(labels)
    second, other_names = relabel(others)
    if first.shape != second.shape:
        raise ValueError(f"maps have equal shapes, not {first.shape} and {second.shape}")
    for given in (names, other_names):
        if len(given) and given[0] < 0:
            raise ValueError(f"labels are not below 0 here: there is {given[0]}")
    width = len(other_names) + 1
    keys, sums = _counted(as_volume(first), as_volume(second), (len(names) + 1) * width, width)
    return _placed(keys, sums, names, other_names)


def _counted(a: Array, b: Array, size: int, width: int) -> tuple[Any, Any]:
    """The pairs of numbers that there are, as `p * width + q`, ascending; and their elements."""
    room = 2 * (len(values_of(a)) + len(values_of(b))) + 1
    if size <= max(room, SMALL):
        table = np.zeros(size, np.int64)
        table[0] = prod(a.shape) - _tabled(a, b, table, width)  # both are 0 there, as is the pair
        keys = np.flatnonzero(table)
        return keys, table[keys]
    pairs, lengths = np.zeros(room, np.int64), np.zeros(room, np.int64)
    count, covered = _listed(a, b, pairs, lengths, width)
    lengths[count] = prod(a.shape) - covered
    kept = lengths > 0
    keys, places = np.unique(pairs[kept], return_inverse=True)
    return keys, np.bincount(places, lengths[kept], len(keys)).astype(np.int64)


def _placed(keys: Any, sums: Any, names: Any, others: Any) -> Array:
    """A matrix of sums at the labels that numbers stand for."""
    rows = np.append(0, names).astype(np.int64)[keys // (len(others) + 1)]
    columns = np.append(0, others).astype(np.int64)[keys % (len(others) + 1)]
    shape = tuple(int(given[-1]) + 1 if len(given) else 1 for given in (names, others))
    ends = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=shape[0]))))
    return asarray(csr_array((sums, columns, ends), shape))


@kernel
def _tabled(a: Any, b: Any, table: Any, width: int) -> Any:
    """Add up the elements of each pair of numbers, but for 0 and 0; return how many they are."""
    covered = 0
    for z in range(a.shape[0]):
        for y in range(a.shape[1]):
            for start, stop, p, q in runs(a[z, y], b[z, y]):
                table[p * width + q] += stop - start
                covered += stop - start
    return covered


@kernel
def _listed(a: Any, b: Any, pairs: Any, lengths: Any, width: int) -> Any:
    """List the stretches in which no label changes; return how many, and their elements."""
    count = 0
    covered = 0
    for z in range(a.shape[0]):
        for y in range(a.shape[1]):
            for start, stop, p, q in runs(a[z, y], b[z, y]):
                pairs[count] = p * width + q
                lengths[count] = stop - start
                covered += stop - start
                count += 1
    return count, covered
