"""NumPy's functions on stretches of a buffer, in place: its loops work on vectors of values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from structarr._compiler.runtime._mark import Traits, helper, u

UNARY: Final = (
    *("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "cbrt"),
    *("sin", "cos", "tan", "arcsin", "arccos", "arctan"),
    *("sinh", "cosh", "tanh", "arcsinh", "arccosh", "arctanh"),
)
"""The functions of one number, by NumPy's names."""

LOOPS: Final = {**{f"vector_{name}": name for name in UNARY}, "vector_root": "power"}
"""The helpers that are one loop of NumPy's each, and its functions."""


def _of(name: str) -> Callable[..., None]:
    """The helper that replaces the elements from `lo` to `hi` by a function of them."""
    ufunc = getattr(np, name)

    def apply(buf: Any, lo: int, hi: int) -> None:
        ufunc(buf[lo:hi], out=buf[lo:hi])

    apply.__name__ = apply.__qualname__ = f"vector_{name}"
    return helper(Traits(applies=name))(apply)


def vector_root(buf: Any, lo: int, hi: int, exponent: Any) -> None:
    """Raise the elements from `lo` to `hi` to a power that is no whole number."""
    np.power(buf[lo:hi], exponent, out=buf[lo:hi])


@helper(Traits(applies="power"))
def vector_power(buf: Any, lo: int, hi: int, exponent: Any) -> None:
    """
    Raise the elements from `lo` to `hi` to a power, which is the same for all.

    NumPy's loop takes long for whole powers of negative numbers.
    """
    if exponent == np.rint(exponent):
        for q in range(lo, hi):
            buf[u(q)] = buf[u(q)] ** exponent
    else:
        vector_root(buf, lo, hi, exponent)


globals().update({f"vector_{name}": _of(name) for name in UNARY})
