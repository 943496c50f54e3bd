"""Products of vectors, matrices and arrays of any dimension.

Each is a multiplication of operands with added axes, summed over some of them: the compiler sees a
single loop nest, with all operations of the operands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from structarr._api.core.by_structure import by_structure
from structarr._api.core.expressions import combine, conjugated
from structarr._api.core.operands import as_array
from structarr._api.core.out import Out, deliver
from structarr._api.core.publish import publish
from structarr._api.linalg.contraction import contract
from structarr._api.linalg.semirings import Semiring, check_semiring
from structarr._api.linalg.stacks import (
    check_core,
    operands,
    product_again,
    stacked,
    stacked_product,
)
from structarr._api.shape.manipulation import expand_dims
from structarr._api.shape.reshaping import ravel
from structarr._array import Array
from structarr._lazy.contraction import Axes
from structarr._support.array_types import ArrayLike


@publish(np.matmul, np.linalg.matmul)
def matmul(x1: ArrayLike, x2: ArrayLike, /, *, semiring: Semiring | None = None) -> Array:
    """
    Multiply matrices, or stacks of them; a vector is a row on the left, a column on the right.

    Booleans are added by "or", as in NumPy.

    Parameters
    ----------
    x1, x2 : array_like
        The operands.
    semiring : Semiring, optional
        What adds and multiplies, such as ``semirings.min_plus``. Operands are taken by value: they
        are sparse in a semiring if their fill value is its zero (see `with_fill`).

    Returns
    -------
    $product

    Raises
    ------
    ValueError
        If the lengths do not fit, or an operand has no axes.
    TypeError
        If `semiring` is none.

    See Also
    --------
    matvec : Stacks of vectors on the right.
    einsum : Any product.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.matmul(sa.asarray([[1, 2], [0, 3]]), [1, 1]).tolist()
    [3, 3]
    """
    made = None if semiring is not None else product_again("matmul", x1, x2)
    if made is not None:
        return made
    left, right = operands("matmul", x1, x2, (1, 1))
    return stacked_product("matmul", left, right, "rs", "sc", check_semiring(semiring))


@publish(np.matvec)
def matvec(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """
    Multiply matrices with vectors, or stacks of either.

    Parameters
    ----------
    x1 : array_like
        A matrix, or a stack of them.
    x2 : array_like
        A vector, or a stack of them.

    Returns
    -------
    $product

    Raises
    ------
    ValueError
        If the lengths do not fit, or there are too few axes.

    See Also
    --------
    vecmat : Vectors on the left.
    matmul : Of matrices.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.matvec([[1, 2], [0, 3]], [1, 1]).tolist()
    [3, 3]
    """
    left, right = operands("matvec", x1, x2, (2, 1))
    return stacked_product("matvec", left, right, "rs", "s")


@publish(np.vecmat)
def vecmat(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """
    Multiply conjugated vectors with matrices, or stacks of either.

    Parameters
    ----------
    x1 : array_like
        A vector, or a stack of them.
    x2 : array_like
        A matrix, or a stack of them.

    Returns
    -------
    $product

    Raises
    ------
    ValueError
        If the lengths do not fit, or there are too few axes.

    See Also
    --------
    matvec : Vectors on the right.
    matmul : Of matrices.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.vecmat([1, 1], [[1, 2], [0, 3]]).tolist()
    [1, 5]
    """
    left, right = operands("vecmat", x1, x2, (1, 2))
    return stacked_product("vecmat", conjugated(left), right, "s", "sc")


@publish(np.vecdot, np.linalg.vecdot)
def vecdot(x1: ArrayLike, x2: ArrayLike, /, *, axis: int = -1) -> Array:
    """
    Sum the products of elements, the first conjugated, over one axis.

    Parameters
    ----------
    x1, x2 : array_like
        Vectors along an axis; the other axes are broadcast.
    axis : int, optional
        Which axis of both.

    Returns
    -------
    $product

    Raises
    ------
    ValueError
        If the lengths along the axis differ.
    $axis_error

    See Also
    --------
    vdot : Of all elements.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.vecdot(sa.asarray([[1, 2], [3, 4]]), [1, 10]).tolist()
    [21, 43]
    """
    left, right = operands("vecdot", x1, x2, (1, 1))
    places = [np.lib.array_utils.normalize_axis_index(axis, x.ndim) for x in (left, right)]
    check_core("vecdot", left.shape, right.shape, places[0], places[1])
    labels = []
    for x, place in zip((left, right), places, strict=True):
        rest = stacked(x.ndim - 1)
        labels.append((*rest[:place], "sum", *rest[place:]))
    result = max((stacked(x.ndim - 1) for x in (left, right)), key=len)
    return contract((conjugated(left), right), (labels[0], labels[1]), result)


@publish(np.dot)
@by_structure(2)
def dot(a: ArrayLike, b: ArrayLike, /, out: Out | None = None) -> Out:
    """
    Multiply vectors or matrices; sum over the last axis and the other's last but one.

    Parameters
    ----------
    a, b : array_like
        Of any number of axes; a number multiplies every element.
    out : numpy.ndarray, optional
        NumPy array that takes the result and is returned.

    Returns
    -------
    $product

    Raises
    ------
    $shapes_error

    See Also
    --------
    matmul : Stacks of matrices.
    tensordot : Over any axes.

    Examples
    --------
    >>> import structarr as sa
    >>> int(sa.dot(sa.asarray([1, 2]), [3, 4]))
    11
    """
    return deliver(_aligned(as_array(a), as_array(b), -2), out)


@publish(np.inner)
@by_structure(2)
def inner(a: ArrayLike, b: ArrayLike, /) -> Array:
    """
    Multiply and sum over the last axes of both.

    Parameters
    ----------
    a, b : array_like
        Of any number of axes; a number multiplies every element.

    Returns
    -------
    $product

    Raises
    ------
    $shapes_error

    See Also
    --------
    dot : Over the last axis but one.

    Examples
    --------
    >>> import structarr as sa
    >>> int(sa.inner([1, 2], [3, 4]))
    11
    """
    return _aligned(as_array(a), as_array(b), -1)


def _aligned(left: Array, right: Array, place: int) -> Array:
    """Sum over the last axis of one and an axis of the other."""
    if not left.ndim or not right.ndim:
        return combine("multiply", left, right)
    place = max(place, -right.ndim) + right.ndim
    if left.shape[-1] != right.shape[place]:
        raise ValueError(
            f"shapes {left.shape} and {right.shape} not aligned: {left.shape[-1]} (dim "
            f"{left.ndim - 1}) != {right.shape[place]} (dim {place})"
        )
    return tensordot(left, right, ((left.ndim - 1,), (place,)))


@publish(np.vdot)
def vdot(a: ArrayLike, b: ArrayLike, /) -> Array:
    """
    Sum the products of all elements, the first conjugated.

    Parameters
    ----------
    a, b : array_like
        Of as many elements.

    Returns
    -------
    Array
        Lazy, of no axes; the time is at most in proportion to what the operands store.

    Raises
    ------
    ValueError
        If there are not as many elements.

    See Also
    --------
    vecdot : Over one axis.

    Examples
    --------
    >>> import structarr as sa
    >>> int(sa.vdot([1, 2], [3, 4]))
    11
    """
    left, right = as_array(a), as_array(b)
    if left.size != right.size:
        raise ValueError(f"vdot: operands of {left.size} and {right.size} elements; give as many")
    if left.shape != right.shape:
        left, right = ravel(left), ravel(right)
    return tensordot(conjugated(left), right, left.ndim)


@publish(np.outer)
def outer(a: ArrayLike, b: ArrayLike, out: Out | None = None) -> Out:
    """
    Return the outer product: each element of one array times each of another, both flattened.

    Parameters
    ----------
    a, b : array_like
        Of any shape.
    $out

    Returns
    -------
    Array
        Lazy matrix, in which what an operand does not store is not stored, in time proportional to
        the product of the numbers that both store; or `out`.

    Raises
    ------
    $out_error

    See Also
    --------
    kron : In blocks.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.outer([1, 2], sa.asarray([0, 3], format="list")).tolist()
    [[0, 3], [0, 6]]
    """
    return deliver(_outer(as_array(a), as_array(b)), out)


@by_structure(2)
def _outer(left: Array, right: Array) -> Array:
    return combine("multiply", expand_dims(ravel(left), 1), ravel(right))


@publish(np.linalg.outer)
def vector_outer(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """
    Return the outer product: each element of one vector times each of another.

    Parameters
    ----------
    x1, x2 : array_like
        Vectors.

    Returns
    -------
    Array
        Lazy matrix, in which what an operand does not store is not stored, in time proportional to
        the product of the numbers that both store.

    Raises
    ------
    ValueError
        If an operand is not a vector.

    See Also
    --------
    structarr.outer : Of any shapes.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.linalg.outer([1, 2], [3, 4]).tolist()
    [[3, 4], [6, 8]]
    """
    left, right = as_array(x1), as_array(x2)
    if left.ndim != 1 or right.ndim != 1:
        raise ValueError(
            f"outer takes vectors, not {left.ndim} and {right.ndim} axes; for all pairs use "
            "numpy.multiply.outer"
        )
    return outer(left, right)


@publish(np.tensordot, np.linalg.tensordot)
@by_structure(2)
def tensordot(a: ArrayLike, b: ArrayLike, /, axes: Any = 2) -> Array:
    """
    Multiply and sum over pairs of axes.

    Parameters
    ----------
    a, b : array_like
        The operands.
    axes : int or pair of sequences of int
        How many axes, the last of `a` and the first of `b`; or the axes of each.

    Returns
    -------
    $product

    Raises
    ------
    ValueError
        If the lengths differ, or there are fewer axes than are asked for.
    $axis_error

    See Also
    --------
    einsum : By names of axes.

    Examples
    --------
    >>> import structarr as sa
    >>> int(sa.tensordot(sa.asarray([[1, 2], [3, 4]]), [[1, 0], [0, 1]]))
    5
    """
    left, right = as_array(a), as_array(b)
    mine, others = _paired(axes, left, right)
    first = _named("left", left.ndim, mine)
    second = _named("right", right.ndim, others)
    result = tuple(name for name in first + second if name[0] != "sum")
    return contract((left, right), (first, second), result)


def _named(side: str, ndim: int, summed: Axes) -> tuple[tuple[str, int], ...]:
    return tuple(
        ("sum", summed.index(axis)) if axis in summed else (side, axis) for axis in range(ndim)
    )


def _paired(axes: Any, left: Array, right: Array) -> tuple[Axes, Axes]:
    """Return the axes to sum over, of both operands."""
    if np.ndim(axes) == 0:
        count = int(axes)
        if not 0 <= count <= min(left.ndim, right.ndim):
            raise ValueError(
                f"tensordot: axes={count} for operands of {left.ndim} and {right.ndim} axes"
            )
        mine, others = tuple(range(left.ndim - count, left.ndim)), tuple(range(count))
    else:
        normalize = np.lib.array_utils.normalize_axis_tuple
        mine = normalize(axes[0], left.ndim, "axes[0]")
        others = normalize(axes[1], right.ndim, "axes[1]")
    if _lengths(left, mine) != _lengths(right, others):
        raise ValueError(
            f"shape-mismatch for sum: axes {mine} of shape {left.shape} and axes {others} of shape "
            f"{right.shape}"
        )
    return mine, others


def _lengths(array: Array, axes: Sequence[int]) -> list[int]:
    return [array.shape[axis] for axis in axes]
