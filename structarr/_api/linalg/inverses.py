"""Inverses of square matrices: of triangles triangles, of diagonals diagonals."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from structarr._api.core.dense import computed, of_numpy
from structarr._api.core.eager import eager
from structarr._api.core.operands import as_array
from structarr._api.core.publish import publish
from structarr._api.creation.diagonals import of_diagonals
from structarr._api.linalg.factorize import Factors, factored, packed_diagonal, singular
from structarr._api.linalg.solving import solved
from structarr._api.linalg.square_checks import (
    check_square,
    diagonals,
    inexact,
    main_diagonal,
    triangle,
)
from structarr._api.shape.reshaping import reshape
from structarr._array import Array, of_tensor, stored
from structarr._storage.density import check_size
from structarr._storage.tensor import Tensor
from structarr._support.array_types import ArrayLike
from structarr.formats import Dense, Element, Triangular, Uniform, parse

_COLUMNS = 256  # the columns of an inverse that are computed together


@publish(np.linalg.inv, note="dense but for diagonals and triangles")
@eager
def inv(a: ArrayLike) -> Array:
    """
    Return inverses of square matrices.

    Parameters
    ----------
    a : array_like
        A matrix, or a stack of them.

    Returns
    -------
    Array
        Computed at the call: in format "dia" for a diagonal matrix, in time proportional to its
        length; a packed triangle for a triangle, or for diagonals on one side of the main one; else
        dense, in time proportional to the third power of the length.

    Raises
    ------
    numpy.linalg.LinAlgError
        If the matrix is singular, or not square.
    DensificationError
        If the inverse is dense and larger than `densify_limit`; `solve` needs none.

    See Also
    --------
    solve : Systems of equations.
    pinv : Of matrices that have none.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.linalg.inv(sa.diags([[1.0, 2.0], [1.0]], [0, -1]))
    >>> a.tolist(), str(a.format)
    ([[1.0, 0.0], [-0.5, 0.5]], 'tril')
    """
    array = as_array(a)
    check_square("inv", array)
    dtype, tensor = inexact(array), stored(array)
    if diagonals(tensor) == (0,):
        return _inverse_diagonal(tensor, dtype)
    side = _side(tensor)
    count = math.prod(array.shape) if side is None else _triangular(array.shape[0])
    advice = "solve needs none, and works on factors"
    what = f"inv: the inverse of shape {tensor.shape}"
    check_size(count * dtype.itemsize, what, advice, tensor.nbytes)
    factors = factored(tensor, dtype)
    if factors is None:
        return of_numpy(computed(np.linalg.inv, array))
    if side is not None:
        return _inverse_triangle(factors, side, array.shape, dtype)
    return of_numpy(solved(factors, np.eye(array.shape[0]), dtype), dtype)


def _inverse_diagonal(tensor: Tensor, dtype: np.dtype[Any]) -> Array:
    values = main_diagonal(tensor, dtype)
    if not values.all():
        raise singular()
    leaf = Uniform() if tensor.format.levels[-1].uniform else Element()
    # A uniform leaf stores a number even of no elements.
    inverse = 1 / values if len(values) or leaf is Element() else np.ones(1, dtype)
    return of_diagonals((0,), inverse.astype(dtype, copy=False), tensor.shape, leaf)


def _triangular(n: int) -> int:
    """The number of elements of a packed triangle."""
    return n * (n + 1) // 2


def _side(tensor: Tensor) -> str | None:
    """The triangle that a matrix lies in by its format."""
    known = diagonals(tensor)
    if not known:
        return triangle(tensor)
    return "upper" if known[0] >= 0 else "lower" if known[-1] <= 0 else None


def _inverse_triangle(
    factors: Factors, side: str, shape: tuple[int, ...], dtype: np.dtype[Any]
) -> Array:
    """The inverse, some columns at a time."""
    n = shape[0]
    packed = np.empty(_triangular(n), dtype)
    # The place at which column 0 of each row would be stored.
    base = packed_diagonal(side, n) - np.arange(n)
    for first in range(0, n, _COLUMNS):
        columns = np.arange(first, min(first + _COLUMNS, n))
        ones = np.zeros((n, len(columns)))
        ones[columns, columns - first] = 1
        found = solved(factors, ones, dtype)
        rows = np.arange(n)[:, None]
        inside = rows >= columns if side == "lower" else rows <= columns
        packed[(base[:, None] + columns)[inside]] = found[inside]
    format = parse(Dense(Triangular(Element(), side)), 2)
    return of_tensor(Tensor(format, shape, dtype, dtype.type(0), (packed,)))


@publish(np.linalg.tensorinv, note="as inv")
def tensorinv(a: ArrayLike, ind: int = 2) -> Array:
    """
    Return the inverse of `tensordot` over the first axes.

    Parameters
    ----------
    a : array_like
        Its first axes have as many elements as the rest.
    ind : int, optional
        How many axes are the first.

    Returns
    -------
    Array
        Dense, computed at the call by `inv` of a matrix.

    Raises
    ------
    ValueError
        If `ind` is not above zero.
    $singular_error

    See Also
    --------
    inv : Of matrices.
    tensorsolve : Systems of equations.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.linalg.tensorinv(2 * sa.eye(4).reshape((4, 2, 2)), ind=1).shape
    (2, 2, 4)
    """
    array = as_array(a)
    if ind <= 0:
        raise ValueError(f"ind must be positive, not {ind}")
    count = math.prod(array.shape[ind:])
    rows = array.size // count if count else 0
    inverse = inv(reshape(array, (rows, count)))
    return reshape(inverse, array.shape[ind:] + array.shape[:ind])
