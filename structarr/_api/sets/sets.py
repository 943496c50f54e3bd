"""Arrays as sets: their distinct elements, unions, intersections and differences.

The results are dense vectors, computed at the call in time proportional to what is stored.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, overload

import numpy as np

from structarr._api.core.entry_lists import dense_to_read
from structarr._api.core.operands import as_array
from structarr._api.core.publish import publish
from structarr._api.sets.unique import distinct, distinct_of
from structarr._array import Array, NumPyArray, of_tensor, stored
from structarr._storage.dense import from_dense
from structarr._storage.tensor import Tensor
from structarr._support.array_types import ArrayLike


class UniqueAllResult(NamedTuple):
    """The result of `unique_all`."""

    values: Array
    indices: Array
    inverse_indices: Array
    counts: Array


class UniqueCountsResult(NamedTuple):
    """The result of `unique_counts`."""

    values: Array
    counts: Array


class UniqueInverseResult(NamedTuple):
    """The result of `unique_inverse`."""

    values: Array
    inverse_indices: Array


@overload
def unique(
    ar: ArrayLike,
    return_index: Literal[False] = ...,
    return_inverse: Literal[False] = ...,
    return_counts: Literal[False] = ...,
    axis: int | None = ...,
    *,
    equal_nan: bool = ...,
    sorted: bool = ...,
) -> Array: ...
@overload
def unique(
    ar: ArrayLike,
    return_index: bool = ...,
    return_inverse: bool = ...,
    return_counts: bool = ...,
    axis: int | None = ...,
    *,
    equal_nan: bool = ...,
    sorted: bool = ...,
) -> tuple[Array, ...]: ...


@publish(np.unique, note="dense with an axis")
def unique(
    ar: ArrayLike,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    *,
    equal_nan: bool = True,
    sorted: bool = True,
) -> Any:
    """
    Return the distinct elements of an array in ascending order.

    Parameters
    ----------
    ar : array_like
        The array.
    return_index : bool
        Whether to also return the flat index of the first occurrence of each.
    return_inverse : bool
        Whether to also return, for each element of the array, the number of its distinct value.
    return_counts : bool
        Whether to also return the number of occurrences of each.
    axis : int, optional
        Take slices along an axis instead of elements; the array is made dense for that, within
        `densify_limit`.
    equal_nan : bool
        Whether all NaNs count as equal; else each is distinct.
    sorted : bool
        Ignored: the elements are always sorted.

    Returns
    -------
    Array, or tuple of Array
        Dense vectors, but for the inverse, which has the shape and the format of the array. The
        fill is never visited: the time is that of sorting what is stored.

    Raises
    ------
    ValueError
        If the array is so large that int64 does not count its elements.

    See Also
    --------
    unique_values : The elements alone, by the array API.
    unique_counts : With how often they occur.
    unique_inverse : With the number of each element's.
    unique_all : With everything.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.asarray([[0, 3, 0], [0, 0, 2]], format="csr")
    >>> values, counts = sa.unique(a, return_counts=True)
    >>> values.tolist(), counts.tolist()
    ([0, 2, 3], [4, 1, 1])
    """
    array = as_array(ar)
    if axis is not None and array.ndim != 1:
        dense = dense_to_read(stored(array))
        found: Any = np.unique(  # type: ignore[call-overload]
            dense, return_index, return_inverse, return_counts, axis, equal_nan=equal_nan
        )
        return tuple(map(_vector, found)) if isinstance(found, tuple) else _vector(found)
    if axis is not None:
        np.lib.array_utils.normalize_axis_index(axis, array.ndim)
    parts = distinct_of(stored(array), equal_nan, return_index, return_inverse, return_counts)
    asked = (True, return_index, return_inverse, return_counts)
    wanted = [_vector(part) for part, flag in zip(parts, asked, strict=True) if flag]
    return tuple(wanted) if len(wanted) > 1 else wanted[0]


def _vector(found: Any) -> Array:
    return of_tensor(found if isinstance(found, Tensor) else from_dense(np.asarray(found)))


@publish(np.unique_all)
def unique_all(x: ArrayLike, /) -> UniqueAllResult:
    """
    Return the distinct elements (every NaN is one), their first indices, inverse and counts.

    Parameters
    ----------
    $array:x

    Returns
    -------
    UniqueAllResult
        A named tuple of `values`, `indices`, `inverse_indices` and `counts`: dense vectors, but for
        the inverse, which has the shape and the format of `x`.

    Raises
    ------
    ValueError
        If the array is so large that int64 does not count its elements.

    See Also
    --------
    unique : A choice of them; NaN are one there.

    Examples
    --------
    >>> import structarr as sa
    >>> found = sa.unique_all([5, 7, 5])
    >>> found.values.tolist(), found.indices.tolist(), found.counts.tolist()
    ([5, 7], [0, 1], [2, 1])
    """
    return UniqueAllResult(*unique(x, True, True, True, equal_nan=False))


@publish(np.unique_counts)
def unique_counts(x: ArrayLike, /) -> UniqueCountsResult:
    """
    Return the distinct elements (every NaN is one) and the number of occurrences of each.

    Parameters
    ----------
    $array:x

    Returns
    -------
    UniqueCountsResult
        A named tuple of `values` and `counts`, dense vectors.

    Raises
    ------
    ValueError
        If the array is so large that int64 does not count its elements.

    See Also
    --------
    unique : A choice of results; NaN are one there.

    Examples
    --------
    >>> import structarr as sa
    >>> [part.tolist() for part in sa.unique_counts([5, 7, 5])]
    [[5, 7], [2, 1]]
    """
    return UniqueCountsResult(*unique(x, return_counts=True, equal_nan=False))


@publish(np.unique_inverse)
def unique_inverse(x: ArrayLike, /) -> UniqueInverseResult:
    """
    Return the distinct elements (every NaN is one) and, for each element, the number of its own.

    Parameters
    ----------
    $array:x

    Returns
    -------
    UniqueInverseResult
        A named tuple of `values`, a dense vector, and `inverse_indices`, of the shape and the
        format of `x`.

    Raises
    ------
    $dtype_error

    See Also
    --------
    unique : A choice of results; NaN are one there.

    Examples
    --------
    >>> import structarr as sa
    >>> values, inverse = sa.unique_inverse([5, 7, 5])
    >>> sa.take(values, inverse).tolist()
    [5, 7, 5]
    """
    return UniqueInverseResult(*unique(x, return_inverse=True, equal_nan=False))


@publish(np.unique_values)
def unique_values(x: ArrayLike, /) -> Array:
    """
    Return the distinct elements; every NaN is one.

    Parameters
    ----------
    $array:x

    Returns
    -------
    $sorted_vector

    Raises
    ------
    $dtype_error

    See Also
    --------
    unique : NaN are one there.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.unique_values([5, 7, 5]).tolist()
    [5, 7]
    """
    found: Array = unique(x, equal_nan=False)
    return found


@publish(np.union1d)
def union1d(ar1: ArrayLike, ar2: ArrayLike) -> Array:
    """
    Return the elements that either array has, sorted.

    Parameters
    ----------
    ar1, ar2 : array_like
        The arrays, of any shape.

    Returns
    -------
    $sorted_vector

    Raises
    ------
    $dtype_error

    See Also
    --------
    intersect1d : The elements of both.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.union1d([3, 1], [1, 2]).tolist()
    [1, 2, 3]
    """
    return _vector(np.union1d(*_both(ar1, ar2, False)))


@overload
def intersect1d(
    ar1: ArrayLike,
    ar2: ArrayLike,
    assume_unique: bool = ...,
    return_indices: Literal[False] = ...,
) -> Array: ...
@overload
def intersect1d(
    ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = ..., *, return_indices: Literal[True]
) -> tuple[Array, Array, Array]: ...


@publish(np.intersect1d)
def intersect1d(
    ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = False, return_indices: bool = False
) -> Any:
    """
    Return the elements that both arrays have, sorted.

    Parameters
    ----------
    ar1, ar2 : array_like
        The arrays, of any shape.
    assume_unique : bool
        Promise that no array has an element twice: they are taken as they are, made dense.
    return_indices : bool
        Whether to also return the flat indices of their first occurrences in both arrays.

    Returns
    -------
    Array or tuple of Array
        Dense vectors, computed at the call: the elements and, with `return_indices`, the indices of
        their first occurrences. The time is that of sorting what is stored.

    Raises
    ------
    $dtype_error

    See Also
    --------
    union1d : The elements of either.
    isin : A mask of an array.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.intersect1d([3, 1, 0], [1, 2, 3]).tolist()
    [1, 3]
    """
    if not return_indices:
        return _vector(np.intersect1d(*_both(ar1, ar2, assume_unique), assume_unique=True))
    if assume_unique:
        found = np.intersect1d(*_both(ar1, ar2, True), True, True)
        return tuple(map(_vector, found))
    left, right = (distinct_of(stored(as_array(ar)), True, True, False, False) for ar in (ar1, ar2))
    assert left.indices is not None and right.indices is not None
    values, one, other = np.intersect1d(left.values, right.values, True, True)
    return _vector(values), _vector(left.indices[one]), _vector(right.indices[other])


@publish(np.setdiff1d)
def setdiff1d(ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = False) -> Array:
    """
    Return the elements of one array that another has not, sorted.

    Parameters
    ----------
    ar1, ar2 : array_like
        The arrays, of any shape.
    assume_unique : bool, optional
        Promise that no array has an element twice: the elements stay in order, taken from the first
        array made dense.

    Returns
    -------
    $sorted_vector

    Raises
    ------
    $dtype_error

    See Also
    --------
    setxor1d : The elements of just one.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.setdiff1d([3, 1, 0, 3], [1, 2]).tolist()
    [0, 3]
    """
    elements, others = _elements(ar1, assume_unique), _elements(ar2, False)
    return _vector(elements[np.isin(elements, others, invert=True)])


@publish(np.setxor1d)
def setxor1d(ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = False) -> Array:
    """
    Return the elements that one of two arrays has, and not both, sorted.

    Parameters
    ----------
    ar1, ar2 : array_like
        The arrays, of any shape.
    assume_unique : bool, optional
        Promise that no array has an element twice: they are taken as they are, made dense.

    Returns
    -------
    $sorted_vector

    Raises
    ------
    $dtype_error

    See Also
    --------
    setdiff1d : The elements of the first alone.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.setxor1d([3, 1, 0], [1, 2]).tolist()
    [0, 2, 3]
    """
    return _vector(np.setxor1d(*_both(ar1, ar2, assume_unique), assume_unique=True))


def _both(ar1: Any, ar2: Any, assume_unique: bool) -> tuple[NumPyArray, NumPyArray]:
    return _elements(ar1, assume_unique), _elements(ar2, assume_unique)


def _elements(ar: Any, assume_unique: bool) -> NumPyArray:
    """The distinct elements of an array, or all of them where they are said to be distinct."""
    tensor = stored(as_array(ar))
    return dense_to_read(tensor).reshape(-1) if assume_unique else distinct(tensor)
