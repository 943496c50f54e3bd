"""Statistics of a chunked matrix, all in one pass over its chunks."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import dask.array as da
import numpy as np

from structarr._dask.trees import folded
from structarr._dask.united import as_dask
from structarr._support.array_types import NumPyArray

MEAN, SQUARES, LEAST, MOST, NONZERO, LENGTH = range(6)
"""The rows of a value of statistics; SQUARES has the sums of squared deviations from the mean."""

COUNTED: Final = 6


class Statistics(NamedTuple):
    """
    Statistics along an axis; each is a Dask array, and all of them come from one pass.

    Attributes
    ----------
    mean, var : dask.array.Array
        The means, and the variances about them.
    min, max : dask.array.Array
        The least and greatest elements, zeros that are not stored included.
    nonzero : dask.array.Array
        How many elements are not zero.
    """

    mean: Any
    var: Any
    min: Any
    max: Any
    nonzero: Any


def statistics(x: Any, /, axis: int = 0, *, ddof: int = 0) -> Statistics:
    """
    Return means, variances, extremes and counts of the columns or rows of a matrix.

    Each chunk is fetched once for all of them, and what of them travels is six dense vectors. Means
    and variances of chunks are joined by the formulas of Chan, Golub and LeVeque, which do not
    cancel.

    Parameters
    ----------
    x : dask.array.Array or array_like
        A matrix of real numbers.
    axis : int
        Along which: 0 for statistics of columns.
    ddof : int
        What is subtracted from the number of elements by which variances are divided.

    Returns
    -------
    Statistics
        Of float64, whose parts are to be computed together: ``dask.compute(*found)``.

    Raises
    ------
    ValueError
        If `x` has not two axes, or none of the elements that would have to be one at least.
    TypeError
        If the elements are complex numbers.

    Examples
    --------
    >>> import dask
    >>> import structarr as sa
    >>> x = sa.dask.from_array(sa.asarray([[0.0, 3.0], [2.0, 3.0]], format="csr"), nbytes=40)
    >>> mean, var, *_ = dask.compute(*sa.dask.statistics(x))
    >>> mean.tolist(), var.tolist()
    ([1.0, 3.0], [1.0, 0.0])
    """
    made = as_dask(x)
    if made.ndim != 2 or axis not in (-2, -1, 0, 1):
        raise ValueError(
            f"statistics are of the columns or rows of a matrix, not of {made.ndim} "
            f"axes along {axis}; reshape it"
        )
    if made.dtype.kind == "c":
        raise TypeError(
            "complex numbers have no order: take statistics of their real and imaginary parts"
        )
    if not made.shape[axis]:
        raise ValueError(f"axis {axis} has no elements: there is no mean of none")
    along = axis % 2
    across = range(made.numblocks[1 - along])
    found = da.concatenate([_of_strip(made, along, at) for at in across], axis=1)
    return Statistics(
        found[MEAN],
        found[SQUARES] / (found[LENGTH] - ddof),  # counted: sizes of chunks may be unknown
        found[LEAST],
        found[MOST],
        found[NONZERO],
    )


def _of_strip(x: Any, along: int, across: int) -> Any:
    """The rows of statistics of the chunks that stand one after the other along an axis."""
    places = [(at, across) if along == 0 else (across, at) for at in range(x.numblocks[along])]
    keys = [(x.name, *place) for place in places]
    of_chunk = _of_columns if along == 0 else _of_rows
    chunks = ((COUNTED,), (x.chunks[1 - along][across],))
    return folded(x, keys, of_chunk, _joined, np.asarray, chunks, np.zeros((0, 0)))


def _of_columns(block: Any) -> NumPyArray:
    return _of_chunk(block, 0)


def _of_rows(block: Any) -> NumPyArray:
    return _of_chunk(block, 1)


def _of_chunk(block: Any, axis: int) -> NumPyArray:
    """The rows of statistics of one chunk, which may have no elements."""
    found = np.zeros((COUNTED, block.shape[1 - axis]))
    found[LEAST], found[MOST] = np.inf, -np.inf
    if not block.shape[axis]:
        return found
    # One after the other: each is replayed for chunks of other lengths; all in one call are not.
    found[MEAN] = np.asarray(block.mean(axis=axis, dtype=np.float64))
    mean = np.expand_dims(found[MEAN], axis)
    found[SQUARES] = np.asarray(((block - mean) ** 2).sum(axis=axis))
    found[LEAST], found[MOST] = np.asarray(block.min(axis=axis)), np.asarray(block.max(axis=axis))
    found[NONZERO] = np.asarray((block != 0).sum(axis=axis))
    found[LENGTH] = block.shape[axis]
    return found


def _joined(values: list[NumPyArray]) -> NumPyArray:
    """The rows of statistics of several chunks."""
    every = np.stack(values)
    length = every[:, LENGTH].sum(axis=0)
    weights = every[:, LENGTH] / length
    mean = (every[:, MEAN] * weights).sum(axis=0)
    apart = every[:, LENGTH] * (every[:, MEAN] - mean) ** 2
    return np.stack(
        [
            mean,
            (every[:, SQUARES] + apart).sum(axis=0),
            every[:, LEAST].min(axis=0),
            every[:, MOST].max(axis=0),
            every[:, NONZERO].sum(axis=0),
            length,
        ]
    )
