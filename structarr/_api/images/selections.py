"""What is under each label, listed: medians, histograms, places, and functions of a user."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from structarr._api.images.listed_values import Listed, pieces
from structarr._api.images.rows import labelled, values_of
from structarr._api.images.under_labels import groups
from structarr._array import Array, stored
from structarr._support.array_types import ArrayLike
from structarr._support.docstrings import documented


@documented
def median(input: ArrayLike, labels: ArrayLike | None = None, index: Any = None) -> Any:
    """
    Return the median of the values under labels, as `scipy.ndimage.median` does.

    Parameters
    ----------
    $measured

    Returns
    -------
    number or numpy.ndarray
        One for each label of `index`, in its shape; NaN where it is not there.

    Raises
    ------
    $measured_error

    See Also
    --------
    mean : Their mean.
    histogram : How many values lie where.

    Notes
    -----
    Where the image is stored as runs, runs are put in order by their values, not elements. As in
    SciPy, NaN wins for one label, and is larger than all numbers for several.

    Examples
    --------
    >>> from structarr import ndimage
    >>> ndimage.median([1, 2, 3, 9], [1, 1, 0, 2], [1, 2]).tolist()
    [1.5, 9.0]
    """
    given = groups(input, labels, index)
    found = _middles(pieces(given), nan_wins=given.of is None)
    return given.put(found, found.dtype.type(np.nan))


def _middles(listed: Listed, nan_wins: bool) -> Any:
    """The mean of the two values in the middle of each group; they are one where many are odd."""
    values, lengths = listed.values, listed.lengths
    counts = np.diff(listed.ends, prepend=0)
    order = np.lexsort((values, np.repeat(np.arange(len(counts)), counts)))
    values = values[order] if values.dtype.kind == "f" else values[order].astype(np.float64)
    elements = np.cumsum(np.ones(len(order), np.int64) if lengths is None else lengths[order])
    found = np.full(len(counts), np.nan, values.dtype)
    there = np.flatnonzero(counts)
    last = listed.ends[there] - 1
    first = np.concatenate([[0], elements[last[:-1]]]) if len(there) else last
    many = elements[last] - first
    places = [first + (many - 1) // 2, first + many // 2]
    low, high = values[np.searchsorted(elements, places, side="right")]
    middle = np.where(low == high, low, (low + high) / 2)
    found[there] = np.where(np.isnan(values[last]), np.nan, middle) if nan_wins else middle
    return found


@documented
def histogram(
    input: ArrayLike,
    min: float,
    max: float,
    bins: int,
    labels: ArrayLike | None = None,
    index: Any = None,
) -> Any:
    """
    Count the values under labels that lie in each of some bins, as `scipy.ndimage.histogram` does.

    Parameters
    ----------
    input : array_like
        The image, of real numbers, stored as runs or in any other way.
    min, max : float
        Where the first bin begins, and where the last one ends.
    bins : int
        How many there are, all equally wide.
    labels : array_like, optional
        The labels, of the image's shape; all of the image if left out.
    index : int or array_like of int, optional
        The labels whose values are counted; all above 0 together if left out.

    Returns
    -------
    numpy.ndarray
        The counts; for several labels an array of them, of objects, None where a label is not
        there.

    Raises
    ------
    $measured_error

    See Also
    --------
    median : The value in the middle.

    Examples
    --------
    >>> from structarr import ndimage
    >>> ndimage.histogram([1, 2, 3, 9], 0, 10, 2, [1, 1, 0, 2]).tolist()
    [2, 1]
    """
    given = groups(input, labels, index)
    listed = pieces(given)
    edges = np.linspace(min, max, bins + 1)
    found = np.full(given.most + 1, None, object)
    for number in range(1, given.most + 1):
        values, lengths = listed.of(number)
        values = values.view(np.uint8) if values.dtype == np.bool_ else values
        if len(values) or index is None:
            found[number] = np.histogram(values, edges, weights=lengths)[0]
    return given.put(found, None)


@documented
def labeled_comprehension(
    input: ArrayLike,
    labels: ArrayLike | None,
    index: Any,
    func: Callable[..., Any],
    out_dtype: Any,
    default: Any,
    pass_positions: bool = False,
) -> Any:
    """
    Call a function with the values under each label, as `scipy.ndimage` does.

    Parameters
    ----------
    input : array_like
        The image, of real numbers, stored as runs or in any other way.
    labels : array_like or None
        The labels, of the image's shape; None for all of the image.
    index : int, array_like of int or None
        The labels; None for all above 0 together.
    func : callable
        Takes the values of a label in their order, as one of NumPy's arrays.
    out_dtype : dtype_like
        That of the result for several labels.
    default : number
        What stands for labels that are not there, for which nothing is called.
    pass_positions : bool
        Whether the function takes the places of the values, too, as if the image had one axis.

    Returns
    -------
    object
        What the function returns; for several labels an array of that.

    Raises
    ------
    TypeError
        If the image is not of real numbers, or the labels are not whole numbers.
    ValueError
        If there is an index without labels.

    See Also
    --------
    mean : Means, without a call for each label.

    Examples
    --------
    >>> import numpy as np
    >>> from structarr import ndimage
    >>> ndimage.labeled_comprehension([1, 2, 3, 9], [1, 1, 0, 2], [1, 2, 3], np.ptp, int, -1)
    array([ 1,  0, -1])
    """
    if labels is None and index is not None:
        raise ValueError("an index needs labels")
    given = groups(input, labels, index)
    listed = pieces(given)
    if index is None:
        return func(*listed.arguments(1, pass_positions))
    numbers = np.asarray(1 if given.of is None else given.of)
    found = np.full(numbers.shape, default, out_dtype)
    flat = found.reshape(-1)
    for at in np.argsort(numbers.reshape(-1), kind="stable").tolist():
        arguments = listed.arguments(int(numbers.reshape(-1)[at]), pass_positions)
        if len(arguments[0]):
            flat[at] = func(*arguments)
    return found if numbers.ndim else found[()]


def value_indices(
    arr: ArrayLike, *, ignore_value: int | None = None
) -> dict[Any, tuple[np.ndarray, ...]]:
    """
    Return where each value of an array is, as `scipy.ndimage.value_indices` does.

    Parameters
    ----------
    arr : array_like
        Whole numbers, stored as runs or in any other way.
    ignore_value : int, optional
        A value that is left out: 0 for what is in no region.

    Returns
    -------
    dict
        For each value the indices along each axis, as `np.nonzero` has them.

    Raises
    ------
    TypeError
        If there are other numbers.

    See Also
    --------
    find_objects : The boxes around labels.

    Notes
    -----
    It takes time and memory for each element that has a value that is not left out.

    Examples
    --------
    >>> from structarr import ndimage
    >>> found = ndimage.value_indices([0, 2, 2, 1], ignore_value=0)
    >>> found[1][0].tolist(), found[2][0].tolist()
    ([3], [1, 2])
    """
    own = labelled(arr)
    held = values_of(own)
    values = np.unique(held)
    if _covered(own) < own.size:
        values = np.union1d(values, np.zeros(1, own.dtype))
    if ignore_value is not None:
        values = values[values != ignore_value]
    given = groups(own, own, values)
    return dict(_places(pieces(given), values, own.shape))


def _covered(own: Array) -> int:
    """How many elements runs have."""
    _, start, stop, _ = stored(own).buffers[-4:]
    return int(np.sum(stop, dtype=np.int64) - np.sum(start, dtype=np.int64))


def _places(
    listed: Listed, values: Any, shape: tuple[int, ...]
) -> Iterator[tuple[Any, tuple[np.ndarray, ...]]]:
    for number, value in enumerate(values, 1):
        yield value, np.unravel_index(listed.positions_of(number), shape)
