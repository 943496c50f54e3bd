"""Systems of linear equations, by the factors that fit the operand's format."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from structarr._api.core.dense import computed, densified, of_numpy
from structarr._api.core.eager import eager
from structarr._api.core.operands import as_array
from structarr._api.core.publish import publish
from structarr._api.creation.full import full
from structarr._api.linalg.factorize import Factors, factored, singular
from structarr._api.linalg.square_checks import (
    check_square,
    diagonals,
    double,
    inexact,
    main_diagonal,
)
from structarr._api.shape.manipulation import expand_dims, moveaxis
from structarr._api.shape.reshaping import ravel, reshape
from structarr._array import Array, NumPyArray, stored
from structarr._storage.tensor import Tensor
from structarr._support.array_types import ArrayLike


@publish(np.linalg.solve, note="its result is dense but for diagonals")
@eager
def solve(a: ArrayLike, b: ArrayLike) -> Array:
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
        For a diagonal matrix lazy, in the format of `b`; else dense and computed at the call.

    Raises
    ------
    numpy.linalg.LinAlgError
        If the matrix is singular, or not square.
    ValueError
        If `b` has not as many rows.
    DensificationError
        If `b` is sparse and the dense solution is larger than `densify_limit`.

    See Also
    --------
    inv : The inverse.
    lstsq : Least squares.

    Notes
    -----
    Bands are factored by LAPACK within the band, triangles are solved by substitution, and any
    other sparse matrix goes to SuperLU: time and memory follow from what is
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
    given = densified(right, "solve", "scipy.sparse.linalg.spsolve")
    factors = factored(tensor, dtype)
    if factors is None:
        return of_numpy(computed(np.linalg.solve, left, given))
    if right.ndim == 1:
        return of_numpy(solved(factors, given[:, None], dtype)[:, 0], dtype)
    front = np.moveaxis(given, -2, 0)
    found = solved(factors, front.reshape(front.shape[0], math.prod(front.shape[1:])), dtype)
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


def solved(factors: Factors, right: NumPyArray, dtype: np.dtype[Any]) -> NumPyArray:
    """Solve for some columns, of operands of a dtype."""
    columns = np.asfortranarray(right, double(dtype))
    # LAPACK's wrappers take no empty arrays.
    return factors.solve(columns) if columns.size else columns


@publish(np.linalg.tensorsolve, note="as solve")
def tensorsolve(a: ArrayLike, b: ArrayLike, axes: Any = None) -> Array:
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

    Returns
    -------
    Array
        Dense, computed at the call by `solve`, in its time.

    Raises
    ------
    numpy.linalg.LinAlgError
        If the axes do not make a square matrix, or it is singular.

    See Also
    --------
    solve : Of matrices.
    tensorinv : The inverse.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.linalg.tensorsolve(2 * sa.eye(4).reshape((2, 2, 4)), [[1, 2], [3, 4]]).tolist()
    [0.5, 1.0, 1.5, 2.0]
    """
    left, right = as_array(a), as_array(b)
    last = tuple(axes or ())
    left = moveaxis(left, last, tuple(range(-len(last), 0)))
    shape = left.shape[right.ndim :] if right.ndim < left.ndim else left.shape
    count = math.prod(shape)
    if left.size != count**2:
        raise np.linalg.LinAlgError(
            f"tensorsolve: prod(a.shape[b.ndim:]) == prod(a.shape[:b.ndim]) must hold, and a has "
            f"shape {left.shape}, b {right.shape}"
        )
    return reshape(solve(reshape(left, (count, count)), ravel(right)), shape)
