"""Reductions over axes, and comparisons composed of them."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np

from structarr._api.core.expressions import again, apply, derive, named
from structarr._api.core.operands import as_array
from structarr._api.core.out import deliver
from structarr._api.core.publish import publish
from structarr._api.elementwise.elementwise import abs, equal, not_equal
from structarr._array import Array
from structarr._lazy import graph
from structarr._support import dtypes

Axis: TypeAlias = int | tuple[int, ...] | None

# NumPy's default of arguments for which None is a value.
MISSING: Any = np._NoValue


# Operators that agree with others on numbers that are never NaN, to those.
_WITHOUT_NAN: Final = {"fmax": "maximum", "fmin": "minimum"}


def fold(
    op: str,
    x: Any,
    axis: Axis = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = False,
    initial: Any = MISSING,
    where: Any = True,
) -> Any:
    """Reduce an array by an operator, with the arguments that NumPy's reductions have."""
    plain = where is True and initial is MISSING and dtype is None and out is None
    plain = (
        plain and (keepdims is False or keepdims is MISSING) and (axis is None or type(axis) is int)
    )
    key = op, axis
    if plain:
        found = again(key, x)
        if found is not None:
            return found
    array = as_array(x)
    axes = normalized(axis, array.ndim)
    if array.dtype.kind in "biu":
        op = _WITHOUT_NAN.get(op, op)
    loop = np.dtype(dtypes.reduction(op, array.dtype, dtype))
    if where is not True:
        array = _masked(op, array, where, loop, initial)
    if initial is MISSING:
        _check_not_empty(op, array.shape, axes)
    keep = keepdims is not MISSING and bool(keepdims)
    if plain:
        return named(key, lambda node: graph.reduce(op, node, axes, False, loop), array)
    result = derive(lambda node: graph.reduce(op, node, axes, keep, loop), array)
    if initial is not MISSING and initial is not None:
        result = apply(op, (result, loop.type(initial)))
    return deliver(result, out)


def normalized(axis: Axis, ndim: int) -> tuple[int, ...]:
    """Return axes as non-negative numbers in order; None stands for all."""
    # NumPy lets a scalar be reduced over its last axis.
    if axis is None or (not ndim and axis in (0, -1)):
        return tuple(range(ndim))
    return tuple(sorted(np.lib.array_utils.normalize_axis_tuple(axis, ndim, "axis")))


def _masked(op: str, array: Array, mask: Any, dtype: np.dtype[Any], initial: Any) -> Array:
    """Put the operator's identity where the mask is false."""
    mask = as_array(mask)
    if mask.dtype != bool:
        raise TypeError(f"where must be boolean, not {mask.dtype}; compare it with a number")
    if getattr(np, op).identity is None and initial is MISSING:
        raise ValueError(
            f"reduction operation '{op}' does not have an identity, so to use a where mask one has "
            "to specify 'initial'"
        )
    identity = dtypes.identity_of(op, dtype)
    shape = np.broadcast_shapes(mask.shape, array.shape)
    if shape != array.shape:
        raise ValueError(
            f"where of shape {mask.shape} does not broadcast to the array's shape {array.shape}"
        )
    return apply("where", (mask, array.astype(dtype), dtype.type(identity)))


def _check_not_empty(op: str, shape: tuple[int, ...], axes: tuple[int, ...]) -> None:
    if getattr(np, op).identity is not None:
        return
    if 0 in [shape[axis] for axis in axes]:
        raise ValueError(
            f"zero-size array to reduction operation {op} which has no identity; give initial="
        )


@publish(np.sum)
def sum(
    x: Any,
    /,
    axis: Axis = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = False,
    initial: Any = MISSING,
    where: Any = True,
) -> Any:
    """
    Sum elements over axes, small integers in the machine's.

    Parameters
    ----------
    x : array_like
        The elements.
    axis : int or tuple of int, optional
        The axes to sum over; None stands for all.
    dtype : dtype, optional
        In which to sum.
    out : numpy.ndarray, optional
        Where to put the result, which is returned.
    keepdims : bool
        Whether the axes stay, with length one.
    initial : scalar, optional
        What to start with.
    where : array_like of bool
        Which elements to take.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.sum(sa.asarray([[1, 2], [3, 4]]), axis=0).tolist()
    [4, 6]
    """
    return fold("add", x, axis, dtype, out, keepdims, initial, where)


@publish(np.prod)
def prod(
    x: Any,
    /,
    axis: Axis = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = False,
    initial: Any = MISSING,
    where: Any = True,
) -> Any:
    """
    Multiply elements over axes; the arguments are those of `sum`.

    Examples
    --------
    >>> import structarr as sa
    >>> int(sa.prod([2, 3, 4]))
    24
    """
    return fold("multiply", x, axis, dtype, out, keepdims, initial, where)


@publish(np.max, np.amax)
def max(
    x: Any,
    /,
    axis: Axis = None,
    out: Any = None,
    keepdims: Any = False,
    initial: Any = MISSING,
    where: Any = True,
) -> Any:
    """
    Return the greatest elements over axes, NaN where there is one.

    Examples
    --------
    >>> import structarr as sa
    >>> int(sa.max([3, 7, 1]))
    7
    """
    return fold("maximum", x, axis, None, out, keepdims, initial, where)


@publish(np.min, np.amin)
def min(
    x: Any,
    /,
    axis: Axis = None,
    out: Any = None,
    keepdims: Any = False,
    initial: Any = MISSING,
    where: Any = True,
) -> Any:
    """
    Return the least elements over axes, NaN where there is one.

    Examples
    --------
    >>> import structarr as sa
    >>> int(sa.min([3, 7, 1]))
    1
    """
    return fold("minimum", x, axis, None, out, keepdims, initial, where)


@publish(np.any)
def any(
    x: Any, /, axis: Axis = None, out: Any = None, keepdims: Any = False, *, where: Any = True
) -> Any:
    """
    Return whether any elements over axes are true.

    Examples
    --------
    >>> import structarr as sa
    >>> bool(sa.any([False, True]))
    True
    """
    return fold("logical_or", x, axis, None, out, keepdims, MISSING, where)


@publish(np.all)
def all(
    x: Any, /, axis: Axis = None, out: Any = None, keepdims: Any = False, *, where: Any = True
) -> Any:
    """
    Return whether all elements over axes are true.

    Examples
    --------
    >>> import structarr as sa
    >>> bool(sa.all([False, True]))
    False
    """
    return fold("logical_and", x, axis, None, out, keepdims, MISSING, where)


@publish(np.count_nonzero)
def count_nonzero(x: Any, /, axis: Axis = None, *, keepdims: bool = False) -> Any:
    """
    Count the elements that are not zero, over axes.

    Examples
    --------
    >>> import structarr as sa
    >>> int(sa.count_nonzero(sa.asarray([0, 3, 4])))
    2
    """
    return sum(not_equal(x, 0), axis, keepdims=keepdims)


@publish(np.isclose)
def isclose(a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> Any:
    """
    Return where two arrays are equal within a tolerance: ``|a - b| <= atol + rtol * |b|``.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.isclose(sa.asarray([1.0, 2.0]), 1.0 + 1e-9).tolist()
    [True, False]
    """
    left, right = as_array(a), as_array(b)
    right = right * 1.0 if right.dtype.kind in "biu" else right
    near = abs(left - right) <= atol + rtol * abs(right)
    close = near & apply("isfinite", (right,)) | equal(left, right)
    if equal_nan:
        close = close | apply("isnan", (left,)) & apply("isnan", (right,))
    return close


@publish(np.allclose)
def allclose(
    a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> bool:
    """
    Return whether two arrays are equal within a tolerance everywhere; see `isclose`.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.allclose([1.0, 2.0], [1.0, 2.0 + 1e-9])
    True
    """
    return bool(all(isclose(a, b, rtol, atol, equal_nan)))


@publish(np.array_equal)
def array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> bool:
    """
    Return whether two arrays have the same shape and elements.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.array_equal(sa.asarray([1, 2]), [1, 2])
    True
    """
    left, right = as_array(a1), as_array(a2)
    if left.shape != right.shape:
        return False
    same = equal(left, right)
    if equal_nan:
        same = same | apply("isnan", (left,)) & apply("isnan", (right,))
    return bool(all(same))
