"""NumPy's functions, by its own loops: on stretches of a buffer, in place, and on one number.

Its loops work on vectors of values, and round otherwise than the functions of C. A value is the
same wherever it is computed only if it is computed by them everywhere.
"""

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

BLOCK: Final = 512
"""The elements of a block, which stay in the nearest cache."""

LOOPS: Final = {
    **{f"vector_{name}": name for name in UNARY},
    "vector_root": "power",
    "vector_arctan2": "arctan2",
}
"""The helpers that are one loop of NumPy's each on a stretch, and its functions."""

SCALARS: Final = {
    **{f"scalar_{name}": name for name in UNARY},
    "scalar_arctan2": "arctan2",
    "scalar_root": "power",
}
"""The helpers that are one loop of NumPy's each on numbers, and its functions."""

DTYPES: Final = ("float32", "float64", "complex64", "complex128")
"""The dtypes of those loops; where a function has none of a dtype, no kernel asks for it."""


@helper(Traits(applies="arctan2", pairs=True))
def vector_arctan2(buf: Any, lo: int, hi: int, others: Any) -> None:
    """Replace the elements from `lo` to `hi` by the angles that they have with others."""
    np.arctan2(buf[lo:hi], others[: hi - lo], out=buf[lo:hi])


def new_block(zero: Any) -> Any:
    """Return room for a block of values of the dtype of a zero."""
    return np.full(BLOCK, zero)


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


def _one(name: str) -> Callable[..., Any]:
    """The helper that returns a function of one number."""
    ufunc = getattr(np, name)

    def apply(x: Any) -> Any:
        return ufunc(x)

    apply.__name__ = apply.__qualname__ = f"scalar_{name}"
    return apply


def scalar_arctan2(y: Any, x: Any) -> Any:
    """Return the angle of a point."""
    return np.arctan2(y, x)


def scalar_root(x: Any, exponent: Any) -> Any:
    """Return a power that is no whole one of a float."""
    return np.power(x, exponent)


def scalar_power(x: Any, exponent: Any) -> Any:
    """Return a power, by what `vector_power` takes for it."""
    return x**exponent if exponent == np.rint(exponent) else scalar_root(x, exponent)


globals().update({f"vector_{name}": _of(name) for name in UNARY})
globals().update({f"scalar_{name}": _one(name) for name in UNARY})
