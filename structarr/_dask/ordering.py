"""Order by chunks: sorted elements along an axis, and the different ones of all chunks."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._dask.cuts import place_of
from structarr._dask.sorted_vectors import sorted_vector
from structarr._dask.trees import folded
from structarr._dask.united import as_dask
from structarr._dask.unknown_sizes import check_joined
from structarr._support.array_types import NumPyArray


def sort(x: Any, /, axis: int = -1) -> Any:
    """
    Sort the elements along an axis, chunk by chunk.

    Parameters
    ----------
    x : dask.array.Array or array_like
        What is sorted.
    axis : int
        Along which. A vector is computed once, to cut the result so that its chunks store about as
        much each. Of matrices, chunks that are cut along the axis are joined to one: what each then
        stores has to fit in a worker.

    Returns
    -------
    dask.array.Array
        With chunks of ours: elements that are not stored stay a run in the middle.

    Raises
    ------
    numpy.exceptions.AxisError
        If there is no such axis.
    ValueError
        If chunks of unknown sizes would have to be joined.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.dask.sort(sa.asarray([0, 3, 0, -1], format="list")).compute().tolist()
    [-1, 0, 0, 3]
    """
    made = as_dask(x)
    place = place_of(axis, made.ndim)
    if made.ndim == 1:
        return sorted_vector(made)
    check_joined(made, (place,), "x")
    whole = made.rechunk({place: -1})
    return whole.map_blocks(np.sort, axis=place, dtype=made.dtype, meta=made._meta)


def unique(x: Any, /, *, return_counts: bool = False) -> Any:
    """
    Find the different elements of all chunks.

    Parameters
    ----------
    x : dask.array.Array or array_like
        Zeros that are not stored count as elements.
    return_counts : bool
        Whether to count how often each occurs.

    Returns
    -------
    dask.array.Array, or two
        The elements in order, and their counts; of a length that is known when they are computed.
        Each chunk is looked through once, and what travels are different elements.

    Examples
    --------
    >>> import dask
    >>> import structarr as sa
    >>> x = sa.dask.from_array(sa.asarray([[0, 3], [3, -1]], format="csr"), nbytes=40)
    >>> values, counts = dask.compute(*sa.dask.unique(x, return_counts=True))
    >>> values.tolist(), counts.tolist()
    ([-1, 0, 3], [1, 1, 2])
    """
    made = as_dask(x)
    keys = [(made.name, *place) for place in np.ndindex(*made.numblocks)]

    def of(of_chunk: Any, join: Any, last: Any, dtype: Any) -> Any:
        return folded(made, keys, of_chunk, join, last, ((np.nan,),), np.zeros(0, dtype))

    if not return_counts:
        return of(_values_of_chunk, _joined_values, np.asarray, made.dtype)
    both = _counted_of_chunk, _joined_counts
    return of(*both, _values, made.dtype), of(*both, _counts, np.int64)


def _values_of_chunk(block: Any) -> NumPyArray:
    return np.asarray(np.unique(block))


def _joined_values(parts: list[NumPyArray]) -> NumPyArray:
    values = np.sort(np.concatenate(parts), kind="stable")  # merges what is in order already
    return values[_firsts(values)]


def _counted_of_chunk(block: Any) -> tuple[NumPyArray, NumPyArray]:
    values, counts = np.unique(block, return_counts=True)
    return np.asarray(values), np.asarray(counts)


def _joined_counts(parts: list[tuple[NumPyArray, NumPyArray]]) -> tuple[NumPyArray, NumPyArray]:
    every = np.concatenate([one for one, _ in parts])
    order = np.argsort(every, kind="stable")
    values, counts = every[order], np.concatenate([one for _, one in parts])[order]
    firsts = _firsts(values)
    return values[firsts], np.add.reduceat(counts, firsts) if len(firsts) else counts


def _firsts(values: NumPyArray) -> NumPyArray:
    """Where values in order begin to be others; all NaN, which are last, are one."""
    starts = np.ones(len(values), bool)
    starts[1:] = (values[1:] != values[:-1]) & (values[:-1] == values[:-1])
    return np.flatnonzero(starts)


def _values(found: tuple[NumPyArray, NumPyArray]) -> NumPyArray:
    return found[0]


def _counts(found: tuple[NumPyArray, NumPyArray]) -> NumPyArray:
    return found[1]
