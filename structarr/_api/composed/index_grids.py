"""NumPy's functions that give indices: vectors for each axis, and places in C order."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from structarr._api.core.dense_fallback import through
from structarr._api.core.publish import publish
from structarr._array import Array
from structarr._support.array_types import ArrayLike, Shape


@publish(np.diag_indices_from, how="dense")
def diag_indices_from(arr: ArrayLike) -> tuple[Array, ...]:
    """
    Return the indices of the main diagonal of an array.

    Parameters
    ----------
    arr : array_like
        Of two axes or more, all of one length; a dense copy of it is made.

    Returns
    -------
    $indices

    Raises
    ------
    ValueError
        If there are fewer axes, or they are not of one length.
    $densification

    See Also
    --------
    diagonal : The elements there.

    Examples
    --------
    >>> import structarr as sa
    >>> [axis.tolist() for axis in sa.diag_indices_from(sa.zeros((2, 2)))]
    [[0, 1], [0, 1]]
    """
    return through(np.diag_indices_from, arr)  # type: ignore[no-any-return]


@publish(np.tril_indices_from, how="dense")
def tril_indices_from(arr: ArrayLike, k: int = 0) -> tuple[Array, ...]:
    """
    Return the indices of the lower triangle of a matrix.

    Parameters
    ----------
    arr : array_like
        A matrix; a dense copy of it is made.
    $diagonal

    Returns
    -------
    $indices

    Raises
    ------
    ValueError
        If it is not a matrix.
    $densification

    See Also
    --------
    tril : The elements there.

    Examples
    --------
    >>> import structarr as sa
    >>> [axis.tolist() for axis in sa.tril_indices_from(sa.zeros((2, 2)))]
    [[0, 1, 1], [0, 0, 1]]
    """
    return through(np.tril_indices_from, arr, k)  # type: ignore[no-any-return]


@publish(np.triu_indices_from, how="dense")
def triu_indices_from(arr: ArrayLike, k: int = 0) -> tuple[Array, ...]:
    """
    Return the indices of the upper triangle of a matrix.

    Parameters
    ----------
    arr : array_like
        A matrix; a dense copy of it is made.
    $diagonal

    Returns
    -------
    $indices

    Raises
    ------
    ValueError
        If it is not a matrix.
    $densification

    See Also
    --------
    triu : The elements there.

    Examples
    --------
    >>> import structarr as sa
    >>> [axis.tolist() for axis in sa.triu_indices_from(sa.zeros((2, 2)))]
    [[0, 0, 1], [0, 1, 1]]
    """
    return through(np.triu_indices_from, arr, k)  # type: ignore[no-any-return]


@publish(np.ix_, how="dense")
def ix_(*args: ArrayLike) -> tuple[Array, ...]:
    """
    Return vectors of indices as an open mesh, each along an axis of its own.

    Parameters
    ----------
    *args : array_like
        Vectors of integers, or masks.

    Returns
    -------
    tuple of Array
        Dense, of as many axes as there are vectors; computed at the call by NumPy.

    Raises
    ------
    ValueError
        If one is not a vector.
    $densification

    See Also
    --------
    meshgrid : A mesh that is broadcast.
    take : Along one axis.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.asarray([[1, 2, 3], [4, 5, 6]])
    >>> a[sa.ix_([0, 1], [0, 2])].tolist()
    [[1, 3], [4, 6]]
    """
    return through(np.ix_, *args)  # type: ignore[no-any-return]


@publish(np.ravel_multi_index, how="dense")
def ravel_multi_index(
    multi_index: Any, dims: Shape, mode: Any = "raise", order: Literal["C", "F"] = "C"
) -> Array:
    """
    Return the flat indices, in C order, of arrays of coordinates.

    Parameters
    ----------
    multi_index : tuple of array_like
        An array of integers for each axis.
    dims : int or sequence of int
        The shape that they are of.
    mode : {"raise", "wrap", "clip"} or tuple of them, optional
        How coordinates out of bounds are treated.
    order : {"C", "F"}, optional
        Whether the last index varies fastest ("C") or the first ("F").

    Returns
    -------
    $dense

    Raises
    ------
    ValueError
        If a coordinate is out of bounds and `mode` is "raise".
    TypeError
        If coordinates are not integers.
    $densification

    See Also
    --------
    unravel_index : The inverse.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.ravel_multi_index(([0, 1], [2, 0]), (2, 3)).tolist()
    [2, 3]
    """
    return through(  # type: ignore[no-any-return]
        np.ravel_multi_index, multi_index, dims, mode, order
    )


@publish(np.unravel_index, how="dense")
def unravel_index(
    indices: ArrayLike, shape: Shape, order: Literal["C", "F"] = "C"
) -> tuple[Array, ...]:
    """
    Return the coordinates of flat indices in C order.

    Parameters
    ----------
    indices : array_like of int
        Flat indices; a dense copy of them is made.
    shape : int or sequence of int
        The shape that they are of.
    order : {"C", "F"}, optional
        Whether the last index varies fastest ("C") or the first ("F").

    Returns
    -------
    tuple of Array
        One for each axis: dense, of the shape of `indices`, computed at the call by NumPy.

    Raises
    ------
    ValueError
        If an index is out of bounds.
    TypeError
        If indices are not integers.
    $densification

    See Also
    --------
    ravel_multi_index : The inverse.

    Examples
    --------
    >>> import structarr as sa
    >>> [axis.tolist() for axis in sa.unravel_index([2, 3], (2, 3))]
    [[0, 1], [2, 0]]
    """
    return through(np.unravel_index, indices, shape, order)  # type: ignore[no-any-return]
