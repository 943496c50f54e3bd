"""Counts of values; of lists, stored elements are counted one by one, and the fill at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._api.core.dense_fallback import published, through
from structarr._api.core.entry_lists import dense_of, is_listed
from structarr._api.core.operands import as_array
from structarr._api.core.publish import publish
from structarr._array import Array, NumPyArray, stored
from structarr._storage.coordinates import coordinates
from structarr._storage.density import check_size


def _sample(array: Array) -> tuple[NumPyArray, int]:
    """The stored values, with the fill as the last one if it occurs, and how often it does."""
    tensor = stored(array)
    if not is_listed(tensor):
        return dense_of(tensor).reshape(-1), 0
    _, values = coordinates(tensor)
    filled = array.size - len(values)
    return (np.append(values, values.dtype.type(tensor.fill)) if filled else values), filled


@publish(np.bincount)
def bincount(x: Any, /, weights: Any = None, minlength: int = 0) -> Array:
    """
    Count how often each of the numbers 0, 1, 2, ... occurs in a vector.

    Parameters
    ----------
    x : array_like
        The numbers; none is below zero.
    weights : array_like, optional
        What each counts; needs dense arrays.
    minlength : int
        How many counts there are at least.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.bincount(sa.asarray([0, 3, 0, 1, 0], format="list")).tolist()
    [3, 1, 0, 1]
    """
    array = as_array(x)
    if weights is not None or array.ndim != 1 or array.dtype.kind not in "biu":
        return through(np.bincount, array, weights, minlength)  # type: ignore[no-any-return]
    sample, filled = _sample(array)
    most = int(sample.max(initial=0))
    check_size(
        8 * (most + 1),
        f"a count for each number up to {most} in an array of shape {array.shape}",
        "count the numbers that occur, by np.unique(..., return_counts=True)",
        stored(array).nbytes,
    )
    counts = np.bincount(sample, minlength=minlength)
    if filled:
        counts[int(sample[-1])] += filled - 1
    return as_array(counts)


@publish(np.histogram_bin_edges)
def histogram_bin_edges(a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> Array:
    """
    Return the edges of the bins that `histogram` counts in; the arguments are the same.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.histogram_bin_edges([0.0, 1.0, 4.0], bins=4).tolist()
    [0.0, 1.0, 2.0, 3.0, 4.0]
    """
    array = as_array(a)
    if isinstance(bins, str) or weights is not None:
        return through(  # type: ignore[no-any-return]
            np.histogram_bin_edges, array, bins, range, weights
        )
    bins = np.asarray(bins) if isinstance(bins, Array) else bins
    return as_array(np.histogram_bin_edges(_sample(array)[0], bins, range))


@publish(np.histogram)
def histogram(
    a: Any, bins: Any = 10, range: Any = None, density: bool | None = None, weights: Any = None
) -> tuple[Array, Array]:
    """
    Count the elements of an array in bins.

    Parameters
    ----------
    a : array_like
        The elements.
    bins : int, array_like or str
        How many bins of equal width, or their edges, or what estimates them by dense arrays.
    range : tuple of float, optional
        The first and the last edge; the extremes of the elements by default.
    density : bool, optional
        Whether the counts are divided so that their integral is 1.
    weights : array_like, optional
        What each element counts; needs dense arrays.

    Returns
    -------
    tuple of Array
        The counts and the edges.

    Examples
    --------
    >>> import structarr as sa
    >>> counts, edges = sa.histogram(sa.asarray([0.0, 3.0, 0.0, 1.0], format="list"), bins=3)
    >>> counts.tolist(), edges.tolist()
    ([2, 1, 1], [0.0, 1.0, 2.0, 3.0])
    """
    array = as_array(a)
    if isinstance(bins, str) or weights is not None:
        return through(  # type: ignore[no-any-return]
            np.histogram, array, bins, range, density, weights
        )
    bins = np.asarray(bins) if isinstance(bins, Array) else bins
    sample, filled = _sample(array)
    counts, edges = np.histogram(sample, bins, range)
    if filled > 1:
        # The edges are passed, as NumPy would choose others for the fill alone.
        bounds = (edges[0], edges[-1]) if np.ndim(bins) == 0 else None
        counts = counts + (filled - 1) * np.histogram(sample[-1:], bins, bounds)[0]
    if density:
        widths = np.array(np.diff(edges), float)
        return as_array(counts / widths / counts.sum()), as_array(edges)
    return as_array(counts), as_array(edges)


histogram2d = published(np.histogram2d, "Count points of a plane in bins")
histogramdd = published(np.histogramdd, "Count points in bins along each axis")
