"""Parts of means and variances: dtypes, squares, roots, ratios and numbers of elements."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from structarr._api.core.expressions import apply, cast
from structarr._api.core.out import truth
from structarr._api.elementwise.elementwise import abs, divide, equal, imag, real, square
from structarr._api.reductions.reductions import MISSING, Axis, sum
from structarr._api.shape.manipulation import axes_in, broadcast_to
from structarr._array import Array
from structarr._support import dtypes


def inexact(array: Array, dtype: Any) -> np.dtype[Any]:
    """Return the dtype in which means are computed."""
    if dtype is not None:
        return dtypes.check(dtype)
    return np.dtype(np.float64) if array.dtype.kind in "biu" else array.dtype


def squared(difference: Array, dtype: np.dtype[Any]) -> Array:
    """Return squares of how elements of a dtype differ from a mean, as NumPy has them.

    Squares of complex elements are real; squares of real elements less a complex mean are complex.
    """
    if difference.dtype.kind != "c":
        return square(abs(difference))
    if dtype.kind in "iuf":
        return square(difference)
    return square(real(difference)) + square(imag(difference))  # NaN if a part is NaN


def root(variance: Array) -> Array:
    """Return the square root of a variance; a variance of integers is refused."""
    if variance.dtype.kind in "biu":
        raise TypeError(
            f"a standard deviation must be of floats, not {variance.dtype}: give dtype=float"
        )
    return apply("sqrt", (variance,))


def ratio(total: Array, count: Any) -> Array:
    """Return sums divided by numbers of elements, in the sums' dtype; NaN of no elements."""
    if not isinstance(count, Array):
        return cast(divide(total, float(count)), total.dtype, "unsafe", "a ratio")
    result = divide(total, count)
    if total.dtype.kind in "fc":
        result = cast(result, total.dtype, "unsafe", "a ratio")
    # The mean of no elements is NaN, also where the sum is a fill of 0, which is not divided.
    nothing = result.dtype.type(complex(np.nan, np.nan) if result.dtype.kind == "c" else np.nan)
    result = apply("where", (equal(count, 0) & equal(total, 0), nothing, result))
    return cast(result, total.dtype, "unsafe", "a ratio")


def counted(array: Array, axis: Axis, keepdims: Any, where: Any) -> Any:
    """Return the number of reduced elements, or an array of numbers if some are masked."""
    if where is not True:
        mask = broadcast_to(truth(where), array.shape)
        return sum(mask, axis, np.int64, None, keepdims)
    return math.prod(array.shape[place] for place in axes_in(axis, array.ndim, "axis"))


def degrees(ddof: float, correction: Any) -> float:
    """Return the degrees of freedom to subtract, by whichever name they are given."""
    if correction is MISSING or correction is None:
        correction = ddof
    elif ddof != 0:
        raise ValueError("ddof and correction can't be provided simultaneously.")
    if np.iscomplexobj(correction):
        raise TypeError("degrees of freedom are real: of a complex number NumPy takes some part")
    return correction  # type: ignore[no-any-return]
