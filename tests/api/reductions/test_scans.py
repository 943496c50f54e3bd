"""Running sums and products: runs where only what is stored changes them."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa
from structarr.errors import DensificationError

HUGE = 10**12


def test_a_list_is_summed_to_runs() -> None:
    a = sa.from_coordinates([[3, 10**11]], [2.0, 0.5], (HUGE,), format="list")
    for found in (sa.cumsum(a), a.cumsum(), sa.cumulative_sum(a)):
        assert found.format == "rle" and found.nstored == 3
        assert [float(found[place]) for place in (2, 3, 10**11, HUGE - 1)] == [0, 2, 2.5, 2.5]
    assert sa.cumulative_sum(a, include_initial=True).shape == (HUGE + 1,)


@pytest.mark.parametrize("axis", [0, 1])
def test_fibers_that_store_nothing_are_not_there(axis: int) -> None:
    places = [5, 5, 7], [10**11, 0, 7]
    a = sa.from_coordinates(places, [2, -1, 4], (HUGE, HUGE), format="dcsr")
    found = sa.cumulative_sum(a, axis=axis, include_initial=True)
    assert found.shape[axis] == HUGE + 1 and found.nstored <= 6
    last = [(HUGE, 7), (HUGE, 10**11)] if axis == 0 else [(7, HUGE), (5, HUGE)]
    assert [int(found[place]) for place in last] == ([4, 2] if axis == 0 else [4, 1])


def test_a_step_more_than_int32_counts() -> None:
    most = np.iinfo(np.int32).max
    a = sa.from_coordinates([np.array([3], np.int32)], [2], (most,))
    assert a.format.index == "int32"
    found = sa.cumulative_sum(a, include_initial=True)
    assert found.shape == (most + 1,) and int(found[most]) == 2


def test_products_are_runs_where_ones_are_left_out() -> None:
    data = np.array([1.0, 1, 3, 1, np.nan, 1])
    a = sa.asarray(data, format="list", fill_value=1)
    assert sa.cumprod(a).format == "rle" and sa.nancumprod(a).format == "rle"
    np.testing.assert_array_equal(sa.cumprod(a), np.cumprod(data))
    np.testing.assert_array_equal(sa.nancumprod(a), np.nancumprod(data))
    assert sa.cumsum(a).format == "dense"


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "uint64", "float32", "complex64"])
def test_dtypes_and_wraparound(dtype: str) -> None:
    data = np.array([[0, 100, 0, 100], [0, 0, 0, 0], [90, 0, 90, 90]]).astype(dtype)
    a = sa.asarray(data, format="csr")
    for wanted in (None, dtype):
        for axis in (None, 0, 1):
            found, expected = np.cumsum(a, axis, wanted), np.cumsum(data, axis, wanted)
            assert found.dtype == expected.dtype
            np.testing.assert_array_equal(found, expected)
            found, expected = np.cumprod(a, axis, wanted), np.cumprod(data, axis, wanted)
            assert found.dtype == expected.dtype
            np.testing.assert_array_equal(found, expected)


def test_floats_are_added_in_numpys_order() -> None:
    data = np.random.default_rng(0).normal(size=(50, 200)) * 10.0 ** np.arange(-100, 100)
    data[np.abs(data) < 1e-90] = 0
    data[data > 1e80] = np.inf
    found = sa.cumsum(sa.asarray(data, format="csr"), axis=1)
    assert found.todense().tobytes() == (np.cumsum(data, axis=1)).tobytes()


def test_arguments() -> None:
    dense = np.array([[0, 2], [3, 0]])
    a = sa.asarray(dense, format="csr")
    with pytest.raises(ValueError, match="needs an axis"):
        sa.cumulative_sum(a)
    with pytest.raises(np.exceptions.AxisError):
        np.cumsum(a, axis=2)
    out = np.zeros((2, 2))
    assert np.cumsum(a, 0, out=out) is out and out.tolist() == [[0, 2], [3, 2]]
    longer = np.zeros((3, 2), np.int64)
    sa.cumulative_prod(a, axis=0, out=longer, include_initial=True)
    assert longer.tolist() == [[1, 1], [0, 2], [0, 0]]
    with pytest.raises(TypeError, match="NumPy array"):
        np.cumsum(a, out=a)


def test_ramps_are_dense_and_refused_where_they_are_long() -> None:
    runs = sa.from_coordinates([[3]], [2.0], (HUGE,)).asformat("rle")
    intervals = sa.with_fill(runs, 0).asformat("sparse-rle")
    with pytest.raises(DensificationError, match="densify_limit"):
        sa.cumsum(runs).compute()
    with pytest.raises(DensificationError, match="densify_limit"):
        sa.cumsum(sa.pad(sa.ones(HUGE), (0, 1)).asformat("sparse-rle")).compute()
    assert sa.cumsum(intervals).nstored == 2
