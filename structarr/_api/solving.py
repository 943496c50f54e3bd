"""Systems of linear equations, determinants and inverses of square matrices."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from structarr._api.dense import densified, of_numpy, through
from structarr._api.factors import Factors, factored, packed_diagonal, singular
from structarr._api.filled import full
from structarr._api.manipulation import expand_dims, moveaxis
from structarr._api.operands import as_array
from structarr._api.publish import publish
from structarr._api.reshaping import ravel, reshape
from structarr._api.squares import (
    check_square,
    diagonals,
    double,
    inexact,
    main_diagonal,
    real,
    triangle,
)
from structarr._array import Array, NumPyArray, check_density, of_tensor, stored
from structarr._tensor import Tensor
from structarr.formats import Dense, Diagonals, Element, Triangular, Uniform, parse

_COLUMNS = 64  # of an inverse are found together


class SlogdetResult(NamedTuple):
    """The sign of a determinant, and the logarithm of its absolute value."""

    sign: Array
    logabsdet: Array


@publish(np.linalg.solve)
def solve(a: Any, b: Any) -> Array:
    """
    Solve systems of linear equations, ``a @ x == b``.

    Parameters
    ----------
    a : array_like
        A square matrix, or a stack of them.
    b : array_like
        A vector, or a matrix of columns, or a stack of matrices.

    Returns
    -------
    Array
        For a diagonal matrix `b` divided by the diagonal, stored as `b` is; else dense.

    Raises
    ------
    LinAlgError
        If the matrix is singular, or not square.
    DensificationError
        If `b` leaves something out and the dense solution is larger than `densify_limit`.

    Notes
    -----
    Bands are factored by LAPACK within the band, triangles are solved by substitution, and any
    other matrix that leaves something out goes to SuperLU: time and memory follow from what is
    stored, and from what the factors fill in. Dense matrices, and stacks, go to NumPy.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.diags([[1.0, 1.0], [2.0, 2.0, 2.0]], [-1, 0])
    >>> sa.linalg.solve(a, [2.0, 3.0, 5.0]).tolist()
    [1.0, 1.0, 2.0]
    """
    left, right = as_array(a), as_array(b)
    check_square("solve", left)
    if not right.ndim or right.shape[-min(right.ndim, 2)] != left.shape[-1]:
        raise ValueError(
            f"solve: a right side of shape {right.shape} for matrices of shape {left.shape}: it "
            f"must have {left.shape[-1]} rows"
        )
    dtype = inexact(left, right)
    tensor = stored(left)
    if diagonals(tensor) == (0,):
        return _divided(right.astype(dtype), tensor, dtype)
    factors = factored(tensor, dtype)
    if factors is None:
        return of_numpy(through(np.linalg.solve, left, right))
    given = densified(right, "solve", "scipy.sparse.linalg.spsolve")
    if right.ndim == 1:
        return of_numpy(_columns(factors, given[:, None], dtype)[:, 0], dtype)
    front = np.moveaxis(given, -2, 0)
    found = _columns(factors, front.reshape(front.shape[0], math.prod(front.shape[1:])), dtype)
    return of_numpy(np.moveaxis(found.reshape(front.shape), 0, -2), dtype)


def _divided(right: Array, tensor: Tensor, dtype: np.dtype[Any]) -> Array:
    """The right side divided by a diagonal."""
    values = main_diagonal(tensor, dtype)
    if not values.all():
        raise singular()
    count = tensor.shape[0]
    divisor = full((count,), values[0]) if len(values) == 1 else of_numpy(values)
    result: Array = right / (divisor if right.ndim == 1 else expand_dims(divisor, -1))
    return result


def _columns(factors: Factors, right: NumPyArray, dtype: np.dtype[Any]) -> NumPyArray:
    """Solve for some columns, of operands of a dtype."""
    columns = np.asfortranarray(right, double(dtype))
    # LAPACK's wrappers take no empty arrays.
    return factors.solve(columns) if columns.size else columns


@publish(np.linalg.inv)
def inv(a: Any) -> Array:
    """
    Return inverses of square matrices.

    Parameters
    ----------
    a : array_like
        A matrix, or a stack of them.

    Returns
    -------
    Array
        Of a diagonal matrix a diagonal one; of triangles, diagonals on one side of the main one
        among them, a triangle; of everything else dense.

    Raises
    ------
    LinAlgError
        If the matrix is singular, or not square.
    DensificationError
        If the inverse is dense and larger than `densify_limit`; `solve` needs none.

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
    factors = factored(tensor, dtype)
    if factors is None:
        return of_numpy(through(np.linalg.inv, array, instead="scipy.sparse.linalg.splu"))
    side = _side(tensor)
    if side is not None:
        return _inverse_triangle(factors, side, array.shape, dtype)
    check_density(tensor, dtype)
    return of_numpy(_columns(factors, np.eye(array.shape[0]), dtype), dtype)


def _inverse_diagonal(tensor: Tensor, dtype: np.dtype[Any]) -> Array:
    values = main_diagonal(tensor, dtype)
    if not values.all():
        raise singular()
    leaf = Uniform() if tensor.format.levels[-1].alike else Element()
    format = parse(Dense(Diagonals(leaf, (0,))), 2)
    # One number is stored even where nothing is.
    inverse = 1 / values if len(values) or leaf is Element() else np.ones(1, dtype)
    buffers = (np.zeros(1, np.int64), inverse.astype(dtype, copy=False))
    return of_tensor(Tensor(format, tensor.shape, dtype, dtype.type(0), buffers))


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
    packed = np.empty(n * (n + 1) // 2, dtype)
    # Where column 0 of each row would be stored.
    base = packed_diagonal(side, n) - np.arange(n)
    for first in range(0, n, _COLUMNS):
        columns = np.arange(first, min(first + _COLUMNS, n))
        ones = np.zeros((n, len(columns)))
        ones[columns, columns - first] = 1
        found = _columns(factors, ones, dtype)
        rows = np.arange(n)[:, None]
        inside = rows >= columns if side == "lower" else rows <= columns
        packed[(base[:, None] + columns)[inside]] = found[inside]
    format = parse(Dense(Triangular(Element(), side)), 2)
    return of_tensor(Tensor(format, shape, dtype, dtype.type(0), (packed,)))


@publish(np.linalg.slogdet)
def slogdet(a: Any) -> SlogdetResult:
    """
    Return the signs of determinants, and the logarithms of their absolute values.

    Parameters
    ----------
    a : array_like
        A square matrix, or a stack of them; how it is factored, `solve` tells.

    Returns
    -------
    SlogdetResult
        `sign` and `logabsdet`; 0 and -inf for a singular matrix.

    Examples
    --------
    >>> import structarr as sa
    >>> sign, logabsdet = sa.linalg.slogdet(sa.diags([[-1.0, 1.0]], [0]))
    >>> float(sign), float(logabsdet)
    (-1.0, 0.0)
    """
    array = as_array(a)
    check_square("slogdet", array)
    dtype = inexact(array)
    found = _signed_logarithm(stored(array), dtype)
    if found is None:
        found = through(np.linalg.slogdet, array, instead="scipy.sparse.linalg.splu")
    return SlogdetResult(of_numpy(found[0], dtype), of_numpy(found[1], real(dtype)))


@publish(np.linalg.det)
def det(a: Any) -> Array:
    """
    Return determinants of square matrices, 0 of singular ones; `solve` tells how it is done.

    Examples
    --------
    >>> import structarr as sa
    >>> round(float(sa.linalg.det(sa.asarray([[0, 2], [3, 0]], format="csr"))), 12)
    -6.0
    """
    array = as_array(a)
    check_square("det", array)
    dtype = inexact(array)
    found = _signed_logarithm(stored(array), dtype)
    if found is None:
        return of_numpy(through(np.linalg.det, array, instead="scipy.sparse.linalg.splu"))
    with np.errstate(all="ignore"):
        return of_numpy(found[0] * np.exp(found[1]), dtype)


def _signed_logarithm(tensor: Tensor, dtype: np.dtype[Any]) -> tuple[Any, Any] | None:
    """The sign and the logarithm of a determinant, if not for NumPy to find."""
    try:
        factors = factored(tensor, dtype)
    except np.linalg.LinAlgError:
        return 0, -np.inf
    if factors is None:
        return None
    pivots = factors.pivots()
    size = np.abs(pivots)
    with np.errstate(all="ignore"):
        sign = factors.sign() * np.prod(pivots / size) ** factors.times
        return sign, np.log(size).sum() * factors.times


@publish(np.linalg.tensorsolve)
def tensorsolve(a: Any, b: Any, axes: Any = None) -> Array:
    """
    Solve ``tensordot(a, x, x.ndim) == b`` for `x`.

    Parameters
    ----------
    a : array_like
        Its first axes are those of `b`, the rest those of the result.
    b : array_like
        The right side.
    axes : sequence of int, optional
        Axes of `a` that are moved to its end first.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.linalg.tensorsolve(2 * sa.eye(4).reshape((2, 2, 4)), [[1, 2], [3, 4]]).tolist()
    [0.5, 1.0, 1.5, 2.0]
    """
    left, right = as_array(a), as_array(b)
    for axis in axes or ():
        left = moveaxis(left, axis, -1)
    shape = left.shape[right.ndim :] if right.ndim < left.ndim else left.shape
    count = math.prod(shape)
    if left.size != count**2:
        raise np.linalg.LinAlgError(
            f"tensorsolve: prod(a.shape[b.ndim:]) == prod(a.shape[:b.ndim]) must hold, and a has "
            f"shape {left.shape}, b {right.shape}"
        )
    return reshape(solve(reshape(left, (count, count)), ravel(right)), shape)


@publish(np.linalg.tensorinv)
def tensorinv(a: Any, ind: int = 2) -> Array:
    """
    Return the inverse for `tensordot` over `ind` axes.

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
