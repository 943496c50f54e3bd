"""Places of extremes of matrices of lists, found in one pass over what they store."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa

RNG = np.random.default_rng(8)
LISTS = ["csr", "csc", "coo", "bsr", "dia", "dcsr"]


def plain(dtype: str, fill: Any, special: bool) -> Any:
    """Few elements that are not the fill: a full row and column, empty ones, equal extremes."""
    chosen = np.where(RNG.random((40, 45)) < 0.03, RNG.integers(-2, 3, (40, 45)), 0)
    chosen[7], chosen[:, 11], chosen[20] = RNG.integers(-3, 0, 45), RNG.integers(1, 3, 40), 0
    made = np.where(chosen == 0, fill, chosen).astype(dtype)
    if special:
        made[3, 5], made[9, 1], made[12, 2], made[30, 4] = np.nan, -0.0, np.inf, -np.inf
    return made


@pytest.mark.parametrize("format", LISTS)
@pytest.mark.parametrize("dtype", ["float64", "float32", "int32", "uint8", "bool", "complex128"])
@pytest.mark.parametrize("tier", ["auto", "compiled"])
def test_places_are_numpys(format: str, dtype: str, tier: Any) -> None:
    for special in {False, dtype.startswith("float")}:
        dense = plain(dtype, 0, special)
        a = sa.asarray(dense).asformat(format)
        with sa.options(tier=tier):
            for function in (np.argmax, np.argmin):
                for axis in (0, 1):
                    found = np.asarray(function(a, axis=axis))
                    np.testing.assert_array_equal(found, function(dense, axis=axis))
                    assert found.dtype == np.int64


@pytest.mark.parametrize("fill", [1.0, -1.0, np.nan])
def test_what_is_not_stored_may_be_the_extreme(fill: float) -> None:
    dense = plain("float64", fill, False)
    a = sa.with_fill(sa.asarray(dense), fill).asformat("csr")
    assert a.format == "csr" and a.nstored < dense.size
    for axis in (0, 1):
        np.testing.assert_array_equal(a.argmax(axis=axis), dense.argmax(axis=axis))
        np.testing.assert_array_equal(a.argmin(axis=axis), dense.argmin(axis=axis))


def test_more_rows_than_memory_are_read_as_lists() -> None:
    """Along the axis of the lists, and along the other one, of which there would be pointers."""
    a = sa.from_coordinates(([2, 2, 5], [1, 7, 7]), [1.0, 3.0, -1.0], (9, 10**12), format="csr")
    assert a.argmax(axis=1).tolist() == [0, 0, 7, 0, 0, 0, 0, 0, 0]
    found = a.argmax(axis=0)
    assert found.shape == (10**12,) and int(found[7]) == 2


@pytest.mark.parametrize("length", [1, 2, 500])
@pytest.mark.parametrize("fill", [0.0, 1.0])
def test_a_vector_has_one_place(length: int, fill: float) -> None:
    """By its axis as without: an array without axes, or of one element where they are kept."""
    dense = np.full(length, fill)
    dense[length // 2 + 1 :: 40] = 2.0
    a = sa.asarray(dense, format="list", fill_value=fill)
    for function in (np.argmax, np.argmin, np.nanargmax, np.nanargmin):
        for axis in (0, -1):
            found, want = function(a, axis=axis), function(dense, axis=axis)
            assert found.shape == () and int(found) == want
            assert function(a, axis=axis, keepdims=True).shape == (1,)
