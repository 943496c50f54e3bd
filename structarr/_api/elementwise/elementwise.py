"""Elementwise functions: a row each, with the array API's name, the operator and its meaning."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from structarr._api.core.expressions import apply, combine
from structarr._api.core.publish import publish
from structarr._array import Array


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
