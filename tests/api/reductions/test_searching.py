"""Searching: places of extremes and of values, by what is stored."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse

import structarr as sa
from structarr.errors import DensificationError

HUGE = 10**12


@pytest.fixture
def hypersparse() -> sa.Array:
    places = [5, 5, 7, 10**11], [10**11, 0, 7, 3]
    return sa.from_coordinates(places, [2.0, -1.0, np.nan, 3.0], (HUGE, HUGE), format="dcsr")


def test_extremes_of_what_is_mostly_fill(hypersparse: sa.Array) -> None:
    found = sa.argmax(hypersparse, axis=1)
    assert found.format == "list" and found.nstored == 3
    assert [int(found[row]) for row in (0, 5, 7, 10**11)] == [0, 10**11, 7, 3]
    least = sa.argmin(hypersparse, axis=1)
    assert [int(least[row]) for row in (0, 5, 7, 10**11)] == [0, 0, 7, 0]
    assert int(sa.nanargmax(hypersparse, axis=1)[7]) == 0
    with pytest.raises(ValueError, match="more places than int64 counts"):
        sa.argmax(hypersparse)
    assert int(sa.argmin(hypersparse[:10, :100])) == 707
    assert int(sa.nanargmin(hypersparse[:10, :100])) == 500


@pytest.mark.parametrize(
    ("data", "most", "least"),
    [
        ([0, 0, -1], 0, 2),
        ([1, 0, 1, 0], 0, 1),
        ([1, 2, 3], 2, 0),
        ([-1, -2, 0, 0], 2, 1),
        ([0, np.nan, 5, np.nan], 1, 1),
        ([2, 2, 2, 0], 0, 3),
    ],
)
def test_the_first_of_equal_ones(data: list[float], most: int, least: int) -> None:
    for name in ("list", "rle", "sparse-rle", "band", "bitmap", "dense"):
        a = sa.asarray(np.array(data, float), format=name)
        assert (int(a.argmax()), int(a.argmin())) == (most, least), name


def test_long_runs_are_not_looked_at_one_by_one() -> None:
    a = sa.from_coordinates([[5, 10**11]], [2.0, -3.0], (HUGE,)).asformat("rle")
    assert (int(a.argmax()), int(a.argmin())) == (5, 10**11)
    assert [axis.tolist() for axis in a.nonzero()] == [[5, 10**11]]
    assert int(sa.full((HUGE, HUGE), 3).argmax(axis=0)[7]) == 0
    with pytest.raises(DensificationError, match="densify_limit"):
        sa.nonzero(a + 1)


def test_arguments_of_argmax() -> None:
    dense = np.array([[0.0, 2.0], [3.0, 0.0]])
    a = sa.asarray(dense, format="csr")
    assert np.argmax(a, axis=1, keepdims=True).tolist() == [[1], [0]]
    assert np.argmax(a, keepdims=True).shape == (1, 1)
    out = np.zeros(2, np.int64)
    assert np.argmax(a, 0, out) is out and out.tolist() == [1, 0]
    with pytest.raises(np.exceptions.AxisError):
        a.argmax(axis=2)
    for empty in (sa.asarray([]), sa.asarray(np.zeros((2, 0)), format="csr")):
        with pytest.raises(ValueError, match="attempt to get argmax of an empty sequence"):
            sa.argmax(empty, axis=-1)
    with pytest.raises(ValueError, match="All-NaN slice"):
        np.nanargmin(sa.asarray([[np.nan, np.nan], [0, 1]], format="csr"), axis=1)


@pytest.mark.parametrize("name", ["list", "rle", "dense", "bitmap"])
def test_searched_vectors_keep_their_structure(name: str) -> None:
    dense = np.array([-3.0, 0, 0, 0, 0, 2, 2, 7])
    wanted = np.array([[-4.0, -3, 0], [1, 2, np.nan]])
    a = sa.asarray(dense, format=name)
    for side in ("left", "right"):
        np.testing.assert_array_equal(
            sa.searchsorted(a, wanted, side), np.searchsorted(dense, wanted, side)
        )
        assert int(a.searchsorted(0, side=side)) == np.searchsorted(dense, 0, side)
    sparse = sa.asarray(np.array([[0.0, 2.0, 0.0]]), format="csr")
    found = sa.searchsorted(a, sparse)
    assert found.format == "csr" and found.nstored == 1 and found.fill_value == 1


def test_a_vector_too_long_to_be_dense_is_searched() -> None:
    a = sa.sort(sa.from_coordinates([[5, 10**11]], [2.0, -3.0], (HUGE,), format="list"))
    assert sa.searchsorted(a, [-3, 0, 1, 2, 3]).tolist() == [0, 1, HUGE - 1, HUGE - 1, HUGE]


def test_bad_searches() -> None:
    for vector, keywords, message in (
        ([[1, 2]], {}, "must be a vector"),
        ([1, 2], {"side": "middle"}, "side"),
        ([1, 2], {"sorter": [0]}, "sorter.size"),
        ([1, 2], {"sorter": [0, 5]}, "out of range"),
    ):
        with pytest.raises(ValueError, match=message):
            sa.searchsorted(vector, 1, **keywords)
    with pytest.raises(TypeError, match="integers"):
        sa.searchsorted([1, 2], 1, sorter=[0.0, 1.0])
    with pytest.raises(ValueError, match="monotonically"):
        np.digitize(sa.asarray([1]), [0, 2, 1])
    with pytest.raises(TypeError, match="complex"):
        np.digitize(sa.asarray([1j]), [0, 2])


def test_looked_up_elements_are_not_those_of_the_operand() -> None:
    rows = np.arange(20_000) % 100
    layout: Any = scipy.sparse.csr_array((np.ones(20_000), (rows, np.arange(20_000))))
    found = sa.isin(layout, 1.0)
    before = found.todense()
    layout.indices[:] = 0
    np.testing.assert_array_equal(found.todense(), before)


@pytest.mark.parametrize(("name", "fill"), [("1-bit", 5), ("2-bit", 5), ("1-bit", 2**63 - 1)])
def test_a_code_may_stand_for_a_fill_that_is_not_zero(name: str, fill: int) -> None:
    data = np.array([[fill, 0, fill], [0, fill, fill]])
    coded = sa.asarray(data, format=name, fill_value=fill)
    for found, wanted in zip(np.nonzero(coded), np.nonzero(data), strict=True):
        np.testing.assert_array_equal(found, wanted)
    np.testing.assert_array_equal(coded[coded != 0], data[data != 0])


@pytest.mark.parametrize("dtype", ["float64", "complex64", "int8", "bool"])
@pytest.mark.parametrize("format", ["csr", "csc", "coo", "rle", "band", "bitmap", "dense"])
@pytest.mark.parametrize("share", [0.0, 0.08, 0.2, 0.7])
def test_places_along_either_axis(share: float, format: str, dtype: str) -> None:
    random = np.random.default_rng(3)
    values = random.integers(-3, 3, (9, 40)) * (random.random((9, 40)) < share)
    values[4] = -1
    data = (np.abs(values) if dtype == "bool" else values).astype(dtype)
    for case in (data, data.T):
        if case.dtype.kind in "fc" and share:
            case[2, 3] = case[2, 5] = np.nan
        a = sa.asarray(case, format=format)
        for name in ("argmax", "argmin"):
            for axis in (0, 1, -1):
                wanted = getattr(np, name)(case, axis=axis)
                found = getattr(sa, name)(a, axis=axis)
                np.testing.assert_array_equal(found.todense(), wanted)


def test_places_in_blocks_of_three_axes() -> None:
    random = np.random.default_rng(4)
    data = random.integers(-2, 3, (3, 5, 30)) * (random.random((3, 5, 30)) < 0.15)
    for format in ("csf", "coo"):
        a = sa.asarray(data, format=format)
        for axis in range(3):
            np.testing.assert_array_equal(a.argmax(axis=axis).todense(), data.argmax(axis=axis))
