"""Operators whose NumPy meaning is neither a Python operator nor a Numba function.

Every public function here is called by kernels by its bare name, as plain Python on NumPy scalars
and compiled by Numba. Three rules keep both tiers and NumPy's arrays equal to the bit:

- a function calls no other function of this module, so each compiles on its own;
- a constant that meets an integer has the integer's own type, ``type(a)(1)``: Numba would make
  ``uint64 + 1`` a float64;
- integers narrower than 64 bits come back wider from Numba, and Python numbers from CPython where
  the docstring says so: the operator's spelling (`ir.ops`) casts the result.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

_Scalar: TypeAlias = Any

GREATEST = 1.7976931348623157e308
SPLITTER = 134217729.0  # 2 ** 27 + 1: of 53 digits it leaves 26


def maximum(a: _Scalar, b: _Scalar) -> _Scalar:
    """Return the larger of two reals; NaN wins, and `b` where both are equal (0.0 and -0.0)."""
    return a if a > b or a != a else b


def minimum(a: _Scalar, b: _Scalar) -> _Scalar:
    """Return the smaller of two reals; NaN wins, and `b` where both are equal (0.0 and -0.0)."""
    return a if a < b or a != a else b


def fmax(a: _Scalar, b: _Scalar) -> _Scalar:
    """Return the larger of two reals; NaN loses, and `a` wins where both are equal."""
    return a if a >= b or b != b else b


def fmin(a: _Scalar, b: _Scalar) -> _Scalar:
    """Return the smaller of two reals; NaN loses, and `a` wins where both are equal."""
    return a if a <= b or b != b else b


def unsigned(x: _Scalar) -> _Scalar:
    """Return a real float as a uint64: below zero it wraps around, and NaN is the half of all."""
    half = 9223372036854775808.0
    if x >= half:
        return np.uint64(np.int64(x - half)) ^ np.uint64(9223372036854775808)
    return np.uint64(np.int64(x))


def isnan(x: _Scalar) -> _Scalar:
    """Return whether a float or complex number is, or contains, NaN."""
    return x != x


def isfinite(x: _Scalar) -> _Scalar:
    """Return whether a float or complex number is neither infinite nor NaN."""
    return x - x == 0


def sign_int(x: _Scalar) -> int:
    """Return -1, 0 or 1, as a Python integer."""
    return int(x > 0) - int(x < 0)


def sign_float(x: _Scalar) -> _Scalar:
    """Return -1, 0, 1 or NaN, as a Python number or `x`; the sign of -0.0 is 0.0."""
    if x > 0:
        return 1.0
    if x < 0:
        return -1.0
    return 0.0 if x == 0 else x


def sign_complex(x: _Scalar) -> complex:
    """Return ``x / abs(x)``, 0 at zeros, the direction of an infinite part, or NaN."""
    size = abs(x)
    if size == 0:
        return 0j
    if size < np.inf:
        return complex(x.real / size, x.imag / size)
    if abs(x.real) == np.inf and abs(x.imag) != np.inf:
        return complex(np.copysign(1.0, x.real), 0.0)
    if abs(x.imag) == np.inf and abs(x.real) != np.inf:
        return complex(0.0, np.copysign(1.0, x.imag))
    return complex(np.nan, np.nan)


def square(x: _Scalar) -> _Scalar:
    """Return ``x * x``, naming `x` once."""
    return x * x


def heaviside(x: _Scalar, at_zero: _Scalar) -> _Scalar:
    """Return the step function, as a Python number or an argument."""
    if x > 0:
        return 1.0
    if x < 0:
        return 0.0
    return at_zero if x == 0 else x


def floor_divide_int(a: _Scalar, b: _Scalar) -> _Scalar:
    """Floor division of signed integers; 0 where `b` is 0."""
    # The machine traps on the least integer over -1; negation wraps.
    return -a if b == -1 else a // b


def remainder_int(a: _Scalar, b: _Scalar) -> _Scalar:
    """Return the remainder of signed integers with the sign of `b`; 0 where `b` is 0."""
    return a ^ a if b == -1 else a % b


def floor_divide_narrow(a: _Scalar, b: _Scalar) -> _Scalar:
    """Floor division of integers of 32 bits at most, by that of floats; 0 where `b` is 0.

    It is exact: a quotient of such integers is either whole or further from a whole number than
    floats are from each other. The machine divides vectors of floats, and integers one by one.
    """
    quotient = np.int64(np.floor(np.float64(a) / np.float64(b + (b == 0))))
    return quotient if b != 0 else np.int64(0)


def remainder_narrow(a: _Scalar, b: _Scalar) -> _Scalar:
    """Return the remainder of integers of 32 bits at most with the sign of `b`; 0 where `b` is 0.

    It is what `floor_divide_narrow` leaves.
    """
    return np.int64(a) - floor_divide_narrow(a, b) * np.int64(b) if b != 0 else np.int64(0)


def fmod_int(a: _Scalar, b: _Scalar) -> _Scalar:
    """Return the remainder of signed integers with the sign of `a`; 0 where `b` is 0."""
    if b == -1:
        return a ^ a
    remainder = a % b
    return remainder - b if remainder != 0 and (a < 0) != (b < 0) else remainder


def floor_divide_float(a: _Scalar, b: _Scalar) -> _Scalar:
    """Floor division of floats, rounded as NumPy rounds it."""
    if b == 0:
        return a / b
    modulus = np.fmod(a, b)
    quotient = (a - modulus) / b
    if modulus != 0 and (b < 0) != (modulus < 0):
        quotient = quotient - type(a)(1)
    if quotient == 0:
        return np.copysign(quotient, a / b)
    # The division above may have rounded away from the integer that it stands for.
    floor = np.floor(quotient)
    return floor + type(a)(1) if quotient - floor > 0.5 else floor


def remainder_float(a: _Scalar, b: _Scalar) -> _Scalar:
    """Return the remainder of floats with the sign of `b`, on zeros too."""
    modulus = np.fmod(a, b)
    if b == 0:
        return modulus
    if modulus == 0:
        return np.copysign(modulus, b)
    return modulus + b if (b < 0) != (modulus < 0) else modulus


def absolute_single(x: _Scalar, y: _Scalar) -> _Scalar:
    """Return the length of a complex number with parts of 32 bits; an infinity wins over NaN."""
    one, other = abs(np.float64(x)), abs(np.float64(y))
    larger = one if one > other or other != other else other
    length = np.sqrt(one * one + other * other)
    return larger if larger > GREATEST else length


def absolute_double(x: _Scalar, y: _Scalar) -> _Scalar:
    """
    Return the length of a complex number, to within half a unit and a little.

    C's `hypot` is called for each number; this has no branches, so that the machine computes
    vectors of them. The root is mended by what its square lacks, of which Dekker's products tell
    the part that is rounded away (Borges 2019). An infinity wins over NaN.
    """
    one, other = abs(np.float64(x)), abs(np.float64(y))
    first = one > other or other != other
    larger = one if first else other
    smaller = other if first else one
    # By powers of two, so that squares neither overflow nor lose digits.
    scale = 2.0**-600 if larger > 2.0**500 else (2.0**600 if larger < 2.0**-400 else 1.0)
    back = 2.0**600 if larger > 2.0**500 else (2.0**-600 if larger < 2.0**-400 else 1.0)
    a, b = larger * scale, smaller * scale
    aa, bb = a * a, b * b
    root = np.sqrt(aa + bb)
    square = root * root
    # The halves of each factor, whose products are exact.
    a_high = a * SPLITTER - (a * SPLITTER - a)
    b_high = b * SPLITTER - (b * SPLITTER - b)
    r_high = root * SPLITTER - (root * SPLITTER - root)
    a_low, b_low, r_low = a - a_high, b - b_high, root - r_high
    a_lost = (a_high * a_high - aa + 2.0 * (a_high * a_low)) + a_low * a_low
    b_lost = (b_high * b_high - bb + 2.0 * (b_high * b_low)) + b_low * b_low
    r_lost = (r_high * r_high - square + 2.0 * (r_high * r_low)) + r_low * r_low
    lacks = (aa - square + bb) + (a_lost - r_lost + b_lost)
    mended = (root + lacks / (root + root)) * back
    # No number is mended that is zero or infinite.
    return larger if larger > GREATEST else (mended if larger > 0.0 else larger + smaller)


def power_int(a: _Scalar, b: _Scalar) -> _Scalar:
    """Return an integer power, wrapping around.

    NumPy raises for a negative exponent. A kernel cannot: the exact power, truncated to an
    integer, is the result (0 unless `a` is 1 or -1).
    """
    one = type(b)(1)
    result = type(a)(1)
    if b < 0:
        if a == 1:
            return result
        if a == -1:
            return a if b & one else a * a
        return a ^ a if a != 0 else a
    while b > 0:
        if b & one:
            result = result * a
        a = a * a
        b = b >> one
    return result


def counted_complex(a: _Scalar, n: _Scalar) -> complex:
    """Return the sum of `n` times the same; a product with 0j would make NaN of an infinity."""
    return complex(a.real * n, a.imag * n)


def divide_parts(a: _Scalar, n: _Scalar) -> complex:
    """Return a complex number whose parts are divided by a float."""
    return complex(a.real / n, a.imag / n)


def reciprocal_complex(x: _Scalar) -> complex:
    """Return one over a complex number by Smith's method, as NumPy's arrays do."""
    if abs(x.imag) <= abs(x.real):
        ratio = x.imag / x.real
        whole = x.real + x.imag * ratio
        return complex(type(ratio)(1) / whole, -ratio / whole)
    ratio = x.real / x.imag
    whole = x.real * ratio + x.imag
    return complex(ratio / whole, type(ratio)(-1) / whole)


def divide_complex(a: _Scalar, b: _Scalar) -> complex:
    """Divide complex numbers by Smith's method, as NumPy's arrays do."""
    if b == 0:
        zero = abs(b.real)
        return complex(a.real / zero, a.imag / zero)
    if abs(b.real) >= abs(b.imag):
        ratio = b.imag / b.real
        scale = type(ratio)(1) / (b.real + b.imag * ratio)
        return complex((a.real + a.imag * ratio) * scale, (a.imag - a.real * ratio) * scale)
    ratio = b.real / b.imag
    scale = type(ratio)(1) / (b.imag + b.real * ratio)
    return complex((a.real * ratio + a.imag) * scale, (a.imag * ratio - a.real) * scale)


def left_shift(a: _Scalar, b: _Scalar, bits: int) -> _Scalar:
    """Shift an integer of `bits` bits left; 0 beyond the width and for negative shifts."""
    return a << b if 0 <= b < bits else a ^ a


def right_shift(a: _Scalar, b: _Scalar, bits: int) -> _Scalar:
    """Shift an integer of `bits` bits right; only its sign remains beyond the width."""
    if 0 <= b < bits:
        return a >> b
    # Two shifts, as one by the whole width is undefined.
    return a >> type(a)(bits - 1) >> type(a)(1)


def bitwise_count(x: _Scalar) -> int:
    """Count the bits set in an unsigned integer, as a Python integer."""
    rest, count = np.uint64(x), 0
    while rest != 0:
        rest = rest & (rest - np.uint64(1))
        count += 1
    return count


def lcm(a: _Scalar, b: _Scalar) -> _Scalar:
    """Return the least common multiple of unsigned integers, wrapping around; 0 if one is 0."""
    divisor = np.gcd(a, b)
    return a // divisor * b if divisor != 0 else divisor


def reciprocal_int(x: _Scalar, of_zero: _Scalar) -> _Scalar:
    """Return ``1 / x`` truncated to an integer, and `of_zero` where `x` is 0."""
    if x == 0:
        return of_zero
    return x if x == 1 or x == -1 else x ^ x


def ldexp(x: _Scalar, exponent: _Scalar) -> _Scalar:
    """Return ``x * 2**exponent`` for exponents that C's `int` need not hold."""
    # 5000 is past every float64's range in both directions.
    clipped = 5000 if exponent > 5000 else -5000 if exponent < -5000 else exponent
    return np.ldexp(x, np.int32(clipped))


def add_unless(a: _Scalar, b: _Scalar, bound: _Scalar) -> _Scalar:
    """Return ``a + b`` of integers of one type, and `bound` where one is that."""
    return bound if a == bound or b == bound else a + b
