"""Histograms: elements are put into bins, whose numbers have the elements' format, and counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from structarr._api.core.dense_fallback import through
from structarr._api.core.entry_lists import mapped
from structarr._api.core.operands import as_array
from structarr._api.core.publish import publish
from structarr._api.reductions.reductions import max as max_over, min as min_over
from structarr._api.sets.counting import added
from structarr._api.shape.reshaping import ravel
from structarr._array import Array, NumPyArray, of_tensor, stored
from structarr._storage.row_parts import is_stretch
from structarr._storage.transpose import is_listed
from structarr._support.array_types import ArrayLike


def _extremes(array: Array) -> NumPyArray:
    """The least and the greatest element, which tell as much of bins as all elements do."""
    if not array.size:
        return np.zeros(0, array.dtype)
    return np.array([min_over(array).item(), max_over(array).item()], array.dtype)


def _numbers(array: Array, edges: NumPyArray, is_even: bool) -> Array:
    """The number of each element's bin, from 1 on; 0 and one more than there are are outside."""
    number = _in_even if is_even else _searched
    return of_tensor(mapped(stored(array), lambda values: number(values, edges)))


def _searched(values: NumPyArray, edges: NumPyArray) -> NumPyArray:
    number: NumPyArray = np.searchsorted(edges, values, "right")
    number[values == edges[-1]] = len(edges) - 1
    return number


def _in_even(values: NumPyArray, edges: NumPyArray) -> NumPyArray:
    """The numbers of bins of equal width, by division; what that misses by rounding is one off."""
    first, last, count = edges[0], edges[-1], len(edges) - 1
    kept = np.flatnonzero((values >= first) & (values <= last))
    inside = values if len(kept) == len(values) else values[kept]
    number: NumPyArray = ((inside - first) / (last - first) * count).astype(np.int64)
    np.minimum(number, count - 1, out=number)
    number -= inside < edges[number]
    number += (inside >= edges[number + 1]) & (number < count - 1)
    number += 1
    if inside is values:
        return number
    every = np.zeros(len(values), np.int64)
    every[kept] = number
    return every


def _edges_given(edges: Any) -> Any:
    return np.asarray(edges) if isinstance(edges, Array) else edges


@publish(np.histogram_bin_edges)
def histogram_bin_edges(
    a: ArrayLike, bins: Any = 10, range: Any = None, weights: ArrayLike | None = None
) -> Array:
    """
    Return the edges of the bins that `histogram` counts in.

    Parameters
    ----------
    a : array_like
        The elements.
    bins : int, array_like or str, optional
        How many bins of equal width, or their edges, or what estimates them by dense arrays.
    range : tuple of float, optional
        The first and the last edge; the extremes of the elements by default.
    weights : array_like, optional
        Ignored, but must have the shape of `a`.

    Returns
    -------
    Array
        Dense vector, computed at the call in time proportional to what is stored.

    Raises
    ------
    ValueError
        If the number of bins is not above zero, edges do not rise, or there are not as many
        weights.

    See Also
    --------
    histogram : The counts.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.histogram_bin_edges([0.0, 1.0, 4.0], bins=4).tolist()
    [0.0, 1.0, 2.0, 3.0, 4.0]
    """
    array = as_array(a)
    if isinstance(bins, str):
        return through(  # type: ignore[no-any-return]
            np.histogram_bin_edges, array, bins, range, weights
        )
    _check_weights(array, weights)
    return as_array(np.histogram_bin_edges(_extremes(array), _edges_given(bins), range))


def _check_weights(array: Array, weights: Any) -> Array | None:
    counted = None if weights is None else as_array(weights)
    if counted is not None and counted.shape != array.shape:
        raise ValueError("weights should have the same shape as a.")
    return counted


@publish(np.histogram)
def histogram(
    a: ArrayLike,
    bins: Any = 10,
    range: Any = None,
    density: bool | None = None,
    weights: ArrayLike | None = None,
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
        Weight of each element.

    Returns
    -------
    tuple of Array
        Counts and edges: dense vectors, computed at the call with a search among the edges for each
        stored element, none if the bins are of equal width.

    Raises
    ------
    ValueError
        If the number of bins is not above zero, edges do not rise, elements are not finite, or
        there are not as many weights.

    See Also
    --------
    histogram_bin_edges : The edges alone.
    bincount : Counts of integers.

    Examples
    --------
    >>> import structarr as sa
    >>> counts, edges = sa.histogram(sa.asarray([0.0, 3.0, 0.0, 1.0], format="list"), bins=3)
    >>> counts.tolist(), edges.tolist()
    ([2, 1, 1], [0.0, 1.0, 2.0, 3.0])
    """
    array = as_array(a)
    counted = _check_weights(array, weights)
    if isinstance(bins, str) or array.dtype.kind == "c" or _is_mask(counted):
        return through(  # type: ignore[no-any-return]
            np.histogram, array, bins, range, density, weights
        )
    plain = _edges_given(bins)
    edges = np.histogram_bin_edges(_extremes(array), plain, range)
    counts = _of_single(array, edges, plain) if counted is None else None
    if counts is None:
        counts = _in_bins((array,), (edges,), (plain,), counted)
    counts = counts.astype(np.int64 if counted is None else counted.dtype)
    if density:
        widths = np.array(np.diff(edges), float)
        return as_array(counts / widths / counts.sum()), as_array(edges)
    return as_array(counts), as_array(edges)


def _is_mask(weights: Array | None) -> bool:
    return weights is not None and weights.dtype.kind == "b"


def _of_single(array: Array, edges: NumPyArray, bins: Any) -> NumPyArray | None:
    """The elements in each bin where each is stored by itself; None of other formats."""
    tensor = stored(array)
    single = is_listed(tensor) or is_stretch(tensor.format.levels)
    if array.dtype.kind not in "iuf" or not single:
        return None
    values = tensor.buffers[-1]
    even = np.ndim(bins) == 0
    how = {"bins": len(edges) - 1, "range": (edges[0], edges[-1])} if even else {"bins": edges}
    counts, _ = np.histogram(values, **how)
    beside, _ = np.histogram(np.full(1, tensor.fill, tensor.dtype), **how)
    left = array.size - len(values) if beside.any() else 0
    if left > np.iinfo(np.int64).max:
        raise ValueError(
            f"an array of shape {array.shape} has its fill {left} times, more than int64 counts; "
            "take the histogram of what is stored, a[a != a.fill_value]"
        )
    found: NumPyArray = counts + beside * left
    return found


def _in_bins(
    axes: Sequence[Array],
    edges: Sequence[NumPyArray],
    bins: Sequence[Any],
    weights: Array | None,
) -> NumPyArray:
    """The weight of the elements in each bin, added without loss."""
    wide = {"f": np.float64, "c": np.complex128}
    dtype = np.dtype(np.int64) if weights is None else weights.dtype
    counts = np.zeros([len(one) + 1 for one in edges], wide.get(dtype.kind, dtype))
    if axes[0].size:
        found = zip(axes, edges, bins, strict=True)
        places = [_numbers(one, each, np.ndim(width) == 0) for one, each, width in found]
        counts = added(places, weights, counts).todense()
    return counts[(slice(1, -1),) * len(axes)]


@publish(np.histogram2d)
def histogram2d(
    x: ArrayLike,
    y: ArrayLike,
    bins: Any = 10,
    range: Any = None,
    density: bool | None = None,
    weights: ArrayLike | None = None,
) -> tuple[Array, Array, Array]:
    """
    Count points of a plane in bins.

    Parameters
    ----------
    x, y : array_like
        The coordinates of the points.
    bins, range, density, weights
        As for `histogramdd`; a vector of numbers as `bins` has the edges along both axes.

    Returns
    -------
    tuple of Array
        Counts, and the edges along both axes: dense, computed at the call. Each stored pair of
        coordinates takes a search among the edges.

    Raises
    ------
    ValueError
        If the vectors are not of one length, or the bins make no sense.

    See Also
    --------
    histogramdd : In any number of axes.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.histogram2d([0.0, 1.0, 1.0], [0.0, 0.0, 2.0], bins=2)[0].tolist()
    [[1.0, 0.0], [1.0, 1.0]]
    """
    one, other = as_array(x), as_array(y)
    if one.shape[:1] != other.shape[:1] or not one.ndim:
        raise ValueError("x and y must have the same length.")
    if hasattr(bins, "__len__") and len(bins) not in (1, 2):
        bins = [np.asarray(bins)] * 2
    counts, edges = histogramdd([one, other], bins, range, density, weights)
    return counts, *edges  # type: ignore[return-value]


@publish(np.histogramdd)
def histogramdd(
    sample: Any,
    bins: Any = 10,
    range: Any = None,
    density: bool | None = None,
    weights: ArrayLike | None = None,
) -> tuple[Array, list[Array]]:
    """
    Count points in bins along each axis.

    Parameters
    ----------
    sample : array_like, or sequence of array_like
        A matrix with a row for each point, or a vector for each axis.
    bins : int, or sequence of int or array_like
        How many bins of equal width, or their edges, for each axis.
    range : sequence of tuple of float, optional
        The first and the last edge along each axis; None stands for the extremes of the points.
    density : bool, optional
        Whether the counts are divided so that their integral is 1.
    weights : array_like, optional
        Weight of each point.

    Returns
    -------
    tuple of Array and list of Array
        Counts, of float64, and the edges along each axis: dense, computed at the call. Each stored
        element takes a search among the edges.

    Raises
    ------
    ValueError
        If the bins make no sense, or there are not as many as axes.

    See Also
    --------
    histogram : Of elements, not of points.

    Examples
    --------
    >>> import structarr as sa
    >>> x = sa.asarray([0.0, 0.0, 3.0], format="list")
    >>> counts, edges = sa.histogramdd([x, [1.0, 2.0, 2.0]], bins=(3, 2))
    >>> counts.tolist()
    [[1.0, 1.0], [0.0, 0.0], [0.0, 1.0]]
    """
    axes = _axes(sample)
    counted = None if weights is None else as_array(weights)
    if any(one.dtype.kind == "c" for one in (*axes, axes[0] if counted is None else counted)):
        return through(  # type: ignore[no-any-return]
            np.histogramdd, sample, bins, range, density, weights
        )
    extremes = np.stack([_extremes(one) for one in axes], axis=1)
    if extremes.dtype.kind != "f":  # edges between float32 numbers are float32
        extremes = extremes.astype(float)
    plain: Any = _edges_given(bins)
    if isinstance(plain, (list, tuple)):
        plain = [_edges_given(one) for one in plain]
    _, edges = np.histogramdd(extremes, plain, range)  # raises NumPy's errors
    if counted is not None and counted.shape != axes[0].shape:
        raise ValueError("The weights and list don't have the same length.")
    each = plain if hasattr(plain, "__len__") else [plain] * len(axes)
    counts = _in_bins(axes, edges, each, counted).astype(float)
    if density:
        counts = counts / counts.sum()
        for axis, one in enumerate(edges):
            counts /= np.diff(one).reshape([-1, *[1] * (len(edges) - 1 - axis)])
    return as_array(counts), [as_array(one) for one in edges]


def _axes(sample: Any) -> list[Array]:
    """A vector of coordinates for each axis."""
    if isinstance(sample, (list, tuple)):
        axes = [as_array(one) for one in sample]
    else:
        points = as_array(sample)
        points = points if points.ndim > 1 else ravel(points)[:, None]
        axes = [points[:, k] for k in np.arange(points.shape[1]).tolist()]
    return axes
