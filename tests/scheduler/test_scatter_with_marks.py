"""Rows that are scattered with gaps where nothing is stored."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa
from structarr._compiler.runtime import gaps

GAPS = {"float64": gaps.gap_float64(), "float32": gaps.gap_float32()}


@pytest.fixture(params=["interpreted", "compiled"])
def tier(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def _product(a: np.ndarray, x: np.ndarray, tier: str) -> np.ndarray:
    """A product with a list that is scattered: its column of the matrix is read row by row."""
    expr = sa.asarray(a, format="csr") @ sa.asarray(x, format="list")
    assert f"there_{a.dtype}" in sa.explain(expr).kernel
    with sa.options(tier=tier):
        return np.asarray(expr.todense())


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_what_is_not_stored_annihilates_and_what_is_does_not(dtype: str, tier: str) -> None:
    a = np.full((40, 60), np.inf, dtype)
    a[3], a[4] = 2.0, np.nan
    x = np.zeros(60, dtype)
    x[::3] = 1.0
    found = _product(a, x, tier)
    wanted = np.full(40, np.inf, dtype)
    wanted[3], wanted[4] = 40.0, np.nan
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_a_stored_nan_is_no_gap_whatever_its_bits(dtype: str, tier: str) -> None:
    x = np.zeros(60, dtype)
    x[5:25] = 1.0
    x[7] = GAPS[dtype]
    assert np.isnan(x[7])
    assert np.isnan(_product(np.ones((40, 60), dtype), x, tier)).all()


def test_stored_zeros_are_zeros(tier: str) -> None:
    x = (sa.asarray(np.arange(60) % 3 == 0, format="list") * 0.0).compute()
    assert x.nstored == 20
    a = sa.asarray(np.full((40, 60), np.inf), format="csr")
    with sa.options(tier=tier):
        assert np.isnan((a @ x).todense()).all()


def test_a_row_is_scattered_anew_for_each_turn(tier: str) -> None:
    rng = np.random.default_rng(0)
    dense = np.where(rng.random((20, 20)) < 0.3, rng.standard_normal((20, 20)), 0.0)
    a = sa.asarray(dense, format="csr")
    with sa.options(tier=tier):
        found = sa.einsum("ij,jk,ik->", a, a, a)
    np.testing.assert_allclose(float(found), np.einsum("ij,jk,ik->", dense, dense, dense))
