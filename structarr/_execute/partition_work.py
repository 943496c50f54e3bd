"""The work of rows of operands: what they store, by which pieces are made equal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import numpy as np

from structarr._storage.tensor import Tensor
from structarr.formats.base import Level
from structarr.formats.entries import Array

WAYS: Final = 64
"""How many parts of the rows a search tells apart in one round."""

Work: TypeAlias = Callable[[Array], Array]
"""The steps of the rows before some rows."""


def listed_before(idx: Array) -> Work:
    """The number of indices in a list before some rows."""
    return lambda rows: np.searchsorted(idx, rows)


def steps_along(tensor: Tensor) -> Work:
    """The elements that a tensor stores before some indices of its outermost level."""
    root, (dim, *_), own = tensor.format.root, tensor.dims, tensor.level_buffers[0]
    if root.kind.arithmetic:
        return lambda rows: stored_before(tensor, rows)
    if root.has_windows and tensor.format.ndim > 1:
        return lambda rows: stored_before(tensor, np.searchsorted(own[1], rows))
    return lambda rows: rows * (tensor.nstored // max(dim, 1))


def work_of(tensors: Sequence[Tensor]) -> Work:
    """The steps of the rows of some operands: one a row and one for each stored element."""
    stored = uneven(tensors)

    def work(rows: Array) -> Array:
        return rows + sum([stored_before(tensor, rows) for tensor in stored])

    return work


def uneven(tensors: Sequence[Tensor]) -> list[Tensor]:
    """The tensors whose rows do not store as much as each other."""
    return [one for one in tensors if not all(map(_is_even, one.format.levels))]


def _is_even(level: Level) -> bool:
    """Whether the fibers of a level have as many children as each other."""
    return level.kind.arithmetic or level.is_single


def stored_before(tensor: Tensor, rows: Array) -> Array:
    """The number of elements that a tensor stores before some rows."""
    levels = zip(
        tensor.format.levels[1:-1], tensor.dims[1:], tensor.level_buffers[1:], strict=False
    )
    for level, dim, buffers in levels:
        rows = level.before(rows, dim, buffers)
    return rows.astype(np.int64)


def rows_at(work: Work, length: int, targets: Array) -> Array:
    """The rows in which so many steps are reached: the last before which there are no more.

    Each round asks for the work at many rows at once, as it takes a call of NumPy, not a row, long.
    """
    rows, step = np.zeros_like(targets), length
    while step > 1:
        step = -(-step // WAYS)
        asked = rows[:, None] + np.arange(step, step * WAYS, step)
        steps = work(np.minimum(asked, length).reshape(-1)).reshape(asked.shape)
        rows += step * np.count_nonzero((steps <= targets[:, None]) & (asked < length), axis=1)
    return rows
