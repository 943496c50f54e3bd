"""Functions of NumPy's that machine code has as a text, as Numba has them: NumPy's formulas."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from structarr._compiler.runtime._mark import u


def logaddexp(a: Any, b: Any) -> Any:
    """Return log(exp(a) + exp(b)), where neither overflows."""
    if a == b:
        return a + type(a)(0.6931471805599453)
    apart = a - b
    if apart > 0:
        return a + np.log1p(np.exp(-apart))
    if apart <= 0:
        return b + np.log1p(np.exp(apart))
    return apart


def logaddexp2(a: Any, b: Any) -> Any:
    """Return log2(2**a + 2**b), where neither overflows."""
    if a == b:
        return a + type(a)(1)
    apart = a - b
    if apart > 0:
        return a + type(a)(1.4426950408889634) * np.log1p(np.exp2(-apart))
    if apart <= 0:
        return b + type(a)(1.4426950408889634) * np.log1p(np.exp2(apart))
    return apart


def gcd(a: Any, b: Any) -> Any:
    """Return the greatest common divisor, as Euclid finds it."""
    x = u(abs(a))
    y = u(abs(b))
    while y != 0:
        rest = x % y
        x = y
        y = rest
    return type(a)(x)


def spacing(x: Any) -> Any:
    """Return the distance to the next float away from zero; NaN of infinities."""
    nothing = x - x
    if nothing != 0:
        return nothing
    away = type(x)(-np.inf) if x < 0 else type(x)(np.inf)
    return np.nextafter(x, away) - x


def less(a: Any, b: Any) -> Any:
    """Return whether a complex number is less than another: its real, or then its imaginary part.

    NaN is in no order, but where the real parts tell it.
    """
    known = a.imag == a.imag and b.imag == b.imag
    return (a.real < b.real and known) or (a.real == b.real and a.imag < b.imag)


def less_equal(a: Any, b: Any) -> Any:
    """Return whether a complex number is less than another or equal to it."""
    known = a.imag == a.imag and b.imag == b.imag
    return (a.real < b.real and known) or (a.real == b.real and a.imag <= b.imag)


def greater(a: Any, b: Any) -> Any:
    """Return whether a complex number is greater than another."""
    return less(b, a)


def greater_equal(a: Any, b: Any) -> Any:
    """Return whether a complex number is greater than another or equal to it."""
    return less_equal(b, a)


def maximum(a: Any, b: Any) -> Any:
    """Return the greater of two complex numbers, or the first that is NaN."""
    return a if a != a or less_equal(b, a) else b


def minimum(a: Any, b: Any) -> Any:
    """Return the lesser of two complex numbers, or the first that is NaN."""
    return a if a != a or less_equal(a, b) else b


def fmax(a: Any, b: Any) -> Any:
    """Return the greater of two complex numbers, or the one that is not NaN."""
    return a if b != b or less_equal(b, a) else b


def fmin(a: Any, b: Any) -> Any:
    """Return the lesser of two complex numbers, or the one that is not NaN."""
    return a if b != b or less_equal(a, b) else b


def isinf(z: Any) -> Any:
    """Return whether a part of a complex number is infinite."""
    return abs(z.real) == np.inf or abs(z.imag) == np.inf


TEXTS: Final[dict[np.ufunc, Callable[..., Any]]] = {
    np.logaddexp: logaddexp,
    np.logaddexp2: logaddexp2,
    np.gcd: gcd,
    np.spacing: spacing,
    np.isinf: isinf,
    **{np.less: less, np.less_equal: less_equal},
    **{np.greater: greater, np.greater_equal: greater_equal},
    **{np.maximum: maximum, np.minimum: minimum, np.fmax: fmax, np.fmin: fmin},
}
