"""Comparison with NumPy: exact, but for what is documented to differ.

Shape and dtype must be NumPy's (float32 where NumPy has float16). Integers, booleans and what is
computed element by element must be equal, NaN to NaN; under ``strict_ieee`` the signs of zeros
too, where no step leaves them open (`functions.SIGNLESS`). Where that is not so, the program runs
again on *twins*: NumPy under each of the liberties that are documented (`liberties.py`). An
element may differ as far as the twins differ among each other there, times `SLACK`: a sum of
floats by the rounding of another order, propagated through whatever follows; a product with a
structural zero where the other factor is not finite; what hangs on the sign of a zero. An element
on which the twins agree has to be NumPy's. So nothing is granted to a program that takes no
liberty, and what is granted is measured by the operands at hand, not by a tolerance.

- Sums, products of matrices, means and what else accumulates floats: each term is moved at random
  by the number of terms times the rounding unit of the dtype.
- Functions whose last bits differ between libraries (exp, sin, power, complex division...): the
  result is moved by a few units in the last place.
- Annihilation, unless strict: each operator of the table in docs/conventions.md also yields what
  its structural operand alone decides, wherever an operand has that value, in every step or in one;
  signs of zeros are lost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from structarr._testing.fuzz.case import Wrong
from structarr.formats.entries import Array

SLACK: Final = 8.0

Twins: Final = Callable[[], Sequence[Array]]


def same(
    got: Any,
    want: Any,
    *,
    name: str = "got",
    signs: bool = False,
    bound: Any = None,
    twins: Callable[[], Sequence[Any]] | None = None,
) -> None:
    """Raise `Wrong` unless a value is NumPy's, or as near as twins or a bound allow."""
    got, want = _dense(got), np.asarray(want)
    if got.shape != want.shape:
        if twins is not None and any(np.shape(one) != want.shape for one in twins()):
            return
        raise Wrong(f"the shape of {name} is {got.shape}, not {want.shape}")
    _same_dtype(name, got.dtype, want.dtype)
    with np.errstate(all="ignore"):
        bad = ~_equal(got, want, signs)
        if not bad.any():
            return
        bad &= ~_within(got, want, bound, twins)
    if bad.any():
        raise Wrong(_difference(name, got, want, bad))


def _dense(value: Any) -> Array:
    return value.todense() if hasattr(value, "todense") else np.asarray(value)


def _same_dtype(name: str, got: Any, want: Any) -> None:
    expected = np.dtype(np.float32) if want == np.float16 else want.newbyteorder("=")
    if got not in (np.dtype(expected.name), want, want.newbyteorder()):
        raise Wrong(f"the dtype of {name} is {got}, not {want}")


def _equal(got: Array, want: Array, signs: bool) -> Array:
    if want.dtype.kind == "c":
        real = _equal(got.real, want.real, signs)
        return np.asarray(real & _equal(got.imag, want.imag, signs) | (_nan(got) & _nan(want)))
    found = (got == want) | (_nan(got) & _nan(want))
    if signs and want.dtype.kind == "f":
        found &= (np.signbit(got) == np.signbit(want)) | _nan(want)
    return np.asarray(found)


def _nan(values: Array) -> Array:
    return np.asarray(values != values)


def _within(
    got: Array, want: Array, bound: Any, twins: Callable[[], Sequence[Any]] | None
) -> Array:
    """Where a difference is granted."""
    if want.dtype == np.float16:
        near = np.isclose(got, want, rtol=2e-3, atol=1e-7, equal_nan=True) | np.isinf(want)
        return np.asarray(near | _granted(got, want, twins))
    if bound is not None:
        return np.asarray(np.abs(got - want) <= bound)
    return _granted(got, want, twins)


def _granted(got: Array, want: Array, twins: Callable[[], Sequence[Any]] | None) -> Array:
    """Where twins differ from NumPy as much as the value does."""
    if twins is None:
        return np.zeros(want.shape, bool)
    found = [np.asarray(one) for one in twins()]
    if any(one.shape != want.shape for one in found):
        return np.ones(want.shape, bool)  # the liberties decide even how many elements there are
    granted = np.zeros(want.shape, bool)
    spread = np.zeros(want.shape, float)
    for one in found:
        exact = one.dtype.kind not in "fc"
        differs = ~_equal(one, want, signs=False)
        distance = np.abs(np.asarray(one) - want) if not exact else np.zeros(want.shape)
        granted |= differs & (~np.isfinite(distance) | exact)
        spread = np.maximum(spread, np.where(np.isfinite(distance), distance, 0.0))
    near = np.abs(got - want) <= SLACK * spread if want.dtype.kind in "fc" else granted
    return np.asarray(granted | near)


def _difference(name: str, got: Array, want: Array, bad: Array) -> str:
    at = tuple(int(k) for k in np.argwhere(bad)[0])
    count = int(bad.sum())
    more = f", as are {count - 1} of {bad.size} others" if count > 1 else ""
    return f"element {at} of {name} is {got[at]!r}, not {want[at]!r}{more}"
