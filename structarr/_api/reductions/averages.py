"""Means and variances, composed of sums."""

from __future__ import annotations

from typing import Any, Literal, overload

import numpy as np

from structarr._api.core.by_structure import by_structure
from structarr._api.core.entry_lists import is_listed
from structarr._api.core.expressions import apply, cast
from structarr._api.core.operands import as_array
from structarr._api.core.out import Out, deliver
from structarr._api.core.publish import publish
from structarr._api.elementwise.elementwise import (
    divide,
    equal,
    not_equal,
)
from structarr._api.reductions.beside import parts_beside
from structarr._api.reductions.moments import counted, degrees, inexact, ratio, root, squared
from structarr._api.reductions.reductions import MISSING, Axis, normalized, sum
from structarr._api.shape.joining import concat
from structarr._api.shape.manipulation import (
    axes_in,
    broadcast_to,
    expand_dims,
    permute_dims,
    squeeze,
)
from structarr._array import Array
from structarr._execute.stand_ins import stand_in
from structarr._scheduler.expected_entries import all_dense
from structarr._scheduler.other_fills import structural_fill
from structarr._support.array_types import ArrayLike, DTypeLike, NumPyArray


@publish(np.mean)
@by_structure(1)
def mean(
    x: ArrayLike,
    /,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    out: Out | None = None,
    keepdims: bool = False,
    *,
    where: ArrayLike = True,
) -> Out:
    """
    Average elements over axes; integers are averaged in float64.

    Parameters
    ----------
    $elements:x
    $axes
    $dtype
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
    average : With weights.
    nanmean : Passes over NaN.
    median : The middle element.

    Examples
    --------
    >>> import structarr as sa
    >>> float(sa.mean(sa.asarray([1, 2, 3, 6])))
    3.0
    """
    array = as_array(x)
    total = sum(array, axis, inexact(array, dtype), None, keepdims, where=where)
    return deliver(ratio(total, counted(array, axis, keepdims, where)), out)


@publish(np.var)
@by_structure(1)
def var(
    x: ArrayLike,
    /,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    out: Out | None = None,
    ddof: float = 0,
    keepdims: bool = False,
    *,
    where: ArrayLike = True,
    mean: Any = MISSING,
    correction: Any = MISSING,
) -> Out:
    """
    Return the variance over axes: the mean square of the deviations from the mean.

    Parameters
    ----------
    $elements:x
    $axes
    $dtype
    $out
    $ddof
    $keepdims
    $mask
    $mean
    $correction

    Returns
    -------
    $reduced

    Raises
    ------
    $axis_error
    $out_error
    ValueError
        If both `ddof` and `correction` are given.

    See Also
    --------
    std : Its square root.
    nanvar : Passes over NaN.
    cov : Of several variables.

    Examples
    --------
    >>> import structarr as sa
    >>> float(sa.var(sa.asarray([1.0, 3.0])))
    1.0
    """
    array = as_array(x)
    beside = parts_beside(array, axis) if mean is MISSING and where is True else None
    if beside is not None:  # by the structure of each
        parts, along = beside
        each = [var(one, axis, dtype, None, ddof, keepdims, correction=correction) for one in parts]
        gone = 0 if keepdims else len([one for one in normalized(axis, array.ndim) if one < along])
        return deliver(concat(each, axis=along - gone), out)
    loop = inexact(array, dtype)
    centre = _mean(array, axis, loop, None, True, where=where) if mean is MISSING else mean
    freedom = counted(array, axis, keepdims, where) - degrees(ddof, correction)
    own = dtype is None and array.dtype.kind in "fc"  # the squares' dtype, real for complex ones
    kind = None if own else loop
    fill = _fill_beyond(array, axis) if mean is MISSING and where is True else None
    if fill is not None:
        total = _of_stored(array, fill, centre, axis, kind, keepdims)
    else:
        squares = squared(array - as_array(centre), array.dtype)
        total = sum(squares, axis, kind, None, keepdims, where=where)
    # NumPy, too, divides by zero where there are fewer elements than degrees of freedom.
    left = freedom if isinstance(freedom, Array) else float(freedom)  # more than int64 counts
    return deliver(ratio(total, np.maximum(left, 0)), out)


_mean = mean


def _fill_beyond(array: Array, axis: Axis) -> Any:
    """The fill of an array of lists that a sum adds along an axis which is stored further in.

    What is not stored is no run of such a sum, and would be looked at one by one. None of other
    sums, and where the fill is NaN, or a number that may be another at the next call.
    """
    tensor, node = array._tensor, array._node
    fill = structural_fill(node) if tensor is None else tensor.fill
    if fill is None or fill != fill or all_dense(node):
        return None
    held = stand_in(node) if tensor is None else tensor
    if held is None or not is_listed(held):
        return None
    summed = [place in normalized(axis, array.ndim) for place in held.format.order]
    scatters = True in summed and not all(summed[summed.index(True) :])
    return fill if scatters else None


def _of_stored(
    array: Array, default: Any, centre: Array, axis: Axis, dtype: Any, keepdims: Any
) -> Array:
    """The sum of squares of how elements differ from means: of those that are not the fill, and
    as often as there are others that of the fill.
    """
    fill = as_array(default)
    differs = not_equal(array, fill)
    squares = squared(array - centre, array.dtype)
    own = apply("where", (differs, squares, squares.dtype.type(0)))
    total = sum(own, axis, dtype, None, keepdims)
    middle = centre if keepdims else squeeze(centre, axes_in(axis, array.ndim, "axis"))
    count = counted(array, axis, keepdims, True) - sum(differs, axis, None, None, keepdims)
    rest = cast(squared(fill - middle, array.dtype), total.dtype, "unsafe", "squares")
    weight = cast(count, total.dtype, "unsafe", "a number of elements")
    # What is far from the fill has a square that may be infinite, and is not there at all.
    found: Array = total + apply("where", (equal(count, 0), total.dtype.type(0), rest * weight))
    return found


@publish(np.std)
@by_structure(1)
def std(
    x: ArrayLike,
    /,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    out: Out | None = None,
    ddof: float = 0,
    keepdims: bool = False,
    *,
    where: ArrayLike = True,
    mean: Any = MISSING,
    correction: Any = MISSING,
) -> Out:
    """
    Return the standard deviation over axes: the square root of the variance.

    Parameters
    ----------
    $elements:x
    $axes
    $dtype
    $out
    $ddof
    $keepdims
    $mask
    $mean
    $correction

    Returns
    -------
    $reduced

    Raises
    ------
    $axis_error
    $out_error
    ValueError
        If both `ddof` and `correction` are given.

    See Also
    --------
    var : Its square.
    nanstd : Passes over NaN.

    Examples
    --------
    >>> import structarr as sa
    >>> float(sa.std([1.0, 3.0]))
    1.0
    """
    squares = var(
        x, axis, dtype, None, ddof, keepdims, where=where, mean=mean, correction=correction
    )
    return deliver(root(squares), out)


@overload
def average(
    a: ArrayLike,
    axis: Axis = ...,
    weights: ArrayLike | None = ...,
    returned: Literal[False] = ...,
    *,
    keepdims: bool = ...,
) -> Array: ...
@overload
def average(
    a: ArrayLike,
    axis: Axis = ...,
    weights: ArrayLike | None = ...,
    *,
    returned: Literal[True],
    keepdims: bool = ...,
) -> tuple[Array, Array]: ...


@publish(np.average)
@by_structure(1)
def average(
    a: ArrayLike,
    axis: Axis = None,
    weights: ArrayLike | None = None,
    returned: bool = False,
    *,
    keepdims: bool = False,
) -> Any:
    """
    Average elements over axes with weights.

    Parameters
    ----------
    $elements:a
    $axes
    weights : array_like, optional
        Of the shape of `a`, or of the lengths of the axes that are averaged over.
    returned : bool, optional
        Whether the sums of the weights are returned, too.
    $keepdims

    Returns
    -------
    $reduced
        With `returned` a tuple of it and the sums of the weights, of one shape.

    Raises
    ------
    $axis_error
    ZeroDivisionError
        If weights sum to zero.
    TypeError
        If the shapes of `a` and the weights differ, and there is no axis.
    ValueError
        If the shape of the weights is not that of the axes.

    See Also
    --------
    mean : Without weights.

    Examples
    --------
    >>> import structarr as sa
    >>> float(sa.average([1.0, 4.0], weights=[2, 1]))
    2.0
    """
    array = as_array(a)
    if weights is None:
        result = mean(array, axis, keepdims=keepdims)
        scale: Any = result.dtype.type(counted(array, axis, keepdims, True))
    else:
        weight = _weights(as_array(weights), array, axis)
        kinds = (np.float64,) if array.dtype.kind in "biu" else ()
        loop = np.result_type(array.dtype, weight.dtype, *kinds)
        if type(weights) is np.ndarray:  # whose sums take NumPy less than to call a kernel
            scale = _scale(weights, array, axis, loop, keepdims)
        else:
            scale = sum(weight, axis, loop, None, keepdims)
        if bool((scale == 0).any()):
            raise ZeroDivisionError("Weights sum to zero, can't be normalized")
        # Products in the averages' dtype: in that of small integers they would wrap.
        products = cast(array, loop, "unsafe", "a") * weight
        result = divide(sum(products, axis, loop, None, keepdims), scale)
    return (result, broadcast_to(scale, result.shape)) if returned else result


def _scale(
    weights: NumPyArray, array: Array, axis: Axis, dtype: np.dtype[Any], keepdims: bool
) -> Any:
    """The sums of NumPy's weights; one sum where the weights are the same all along other axes."""
    with np.errstate(all="ignore"):  # as kernels raise no warnings
        if weights.shape != array.shape:
            return weights.sum(dtype=dtype)
        return weights.sum(normalized(axis, array.ndim), dtype, keepdims=keepdims)


def _weights(weights: Array, array: Array, axis: Axis) -> Array:
    """Weights of the array's shape."""
    if weights.shape == array.shape:
        return weights
    if axis is None:
        raise TypeError("Axis must be specified when shapes of a and weights differ.")
    axes = normalized(axis, array.ndim)
    given = axes_in(axis, array.ndim, "axis")
    if weights.shape != tuple(array.shape[place] for place in given):
        raise ValueError("Shape of weights must be consistent with shape of a along specified axis")
    order = sorted(range(len(given)), key=given.__getitem__)
    others = tuple(place for place in range(array.ndim) if place not in axes)
    return broadcast_to(expand_dims(permute_dims(weights, order), others), array.shape)
