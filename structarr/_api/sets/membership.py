"""Each element looked up: in sorted values, in bins, in a set. The format stays."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from structarr._api.core.entry_lists import dense_to_read, mapped
from structarr._api.core.fibers import has_fibers, runs_of
from structarr._api.core.operands import as_array
from structarr._api.core.publish import publish
from structarr._api.elementwise.elementwise import subtract
from structarr._api.indexing.selecting import take
from structarr._api.sets.unique import distinct
from structarr._api.shape.shifting import flip
from structarr._array import Array, NumPyArray, of_tensor, stored
from structarr._storage.tensor import Tensor
from structarr._support.array_types import ArrayLike


@publish(np.searchsorted)
def searchsorted(
    x1: ArrayLike,
    x2: ArrayLike,
    /,
    side: Literal["left", "right"] = "left",
    sorter: ArrayLike | None = None,
) -> Array:
    """
    Return where values would be put into a sorted vector so that it stays sorted.

    Parameters
    ----------
    x1 : array_like
        The vector, in ascending order unless there is a sorter.
    x2 : array_like or scalar
        The values.
    side : {"left", "right"}
        Whether before or after the elements that are equal.
    sorter : array_like of int, optional
        Indices that sort the vector.

    Returns
    -------
    Array
        Of int64, in the format of the values, computed at the call: a binary search for each stored
        value, without dense copies.

    Raises
    ------
    ValueError
        If `x1` is not a vector, the sorter is not of its length, or there is no such side.

    See Also
    --------
    digitize : Numbers of bins.
    sort : Puts a vector in order.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.asarray([0, 0, 0, 4, 9], format="list")
    >>> sa.searchsorted(a, [[-1, 0], [4, 10]]).tolist()
    [[0, 0], [3, 5]]
    """
    # NumPy raises the error of a wrong side.
    np.searchsorted(np.zeros(0), 0, side)
    array, wanted = as_array(x1), as_array(x2)
    if array.ndim != 1:
        raise ValueError(f"x1 must be a vector, not of {array.ndim} axes; give a.ravel()")
    if sorter is not None:
        places = as_array(sorter)
        if places.shape != array.shape:
            raise ValueError("sorter.size must equal a.size")
        try:
            array = take(array, places)
        except IndexError:
            raise ValueError("Sorter index out of range.") from None
    steps, begins = _steps(stored(array))
    return of_tensor(
        mapped(stored(wanted), lambda values: begins[np.searchsorted(steps, values, side)])
    )


def _steps(tensor: Tensor) -> tuple[NumPyArray, NumPyArray]:
    """The values of a vector, equal neighbours at most partly joined, and where each begins.

    The last of the places is the end of the vector.
    """
    length = tensor.shape[0]
    if not has_fibers(tensor, 0):
        return dense_to_read(tensor), np.arange(length + 1)
    runs = runs_of(tensor, (0,))
    # Elements that are not stored may be before each run and at the end.
    starts = np.append(runs.start, length)
    stops = np.append(0, runs.stop)
    begins = np.stack([stops, starts], axis=1).reshape(-1)
    values = np.full(len(begins), tensor.fill, tensor.dtype)
    values[1:-1:2] = runs.values
    lasting = np.append(begins[1:] > begins[:-1], True)
    return values[lasting][:-1], begins[lasting]


@publish(np.digitize)
def digitize(x: ArrayLike, bins: ArrayLike, right: bool = False) -> Array:
    """
    Return the numbers of the bins that values fall into.

    Parameters
    ----------
    x : array_like
        The values.
    bins : array_like
        The bounds of the bins, ascending or descending.
    right : bool
        Whether a bin holds its right bound instead of its left one.

    Returns
    -------
    Array
        Of int64, in the format of the values, computed at the call: a binary search for each stored
        value.

    Raises
    ------
    ValueError
        If the bins are not a vector, or neither rise nor fall.
    TypeError
        If the values are complex.

    See Also
    --------
    searchsorted : Indices into a sorted vector.
    histogram : Counts in bins.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.digitize([0.2, 6.4, 3.0], [0.0, 1.0, 2.5, 4.0, 10.0]).tolist()
    [1, 4, 3]
    """
    array, bounds = as_array(x), as_array(bins)
    if array.dtype.kind == "c":
        raise TypeError("x may not be complex")
    if bounds.ndim != 1:
        raise ValueError("object of too small depth for desired array")
    values, _ = _steps(stored(bounds))
    side: Literal["left", "right"] = "left" if right else "right"
    if bool((values[1:] >= values[:-1]).all()):
        return searchsorted(bounds, array, side)
    if not bool((values[1:] <= values[:-1]).all()):
        raise ValueError("bins must be monotonically increasing or decreasing")
    return subtract(bounds.shape[0], searchsorted(flip(bounds), array, side))


@publish(np.isin)
def isin(
    x1: ArrayLike,
    x2: ArrayLike,
    /,
    assume_unique: bool = False,
    invert: bool = False,
    *,
    kind: Any = None,
) -> Array:
    """
    Return a mask of the elements that are also elements of another array.

    Parameters
    ----------
    x1 : array_like or scalar
        The elements.
    x2 : array_like or scalar
        The others, of any shape.
    assume_unique : bool
        Ignored: a hint to NumPy.
    invert : bool
        Whether to tell which are not.
    kind : {None, "sort", "table"}
        How to search, as in NumPy.

    Returns
    -------
    Array
        Of booleans, in the format of the elements, computed at the call. The distinct values of
        `x2` are sorted, and each stored element is looked up among them.

    Raises
    ------
    ValueError
        If there is no such kind, or "table" is asked for what is not of integers.

    See Also
    --------
    intersect1d : The common elements.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.isin(sa.asarray([0, 2, 0, 3], format="list"), [3, 4])
    >>> a.tolist(), str(a.format)
    ([False, False, False, True], 'list')
    """
    array, others = stored(as_array(x1)), distinct(stored(as_array(x2)))
    return of_tensor(mapped(array, lambda one: np.isin(one, others, invert=invert, kind=kind)))
