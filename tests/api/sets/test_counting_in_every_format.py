"""Counts of numbers and of elements in bins are NumPy's, with weights too, in every format."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import structarr as sa
from structarr.errors import DensificationError

FORMATS = ("list", "rle", "sparse-rle", "vbl", "bitmap", "dense")
N = 30


def numbers(seed: int, dtype: str = "int64") -> np.ndarray:
    random = np.random.default_rng(seed)
    return np.where(random.random(N) < 0.5, random.integers(0, 9, N), 3 * (seed % 2)).astype(dtype)


def stored(data: np.ndarray, name: str, seed: int) -> sa.Array:
    return sa.asarray(data, format=name, fill_value=data.dtype.type(3 * (seed % 2)))


def check(found, expected):
    found = found if isinstance(found, tuple) else (found,)
    expected = expected if isinstance(expected, tuple) else (expected,)
    for one, other in zip(found, expected, strict=True):
        for mine, theirs in zip(
            one if isinstance(one, list) else [one],
            other if isinstance(other, list) else [other],
            strict=True,
        ):
            assert mine.dtype == theirs.dtype
            np.testing.assert_allclose(mine.todense(), theirs, rtol=1e-12)


@settings(max_examples=8)
@given(
    st.sampled_from(FORMATS),
    st.sampled_from(["int64", "int32", "uint8"]),
    st.sampled_from([None, "float64", "int64", "sparse"]),
    st.sampled_from([0, 20]),
    st.integers(0, 3),
)
def test_numbers_are_counted(name, dtype, weights, least, seed):
    data, random = numbers(seed, dtype), np.random.default_rng(seed)
    counted = None if weights is None else random.integers(-3, 4, N)
    given = counted
    if weights == "sparse":
        given = sa.asarray(counted, format="list")
    elif weights is not None:
        given = counted = counted.astype(weights)
    with sa.options(tier="interpreted"):
        found = np.bincount(stored(data, name, seed), given, least)
    check(found, np.bincount(data, counted, least))


BINS = (4, 7, [0, 1, 2.5, 5], [1, 1, 3, 8], np.array([0.5, 3]))
SCALES = {"whole": 1, "halves": 0.5, "thirds": 1 / 3}


@settings(max_examples=8)
@given(
    st.sampled_from(FORMATS),
    st.sampled_from(BINS),
    st.sampled_from([None, (0, 5), (1, 8.5), (3, 3)]),
    st.sampled_from(["plain", "density", "weights", "whole weights"]),
    st.sampled_from(sorted(SCALES)),
    st.integers(0, 3),
)
def test_elements_are_counted_in_bins(name, bins, bounds, how, scale, seed):
    data = numbers(seed) * SCALES[scale]
    weights = {"weights": np.arange(N) / 4, "whole weights": np.arange(N)}.get(how)
    asked = bins, bounds, how == "density", weights
    with sa.options(tier="interpreted"), np.errstate(all="ignore"):
        found = np.histogram(sa.asarray(data).asformat(name), *asked)
        check(found, np.histogram(data, *asked))


@settings(max_examples=8)
@given(
    st.sampled_from(FORMATS),
    st.sampled_from([3, (2, 4), [[0, 1, 5], 3], np.array([0, 2.5, 9])]),
    st.sampled_from([None, [(0, 3), (0, 1)], [None, (0, 4)]]),
    st.sampled_from(["plain", "density", "weights"]),
    st.integers(0, 3),
)
def test_points_are_counted_in_bins(name, bins, bounds, how, seed):
    x, y = numbers(seed), numbers(seed + 4) * 0.5
    asked = bins, bounds, how == "density", np.arange(N) if how == "weights" else None
    with sa.options(tier="interpreted"), np.errstate(all="ignore"):
        found = np.histogram2d(sa.asarray(x).asformat(name), y, *asked)
        check(found, np.histogram2d(x, y, *asked))


@pytest.mark.parametrize("second", ["float32", "float64", "int32"])
def test_edges_between_float32_numbers_are_float32(second):
    x, y = numbers(0).astype("float32"), numbers(1).astype(second)
    for found, one in zip(
        np.histogram2d(sa.asarray(x), y, 3), np.histogram2d(x, y, 3), strict=True
    ):
        check(found, one)
        assert found.dtype == one.dtype


def test_points_may_be_rows_or_a_vector_for_each_axis():
    points = np.stack([numbers(0), numbers(1), numbers(2)], axis=1)
    asked = (2, [0.0, 4.0, 8.0], 3), [(0, 9), None, None]
    expected = np.histogramdd(points, *asked)
    with sa.options(tier="interpreted"):
        check(np.histogramdd(sa.asarray(points, format="csr"), *asked), expected)
        axes = [sa.asarray(points[:, k], format="list") for k in range(3)]
        check(np.histogramdd(axes, *asked), expected)


def test_nan_is_in_no_bin_whose_bounds_are_given():
    data = np.array([0.0, np.nan, 2.0, np.inf, 1.0])
    found = np.histogram(sa.asarray(data, format="list"), 4, (0, 2))
    check(found, np.histogram(data, 4, (0, 2)))
    check(np.histogram(sa.asarray(data), [0, 1, 2]), np.histogram(data, [0, 1, 2]))
    with pytest.raises(ValueError, match="range of"):
        np.histogram(sa.asarray(data, format="list"), 4)


def test_bad_numbers_are_refused_as_by_numpy():
    a = sa.asarray([0, 3, 0, -2, -5], format="list")
    with pytest.raises(ValueError, match=r"no negative elements: x\[3\] is -2"):
        np.bincount(a)
    with pytest.raises(TypeError, match="Cannot cast"):
        np.bincount(a * 0.5)
    with pytest.raises(ValueError, match="too deep"):
        np.bincount(a[:, None])
    with pytest.raises(ValueError, match="minlength"):
        np.bincount(abs(a), minlength=-1)
    with pytest.raises(ValueError, match="same length"):
        np.bincount(abs(a), np.ones(4))
    with pytest.raises(TypeError, match="Cannot cast"):
        np.bincount(abs(a), np.ones(5) * 1j)
    with pytest.raises(ValueError, match="same shape"):
        np.histogram(a, weights=np.ones(4))
    with pytest.raises(ValueError, match="monotonically"):
        np.histogram(a, [3, 1])
    with pytest.raises(ValueError, match="same length"):
        np.histogram2d(a, np.ones(4))


def test_long_vectors_are_counted_by_what_they_store():
    a = sa.from_coordinates(([5, 10**11],), [2, 4], (10**12,), format="list")
    assert np.bincount(a).tolist() == [10**12 - 2, 0, 1, 0, 1]
    counts, _ = np.histogram(a, 2)
    assert counts.tolist() == [10**12 - 2, 2]
    with pytest.raises(DensificationError, match="a count for each number up to"):
        np.bincount(a * 10**12)
