"""Dask arrays of an array, or of others cut anew: in chunks that store about as much each."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

import dask.array as da
import numpy as np
from dask.base import tokenize
from dask.highlevelgraph import HighLevelGraph

from structarr._api.core.operands import as_array
from structarr._array import Array, stored
from structarr._dask import known_counts
from structarr._dask.cuts import bounds_of, counts_along, pieces_of, place_of
from structarr._dask.unknown_sizes import check_known
from structarr._support.array_types import ArrayLike, NumPyArray

USUAL: Final = "128 MiB"
"""The size of chunks where nothing else is asked for: Dask's own."""


def from_array(a: ArrayLike, /, *, nbytes: int | str = USUAL, axis: int | None = None) -> Any:
    """
    Make a Dask array of an array, in chunks that take about as many bytes each.

    Dask's own `from_array` cuts at equal distances, and takes the dense size for that of a chunk.
    Here the chunks are some rows each that store about as many elements.

    Parameters
    ----------
    a : array_like
        What is cut; a lazy array is computed. Several chunks are copies, made at once, so that a
        worker gets no more than its own; one chunk is the array itself.
    nbytes : int or str
        The bytes that a chunk is to have, such as ``"64 MiB"``. A row is never cut, however long.
    axis : int, optional
        The axis that is cut; None stands for the one that is stored outermost: rows of "csr",
        columns of "csc".

    Returns
    -------
    dask.array.Array
        Its name is a digest of what is stored, so equal arrays share their tasks. The counts of its
        chunks are known (`count`).

    Raises
    ------
    ValueError
        If `nbytes` is not positive.
    numpy.exceptions.AxisError
        If there is no such axis.

    See Also
    --------
    rebalance : Cuts a Dask array anew.

    Examples
    --------
    >>> import numpy as np
    >>> import structarr as sa
    >>> dense = np.zeros((6, 4))
    >>> dense[0] = dense[1, 0] = dense[5] = 1
    >>> sa.dask.from_array(sa.asarray(dense, format="csr"), nbytes=100).chunks
    ((3, 3), (4,))
    """
    array = as_array(a)
    tensor = stored(array)
    pieces = pieces_of(tensor.nbytes, nbytes)
    name = f"structarr-{tokenize(array, pieces, axis)}"
    if not array.ndim:
        return _assembled(name, [array], (), array)
    place = int(tensor.format.order[0]) if axis is None else place_of(axis, array.ndim)
    bounds = bounds_of(counts_along(array, place), pieces)
    whole = (slice(None),) * place
    parts = [array[(*whole, slice(lo, hi))].compute() for lo, hi in pairwise(bounds)]
    chunks: list[tuple[int, ...]] = [(n,) for n in array.shape]
    chunks[place] = tuple(np.diff(bounds).tolist())
    return _assembled(name, parts, tuple(chunks), array)


def rebalance(x: Any, /, *, nbytes: int | str = USUAL, axis: int = 0) -> Any:
    """
    Return a Dask array cut anew along an axis, into chunks that store about as much each.

    Parameters
    ----------
    x : dask.array.Array
        Its chunks are computed once, to count what each row stores; persist it before if they take
        long.
    nbytes : int or str
        The bytes that a chunk is to have.
    axis : int
        The axis that is cut; the others are not.

    Returns
    -------
    dask.array.Array
        The same array.

    Raises
    ------
    ValueError
        If `nbytes` is not positive, or the sizes of chunks are not known.
    numpy.exceptions.AxisError
        If there is no such axis.

    See Also
    --------
    from_array : Cuts an array so at once.

    Examples
    --------
    >>> import numpy as np
    >>> import structarr as sa
    >>> x = sa.dask.from_array(sa.asarray(np.tri(8), format="csr"))
    >>> sa.dask.rebalance(x, nbytes=320).chunks
    ((5, 3), (8,))
    """
    place = place_of(axis, x.ndim)
    check_known(x, "x")
    others = tuple([at for at in range(x.ndim) if at != place])
    ones = tuple([n if at == place else (1,) * len(n) for at, n in enumerate(x.chunks)])
    meta = np.zeros((0,) * x.ndim, np.int64)
    by_chunk = x.map_blocks(_counts, axis=place, chunks=ones, dtype=np.int64, meta=meta)
    counts = by_chunk.sum(axis=others).compute() if others else by_chunk.compute()
    total = counts.sum() * (x.dtype.itemsize + np.dtype(np.int64).itemsize)
    bounds = bounds_of(counts, pieces_of(total, nbytes))
    lengths = {at: -1 for at in others} | {place: tuple(np.diff(bounds).tolist())}
    return x.rechunk(lengths)


def _counts(block: Any, axis: int) -> NumPyArray:
    """How many elements a chunk stores at each index of an axis, with the other axes kept."""
    array = as_array(block)
    lengths = [n if at == axis else 1 for at, n in enumerate(array.shape)]
    return counts_along(array, axis).reshape(lengths)


def _assembled(name: str, parts: list[Array], chunks: tuple[Any, ...], whole: Array) -> Any:
    """The Dask array of chunks that stand one after the other along one axis."""
    index = np.ndindex(*[len(one) for one in chunks])
    graph = {(name, *place): part for place, part in zip(index, parts, strict=True)}
    layers = HighLevelGraph.from_collections(name, graph, dependencies=[])
    made = da.Array(layers, name, chunks, meta=meta_of(whole), shape=whole.shape)
    known_counts.remember(made, [stored(part).nstored for part in parts])
    return made


def meta_of(array: Array) -> Array:
    """An array without elements that stands for chunks of an array's dtype, format and fill."""
    return array[(slice(0, 0),) * array.ndim].compute() if array.ndim else array
