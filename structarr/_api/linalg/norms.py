"""Norms of vectors and matrices: reductions, which keep structure and fuse."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from structarr._api.core.by_structure import by_structure
from structarr._api.core.dense import computed, of_numpy
from structarr._api.core.entry_lists import is_listed
from structarr._api.core.operands import as_array
from structarr._api.core.publish import publish
from structarr._api.elementwise.elementwise import abs, imag, not_equal, power, real, sqrt, square
from structarr._api.linalg.inverses import inv
from structarr._api.linalg.square_checks import check_square, inexact
from structarr._api.reductions.reductions import Axis, any, fold, max, min, sum
from structarr._api.shape.manipulation import axes_in, squeeze
from structarr._array import Array, stored
from structarr._support.array_types import ArrayLike

_BY_SINGULAR_VALUES: Final = ("nuc", 2, -2)
_INSTEAD: Final = "scipy.sparse.linalg.svds"


@publish(np.linalg.vector_norm)
@by_structure(1)
def vector_norm(
    x: ArrayLike, /, *, axis: Axis = None, keepdims: bool = False, ord: Any = 2
) -> Array:
    """
    Return norms of vectors: of order `ord` over any number of axes together.

    Parameters
    ----------
    x : array_like
        The elements.
    axis : int or tuple of int, optional
        The axes of a vector; None stands for all.
    keepdims : bool, optional
        Whether the axes stay, with length one.
    ord : number, optional
        ``sum(abs(x)**ord)**(1 / ord)``; infinities stand for the greatest and the least absolute
        value, 0 for the number of elements that are not zero.

    Returns
    -------
    $reduced

    Raises
    ------
    ValueError
        If there is no such order.
    $axis_error

    See Also
    --------
    matrix_norm : Of matrices.

    Examples
    --------
    >>> import structarr as sa
    >>> float(sa.linalg.vector_norm(sa.asarray([3.0, 0.0, 4.0], format="list")))
    5.0
    """
    array = _floating(x)
    return _of_vectors(array, axes_in(axis, array.ndim, "axis"), keepdims, ord)


def _floating(x: Any) -> Array:
    array = as_array(x)
    return array.astype(inexact(array))


def _of_vectors(array: Array, axes: tuple[int, ...], keepdims: bool, ord: Any) -> Array:
    if isinstance(ord, str):
        raise ValueError(f"Invalid norm order {ord!r} for vectors")
    if ord is None or ord == 2:
        squares = square(array)
        if array.dtype.kind == "c":
            squares = square(real(array)) + square(imag(array))
        return sqrt(sum(squares, axes, keepdims=keepdims))
    size = abs(array)
    result: Array
    if ord == np.inf:
        result = max(size, axes, keepdims=keepdims, initial=0)
    elif ord == -np.inf:
        result = min(size, axes, keepdims=keepdims)
    elif ord == 0:
        result = sum(not_equal(array, 0), axes, size.dtype, keepdims=keepdims)
    elif ord == 1:
        result = sum(size, axes, keepdims=keepdims)
    else:
        with np.errstate(all="ignore"):
            inverse = np.reciprocal(ord, dtype=size.dtype)
            result = power(sum(power(size, float(ord)), axes, keepdims=keepdims), inverse)
    return result


@publish(np.linalg.matrix_norm)
def matrix_norm(x: ArrayLike, /, *, keepdims: bool = False, ord: Any = "fro") -> Array:
    """
    Return norms of matrices, the last two axes.

    Parameters
    ----------
    x : array_like
        A matrix, or a stack of them.
    keepdims : bool, optional
        Whether the two axes stay, with length one.
    ord : {"fro", "nuc", 1, -1, 2, -2, inf, -inf}, optional
        "nuc", 2 and -2 need singular values, and so the dense matrix.

    Returns
    -------
    $reduced

    Raises
    ------
    ValueError
        If there is no such order, or there are fewer axes than two.
    $densification

    See Also
    --------
    vector_norm : Of all elements.

    Examples
    --------
    >>> import structarr as sa
    >>> float(sa.linalg.matrix_norm(sa.asarray([[3.0, 0.0], [0.0, 4.0]], format="csr"), ord=1))
    4.0
    """
    return norm(x, ord, (-2, -1), keepdims)


@publish(np.linalg.norm)
@by_structure(1)
def norm(x: ArrayLike, ord: Any = None, axis: Axis = None, keepdims: bool = False) -> Array:
    """
    Return norms of vectors or matrices, as `numpy.linalg.norm` does.

    Parameters
    ----------
    x : array_like
        The elements.
    ord : number or str, optional
        That of `vector_norm` or `matrix_norm`; None stands for the root of the sum of squares.
    axis : int or pair of int, optional
        The axis of vectors, or the two of matrices; None stands for all, of any number if `ord`
        is left out.
    keepdims : bool, optional
        Whether the axes stay, with length one.

    Returns
    -------
    $reduced

    Raises
    ------
    ValueError
        If there is no such order, or there are more axes than two.
    $axis_error
    $densification

    See Also
    --------
    vector_norm : Of vectors.
    matrix_norm : Of matrices.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.linalg.norm(sa.asarray([[3.0, 4.0], [0.0, 2.0]], format="csr"), axis=1).tolist()
    [5.0, 2.0]
    """
    array = _floating(x)
    if axis is None and ord is None:
        return _of_vectors(array, tuple(range(array.ndim)), keepdims, 2)
    axes = axes_in(axis, array.ndim, "axis")
    if len(axes) == 1:
        return _of_vectors(array, axes, keepdims, ord)
    if len(axes) != 2:
        raise ValueError(f"norm takes one axis or two, not {len(axes)}: shape {array.shape}")
    if ord in _BY_SINGULAR_VALUES:
        options = {"ord": ord, "axis": axes, "keepdims": keepdims}
        return of_numpy(computed(np.linalg.norm, array, instead=_INSTEAD, **options))
    result = _of_matrices(array, axes, ord)
    return result if keepdims else squeeze(result, axes)


def _of_matrices(array: Array, axes: tuple[int, ...], ord: Any) -> Array:
    """Norms over a row axis and a column axis, which keep length one."""
    if ord in (None, "fro", "f"):
        return _of_vectors(array, axes, True, 2)
    if ord not in (1, -1, np.inf, -np.inf):
        raise ValueError(f"Invalid norm order {ord!r} for matrices.")
    row, column = axes if ord in (1, -1) else axes[::-1]
    sums = sum(abs(array), row, keepdims=True)
    if ord > 0:
        return fold("maximum", sums, column, keepdims=True, initial=0)
    return fold("minimum", sums, column, keepdims=True)


@publish(np.linalg.cond, note="dense for singular values; else as inv")
def cond(x: ArrayLike, p: ArrayLike | None = None) -> Array:
    """
    Return condition numbers: of a norm, that of the matrix times that of its inverse.

    Parameters
    ----------
    x : array_like
        A matrix, or a stack of them; square unless `p` is None, 2 or -2.
    p : {None, 1, -1, 2, -2, inf, -inf, "fro"}, optional
        The norm. None, 2 and -2 need singular values, and so the dense matrix; the inverse that
        others need is as `inv` gives it.

    Returns
    -------
    Array
        One number for each matrix, dense and computed at the call in the time of a factorization.

    Raises
    ------
    $square_error
    $densification

    See Also
    --------
    inv : The inverse.

    Examples
    --------
    >>> import structarr as sa
    >>> float(sa.linalg.cond(sa.diags([[1.0, 4.0]], [0]), 1))
    4.0
    """
    array = as_array(x)
    tensor = stored(array)
    structured = array.ndim == 2 and is_listed(tensor) and array.size > 0
    if p is None or p in (2, -2) or not structured:
        return of_numpy(computed(np.linalg.cond, array, p=p, instead=_INSTEAD))
    check_square("cond", array)
    try:
        inverse = inv(array)
    except np.linalg.LinAlgError:
        infinite = not bool(any(array != array))
        return of_numpy(np.inf if infinite else np.nan, norm(array, p).dtype)
    return norm(array, p) * norm(inverse, p)
