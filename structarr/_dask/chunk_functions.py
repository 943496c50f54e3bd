"""Functions of one chunk that Dask looks up by the chunk's type."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from structarr._api.reductions import quantiles
from structarr._array import Array
from structarr._support.array_types import NumPyArray


def einsum(subscripts: str, *operands: Any, order: str = "K", **options: Any) -> Any:
    """The sum of products; our results have no order in memory, so `order` is of no effect."""
    options.pop("casting", None)
    return np.einsum(subscripts, *operands, **options)


def divide(x1: Any, x2: Any, out: None = None, dtype: Any = None) -> Any:
    """The quotient, in a dtype: of sums and counts, as Dask makes means."""
    made = np.divide(x1, x2)
    return made if dtype is None else made.astype(dtype)


def numel(
    x: Array, axis: Any = None, keepdims: bool = False, dtype: Any = np.float64, **_: Any
) -> Any:
    """The number of elements along axes, as a dense array: it is the same everywhere."""
    axes = _axes(x.ndim, axis)
    kept = [1 if at in axes else n for at, n in enumerate(x.shape) if keepdims or at not in axes]
    count = prod(x.shape[at] for at in axes)
    return np.broadcast_to(np.array(count, dtype), kept)


def nannumel(x: Array, **options: Any) -> NumPyArray:
    """The number of elements that are not NaN along axes, as a dense array."""
    return np.asarray(np.sum(~np.isnan(x), **options))


def percentile(a: Array, q: Any, method: str = "linear") -> tuple[NumPyArray | None, int]:
    """The percentiles of a chunk and how many elements they are of, which Dask merges."""
    if not len(a):
        return None, 0
    kind: Any = method if np.issubdtype(a.dtype, np.number) else "nearest"
    return np.asarray(quantiles.percentile(a, q, method=kind)), len(a)


def to_numpy(data: Array, **_: Any) -> NumPyArray:
    """The dense elements of a chunk."""
    return data.todense()


def _axes(ndim: int, axis: Any) -> tuple[int, ...]:
    if axis is None:
        return tuple(range(ndim))
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    return tuple([one % ndim for one in axes])
