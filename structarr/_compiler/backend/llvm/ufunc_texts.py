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


TEXTS: Final[dict[np.ufunc, Callable[..., Any]]] = {
    np.logaddexp: logaddexp,
    np.logaddexp2: logaddexp2,
    np.gcd: gcd,
    np.spacing: spacing,
}
