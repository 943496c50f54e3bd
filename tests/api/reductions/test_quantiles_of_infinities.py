"""Quantiles among infinities: NumPy interpolates unless the quantile is given as an integer."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa

ROWS = np.array([[0, 0, 0, np.inf], [-np.inf, 0, 0, 0], [0, 1, np.inf, np.inf], [np.nan] * 4])


@pytest.mark.filterwarnings("ignore:All-NaN")
@pytest.mark.parametrize("q", [0, 1, 0.0, 1.0, [0, 1], [0.0, 0.5, 1.0], 0.25])
@pytest.mark.parametrize("name", ["quantile", "nanquantile"])
@pytest.mark.parametrize("format", ["csr", "dense"])
def test_quantiles_are_numpys(format: str, name: str, q: object) -> None:
    function = getattr(np, name)
    with np.errstate(all="ignore"):
        found = function(sa.asarray(ROWS, format=format), q, axis=1)
        np.testing.assert_array_equal(np.asarray(found), function(ROWS, q, axis=1))


@pytest.mark.parametrize("q", [0, 100, 50, [0, 100]])
def test_percentiles_are_numpys(q: object) -> None:
    with np.errstate(all="ignore"):
        found = np.percentile(sa.asarray(ROWS[:3], format="csr"), q, axis=1)
        np.testing.assert_array_equal(np.asarray(found), np.percentile(ROWS[:3], q, axis=1))
