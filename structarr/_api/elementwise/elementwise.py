"""Elementwise functions: a row each, with the array API's name, its dtypes and its meaning."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, ParamSpec

import numpy as np

from structarr._api.core.expressions import apply, combine
from structarr._api.core.publish import publish
from structarr._array import Array
from structarr._support.array_types import ArrayLike

P = ParamSpec("P")

# The dtypes for which the array API promises a function.
ANY, BOOLEAN, INTEGER, BITS = "all", "boolean", "integer", "integer and boolean"
NUMERIC, REAL, FLOAT, REAL_FLOAT = "numeric", "real", "floating-point", "real floating-point"

# NumPy's names where the array API has others.
_NUMPYS: Final = {
    "acos": "arccos",
    "acosh": "arccosh",
    "asin": "arcsin",
    "asinh": "arcsinh",
    "atan": "arctan",
    "atan2": "arctan2",
    "atanh": "arctanh",
    "abs": "absolute",
    "conj": "conjugate",
    "pow": "power",
    "bitwise_invert": "invert",
    "bitwise_left_shift": "left_shift",
    "bitwise_right_shift": "right_shift",
}

_MAPPED: Final = """{says}, element by element.

The array API promises it for {takes} dtypes; where NumPy takes more, so does this.

Parameters
----------
$elements:x

Returns
-------
$mapped

Raises
------
$dtype_error

See Also
--------
{see}

Examples
--------
>>> import structarr as sa
>>> sa.{name}({example}).item()
{gives}
"""

_COMBINED: Final = (
    _MAPPED.replace("$elements:x", "$operands:x1, x2")
    .replace("$mapped", "$elementwise")
    .replace("$dtype_error", "$broadcast_error\n$dtype_error")
)


def _unary(
    name: str, takes: str, says: str, example: str, gives: str, see: str
) -> Callable[[ArrayLike], Array]:
    op = _NUMPYS.get(name, name)

    def function(x: ArrayLike, /) -> Array:
        return apply(op, (x,))

    function.__doc__ = _MAPPED.format(**locals())
    return _named(function, name, op)


def _binary(
    name: str, takes: str, says: str, example: str, gives: str, see: str
) -> Callable[[ArrayLike, ArrayLike], Array]:
    op = _NUMPYS.get(name, name)

    def function(x1: ArrayLike, x2: ArrayLike, /) -> Array:
        return combine(op, x1, x2)

    function.__doc__ = _COMBINED.format(**locals())
    return _named(function, name, op)


def _named(function: Callable[P, Array], name: str, op: str) -> Callable[P, Array]:
    function.__name__ = function.__qualname__ = name
    return publish(getattr(np, op))(function)


# fmt: off
acos = _unary("acos", FLOAT, "Arc cosine", "1.0", "0.0", "cos")
acosh = _unary("acosh", FLOAT, "Inverse hyperbolic cosine", "1.0", "0.0", "cosh")
asin = _unary("asin", FLOAT, "Arc sine", "0.0", "0.0", "sin")
asinh = _unary("asinh", FLOAT, "Inverse hyperbolic sine", "0.0", "0.0", "sinh")
atan = _unary("atan", FLOAT, "Arc tangent", "0.0", "0.0", "tan")
atan2 = _binary(
    "atan2", REAL_FLOAT, "Arc tangent of x1 / x2 by quadrant", "0.0, 1.0", "0.0", "angle"
)
atanh = _unary("atanh", FLOAT, "Inverse hyperbolic tangent", "0.0", "0.0", "tanh")
cbrt = _unary("cbrt", REAL_FLOAT, "Cube root", "8.0", "2.0", "sqrt")
cos = _unary("cos", FLOAT, "Cosine", "0.0", "1.0", "acos")
cosh = _unary("cosh", FLOAT, "Hyperbolic cosine", "0.0", "1.0", "acosh")
deg2rad = _unary("deg2rad", REAL_FLOAT, "Degrees as radians", "0.0", "0.0", "rad2deg")
degrees = _unary("degrees", REAL_FLOAT, "Radians as degrees", "0.0", "0.0", "radians")
exp = _unary("exp", FLOAT, "Exponential", "0.0", "1.0", "log")
exp2 = _unary("exp2", REAL_FLOAT, "Power of two", "3.0", "8.0", "log2")
expm1 = _unary("expm1", FLOAT, "Exponential minus one", "0.0", "0.0", "log1p")
log = _unary("log", FLOAT, "Natural logarithm", "1.0", "0.0", "exp")
log10 = _unary("log10", FLOAT, "Logarithm to base ten", "100.0", "2.0", "log")
log1p = _unary("log1p", FLOAT, "Natural logarithm of one more", "0.0", "0.0", "expm1")
log2 = _unary("log2", FLOAT, "Logarithm to base two", "8.0", "3.0", "exp2")
logaddexp = _binary(
    "logaddexp", REAL_FLOAT, "log(exp(x1) + exp(x2))", "1.0, -sa.inf", "1.0", "logaddexp2"
)
logaddexp2 = _binary(
    "logaddexp2", REAL_FLOAT, "log2(2**x1 + 2**x2)", "1.0, 1.0", "2.0", "logaddexp"
)
radians = _unary("radians", REAL_FLOAT, "Degrees as radians", "0.0", "0.0", "degrees")
rad2deg = _unary("rad2deg", REAL_FLOAT, "Radians as degrees", "0.0", "0.0", "deg2rad")
sin = _unary("sin", FLOAT, "Sine", "0.0", "0.0", "asin")
sinh = _unary("sinh", FLOAT, "Hyperbolic sine", "0.0", "0.0", "asinh")
sqrt = _unary("sqrt", FLOAT, "Square root", "9.0", "3.0", "square")
tan = _unary("tan", FLOAT, "Tangent", "0.0", "0.0", "atan")
tanh = _unary("tanh", FLOAT, "Hyperbolic tangent", "0.0", "0.0", "atanh")

abs = _unary("abs", NUMERIC, "Absolute value", "-2", "2", "fabs")
add = _binary("add", NUMERIC, "Sum", "2, 3", "5", "subtract")
conj = _unary("conj", NUMERIC, "Complex conjugate", "1 + 2j", "(1-2j)", "imag")
copysign = _binary("copysign", REAL_FLOAT, "x1 with the sign of x2", "3.0, -1.0", "-3.0", "signbit")
divide = _binary("divide", FLOAT, "Quotient", "3, 2", "1.5", "floor_divide")
fabs = _unary("fabs", REAL_FLOAT, "Absolute value as a float", "-2", "2.0", "abs")
float_power = _binary("float_power", FLOAT, "Power in double precision", "2, 3", "8.0", "pow")
floor_divide = _binary("floor_divide", REAL, "Quotient rounded down", "-7, 2", "-4", "divmod")
fmod = _binary("fmod", REAL, "Remainder with the sign of x1", "-7, 2", "-1", "remainder")
gcd = _binary("gcd", INTEGER, "Greatest common divisor", "12, 18", "6", "lcm")
heaviside = _binary("heaviside", REAL_FLOAT, "Step function, x2 at zero", "0.0, 0.5", "0.5", "sign")
hypot = _binary("hypot", REAL_FLOAT, "sqrt(x1**2 + x2**2)", "3.0, 4.0", "5.0", "linalg.vector_norm")
lcm = _binary("lcm", INTEGER, "Least common multiple", "4, 6", "12", "gcd")
ldexp = _binary("ldexp", REAL_FLOAT, "x1 * 2**x2", "0.5, 3", "4.0", "frexp")
multiply = _binary("multiply", NUMERIC, "Product", "2, 3", "6", "divide")
negative = _unary("negative", NUMERIC, "Negated value", "2", "-2", "positive")
nextafter = _binary(
    "nextafter", REAL_FLOAT, "Next float from x1 to x2", "1.0, 2.0", "1.0000000000000002", "spacing"
)
positive = _unary("positive", NUMERIC, "The value itself", "2", "2", "negative")
pow = _binary("pow", NUMERIC, "Power", "2, 3", "8", "float_power")
reciprocal = _unary("reciprocal", FLOAT, "One over the value", "4.0", "0.25", "divide")
remainder = _binary("remainder", REAL, "Remainder with the sign of x2", "-7, 2", "1", "fmod")
sign = _unary("sign", NUMERIC, "Sign", "-2.5", "-1.0", "signbit")
spacing = _unary(
    "spacing", REAL_FLOAT, "Distance to the next float", "1.0", "2.220446049250313e-16", "nextafter"
)
square = _unary("square", NUMERIC, "Square", "3", "9", "sqrt")
subtract = _binary("subtract", NUMERIC, "Difference", "2, 3", "-1", "add")

ceil = _unary("ceil", REAL, "Value rounded up", "1.5", "2.0", "floor")
floor = _unary("floor", REAL, "Value rounded down", "-1.5", "-2.0", "ceil")
rint = _unary("rint", FLOAT, "Value rounded, halves to even", "2.5", "2.0", "round")
trunc = _unary("trunc", REAL, "Value rounded towards zero", "-1.5", "-1.0", "rint")

bitwise_and = _binary("bitwise_and", BITS, "Bits of both", "6, 3", "2", "logical_and")
bitwise_count = _unary(
    "bitwise_count", INTEGER, "Number of ones in the bits", "7", "3", "bitwise_xor"
)
bitwise_invert = _unary("bitwise_invert", BITS, "Flipped bits", "6", "-7", "logical_not")
bitwise_left_shift = _binary(
    "bitwise_left_shift", INTEGER, "Bits moved up", "6, 1", "12", "bitwise_right_shift"
)
bitwise_or = _binary("bitwise_or", BITS, "Bits of either", "6, 3", "7", "logical_or")
bitwise_right_shift = _binary(
    "bitwise_right_shift", INTEGER, "Bits moved down", "6, 1", "3", "bitwise_left_shift"
)
bitwise_xor = _binary("bitwise_xor", BITS, "Bits of just one", "6, 3", "5", "logical_xor")

equal = _binary("equal", ANY, "Whether both are equal", "2, 3", "False", "not_equal")
fmax = _binary(
    "fmax", REAL, "Greater value, the other where one is NaN", "2.0, sa.nan", "2.0", "maximum"
)
fmin = _binary(
    "fmin", REAL, "Lesser value, the other where one is NaN", "2.0, sa.nan", "2.0", "minimum"
)
greater = _binary("greater", REAL, "Whether x1 > x2", "2, 3", "False", "less")
greater_equal = _binary("greater_equal", REAL, "Whether x1 >= x2", "3, 3", "True", "less_equal")
isfinite = _unary(
    "isfinite", NUMERIC, "Whether neither infinite nor NaN", "sa.inf", "False", "isinf"
)
isinf = _unary("isinf", NUMERIC, "Whether infinite", "sa.inf", "True", "isfinite")
isnan = _unary("isnan", NUMERIC, "Whether NaN", "sa.nan", "True", "nan_to_num")
less = _binary("less", REAL, "Whether x1 < x2", "2, 3", "True", "greater")
less_equal = _binary("less_equal", REAL, "Whether x1 <= x2", "3, 3", "True", "greater_equal")
logical_and = _binary(
    "logical_and", BOOLEAN, "Whether both are true", "True, False", "False", "all"
)
logical_not = _unary("logical_not", BOOLEAN, "Whether false", "False", "True", "bitwise_invert")
logical_or = _binary("logical_or", BOOLEAN, "Whether either is true", "True, False", "True", "any")
logical_xor = _binary(
    "logical_xor", BOOLEAN, "Whether just one is true", "True, True", "False", "not_equal"
)
maximum = _binary("maximum", REAL, "Greater value, NaN where one is", "2.0, sa.nan", "nan", "fmax")
minimum = _binary("minimum", REAL, "Lesser value, NaN where one is", "2.0, sa.nan", "nan", "fmin")
not_equal = _binary("not_equal", ANY, "Whether both differ", "2, 3", "True", "equal")
signbit = _unary("signbit", REAL_FLOAT, "Whether the sign is negative", "-0.0", "True", "sign")

real = _unary("real", NUMERIC, "Real part", "1 + 2j", "1.0", "imag")
imag = _unary("imag", NUMERIC, "Imaginary part", "1 + 2j", "2.0", "real")
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
