"""What the values of an image are under each label, as `scipy.ndimage` measures them."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._api.images.regions import regions
from structarr._api.images.rows import labelled
from structarr._api.images.under_labels import Groups, extremes, groups, squared, summed, weighed
from structarr._support.array_types import ArrayLike
from structarr._support.docstrings import documented


@documented
def sum_labels(input: ArrayLike, labels: ArrayLike | None = None, index: Any = None) -> Any:
    """
    Add up the values under labels, as `scipy.ndimage.sum_labels` does.

    Parameters
    ----------
    $measured

    Returns
    -------
    number or numpy.ndarray
        One for each label of `index`, in its shape.

    Raises
    ------
    $measured_error

    See Also
    --------
    regions : Other properties, of all labels.

    Notes
    -----
    It takes time for each run of labels, and for each element under them where the values are
    dense. Labels that are not there have the sum 0.

    Examples
    --------
    >>> from structarr import ndimage
    >>> ndimage.sum_labels([1, 2, 3, 4], [1, 1, 0, 2], [1, 2]).tolist()
    [3.0, 4.0]
    """
    given = groups(input, labels, index)
    sums = summed(given)[1]
    return given.put(sums if given.of is None else sums.astype(np.float64))


@documented
def sum(input: ArrayLike, labels: ArrayLike | None = None, index: Any = None) -> Any:
    """
    Add up the values under labels; another name of `sum_labels`.

    Parameters
    ----------
    $measured

    Returns
    -------
    number or numpy.ndarray
        One for each label of `index`, in its shape.

    Raises
    ------
    $measured_error

    See Also
    --------
    sum_labels : The same.

    Examples
    --------
    >>> from structarr import ndimage
    >>> ndimage.sum([1, 2, 3, 4], [1, 1, 0, 2])
    np.int64(7)
    """
    return sum_labels(input, labels, index)


@documented
def mean(input: ArrayLike, labels: ArrayLike | None = None, index: Any = None) -> Any:
    """
    Return the mean of the values under labels, as `scipy.ndimage.mean` does.

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
    variance : How far values lie apart.

    Examples
    --------
    >>> from structarr import ndimage
    >>> ndimage.mean([1, 2, 3, 4], [1, 1, 0, 2], [1, 2]).tolist()
    [1.5, 4.0]
    """
    given = groups(input, labels, index)
    return given.put(_means(*summed(given)), np.nan)


@documented
def variance(input: ArrayLike, labels: ArrayLike | None = None, index: Any = None) -> Any:
    """
    Return the variance of the values under labels, as `scipy.ndimage.variance` does.

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
    standard_deviation : Its root.

    Examples
    --------
    >>> from structarr import ndimage
    >>> ndimage.variance([1, 3, 3, 4], [1, 1, 0, 2], [1, 2]).tolist()
    [1.0, 0.0]
    """
    given = groups(input, labels, index)
    counts, sums = summed(given)
    return given.put(_means(counts, squared(given, _means(counts, sums))), np.nan)


@documented
def standard_deviation(input: ArrayLike, labels: ArrayLike | None = None, index: Any = None) -> Any:
    """
    Return the standard deviation of the values under labels, as `scipy.ndimage` does.

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
    variance : Its square.

    Examples
    --------
    >>> from structarr import ndimage
    >>> ndimage.standard_deviation([1, 3, 3, 4], [1, 1, 0, 2], 1)
    np.float64(1.0)
    """
    return np.sqrt(variance(input, labels, index))


@documented
def minimum(input: ArrayLike, labels: ArrayLike | None = None, index: Any = None) -> Any:
    """
    Return the least of the values under labels, as `scipy.ndimage.minimum` does.

    Parameters
    ----------
    $measured

    Returns
    -------
    number or numpy.ndarray
        One for each label of `index`, in its shape, of the dtype of `input`; 0 where it is
        not there.

    Raises
    ------
    $measured_error

    See Also
    --------
    minimum_position : Where it is.

    Notes
    -----
    Where a value is NaN, so is the result.

    Examples
    --------
    >>> from structarr import ndimage
    >>> ndimage.minimum([1, 2, 3, 4], [1, 1, 0, 2], [1, 2]).tolist()
    [1, 4]
    """
    given = groups(input, labels, index)
    return _values(given, *extremes(given)[0::2])


@documented
def maximum(input: ArrayLike, labels: ArrayLike | None = None, index: Any = None) -> Any:
    """
    Return the largest of the values under labels, as `scipy.ndimage.maximum` does.

    Parameters
    ----------
    $measured

    Returns
    -------
    number or numpy.ndarray
        One for each label of `index`, in its shape, of the dtype of `input`; 0 where it is
        not there.

    Raises
    ------
    $measured_error

    See Also
    --------
    maximum_position : Where it is.

    Notes
    -----
    Where a value is NaN, so is the result.

    Examples
    --------
    >>> from structarr import ndimage
    >>> ndimage.maximum([1, 2, 3, 4], [1, 1, 0, 2], [1, 2]).tolist()
    [2, 4]
    """
    given = groups(input, labels, index)
    return _values(given, *extremes(given)[1::2])


@documented
def minimum_position(input: ArrayLike, labels: ArrayLike | None = None, index: Any = None) -> Any:
    """
    Return where the least of the values under labels is, as `scipy.ndimage` does.

    Parameters
    ----------
    $measured

    Returns
    -------
    tuple of int or list of tuple of int
        The indices of the first such element for each label of `index`.

    Raises
    ------
    $measured_error

    See Also
    --------
    minimum : The value.

    Examples
    --------
    >>> from structarr import ndimage
    >>> ndimage.minimum_position([1, 2, 3, 4], [1, 1, 0, 2], [1, 2])
    [(0,), (3,)]
    """
    given = groups(input, labels, index)
    return _places(given, extremes(given)[2])


@documented
def maximum_position(input: ArrayLike, labels: ArrayLike | None = None, index: Any = None) -> Any:
    """
    Return where the largest of the values under labels is, as `scipy.ndimage` does.

    Parameters
    ----------
    $measured

    Returns
    -------
    tuple of int or list of tuple of int
        The indices of the first such element for each label of `index`.

    Raises
    ------
    $measured_error

    See Also
    --------
    maximum : The value.

    Examples
    --------
    >>> from structarr import ndimage
    >>> ndimage.maximum_position([1, 2, 3, 4], [1, 1, 0, 2], [1, 2])
    [(1,), (3,)]
    """
    given = groups(input, labels, index)
    return _places(given, extremes(given)[3])


@documented
def extrema(input: ArrayLike, labels: ArrayLike | None = None, index: Any = None) -> Any:
    """
    Return the extremes of the values under labels and where they are, as `scipy.ndimage` does.

    Parameters
    ----------
    $measured

    Returns
    -------
    tuple
        What `minimum`, `maximum`, `minimum_position` and `maximum_position` return.

    Raises
    ------
    $measured_error

    See Also
    --------
    minimum : One of them.

    Examples
    --------
    >>> from structarr import ndimage
    >>> ndimage.extrema([3, 2, 7], [1, 1, 1], 1)
    (np.int64(2), np.int64(7), (1,), (2,))
    """
    given = groups(input, labels, index)
    least, most, lowest, highest = extremes(given)
    values = _values(given, least, lowest), _values(given, most, highest)
    return (*values, _places(given, lowest), _places(given, highest))


@documented
def center_of_mass(input: ArrayLike, labels: ArrayLike | None = None, index: Any = None) -> Any:
    """
    Return the mean index of the values under labels, as `scipy.ndimage.center_of_mass` does.

    Parameters
    ----------
    $measured

    Returns
    -------
    tuple of float or list of tuple of float
        The mean index along each axis, weighed by the values, for each label of `index`; NaN where
        they add up to 0.

    Raises
    ------
    $measured_error

    See Also
    --------
    regions : Has the centroids of the labels themselves.

    Examples
    --------
    >>> from structarr import ndimage
    >>> ndimage.center_of_mass([[0, 1, 3], [0, 1, 3]])
    (0.5, 1.75)
    """
    given = groups(input, labels, index)
    found = weighed(given)
    with np.errstate(divide="ignore", invalid="ignore"):
        middles = given.put(found[:, 1:] / found[:, :1], np.nan)
    return _tuples(middles)


def find_objects(input: ArrayLike, max_label: int = 0) -> list[tuple[slice, ...] | None]:
    """
    Return the slices that hold each label, as `scipy.ndimage.find_objects` does.

    Parameters
    ----------
    input : array_like
        Integers of one to three axes.
    max_label : int
        The largest label that is looked for; all if it is below 1.

    Returns
    -------
    list of tuple of slice
        For each label from 1 on a slice along each axis, or None for a label that is not there.

    Raises
    ------
    TypeError
        If labels are not integers.
    ValueError
        If there are more than three axes.

    See Also
    --------
    regions : Boxes as one array, of the labels that are there.

    Notes
    -----
    It takes time for each run.

    Examples
    --------
    >>> from structarr import ndimage
    >>> ndimage.find_objects([0, 1, 1, 3])
    [(slice(1, 3, None),), None, (slice(3, 4, None),)]
    """
    own = labelled(input)
    measured = regions(own, properties="bbox")
    labels, boxes = measured["label"].tolist(), measured["bbox"].tolist()
    most = max_label if max_label >= 1 else max([0, *map(int, labels)])
    found: list[tuple[slice, ...] | None] = [None] * most
    for label, box in zip(map(int, labels), boxes, strict=True):
        if 1 <= label <= most:
            ends = zip(box[: own.ndim], box[own.ndim :], strict=True)
            found[label - 1] = tuple([slice(low, high) for low, high in ends])
    return found


def _means(counts: Any, sums: Any) -> Any:
    """The quotients; NaN of nothing."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return sums / counts


def _values(given: Groups, found: Any, places: Any) -> Any:
    """Extremes in the dtype of the image; one group has to have one."""
    _check(given, places)
    return given.put(found.astype(given.dtype), given.dtype.type(0))


def _places(given: Groups, places: Any) -> Any:
    """The indices of elements by their places."""
    _check(given, places)
    held = np.maximum(places, 0)
    indices = np.unravel_index(held, given.shape) if len(held) and 0 not in given.shape else ()
    return _tuples(given.put(np.stack(indices, axis=-1)))


def _check(given: Groups, places: Any) -> None:
    if given.of is None and places[1] < 0:
        raise ValueError("no element has such a label, so that there is no extreme")


def _tuples(found: Any) -> Any:
    """A tuple of numbers, or a list of them."""
    if found.ndim == 1:
        return tuple(found.tolist())
    return [tuple(one) for one in found.reshape(-1, found.shape[-1]).tolist()]
