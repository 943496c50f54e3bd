"""Places of extremes in rows longer than a block, full or not, with ties, NaN and any fill."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import structarr as sa

FUNCTIONS = (np.argmax, np.argmin, np.nanargmax, np.nanargmin)


def rows(density: float, dtype: str, fill: float) -> np.ndarray[Any, Any]:
    random = np.random.default_rng(7)
    made = random.integers(-4, 5, (4, 150)).astype(dtype)
    made[random.random(made.shape) >= density] = fill
    return made


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "dcsr", "bitmap"])
@pytest.mark.parametrize("density", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("dtype", ["float64", "float32", "int8", "uint16", "int64"])
@pytest.mark.parametrize("fill", [0, -9, 9])
def test_as_numpys(format: str, density: float, dtype: str, fill: float) -> None:
    if dtype == "uint16" and fill < 0:
        fill = 3
    dense = rows(density, dtype, fill)
    a = sa.asarray(dense, format=format, fill_value=fill)
    for function in FUNCTIONS:
        for axis in (None, 0, 1):
            np.testing.assert_array_equal(np.asarray(function(a, axis)), function(dense, axis))
        np.testing.assert_array_equal(int(function(a[2])), function(dense[2]))


@pytest.mark.parametrize("format", ["csr", "csc", "coo"])
@pytest.mark.parametrize("place", [0, 31, 32, 33, 149])
@pytest.mark.parametrize("fill", [0.0, np.nan, np.inf, -0.0])
def test_not_a_number_is_an_extreme(format: str, place: int, fill: float) -> None:
    dense = rows(1.0 if fill == 0 else 0.6, "float64", fill)
    dense[1, place] = np.nan
    dense[3, [40, 70]] = np.nan
    a = sa.asarray(dense, format=format, fill_value=fill)
    for function in FUNCTIONS:
        for axis in (None, 1):
            np.testing.assert_array_equal(np.asarray(function(a, axis)), function(dense, axis))


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("count", [0, 1, 40])
def test_rows_that_are_full_up_to_somewhere(function: Any, count: int) -> None:
    """The first place that is not stored counts where the fill is an extreme."""
    for best in (1.0, -1.0, 0.0):
        dense = np.zeros((3, 60))
        dense[0], dense[1, :count], dense[2, 50] = best, best, -best
        a = sa.asarray(sp.csr_array(dense))
        np.testing.assert_array_equal(int(function(a)), function(dense))
        np.testing.assert_array_equal(np.asarray(function(a, 1)), function(dense, 1))
