"""Choosing, limiting and rounding."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse

import structarr as sa

DENSE = np.array([[0.0, 2.0, 0.0], [1.0, 0.0, 3.0]])


@pytest.fixture
def csr() -> sa.Array:
    return sa.asarray(scipy.sparse.csr_array(DENSE))


def test_choosing_limiting_and_rounding(csr: sa.Array) -> None:
    np.testing.assert_array_equal(np.where(csr > 1, csr, -1), np.where(DENSE > 1, DENSE, -1))
    np.testing.assert_array_equal(np.clip(csr, None, 2), np.clip(DENSE, None, 2))
    np.testing.assert_array_equal(sa.clip(csr, min=1), np.clip(DENSE, 1, None))
    small = np.array([0, 3, 200], np.uint8)
    for ends in [(-1, 2), (2, 300), (None, 300), (-1, None)]:
        found = np.clip(sa.asarray(small), *ends)
        assert found.dtype == np.uint8 and found.tolist() == np.clip(small, *ends).tolist()
    with pytest.raises(OverflowError, match="300 out of bounds"):
        np.clip(sa.asarray(small), 300, None)
    x = np.array([1.25, -2.375, 1234.5, np.nan, np.inf, -np.inf])
    for decimals in (0, 2, -2):
        np.testing.assert_array_equal(np.round(sa.asarray(x), decimals), np.round(x, decimals))
    np.testing.assert_array_equal(
        np.round(sa.asarray([1250, 15]), -1), np.round(np.array([1250, 15]), -1)
    )
    np.testing.assert_array_equal(np.nan_to_num(sa.asarray(x)), np.nan_to_num(x))
    np.testing.assert_array_equal(np.fix(sa.asarray(x)), np.fix(x))
    z = np.array([1 + 1j, -1j])
    np.testing.assert_allclose(np.angle(sa.asarray(z), deg=True), np.angle(z, deg=True))
    np.testing.assert_array_equal(np.real(sa.asarray(z)), z.real)
    for mine, theirs in zip(np.where(csr), np.where(DENSE), strict=True):
        np.testing.assert_array_equal(mine, theirs)
    with pytest.raises(ValueError, match="either both or neither"):
        np.where(csr, 1)


@pytest.mark.parametrize("decimals", [-1, 1])
def test_decimals_are_for_numbers(decimals: int) -> None:
    truth = sa.asarray([True, False])
    with pytest.raises(TypeError, match="takes numbers, not bool"):
        np.round(truth, decimals)
    assert np.round(truth).tolist() == [1, 0]


@pytest.mark.parametrize("dtype", ["complex64", "complex128", "float32", "int64", "uint8"])
def test_rounding_is_of_each_part_by_itself(dtype: str) -> None:
    kind = np.dtype(dtype).kind
    parts = (
        [0, 1, 15, 25, 127] if kind in "iu" else [1.26, -2.35, 15, np.inf, -np.inf, np.nan, 1e30]
    )
    dense = np.array(parts, dtype)
    if kind == "c":
        dense = np.ravel([dense, dense.conj()])
        dense.imag = np.repeat(parts, 2)
    for decimals in (1, -1, 22, -3, 400, -400):
        with np.errstate(all="ignore"):
            wanted = np.round(dense, decimals)
            for fill in (dense[0], dense[4]):
                found = np.round(sa.asarray(dense, fill_value=fill, format="list"), decimals)
                np.testing.assert_array_equal(found.todense(), wanted)
                assert found.dtype == wanted.dtype


@pytest.mark.parametrize("decimals", [1, -1])
def test_infinite_parts_are_rounded_in_both_tiers(decimals: int) -> None:
    dense = np.array([complex(-np.inf, 15.26), complex(12.5, np.inf)])
    with sa.options(tier="compiled"):
        found = np.round(sa.asarray(dense, format="list"), decimals).todense()
    np.testing.assert_array_equal(found, np.round(dense, decimals))


@pytest.mark.parametrize("given", [{}, {"nan": 2.5}, {"posinf": 7.0, "neginf": -1.0}])
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("fmt", ["dense", "csr", "coo", "rle"])
def test_parts_of_complex_numbers_are_replaced_each_by_itself(fmt, dtype, given):
    values = (0.0, 1.0, np.nan, np.inf, -np.inf)
    x = np.array([[complex(a, b) for a in values] for b in values], dtype)
    found = np.nan_to_num(sa.asarray(x, format=fmt), **given)
    assert found.dtype == dtype
    np.testing.assert_array_equal(found.todense(), np.nan_to_num(x, **given))


def test_complex_numbers_stay_where_they_are_stored():
    a = sa.asarray(np.array([[0, 1j], [complex(np.nan, 1), 0]]), format="csr")
    found = np.nan_to_num(a)
    assert found.nstored == 2 and found.format == a.format
    with pytest.raises(TypeError, match="finite numbers"):
        np.nan_to_num(a, posinf=np.inf)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "uint64", "float32"])
@pytest.mark.parametrize(
    "ends", [(0, np.uint16(3)), (0, np.float32(0.5)), (True, np.int8(2)), (np.int64(1), 2.5)]
)
def test_elements_and_both_ends_of_clip_have_one_dtype(dtype: str, ends: tuple[Any, Any]) -> None:
    data = np.array([0, 1, 0, 1]).astype(dtype)
    found, expected = np.clip(sa.asarray(data, format="list"), *ends), np.clip(data, *ends)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)
