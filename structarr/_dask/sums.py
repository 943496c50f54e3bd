"""Sums of a function over chunks of rows: what iterative methods compute in one pass."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from operator import add
from typing import Any

import numpy as np

from structarr._dask.trees import folded
from structarr._dask.united import as_dask
from structarr._support.array_types import DTypeLike


def sum_chunks(
    function: Callable[..., Any],
    x: Any,
    /,
    *others: Any,
    shape: tuple[int, ...],
    dtype: DTypeLike = np.float64,
) -> Any:
    """
    Add up a function of chunks of rows.

    A pass of k-means, of a power iteration or of a gradient is such a sum. What the function
    returns is all that travels, so chunks stay where they are.

    Parameters
    ----------
    function : callable
        Of a chunk of rows, as an array of ours, and of the others; it returns an array of `shape`.
        What it does to the chunk is fused.
    x : dask.array.Array or array_like
        Whose rows are summed over; it is not cut along other axes.
    *others : object
        Given to each call as they are.
    shape : tuple of int
        Of what the function returns.
    dtype : dtype_like
        Of the same.

    Returns
    -------
    dask.array.Array
        One chunk, of NumPy if the function returns arrays of ours or of NumPy.

    Examples
    --------
    >>> import numpy as np
    >>> import structarr as sa
    >>> x = sa.dask.from_array(sa.asarray(np.tri(8), format="csr"), nbytes=320)
    >>> gram = sa.dask.sum_chunks(lambda rows: rows.T @ rows, x, shape=(8, 8)).compute()
    >>> np.array_equal(gram, np.tri(8).T @ np.tri(8))
    True
    """
    made = as_dask(x)
    rows = made.rechunk({at: -1 for at in range(1, made.ndim)})
    keys = [(rows.name, at, *[0] * (made.ndim - 1)) for at in range(rows.numblocks[0])]
    chunks = tuple([(n,) for n in shape])
    call = partial(_of_chunk, function, others, shape)
    meta = np.zeros((0,) * len(shape), dtype)
    return folded(rows, keys, call, _added, _as_given, chunks, meta)


def _of_chunk(
    function: Callable[..., Any], others: tuple[Any, ...], shape: tuple[int, ...], block: Any
) -> Any:
    found = np.asarray(function(block, *others))
    if found.shape != shape:
        raise ValueError(
            f"the function of a chunk returned an array of shape {found.shape}, not {shape}"
        )
    return found


def _added(values: list[Any]) -> Any:
    return reduce(add, values)


def _as_given(value: Any) -> Any:
    return value
