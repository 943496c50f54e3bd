"""Functions of numbers composed of elementwise ones, and other shapes and orders."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from structarr._api.core.by_structure import by_structure
from structarr._api.core.expressions import apply
from structarr._api.core.operands import as_array, as_shape, owned
from structarr._api.core.out import Out, deliver
from structarr._api.core.publish import publish
from structarr._api.creation.diagonals import diag
from structarr._api.creation.full import zeros, zeros_like
from structarr._api.elementwise.combined import where
from structarr._api.elementwise.elementwise import copysign, isinf, sin, subtract, trunc
from structarr._api.reductions.reductions import MISSING, Axis, max as greatest, min as least
from structarr._api.shape.manipulation import Axes, axis_in, expand_dims, moveaxis
from structarr._api.shape.reshaping import ravel, reshape
from structarr._api.shape.shifting import part, tile
from structarr._array import Array
from structarr._support.array_types import ArrayLike


@publish(np.sinc)
def sinc(x: ArrayLike) -> Array:
    """
    Return ``sin(pi * x) / (pi * x)``, and 1 for 0.

    Parameters
    ----------
    $real:x

    Returns
    -------
    $mapped

    Raises
    ------
    $dtype_error

    See Also
    --------
    sin : The sine.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.sinc(sa.asarray([0.0, 0.5])).round(3).tolist()
    [1.0, 0.637]
    """
    angle = as_array(x) * np.pi
    whole = apply("where", (angle == 0, np.finfo(angle.dtype).eps, angle))
    return sin(whole) / whole


@publish(np.polyval)
def polyval(p: ArrayLike, x: ArrayLike) -> Array:
    """
    Return the values of a polynomial, whose coefficients begin with the highest power's.

    Parameters
    ----------
    $polynomials:p
    x : array_like
        Where it is evaluated; of any shape.

    Returns
    -------
    Array
        Lazy, in the format of `x`, with the value of the polynomial at the fill value as fill. Its
        time is proportional to what is stored, for each coefficient.

    Raises
    ------
    $dtype_error

    See Also
    --------
    polyfit : Finds a polynomial.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.polyval([1, 0, 2], sa.asarray([0, 3])).tolist()
    [2, 11]
    """
    array = as_array(x)
    result = zeros_like(array)
    for coefficient in np.asarray(p):
        result = result * array + coefficient
    return result


@publish(np.modf)
def modf(x: ArrayLike, /) -> tuple[Array, Array]:
    """
    Return the fractional and the integral parts, both with the sign of the number.

    Parameters
    ----------
    $real:x

    Returns
    -------
    tuple of Array
        Both lazy, in the format of `x`, in time proportional to what is stored.

    Raises
    ------
    $dtype_error

    See Also
    --------
    trunc : The integral parts.

    Examples
    --------
    >>> import structarr as sa
    >>> [part.tolist() for part in sa.modf(sa.asarray([1.5, -2.25]))]
    [[0.5, -0.25], [1.0, -2.0]]
    """
    array = as_array(x)
    kind = np.dtype(np.result_type(*np.modf(np.ones(1, array.dtype))))
    array = array.astype(np.float32 if kind.itemsize < 4 else kind)
    whole = trunc(array)
    rest = where(isinf(array), 0, subtract(array, whole))
    return copysign(rest, array), whole


@publish(np.ptp)
@by_structure(1)
def ptp(a: ArrayLike, axis: Axis = None, out: Out | None = None, keepdims: bool = MISSING) -> Out:
    """
    Return the range of the elements over axes: the maximum minus the minimum.

    Parameters
    ----------
    $elements:a
    $axes
    $out
    $keepdims

    Returns
    -------
    $reduced

    Raises
    ------
    $axis_error
    $empty_error

    See Also
    --------
    max : The greatest elements.
    min : The least elements.

    Examples
    --------
    >>> import structarr as sa
    >>> int(sa.ptp([3, 1, 7]))
    6
    """
    array = as_array(a)
    high, low = (fold(array, axis, None, keepdims) for fold in (greatest, least))
    return deliver(subtract(high, low), out)


@publish(np.resize)
def resize(a: ArrayLike, new_shape: Axes) -> Array:
    """
    Return an array of another shape, in which the elements are repeated as often as needed.

    Parameters
    ----------
    $array:a
    new_shape : int or sequence of int
        The lengths of the axes.

    Returns
    -------
    Array
        Computed as by `tile` and `reshape`, in their formats; zeros if `a` has no elements. The
        time is proportional to what the result stores.

    Raises
    ------
    ValueError
        If a length is negative.

    See Also
    --------
    reshape : As many elements.
    tile : Repeats along each axis.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.resize([1, 2, 3], (2, 2)).tolist()
    [[1, 2], [3, 1]]
    """
    shape, vector = as_shape(new_shape), ravel(as_array(a))
    size = math.prod(shape)
    if not size or not vector.size:
        return zeros(shape, dtype=vector.dtype)
    repeated = tile(vector, -(-size // vector.size))
    return reshape(part(repeated, 0, 0, size), shape)


@publish(np.rollaxis)
def rollaxis(a: ArrayLike, axis: int, start: int = 0) -> Array:
    """
    Move an axis to a position before another one.

    Parameters
    ----------
    $array:a
    axis : int
        Which axis.
    start : int, optional
        Before which it comes.

    Returns
    -------
    $view

    Raises
    ------
    $axis_error

    See Also
    --------
    moveaxis : Says where the axis is to be.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.rollaxis(sa.zeros((2, 3, 4)), 2).shape
    (4, 2, 3)
    """
    array = as_array(a)
    place = axis_in(axis, array.ndim)
    before = start + array.ndim if start < 0 else start
    if not 0 <= before <= array.ndim:
        raise np.exceptions.AxisError(
            f"'start' arg requires {-array.ndim} <= start < {array.ndim + 1}, but {start} was "
            "passed in"
        )
    return moveaxis(array, place, before - 1 if before > place else before)


@publish(np.diagflat)
def diagflat(v: ArrayLike, k: int = 0) -> Array:
    """
    Make a matrix with all elements of an array, in C order, on a diagonal.

    Parameters
    ----------
    v : array_like
        The elements, of any shape.
    k : int, optional
        The diagonal: above the main one if positive, below it if negative.

    Returns
    -------
    Array
        In format "dia", or "dcsr" if the vector is a list; the time is that of copying what `v`
        stores.

    Raises
    ------
    $dtype_error

    See Also
    --------
    diag : Of a vector.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.diagflat([[1, 2]]).tolist()
    [[1, 0], [0, 2]]
    """
    return diag(ravel(as_array(v)), k)


@publish(np.apply_over_axes)
def apply_over_axes(func: Callable[..., Any], a: ArrayLike, axes: Axes) -> Array:
    """
    Apply a reduction to one axis after the other, and keep them with length one.

    Parameters
    ----------
    func : callable
        Takes an array and an axis, as `sum` does.
    a : array_like
        The array.
    axes : int or sequence of int
        The axes, in this order.

    Returns
    -------
    Array
        Lazy, of as many axes as `a`, in the format and the time of the reductions.

    Raises
    ------
    ValueError
        If the function returns another number of axes than one less.

    See Also
    --------
    apply_along_axis : A function of vectors.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.apply_over_axes(sa.sum, [[1, 2], [3, 4]], (0, 1)).tolist()
    [[10]]
    """
    result = as_array(a)
    ndim = result.ndim
    for axis in np.atleast_1d(np.asarray(axes)).tolist():
        place = axis + ndim if axis < 0 else axis
        found = as_array(func(result, place))
        result = found if found.ndim == ndim else expand_dims(found, place)
        if result.ndim != ndim:
            raise ValueError("function is not returning an array of the correct shape")
    return owned(result)
