"""Elementwise functions of more than one operator: choices, rounding, parts."""

from __future__ import annotations

import operator
from typing import Any, overload

import numpy as np

from structarr._api.core.by_structure import by_structure
from structarr._api.core.expressions import apply, combine
from structarr._api.core.operands import as_array, lift, owned
from structarr._api.core.out import Out, deliver
from structarr._api.core.publish import publish
from structarr._api.elementwise.dtypes import result_type
from structarr._api.elementwise.elementwise import (
    equal,
    imag,
    isfinite,
    isnan,
    positive,
    real,
    trunc,
)
from structarr._array import FUNCTIONS, Array
from structarr._support.array_types import ArrayLike, Casting, DTypeLike
from structarr._support.promotion import common


@overload
def where(condition: ArrayLike, /) -> tuple[Array, ...]: ...
@overload
def where(condition: ArrayLike, x1: ArrayLike, x2: ArrayLike, /) -> Array: ...


@publish(np.where)
def where(condition: ArrayLike, x1: ArrayLike | None = None, x2: ArrayLike | None = None, /) -> Any:
    """
    Choose elements of `x1` where a condition holds, and of `x2` elsewhere.

    With a condition alone, the indices of its true elements are returned, as by `nonzero`.

    Parameters
    ----------
    condition : array_like
        Where it is true, or not zero.
    x1, x2 : array_like, optional
        The elements to choose from: both or neither.

    Returns
    -------
    Array or tuple of Array
        Lazy, of the common shape. Runs stay runs, and elements that no operand stores are not
        stored. Computing takes time proportional, at most, to what the operands (after
        broadcasting) and the result store. With a condition alone what `nonzero` returns.

    Raises
    ------
    ValueError
        If one of `x1` and `x2` is left out, or the shapes cannot be broadcast.
    OverflowError
        From NumPy 2.5 on, if a Python integer does not fit the other dtype; it wraps before.

    See Also
    --------
    select : Of more than one condition.
    nonzero : The indices alone.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.where(sa.asarray([True, False]), 1, 2).tolist()
    [1, 2]
    """
    if x1 is None and x2 is None:
        return FUNCTIONS[np.nonzero](condition)
    if x1 is None or x2 is None:
        raise ValueError("either both or neither of x and y should be given")
    for number, other in ((x1, x2), (x2, x1)):
        if type(number) is int and hasattr(other, "dtype"):
            np.where(True, number, np.zeros((), other.dtype))  # raises as this NumPy does
    return apply("where", (condition, x1, x2))


@publish(np.angle)
def angle(z: ArrayLike, deg: bool = False) -> Array:
    """
    Return the angle of complex numbers in radians, or in degrees.

    Parameters
    ----------
    z : array_like
        Numbers of any shape.
    deg : bool, optional
        Whether in degrees.

    Returns
    -------
    $mapped

    Raises
    ------
    $dtype_error

    See Also
    --------
    abs : Their absolute values.

    Examples
    --------
    >>> import structarr as sa
    >>> float(sa.angle(1j, deg=True))
    90.0
    """
    radians_of = apply("angle", (z,))
    return radians_of * (180 / np.pi) if deg else radians_of


@publish(np.clip)
def clip(
    x: ArrayLike,
    /,
    min: ArrayLike | None = None,
    max: ArrayLike | None = None,
    out: Out | None = None,
    *,
    a_min: ArrayLike | None = None,
    a_max: ArrayLike | None = None,
    casting: Casting = "same_kind",
    dtype: DTypeLike | None = None,
    where: ArrayLike = True,
) -> Out:
    """
    Limit elements to an interval; None stands for no limit.

    Parameters
    ----------
    x : array_like
        The elements.
    min, max, a_min, a_max : array_like, optional
        The ends, by the array API's or by NumPy's names.
    out : numpy.ndarray, optional
        NumPy array that takes the result and is returned.
    casting : str
        Which casts to `dtype` and to that of `out` are allowed.
    dtype : dtype_like, optional
        In which elements and ends are compared, and which the result has.
    where : array_like of bool
        Which elements of `out` are written.

    Returns
    -------
    $elementwise

    Raises
    ------
    $broadcast_error
    TypeError
        If there is no end and the elements are booleans, if the casts are not allowed, or if there
        is `where` and no `out`.

    See Also
    --------
    maximum : The lower end alone.
    minimum : The upper end alone.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.clip(sa.asarray([-2, 0, 5]), 0, 3).tolist()
    [0, 0, 3]
    """
    low = min if a_min is None else a_min
    high = max if a_max is None else a_max
    if where is not True and out is None:
        raise TypeError(
            "clip: where= without out= would leave elements undefined; use "
            "structarr.where(condition, result, otherwise)"
        )
    result = as_array(x)
    if dtype is not None:
        return deliver(
            _limited_in(result, low, high, dtype, casting), out, casting, where, broadcasts=True
        )
    if low is None and high is None:
        result = positive(result)  # as in NumPy, which refuses booleans here
    if result.dtype.kind in "iu":
        # Python's integers at or beyond the bounds limit nothing, as in NumPy.
        bounds = np.iinfo(result.dtype)
        low = None if type(low) is int and low <= bounds.min else low
        high = None if type(high) is int and high >= bounds.max else high
    if low is not None and high is not None:
        together = common([result_type(result, low, high)])  # NumPy's loop takes all three
        result = result.astype(together, copy=False)
    if low is not None:
        result = combine("maximum", result, low)
    if high is not None:
        result = combine("minimum", result, high)
    if out is None:
        return owned(result)  # type: ignore[return-value]
    return deliver(result, out, casting, where, broadcasts=True)


def _limited_in(array: Array, low: Any, high: Any, dtype: DTypeLike, casting: Casting) -> Any:
    """The elements between two ends, by NumPy's functions of two in a dtype."""
    ends = [(np.maximum, low), (np.minimum, high)]
    given = [(limit, end) for limit, end in ends if end is not None]
    if not given:
        return np.positive(array, dtype=dtype, casting=casting)
    result: Any = array
    for limit, end in given:
        result = limit(result, end, dtype=dtype, casting=casting)
    return result


@publish(np.round, np.around)
@by_structure(1)
def round(x: ArrayLike, /, decimals: int = 0, out: Out | None = None) -> Out:
    """
    Round to a number of decimals, halves to even.

    Parameters
    ----------
    $elements:x
    decimals : int, optional
        Number of decimals; a negative one rounds to tens, hundreds and so on.
    $out

    Returns
    -------
    $mapped

    Raises
    ------
    TypeError
        If the elements are booleans and `decimals` is not 0.

    See Also
    --------
    rint : To whole numbers.
    floor : Down.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.round(sa.asarray([0.5, 1.5, 2.25]), 1).tolist()
    [0.5, 1.5, 2.2]
    """
    return deliver(_rounded(as_array(x), operator.index(decimals)), out, broadcasts=True)


def _rounded(array: Array, decimals: int) -> Array:
    if decimals == 0:
        return apply("round", (array,))
    if array.dtype == bool:
        raise TypeError("round to decimals takes numbers, not bool: cast to int8 first")
    if array.dtype.kind in "iu" and decimals > 0:
        return owned(array)
    with np.errstate(over="ignore"):
        scale = float(np.float64(10.0) ** np.abs(decimals))
    parts = array.dtype.kind == "c"  # NumPy rounds each part by itself
    steps = ["counted", "divide_parts"] if parts else ["multiply", "divide"]
    before, after = steps if decimals > 0 else steps[::-1]
    rounded = apply(after, (apply("round", (apply(before, (array, scale)),)), scale))
    return rounded.astype(array.dtype) if array.dtype.kind in "iu" else rounded


@publish(np.fix)
def fix(x: ArrayLike, /, out: Out | None = None) -> Out:
    """
    Round towards zero.

    Parameters
    ----------
    $real:x
    $out

    Returns
    -------
    $mapped

    Raises
    ------
    $out_error

    See Also
    --------
    trunc : The same.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.fix([-1.5, 1.5]).tolist()
    [-1.0, 1.0]
    """
    return deliver(trunc(x), out, broadcasts=True)


@publish(np.divmod)
def divmod(x1: ArrayLike, x2: ArrayLike, /) -> tuple[Array, Array]:
    """
    Return the quotient rounded down, and the remainder.

    Parameters
    ----------
    $operands:x1, x2

    Returns
    -------
    tuple of Array
        Both lazy, in the formats and the time of `floor_divide` and `remainder`.

    Raises
    ------
    $broadcast_error
    $dtype_error

    See Also
    --------
    floor_divide : The quotient alone.
    remainder : The remainder alone.

    Examples
    --------
    >>> import structarr as sa
    >>> [part.tolist() for part in sa.divmod([7, -7], 2)]
    [[3, -4], [1, 1]]
    """
    # Lifted here, so that a foreign operand is copied once for both results.
    left, right = lift(x1), lift(x2)
    return combine("floor_divide", left, right), combine("remainder", left, right)


@publish(np.nan_to_num)
@by_structure(1)
def nan_to_num(
    x: ArrayLike,
    copy: bool = True,
    nan: float = 0.0,
    posinf: float | None = None,
    neginf: float | None = None,
) -> Array:
    """
    Replace NaN by `nan`, and infinities by given numbers or the extremes of the dtype.

    Parameters
    ----------
    x : array_like
        Numbers; of complex ones the real and the imaginary part, each by itself.
    copy : bool, optional
        Accepted, and ignored: arrays are values.
    nan : float, optional
        Value in place of NaN.
    posinf, neginf : float, optional
        Values in place of infinities; None stands for the extremes of the dtype.

    Returns
    -------
    $mapped

    Raises
    ------
    TypeError
        If a number that is put in is complex, or it is infinite or NaN and `x` is complex.

    See Also
    --------
    isnan : Where NaN are.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.nan_to_num([1.0, sa.nan]).tolist()
    [1.0, 0.0]
    """
    array = as_array(x)
    if array.dtype.kind not in "fc":
        return owned(array)
    if any(np.asarray(one).dtype.kind == "c" for one in (nan, posinf, neginf)):
        raise TypeError(f"nan_to_num of {array.dtype} takes real numbers in place of others")
    if array.dtype.kind == "c":
        return _finite_parts(array, nan, posinf, neginf)
    most = np.finfo(array.dtype)
    high = float(most.max) if posinf is None else posinf
    low = float(most.min) if neginf is None else neginf
    result = apply("where", (isnan(array), nan, array))
    result = apply("where", (equal(array, np.inf), high, result))
    return apply("where", (equal(array, -np.inf), low, result))


def _finite_parts(array: Array, nan: float, posinf: float | None, neginf: float | None) -> Array:
    """Complex numbers whose parts are finite, each replaced by itself where it is not."""
    given = [one for one in (nan, posinf, neginf) if one is not None]
    if not all(np.isfinite(given)):
        raise TypeError(f"nan_to_num of {array.dtype} takes finite numbers in place of others")
    parts = [
        nan_to_num(one, nan=nan, posinf=posinf, neginf=neginf) for one in (real(array), imag(array))
    ]
    # What is finite stays as it is, signs of zeros included.
    return apply("where", (isfinite(array), array, parts[0] + parts[1] * 1j))
