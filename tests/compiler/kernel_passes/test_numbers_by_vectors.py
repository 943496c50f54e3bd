"""Operators whose kernels have no branches, so that the machine computes vectors of them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import structarr as sa

TIERS = ["interpreted", "compiled"]
PARTS = [0.0, -0.0, 1.0, -3.0, 4.0, np.inf, -np.inf, np.nan, 1.7e308, 5e-324, 1e-310, 1e-200, 1e200]


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32"])
@pytest.mark.parametrize("function", [np.floor_divide, np.remainder])
@pytest.mark.filterwarnings("ignore:.*divide by zero|.*overflow:RuntimeWarning")
def test_narrow_integers_are_divided_as_numpy_does(tier: str, dtype: str, function: Any) -> None:
    bounds, random = np.iinfo(dtype), np.random.default_rng(3)
    edges = [bounds.min, bounds.min + 1, -7, -1, 0, 1, 2, 3, 7, bounds.max - 1, bounds.max]
    ends = np.array([one for one in edges if one >= bounds.min], dtype)
    some = random.integers(bounds.min, bounds.max, (2, 100), dtype, endpoint=True)
    a = np.concatenate((np.repeat(ends, len(ends)), some[0]))
    b = np.concatenate((np.tile(ends, len(ends)), some[1] % 7))
    with sa.options(tier=tier):
        found = function(sa.asarray(a), sa.asarray(b)).todense()
        by_three = function(sa.asarray(a), ends.dtype.type(3)).todense()
    assert found.dtype == ends.dtype
    assert np.array_equal(found, function(a, b))
    assert np.array_equal(by_three, function(a, ends.dtype.type(3)))


def _units(length: float, x: float, y: float) -> float:
    """How far a length is from that of a vector, in units of its last digit."""
    square = Fraction(x) ** 2 + Fraction(y) ** 2
    off = (square - Fraction(length) ** 2) / (2 * Fraction(length))
    return float(abs(off) / Fraction(float(np.spacing(length))))


@pytest.mark.parametrize("tier", TIERS)
def test_lengths_of_complex_numbers_are_rounded_once(tier: str) -> None:
    random = np.random.default_rng(4)
    parts = random.standard_normal((2, 500)) * 10.0 ** random.uniform(-140, 140, 500)
    parts[1] *= 10.0 ** random.uniform(-10, 10, 500)
    with sa.options(tier=tier):
        found = abs(sa.asarray(parts[0] + 1j * parts[1])).todense()
    assert max(map(_units, found.tolist(), *parts.tolist())) < 0.5001


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
def test_lengths_of_extreme_complex_numbers_are_those_of_hypot(tier: str, dtype: Any) -> None:
    values = np.array([complex(x, y) for x in PARTS for y in PARTS]).astype(dtype)
    with sa.options(tier=tier):
        found = abs(sa.asarray(values)).todense()
    expected = np.hypot(values.real, values.imag)
    assert found.dtype == expected.dtype
    np.testing.assert_array_max_ulp(found[~np.isnan(found)], expected[~np.isnan(expected)], 1)
    assert np.array_equal(np.isnan(found), np.isnan(expected))
