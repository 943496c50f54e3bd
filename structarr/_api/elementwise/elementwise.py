"""Elementwise functions: a row each, with the array API's name, the operator and its meaning."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from structarr._api.core.expressions import apply, combine
from structarr._api.core.operands import as_array, lift, owned
from structarr._api.core.out import deliver
from structarr._api.core.publish import publish
from structarr._array import FUNCTIONS, Array


def _unary(name: str, op: str, takes: str, says: str) -> Callable[[Any], Array]:
    def function(x: Any, /) -> Array:
        return apply(op, (x,))

    return _documented(function, name, op, takes, says, "x : array_like")


def _binary(name: str, op: str, takes: str, says: str) -> Callable[[Any, Any], Array]:
    def function(x1: Any, x2: Any, /) -> Array:
        return combine(op, x1, x2)

    return _documented(function, name, op, takes, says, "x1, x2 : array_like")


def _documented(
    function: Callable[..., Array], name: str, op: str, takes: str, says: str, operands: str
) -> Callable[..., Array]:
    function.__name__ = function.__qualname__ = name
    publish(getattr(np, op))(function)
    function.__doc__ = (
        f"{says}, element by element.\n\n"
        f"As `numpy.{op}`. The array API promises it for {takes} dtypes; where NumPy takes more,\n"
        "so does this.\n\n"
        f"Parameters\n----------\n{operands}\n    They are broadcast against each other.\n\n"
        "Returns\n-------\nArray\n    Computed when it is looked at."
    )
    return function


# fmt: off
acos = _unary("acos", "arccos", "floating-point", "Arc cosine")
acosh = _unary("acosh", "arccosh", "floating-point", "Inverse hyperbolic cosine")
asin = _unary("asin", "arcsin", "floating-point", "Arc sine")
asinh = _unary("asinh", "arcsinh", "floating-point", "Inverse hyperbolic sine")
atan = _unary("atan", "arctan", "floating-point", "Arc tangent")
atan2 = _binary("atan2", "arctan2", "real floating-point", "Arc tangent of x1 / x2 by quadrant")
atanh = _unary("atanh", "arctanh", "floating-point", "Inverse hyperbolic tangent")
cbrt = _unary("cbrt", "cbrt", "real floating-point", "Cube root")
cos = _unary("cos", "cos", "floating-point", "Cosine")
cosh = _unary("cosh", "cosh", "floating-point", "Hyperbolic cosine")
deg2rad = _unary("deg2rad", "deg2rad", "real floating-point", "Degrees as radians")
degrees = _unary("degrees", "degrees", "real floating-point", "Radians as degrees")
exp = _unary("exp", "exp", "floating-point", "Exponential")
exp2 = _unary("exp2", "exp2", "real floating-point", "Power of two")
expm1 = _unary("expm1", "expm1", "floating-point", "Exponential minus one")
log = _unary("log", "log", "floating-point", "Natural logarithm")
log10 = _unary("log10", "log10", "floating-point", "Logarithm to base ten")
log1p = _unary("log1p", "log1p", "floating-point", "Natural logarithm of one more")
log2 = _unary("log2", "log2", "floating-point", "Logarithm to base two")
logaddexp = _binary("logaddexp", "logaddexp", "real floating-point", "log(exp(x1) + exp(x2))")
logaddexp2 = _binary("logaddexp2", "logaddexp2", "real floating-point", "log2(2**x1 + 2**x2)")
radians = _unary("radians", "radians", "real floating-point", "Degrees as radians")
rad2deg = _unary("rad2deg", "rad2deg", "real floating-point", "Radians as degrees")
sin = _unary("sin", "sin", "floating-point", "Sine")
sinh = _unary("sinh", "sinh", "floating-point", "Hyperbolic sine")
sqrt = _unary("sqrt", "sqrt", "floating-point", "Square root")
tan = _unary("tan", "tan", "floating-point", "Tangent")
tanh = _unary("tanh", "tanh", "floating-point", "Hyperbolic tangent")

abs = _unary("abs", "absolute", "numeric", "Absolute value")
add = _binary("add", "add", "numeric", "Sum")
conj = _unary("conj", "conjugate", "numeric", "Complex conjugate")
copysign = _binary("copysign", "copysign", "real floating-point", "x1 with the sign of x2")
divide = _binary("divide", "divide", "floating-point", "Quotient")
fabs = _unary("fabs", "fabs", "real floating-point", "Absolute value as a float")
float_power = _binary("float_power", "float_power", "floating-point", "Power in double precision")
floor_divide = _binary("floor_divide", "floor_divide", "real", "Quotient rounded down")
fmod = _binary("fmod", "fmod", "real", "Remainder with the sign of x1")
gcd = _binary("gcd", "gcd", "integer", "Greatest common divisor")
heaviside = _binary("heaviside", "heaviside", "real floating-point", "Step function, x2 at zero")
hypot = _binary("hypot", "hypot", "real floating-point", "sqrt(x1**2 + x2**2)")
lcm = _binary("lcm", "lcm", "integer", "Least common multiple")
ldexp = _binary("ldexp", "ldexp", "real floating-point", "x1 * 2**x2")
multiply = _binary("multiply", "multiply", "numeric", "Product")
negative = _unary("negative", "negative", "numeric", "Negated value")
nextafter = _binary("nextafter", "nextafter", "real floating-point", "Next float from x1 to x2")
positive = _unary("positive", "positive", "numeric", "The value itself")
pow = _binary("pow", "power", "numeric", "Power")
reciprocal = _unary("reciprocal", "reciprocal", "floating-point", "One over the value")
remainder = _binary("remainder", "remainder", "real", "Remainder with the sign of x2")
sign = _unary("sign", "sign", "numeric", "Sign")
spacing = _unary("spacing", "spacing", "real floating-point", "Distance to the next float")
square = _unary("square", "square", "numeric", "Square")
subtract = _binary("subtract", "subtract", "numeric", "Difference")

ceil = _unary("ceil", "ceil", "real", "Value rounded up")
floor = _unary("floor", "floor", "real", "Value rounded down")
rint = _unary("rint", "rint", "floating-point", "Value rounded, halves to even")
trunc = _unary("trunc", "trunc", "real", "Value rounded towards zero")

bitwise_and = _binary("bitwise_and", "bitwise_and", "integer and boolean", "Bits of both")
bitwise_count = _unary("bitwise_count", "bitwise_count", "integer", "Number of ones in the bits")
bitwise_invert = _unary("bitwise_invert", "invert", "integer and boolean", "Flipped bits")
bitwise_left_shift = _binary("bitwise_left_shift", "left_shift", "integer", "Bits moved up")
bitwise_or = _binary("bitwise_or", "bitwise_or", "integer and boolean", "Bits of either")
bitwise_right_shift = _binary("bitwise_right_shift", "right_shift", "integer", "Bits moved down")
bitwise_xor = _binary("bitwise_xor", "bitwise_xor", "integer and boolean", "Bits of just one")

equal = _binary("equal", "equal", "all", "Whether both are equal")
fmax = _binary("fmax", "fmax", "real", "Greater value, the other where one is NaN")
fmin = _binary("fmin", "fmin", "real", "Lesser value, the other where one is NaN")
greater = _binary("greater", "greater", "real", "Whether x1 > x2")
greater_equal = _binary("greater_equal", "greater_equal", "real", "Whether x1 >= x2")
isfinite = _unary("isfinite", "isfinite", "numeric", "Whether neither infinite nor NaN")
isinf = _unary("isinf", "isinf", "numeric", "Whether infinite")
isnan = _unary("isnan", "isnan", "numeric", "Whether NaN")
less = _binary("less", "less", "real", "Whether x1 < x2")
less_equal = _binary("less_equal", "less_equal", "real", "Whether x1 <= x2")
logical_and = _binary("logical_and", "logical_and", "boolean", "Whether both are true")
logical_not = _unary("logical_not", "logical_not", "boolean", "Whether false")
logical_or = _binary("logical_or", "logical_or", "boolean", "Whether either is true")
logical_xor = _binary("logical_xor", "logical_xor", "boolean", "Whether just one is true")
maximum = _binary("maximum", "maximum", "real", "Greater value, NaN where one is")
minimum = _binary("minimum", "minimum", "real", "Lesser value, NaN where one is")
not_equal = _binary("not_equal", "not_equal", "all", "Whether both differ")
signbit = _unary("signbit", "signbit", "real floating-point", "Whether the sign is negative")

real = _unary("real", "real", "numeric", "Real part")
imag = _unary("imag", "imag", "numeric", "Imaginary part")
# fmt: on

# NumPy's other names.
absolute, arccos, arccosh, arcsin, arcsinh = abs, acos, acosh, asin, asinh
arctan, arctan2, arctanh, conjugate = atan, atan2, atanh, conj
invert, bitwise_not, left_shift, mod, power = (
    bitwise_invert,
    bitwise_invert,
    bitwise_left_shift,
    remainder,
    pow,
)
right_shift, true_divide = bitwise_right_shift, divide


@publish(np.where)
def where(condition: Any, x1: Any = None, x2: Any = None, /) -> Any:
    """
    Choose elements of `x1` where a condition holds, and of `x2` elsewhere.

    Of a condition alone the places of its true elements are returned, as `nonzero` does.

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
    return apply("where", (condition, x1, x2))


@publish(np.angle)
def angle(z: Any, deg: bool = False) -> Array:
    """
    Return the angle of complex numbers in radians, or in degrees.

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
    x: Any,
    /,
    min: Any = None,
    max: Any = None,
    out: Any = None,
    *,
    a_min: Any = None,
    a_max: Any = None,
    casting: Any = "same_kind",
) -> Any:
    """
    Limit elements to an interval; None leaves an end open.

    Parameters
    ----------
    x : array_like
        The elements.
    min, max, a_min, a_max : array_like, optional
        The ends, by the array API's or by NumPy's names.
    out : numpy.ndarray, optional
        Where to put the result, which is returned.
    casting : str
        Which casts to the dtype of `out` are allowed.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.clip(sa.asarray([-2, 0, 5]), 0, 3).tolist()
    [0, 0, 3]
    """
    low = min if a_min is None else a_min
    high = max if a_max is None else a_max
    result = as_array(x)
    if low is None and high is None:
        result = positive(result)  # as NumPy does, which so refuses booleans
    if result.dtype.kind in "iu":
        # Python's integers at or beyond the bounds limit nothing, as in NumPy.
        bounds = np.iinfo(result.dtype)
        low = None if type(low) is int and low <= bounds.min else low
        high = None if type(high) is int and high >= bounds.max else high
    if low is not None:
        result = combine("maximum", result, low)
    if high is not None:
        result = combine("minimum", result, high)
    return owned(result) if out is None else deliver(result, out, casting)


@publish(np.round, np.around)
def round(x: Any, /, decimals: int = 0, out: Any = None) -> Any:
    """
    Round to a number of decimals, halves to even.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.round(sa.asarray([0.5, 1.5, 2.25]), 1).tolist()
    [0.5, 1.5, 2.2]
    """
    return deliver(_rounded(as_array(x), decimals), out)


def _rounded(array: Array, decimals: int) -> Array:
    if decimals == 0:
        return apply("round", (array,))
    if array.dtype == bool:
        raise TypeError("round to decimals takes numbers, not bool: cast to int8 first")
    if array.dtype.kind in "iu" and decimals > 0:
        return owned(array)
    with np.errstate(over="ignore"):
        scale = float(np.float64(10.0) ** np.abs(decimals))
    parts = array.dtype.kind == "c"  # of which NumPy rounds each by itself
    steps = ["counted", "divide_parts"] if parts else ["multiply", "divide"]
    before, after = steps if decimals > 0 else steps[::-1]
    rounded = apply(after, (apply("round", (apply(before, (array, scale)),)), scale))
    return rounded.astype(array.dtype) if array.dtype.kind in "iu" else rounded


@publish(np.fix)
def fix(x: Any, /, out: Any = None) -> Any:
    """
    Round towards zero.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.fix([-1.5, 1.5]).tolist()
    [-1.0, 1.0]
    """
    return deliver(trunc(x), out)


@publish(np.divmod)
def divmod(x1: Any, x2: Any, /) -> tuple[Array, Array]:
    """
    Return the quotient rounded down, and the remainder.

    Examples
    --------
    >>> import structarr as sa
    >>> [part.tolist() for part in sa.divmod([7, -7], 2)]
    [[3, -4], [1, 1]]
    """
    # Lifted once, so that a foreign operand is copied once.
    left, right = lift(x1), lift(x2)
    return combine("floor_divide", left, right), combine("remainder", left, right)


@publish(np.nan_to_num)
def nan_to_num(
    x: Any,
    copy: bool = True,
    nan: float = 0.0,
    posinf: float | None = None,
    neginf: float | None = None,
) -> Array:
    """
    Replace NaN by `nan`, and infinities by given numbers or the extremes of the dtype.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.nan_to_num([1.0, sa.nan]).tolist()
    [1.0, 0.0]
    """
    array = as_array(x)
    if array.dtype.kind == "c":
        raise TypeError("nan_to_num takes real numbers: give real and imaginary parts one by one")
    if array.dtype.kind != "f":
        return owned(array)
    most = np.finfo(array.dtype)
    high = float(most.max) if posinf is None else posinf
    low = float(most.min) if neginf is None else neginf
    result = apply("where", (isnan(array), nan, array))
    result = apply("where", (equal(array, np.inf), high, result))
    return apply("where", (equal(array, -np.inf), low, result))
