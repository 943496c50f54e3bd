"""Reductions that pass over NaN."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._api.core.by_structure import by_structure
from structarr._api.core.expressions import apply, cast
from structarr._api.core.operands import as_array
from structarr._api.core.out import Out, deliver
from structarr._api.core.publish import publish
from structarr._api.elementwise.combined import where
from structarr._api.elementwise.elementwise import isnan, logical_not
from structarr._api.reductions.averages import mean, var
from structarr._api.reductions.moments import degrees, inexact, ratio, root, squared
from structarr._api.reductions.reductions import MISSING, Axis, fold, prod, sum
from structarr._array import Array
from structarr._support.array_types import ArrayLike, DTypeLike


def without_nan(array: Array, value: float) -> Array:
    """Return the array with a value in the place of each NaN."""
    if array.dtype.kind not in "fc":
        return array
    filled: Array = where(isnan(array), array.dtype.type(value), array)
    return filled


@publish(np.nansum)
@by_structure(1)
def nansum(
    a: ArrayLike,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    out: Out | None = None,
    keepdims: bool = False,
    initial: Any = MISSING,
    where: ArrayLike = True,
) -> Out:
    """
    Sum the elements that are not NaN over axes.

    Parameters
    ----------
    $elements:a
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
    sum : NaN where there is one.

    Examples
    --------
    >>> import structarr as sa
    >>> float(sa.nansum([1.0, sa.nan, 2.0]))
    3.0
    """
    return sum(without_nan(as_array(a), 0), axis, dtype, out, keepdims, initial, where)


@publish(np.nanprod)
@by_structure(1)
def nanprod(
    a: ArrayLike,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    out: Out | None = None,
    keepdims: bool = False,
    initial: Any = MISSING,
    where: ArrayLike = True,
) -> Out:
    """
    Multiply the elements that are not NaN over axes.

    Parameters
    ----------
    $elements:a
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
    prod : NaN where there is one.

    Examples
    --------
    >>> import structarr as sa
    >>> float(sa.nanprod([2.0, sa.nan, 3.0]))
    6.0
    """
    return prod(without_nan(as_array(a), 1), axis, dtype, out, keepdims, initial, where)


@publish(np.nanmax)
@by_structure(1)
def nanmax(
    a: ArrayLike,
    axis: Axis = None,
    out: Out | None = None,
    keepdims: bool = False,
    initial: Any = MISSING,
    where: ArrayLike = True,
) -> Out:
    """
    Return the maximum over axes of the elements that are not NaN; NaN if there are none.

    Parameters
    ----------
    $elements:a
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
    max : NaN where there is one.
    nanargmax : Where the greatest elements are.

    Examples
    --------
    >>> import structarr as sa
    >>> float(sa.nanmax([1.0, sa.nan]))
    1.0
    """
    return fold("fmax", a, axis, None, out, keepdims, initial, where)


@publish(np.nanmin)
@by_structure(1)
def nanmin(
    a: ArrayLike,
    axis: Axis = None,
    out: Out | None = None,
    keepdims: bool = False,
    initial: Any = MISSING,
    where: ArrayLike = True,
) -> Out:
    """
    Return the minimum over axes of the elements that are not NaN; NaN if there are none.

    Parameters
    ----------
    $elements:a
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
    min : NaN where there is one.
    nanargmin : Where the least elements are.

    Examples
    --------
    >>> import structarr as sa
    >>> float(sa.nanmin([1.0, sa.nan]))
    1.0
    """
    return fold("fmin", a, axis, None, out, keepdims, initial, where)


@publish(np.nanmean)
@by_structure(1)
def nanmean(
    a: ArrayLike,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    out: Out | None = None,
    keepdims: bool = False,
    *,
    where: ArrayLike = True,
) -> Out:
    """
    Average the elements that are not NaN over axes.

    Parameters
    ----------
    $elements:a
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
    mean : NaN where there is one.

    Examples
    --------
    >>> import structarr as sa
    >>> float(sa.nanmean([1.0, sa.nan, 3.0]))
    2.0
    """
    array = as_array(a)
    if array.dtype.kind not in "fc":
        return mean(array, axis, dtype, out, keepdims, where=where)
    total = sum(without_nan(array, 0), axis, _inexact(array, dtype), None, keepdims, where=where)
    return deliver(ratio(total, _present(array, axis, keepdims, where)), out)


@publish(np.nanvar)
@by_structure(1)
def nanvar(
    a: ArrayLike,
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
    Return the variance over axes of the elements that are not NaN.

    Parameters
    ----------
    $elements:a
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

    See Also
    --------
    var : NaN where there is one.
    nanstd : Its square root.

    Examples
    --------
    >>> import structarr as sa
    >>> float(sa.nanvar([1.0, sa.nan, 3.0]))
    1.0
    """
    array = as_array(a)
    if array.dtype.kind not in "fc":
        return var(
            array, axis, dtype, out, ddof, keepdims, where=where, mean=mean, correction=correction
        )
    loop = _inexact(array, dtype)
    centre = nanmean(array, axis, loop, None, True, where=where) if mean is MISSING else mean
    squares = squared(_masked(array, as_array(centre)), array.dtype)
    freedom = _present(array, axis, keepdims, where) - degrees(ddof, correction)
    total = sum(squares, axis, None if dtype is None else loop, None, keepdims, where=where)
    some = apply("where", (freedom > 0, freedom, 1))
    return deliver(apply("where", (freedom > 0, total / some, np.nan)).astype(total.dtype), out)


@publish(np.nanstd)
@by_structure(1)
def nanstd(
    a: ArrayLike,
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
    Return the standard deviation over axes of the elements that are not NaN.

    Parameters
    ----------
    $elements:a
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

    See Also
    --------
    std : NaN where there is one.
    nanvar : Its square.

    Examples
    --------
    >>> import structarr as sa
    >>> float(sa.nanstd([1.0, sa.nan, 3.0]))
    1.0
    """
    squares = nanvar(
        a, axis, dtype, None, ddof, keepdims, where=where, mean=mean, correction=correction
    )
    return deliver(root(squares), out)


def _inexact(array: Array, dtype: Any) -> np.dtype[Any]:
    """The dtype in which means of floats are computed."""
    found = inexact(array, dtype)
    if found.kind not in "fc":
        raise TypeError("If a is inexact, then dtype must be inexact")
    return found


def _masked(array: Array, centre: Array) -> Array:
    """The deviations from the centre in the array's own dtype, and 0 for NaN."""
    kept = logical_not(isnan(array))
    return apply("where", (kept, cast(array - centre, array.dtype, "unsafe", "a"), 0))


def _present(array: Array, axis: Axis, keepdims: Any, where: Any) -> Array:
    """The number of elements that are not NaN."""
    kept = logical_not(isnan(array))
    counted = np.int64 if array.size <= np.iinfo(np.int64).max else np.float64
    return sum(kept, axis, counted, None, keepdims, where=where)
