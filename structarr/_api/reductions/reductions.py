"""Reductions over axes."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from structarr._api.core.by_structure import by_structure
from structarr._api.core.expressions import again, apply, derive, named
from structarr._api.core.operands import as_array
from structarr._api.core.out import Out, deliver, dtype_for, truth
from structarr._api.core.publish import publish
from structarr._api.elementwise.elementwise import not_equal
from structarr._api.shape.manipulation import refuse_truth
from structarr._array import Array
from structarr._lazy import graph
from structarr._support import dtypes
from structarr._support.array_types import MISSING as MISSING, ArrayLike, Axis as Axis, DTypeLike

# Operators that agree with others on numbers that are never NaN, to those.
_WITHOUT_NAN: Final = {"fmax": "maximum", "fmin": "minimum"}


def fold(
    op: str,
    x: Any,
    axis: Axis = None,
    dtype: Any = None,
    out: Out | None = None,
    keepdims: Any = False,
    initial: Any = MISSING,
    where: Any = True,
) -> Out:
    """Reduce an array by an operator, with the arguments that NumPy's reductions have."""
    plain = where is True and initial is MISSING and dtype is None and out is None
    plain = (
        plain and (keepdims is False or keepdims is MISSING) and (axis is None or type(axis) is int)
    )
    key = op, axis
    if plain:
        found = again(key, x)
        if found is not None:
            return found  # type: ignore[return-value]
    array = as_array(x)
    axes = normalized(axis, array.ndim)
    if array.dtype.kind in "biu":
        op = _WITHOUT_NAN.get(op, op)
    loop = np.dtype(dtypes.reduction(op, array.dtype, dtype))
    if dtype is None and op in ("add", "multiply"):
        loop = dtype_for(out, loop)
    if where is not True:
        array = _masked(op, array, where, loop, initial)
    if initial is MISSING:
        _check_not_empty(op, array.shape, axes)
    keep = keepdims is not MISSING and bool(keepdims)
    if plain:
        return named(key, lambda node: graph.reduce(op, node, axes, False, loop), array)  # type: ignore[return-value]
    result = derive(lambda node: graph.reduce(op, node, axes, keep, loop), array)
    if initial is not MISSING and initial is not None:
        if np.ndim(initial):
            raise ValueError(f"initial must be a number, not of shape {np.shape(initial)}")
        result = apply(op, (result, loop.type(initial)))
    return deliver(result, out)


def normalized(axis: Axis, ndim: int) -> tuple[int, ...]:
    """Return axes as non-negative numbers in order; None stands for all."""
    refuse_truth(axis)
    # NumPy lets a scalar be reduced over its last axis.
    if axis is None or (not ndim and axis in (0, -1)):
        return tuple(range(ndim))
    return tuple(sorted(np.lib.array_utils.normalize_axis_tuple(axis, ndim)))


def _masked(op: str, array: Array, mask: Any, dtype: np.dtype[Any], initial: Any) -> Array:
    """Put the operator's identity where the mask is false."""
    mask = as_array(truth(mask))
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
    x: ArrayLike,
    /,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    out: Out | None = None,
    keepdims: bool = False,
    initial: Any = MISSING,
    where: ArrayLike = True,
) -> Out:
    """
    Sum elements over axes; small integer dtypes are summed as int64 or uint64.

    Parameters
    ----------
    $elements:x
    $axes
    $dtype
    $out
    $keepdims
    $initial
    $mask

    Returns
    -------
    $reduced

    Raises
    ------
    $axis_error
    $out_error

    See Also
    --------
    nansum : Passes over NaN.
    cumulative_sum : Running sums.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.sum(sa.asarray([[1, 2], [3, 4]]), axis=0).tolist()
    [4, 6]
    """
    return fold("add", x, axis, dtype, out, keepdims, initial, where)


@publish(np.prod)
def prod(
    x: ArrayLike,
    /,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    out: Out | None = None,
    keepdims: bool = False,
    initial: Any = MISSING,
    where: ArrayLike = True,
) -> Out:
    """
    Multiply elements over axes; small integer dtypes are multiplied as int64 or uint64.

    Parameters
    ----------
    $elements:x
    $axes
    $dtype
    $out
    $keepdims
    $initial
    $mask

    Returns
    -------
    $reduced

    Raises
    ------
    $axis_error
    $out_error

    See Also
    --------
    nanprod : Passes over NaN.
    cumulative_prod : Running products.

    Examples
    --------
    >>> import structarr as sa
    >>> int(sa.prod([2, 3, 4]))
    24
    """
    return fold("multiply", x, axis, dtype, out, keepdims, initial, where)


@publish(np.max, np.amax)
def max(
    x: ArrayLike,
    /,
    axis: Axis = None,
    out: Out | None = None,
    keepdims: bool = False,
    initial: Any = MISSING,
    where: ArrayLike = True,
) -> Out:
    """
    Return the maximum over axes; NaN if an element is NaN.

    Parameters
    ----------
    $elements:x
    $axes
    $out
    $keepdims
    $initial
    $mask

    Returns
    -------
    $reduced

    Raises
    ------
    $axis_error
    $out_error
    $empty_error

    See Also
    --------
    nanmax : Passes over NaN.
    argmax : Where the greatest elements are.
    maximum : The greater of two arrays, element by element.

    Examples
    --------
    >>> import structarr as sa
    >>> int(sa.max([3, 7, 1]))
    7
    """
    return fold("maximum", x, axis, None, out, keepdims, initial, where)


@publish(np.min, np.amin)
def min(
    x: ArrayLike,
    /,
    axis: Axis = None,
    out: Out | None = None,
    keepdims: bool = False,
    initial: Any = MISSING,
    where: ArrayLike = True,
) -> Out:
    """
    Return the minimum over axes; NaN if an element is NaN.

    Parameters
    ----------
    $elements:x
    $axes
    $out
    $keepdims
    $initial
    $mask

    Returns
    -------
    $reduced

    Raises
    ------
    $axis_error
    $out_error
    $empty_error

    See Also
    --------
    nanmin : Passes over NaN.
    argmin : Where the least elements are.
    minimum : The lesser of two arrays, element by element.

    Examples
    --------
    >>> import structarr as sa
    >>> int(sa.min([3, 7, 1]))
    1
    """
    return fold("minimum", x, axis, None, out, keepdims, initial, where)


@publish(np.any)
def any(
    x: ArrayLike,
    /,
    axis: Axis = None,
    out: Out | None = None,
    keepdims: bool = False,
    *,
    where: ArrayLike = True,
) -> Out:
    """
    Return whether any elements over axes are true.

    Parameters
    ----------
    $elements:x
    $axes
    $out
    $keepdims
    $mask

    Returns
    -------
    $reduced

    Raises
    ------
    $axis_error
    $out_error

    See Also
    --------
    all : Whether all are true.
    count_nonzero : How many are true.

    Examples
    --------
    >>> import structarr as sa
    >>> bool(sa.any([False, True]))
    True
    """
    return fold("logical_or", x, axis, None, out, keepdims, MISSING, where)


@publish(np.all)
def all(
    x: ArrayLike,
    /,
    axis: Axis = None,
    out: Out | None = None,
    keepdims: bool = False,
    *,
    where: ArrayLike = True,
) -> Out:
    """
    Return whether all elements over axes are true.

    Parameters
    ----------
    $elements:x
    $axes
    $out
    $keepdims
    $mask

    Returns
    -------
    $reduced

    Raises
    ------
    $axis_error
    $out_error

    See Also
    --------
    any : Whether any is true.

    Examples
    --------
    >>> import structarr as sa
    >>> bool(sa.all([False, True]))
    False
    """
    return fold("logical_and", x, axis, None, out, keepdims, MISSING, where)


@publish(np.count_nonzero)
@by_structure(1)
def count_nonzero(x: ArrayLike, /, axis: Axis = None, *, keepdims: bool = False) -> Array:
    """
    Count the elements that are not zero, over axes.

    Parameters
    ----------
    $elements:x
    $axes
    $keepdims

    Returns
    -------
    $reduced

    Raises
    ------
    $axis_error
    $dtype_error

    See Also
    --------
    nonzero : Where they are.
    Array.nnz : How many elements are stored.

    Examples
    --------
    >>> import structarr as sa
    >>> int(sa.count_nonzero(sa.asarray([0, 3, 4])))
    2
    """
    return sum(not_equal(x, 0), axis, keepdims=keepdims)
