"""Columns at which rows are divided, by what the levels say of where their children are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from structarr._storage.tensor import Tensor
from structarr._support.sorted_places import places_in
from structarr.formats.entries import Array

SAMPLES: Final = 1 << 11
"""The most children of rows that are asked where they are; others are taken to lie between."""


class Columns:
    """The columns of some rows of operands, by the share of what is stored before them.

    Examples
    --------
    >>> from structarr import formats
    >>> csr = formats.parse("csr", ndim=2)
    >>> ptr, columns = [0, 1, 5], [0, 0, 2, 4, 6]
    >>> tensor = Tensor.checked(csr, (2, 8), 0, (ptr, columns, [1, 1, 1, 1, 1]))
    >>> [Columns([tensor], 1, 2).at(share) for share in (0.1, 0.5, 0.9)]
    [0, 4, 6]
    """

    def __init__(self, tensors: Sequence[Tensor], begin: int, end: int) -> None:
        found = [_columns(tensor, begin, end) for tensor in tensors]
        self.known = all(columns is not None for columns, _ in found)
        told = [(columns, count) for columns, count in found if columns is not None and count]
        every = np.concatenate([np.zeros(0, np.int64), *[columns for columns, _ in told]])
        weights = [np.full(len(columns), count / len(columns)) for columns, count in told]
        order = np.argsort(every, kind="stable")
        self.count = sum([count for _, count in told])
        self._columns = every[order]
        self._before = np.cumsum(np.concatenate([np.zeros(0), *weights])[order])

    def at(self, share: float) -> int:
        """The column that about a share of what is stored in the rows is before."""
        if not len(self._columns):
            return 0
        target = share * self._before[-1]
        place = int(np.searchsorted(self._before, target, "right"))
        return int(self._columns[min(place, len(self._columns) - 1)])

    def before(self, column: int) -> float:
        """About how much of what is stored in the rows is before a column."""
        place = int(np.searchsorted(self._columns, column))
        return float(self._before[place - 1]) if place else 0.0


def _columns(tensor: Tensor, first: int, last: int) -> tuple[Array | None, int]:
    """Columns of rows at even distances, and how many there are; none where their level is silent.

    Those are of the rows from the first to before the last.
    """
    root = tensor.format.root
    if root.has_windows:  # its children are found by their indices, in order
        first, last = places_in(tensor.level_buffers[0][1], [first, last]).tolist()
    elif not root.kind.arithmetic:
        return None, 0  # which child is the row's is not told
    level, dim, own = tensor.format.levels[1], tensor.dims[1], tensor.level_buffers[1]
    begin, end = level.between(first, last, dim, own)
    count = end - begin
    children = begin + np.arange(min(count, SAMPLES)) * count // max(min(count, SAMPLES), 1)
    told = level.whereabouts(children, tensor.counts[0], dim, own)
    return (None if told is None else np.asarray(told.start, np.int64)), count
