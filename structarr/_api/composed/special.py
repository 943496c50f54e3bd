"""Functions of numbers composed of elementwise ones, and other shapes and orders."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from structarr._api.core.expressions import apply
from structarr._api.core.operands import as_array, as_shape, owned
from structarr._api.core.out import deliver
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


@publish(np.sinc)
def sinc(x: Any) -> Array:
    """
    Return ``sin(pi * x) / (pi * x)``, and 1 for 0.

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
def polyval(p: Any, x: Any) -> Array:
    """
    Return the values of a polynomial, whose coefficients begin with the highest power's.

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
def modf(x: Any, /) -> tuple[Array, Array]:
    """
    Return the fractional and the integral parts, both with the sign of the number.

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
def ptp(a: Any, axis: Axis = None, out: Any = None, keepdims: Any = MISSING) -> Any:
    """
    Return the differences of the greatest and the least elements over axes.

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
def resize(a: Any, new_shape: Axes) -> Array:
    """
    Return an array of a shape, filled with the elements in C order over and over.

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
def rollaxis(a: Any, axis: int, start: int = 0) -> Array:
    """
    Move an axis to before another place; `moveaxis` says it better.

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
def diagflat(v: Any, k: int = 0) -> Array:
    """
    Make a matrix with all elements of an array, in C order, on a diagonal.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.diagflat([[1, 2]]).tolist()
    [[1, 0], [0, 2]]
    """
    return diag(ravel(as_array(v)), k)


@publish(np.apply_over_axes)
def apply_over_axes(func: Callable[..., Any], a: Any, axes: Any) -> Array:
    """
    Apply a reduction to one axis after the other; all stay, with length one.

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
