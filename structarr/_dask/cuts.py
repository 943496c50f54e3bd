"""Cuts of an axis into pieces that store about as much each."""

from __future__ import annotations

import numpy as np
from dask.utils import parse_bytes

from structarr._api.reductions.reductions import count_nonzero
from structarr._array import Array, stored
from structarr._execute.partition_work import stored_before
from structarr._support.array_types import NumPyArray


def pieces_of(total: float, nbytes: int | str) -> int:
    """The number of pieces of about so many bytes."""
    size = parse_bytes(nbytes) if isinstance(nbytes, str) else int(nbytes)
    if size < 1:
        raise ValueError(f"nbytes must be positive, not {nbytes!r}")
    return max(1, -int(-total // size))


def place_of(axis: int, ndim: int) -> int:
    """An axis counted from the first on."""
    if not -ndim <= axis < ndim:
        raise np.exceptions.AxisError(axis, ndim)
    return axis % ndim


def counts_along(array: Array, axis: int) -> NumPyArray:
    """How many elements are stored at each index of an axis."""
    tensor = stored(array)
    if tensor.format.order[0] == axis and tensor.format.root.kind.arithmetic:
        return np.diff(stored_before(tensor, np.arange(tensor.shape[axis] + 1)))
    others = tuple([at for at in range(array.ndim) if at != axis])
    differs = array != array.fill_value
    return np.asarray(count_nonzero(differs, others) if others else differs, np.int64)


def bounds_of(counts: NumPyArray, pieces: int) -> list[int]:
    """
    The bounds of pieces with about as many elements each; empty pieces are left out.

    An index counts as an element more, as a row takes a pointer even where it stores nothing.

    Examples
    --------
    >>> bounds_of(np.array([8, 1, 1, 10]), 2)
    [0, 3, 4]
    """
    length = len(counts)
    before = np.concatenate([[0], np.cumsum(counts + 1)])
    targets = np.arange(1, pieces) * (before[-1] / pieces)
    after = np.searchsorted(before, targets)
    near = np.where(targets - before[after - 1] < before[after] - targets, after - 1, after)
    return [0, *sorted({*near.tolist()} - {0, length}), length]
