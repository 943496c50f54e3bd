"""Helpers for buffers that a kernel fills."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._compiler.runtime._mark import Traits, helper, u

OUTGROWN = (
    "a result would outgrow the room that was estimated for it, and was given up: please "
    "report the expression. To compute its parts one by one, with .compute(), may avoid this."
)


def fill_forward(ptr: Any, fibers: int) -> None:
    """End each fiber that was never written, its pointer still 0, where the one before it ends."""
    for p in range(fibers):
        if ptr[u(p + 1)] < ptr[u(p)]:
            ptr[u(p + 1)] = ptr[u(p)]


@helper(Traits(fills=2))
def fill_range(buf: Any, lo: int, hi: int, value: Any) -> None:
    """Set buf[lo:hi] to a value."""
    for p in range(lo, hi):
        buf[u(p)] = value


def overflow() -> None:
    """Stop a kernel before its result outgrows the room that was made for it."""
    raise RuntimeError(OUTGROWN)


@helper(Traits(differs=True, exactly="differ_exactly"))
def differ(a: Any, b: Any) -> bool:
    """Whether two values are not the same, NaN being the same as NaN in each part of a number."""
    real = (a.real != b.real) & ((a.real == a.real) | (b.real == b.real))
    imag = (a.imag != b.imag) & ((a.imag == a.imag) | (b.imag == b.imag))
    return bool(real | imag)


@helper(Traits(differs=True))
def differ_exactly(a: Any, b: Any) -> bool:
    """Whether two floats or complex numbers are not the same, to the sign of their zeros."""
    real = np.copysign(1.0, a.real) != np.copysign(1.0, b.real)
    imag = np.copysign(1.0, a.imag) != np.copysign(1.0, b.imag)
    return bool(differ(a, b) | ((a.real == b.real) & real) | ((a.imag == b.imag) & imag))
