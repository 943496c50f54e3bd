"""Traces, powers, chains and cross products, composed of products and sums of matrices."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import reduce
from math import prod
from typing import Any

import numpy as np

from structarr._api.core.by_structure import by_structure
from structarr._api.core.operands import as_array, owned
from structarr._api.core.out import Out, deliver
from structarr._api.core.publish import publish
from structarr._api.creation.diagonals import as_stored, diagonal, eye
from structarr._api.linalg.inverses import inv
from structarr._api.linalg.linalg import dot, matmul
from structarr._api.linalg.square_checks import check_square
from structarr._api.reductions.reductions import sum
from structarr._api.shape.joining import stack
from structarr._api.shape.manipulation import broadcast_to, moveaxis
from structarr._array import Array
from structarr._support.array_types import ArrayLike, DTypeLike


@publish(np.trace)
def trace(
    a: ArrayLike,
    offset: int = 0,
    axis1: int = 0,
    axis2: int = 1,
    dtype: DTypeLike | None = None,
    out: Out | None = None,
) -> Out:
    """
    Sum a diagonal of a matrix, or of each matrix of a stack.

    Parameters
    ----------
    a : array_like
        Of two axes or more.
    offset : int, optional
        The diagonal: above the main one if positive, below it if negative.
    axis1, axis2 : int, optional
        The axes of the rows and of the columns.
    dtype : dtype_like, optional
        In which to sum; small integers are summed in the machine's by default.
    out : numpy.ndarray, optional
        NumPy array that takes the result and is returned.

    Returns
    -------
    $reduced

    Raises
    ------
    $axis_error
    ValueError
        If there are fewer axes than two.

    See Also
    --------
    diagonal : What is summed.

    Examples
    --------
    >>> import structarr as sa
    >>> int(sa.trace(sa.asarray([[1, 2], [3, 4]], format="csr")))
    5
    """
    found = as_stored(a, offset, axis1, axis2)
    if found is None:
        return deliver(_traced(a, offset, axis1, axis2, dtype), out)
    return deliver(sum(found, -1, dtype), out)


@by_structure(1)
def _traced(a: ArrayLike, offset: int, axis1: int, axis2: int, dtype: DTypeLike | None) -> Array:
    return sum(diagonal(a, offset, axis1, axis2), -1, dtype)


@publish(np.linalg.trace)
def matrix_trace(x: ArrayLike, /, *, offset: int = 0, dtype: DTypeLike | None = None) -> Array:
    """
    Sum a diagonal of the last two axes.

    Parameters
    ----------
    x : array_like
        A matrix, or a stack of them.
    offset : int, optional
        The diagonal: above the main one if positive, below it if negative.
    $dtype

    Returns
    -------
    $reduced

    Raises
    ------
    ValueError
        If there are fewer axes than two.

    See Also
    --------
    structarr.trace : Of any two axes.

    Examples
    --------
    >>> import structarr as sa
    >>> int(sa.linalg.trace(sa.asarray([[1, 2], [3, 4]], format="csr"), offset=1))
    2
    """
    return trace(x, offset, -2, -1, dtype)


@publish(np.linalg.matrix_power)
def matrix_power(a: ArrayLike, n: int) -> Array:
    """
    Multiply a square matrix with itself, `n` times.

    Parameters
    ----------
    a : array_like
        A matrix, or a stack of them.
    n : int
        The exponent; the inverse is taken if it is negative. Of 0 it is the identity, stored as
        `eye` does.

    Returns
    -------
    $product

    Raises
    ------
    TypeError
        If the exponent is not an integer.
    $square_error

    See Also
    --------
    matmul : The product.
    inv : The inverse.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.linalg.matrix_power(sa.asarray([[1, 1], [0, 1]], format="csr"), 5).tolist()
    [[1, 5], [0, 1]]
    """
    array = as_array(a)
    check_square("matrix_power", array)
    try:
        exponent = operator.index(n)
    except TypeError:
        raise TypeError("exponent must be an integer") from None
    if exponent == 0:
        identity = eye(array.shape[-1], dtype=array.dtype)
        return identity if array.ndim == 2 else broadcast_to(identity, array.shape)
    square = owned(array) if exponent > 0 else inv(array)
    if abs(exponent) == 3:
        return matmul(matmul(square, square), square)  # in NumPy's order
    result, left = None, abs(exponent)
    while True:
        left, odd = divmod(left, 2)
        if odd:
            result = square if result is None else matmul(result, square)
        if not left:
            return result  # type: ignore[return-value]
        square = matmul(square, square)


@publish(np.linalg.multi_dot)
def multi_dot(arrays: Sequence[Any], *, out: Out | None = None) -> Out:
    """
    Multiply two matrices or more, in the order that takes the least work.

    Parameters
    ----------
    arrays : sequence of array_like
        Matrices; the first may be a row, and the last a column, given as vectors.
    out : numpy.ndarray, optional
        NumPy array that takes the result and is returned.

    Returns
    -------
    $product

    Raises
    ------
    ValueError
        If there are fewer arrays than two, or their lengths do not fit.
    numpy.linalg.LinAlgError
        If an array has neither two axes, nor one at an end.

    See Also
    --------
    matmul : Of two.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.eye(3)
    >>> sa.linalg.multi_dot([a, a, [1.0, 2.0, 3.0]]).tolist()
    [1.0, 2.0, 3.0]
    """
    given = [as_array(x) for x in arrays]
    if len(given) < 2:
        raise ValueError("multi_dot takes at least two arrays")
    if len(given) > 2:
        _check_chain(given)
    return deliver(dot(*given) if len(given) == 2 else _chained(given), out)


def _chained(arrays: list[Array]) -> Array:
    """The product of a chain of matrices.

    Integers wrap around in the dtype of the factors that are multiplied first: where dtypes differ
    the pairs are NumPy's, which are those of the fewest multiplications of dense matrices.
    """
    if len({one.dtype for one in arrays}) == 1:
        return reduce(matmul, arrays)
    inner = [one.shape[0] for one in arrays[1:]]
    outer = [prod(arrays[0].shape[:-1]), prod(arrays[-1].shape[1:])]
    lengths = [outer[0], *inner, outer[1]]
    found = {(k, k): (0, one) for k, one in enumerate(arrays)}
    for count in range(1, len(arrays)):
        for first in range(len(arrays) - count):
            last = first + count
            costs = {
                cut: found[first, cut][0]
                + found[cut + 1, last][0]
                + lengths[first] * lengths[cut + 1] * lengths[last + 1]
                for cut in range(first, last)
            }
            cut = min(costs, key=costs.__getitem__)
            product = matmul(found[first, cut][1], found[cut + 1, last][1])
            found[first, last] = costs[cut], product
    return found[0, len(arrays) - 1][1]


def _check_chain(arrays: list[Array]) -> None:
    last = len(arrays) - 1
    for number, array in enumerate(arrays):
        if array.ndim != 2 and not (array.ndim == 1 and number in (0, last)):
            raise np.linalg.LinAlgError(
                f"{array.ndim}-dimensional array given. Array {number} of multi_dot must be "
                "two-dimensional"
            )


@publish(np.cross)
def cross(
    a: ArrayLike,
    b: ArrayLike,
    axisa: int = -1,
    axisb: int = -1,
    axisc: int = -1,
    axis: int | None = None,
) -> Array:
    """
    Return cross products of vectors of three elements.

    Parameters
    ----------
    a, b : array_like
        The vectors; the other axes are broadcast.
    axisa, axisb, axisc : int, optional
        The axes of the vectors in `a`, in `b` and in the result.
    axis : int, optional
        The same for all three.

    Returns
    -------
    Array
        Lazy, in the format that products joined along an axis have, in time proportional to what
        the operands store.

    Raises
    ------
    ValueError
        If the vectors are not of three elements.
    $axis_error

    See Also
    --------
    outer : All products of elements.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.cross([1, 0, 0], sa.asarray([0, 1, 0], format="list")).tolist()
    [0, 0, 1]
    """
    if axis is not None:
        axisa = axisb = axisc = axis
    arrays = as_array(a), as_array(b)
    if not all(array.ndim for array in arrays):
        raise ValueError("At least one array has zero dimension")
    left, right = (moveaxis(x, k, -1) for x, k in zip(arrays, (axisa, axisb), strict=True))
    if left.shape[-1] != 3 or right.shape[-1] != 3:
        raise ValueError(
            f"cross takes vectors of three elements, not {left.shape[-1]} and {right.shape[-1]}; "
            "add a zero to those of two, with pad"
        )
    (a0, a1, a2), (b0, b1, b2) = ([x[..., k] for k in range(3)] for x in (left, right))
    parts = [a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0]
    return moveaxis(stack(parts, axis=-1), -1, axisc)


@publish(np.linalg.cross)
def vector_cross(x1: ArrayLike, x2: ArrayLike, /, *, axis: int = -1) -> Array:
    """
    Return cross products of vectors of three elements along an axis.

    Parameters
    ----------
    x1, x2 : array_like
        The vectors; the other axes are broadcast.
    axis : int, optional
        The axis of the vectors.

    Returns
    -------
    Array
        Lazy, in the format that products joined along an axis have, in time proportional to what
        the operands store.

    Raises
    ------
    ValueError
        If the vectors are not of three elements.

    See Also
    --------
    structarr.cross : With an axis for each.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.linalg.cross([1, 0, 0], [0, 1, 0]).tolist()
    [0, 0, 1]
    """
    return cross(x1, x2, axis=axis)
