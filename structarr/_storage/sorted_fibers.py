"""Values sorted fiber by fiber: those of about equal length as the rows of one matrix."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from structarr._storage.stable_order import sort_kind
from structarr.formats.entries import Array


class Sorted(NamedTuple):
    """Values in the order of each fiber, and what came with them."""

    values: Array
    beside: Array | None


def sorted_fibers(values: Array, ptr: Array, beside: Array | None = None) -> Sorted:
    """
    Sort each fiber's values stably, NaN last; fiber k has the values ``[ptr[k], ptr[k + 1])``.

    NumPy sorts the rows of a matrix many times quicker than by keys for the fibers. The fibers of
    one matrix differ in length by a factor of two at most, so padding at most doubles them.

    Parameters
    ----------
    values, ptr : array
        The values, and where each fiber's begin and end.
    beside : array, optional
        A number for each value, which moves along with it.

    Examples
    --------
    >>> found = sorted_fibers(np.array([3, 1, 2, 9, 7]), np.array([0, 3, 3, 5]))
    >>> found.values.tolist()
    [1, 2, 3, 7, 9]
    """
    lengths, kind = np.diff(ptr), sort_kind(values)
    made = values.copy()
    moved = None if beside is None else beside.copy()
    classes = np.frexp(np.maximum(lengths - 1, 0))[1]  # of up to 1, 2, 4, 8, ... values
    for one in np.unique(classes[lengths > 1]):
        fibers = np.flatnonzero((classes == one) & (lengths > 1))
        width = int(lengths[fibers].max())
        if len(fibers) == len(lengths) and width * len(fibers) == len(values):
            at: Any = slice(None)
            inside: Any = (slice(None), slice(None))
            shape = len(fibers), width
        else:
            inside = np.arange(width) < lengths[fibers, None]
            at = (ptr[fibers, None] + np.arange(width))[inside]
            shape = inside.shape
        rows = np.full(shape, _last(values.dtype), values.dtype)
        rows[inside] = values[at].reshape(rows[inside].shape)
        if beside is None or moved is None:
            rows.sort(axis=1, kind=kind)
            made[at] = rows[inside].reshape(-1)
            continue
        order = np.argsort(rows, axis=1, kind="stable")
        numbers = np.zeros(shape, beside.dtype)
        numbers[inside] = beside[at].reshape(rows[inside].shape)
        made[at] = np.take_along_axis(rows, order, 1)[inside].reshape(-1)
        moved[at] = np.take_along_axis(numbers, order, 1)[inside].reshape(-1)
    return Sorted(made, moved)


def _last(dtype: np.dtype[Any]) -> Any:
    """A value that nothing is sorted after; as sorts are stable, it stays behind its equals."""
    if dtype.kind in "fc":
        return complex(np.nan, np.nan) if dtype.kind == "c" else np.nan
    return True if dtype.kind == "b" else np.iinfo(dtype).max
