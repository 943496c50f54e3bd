"""Convolution and correlation along all axes: NumPy's, scipy.signal's and scipy.ndimage's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.ndimage
import scipy.signal

import structarr as sa

RNG = np.random.default_rng(3)
GRID = RNG.integers(1, 5, (6, 7)) * (RNG.random((6, 7)) < 0.3) * 1.0
SQUARE = GRID[:, :6]
WEIGHTS = np.array([[1.0, 0.0, 2.0], [0.0, -3.0, 0.5]])
MODES = ("full", "same", "valid")
FITS = {
    "triu": np.triu(SQUARE),
    "tril": np.tril(SQUARE),
    "symmetric": SQUARE + SQUARE.T,
    "hermitian": SQUARE + SQUARE.T,
    "point": np.where(np.arange(7) == np.arange(6)[:, None], 2.0, 0.0),
    "interval": np.tril(np.ones((6, 7))),
}
FORMATS = ("dense", "csr", "csc", "dcsr", "dcsc", "coo", "hash", "band", "vbl", "ragged", "rle")
FORMATS += ("sparse-rle", "packbits", "bitmap", "dia", "bsr", *FITS)


def same(got: Any, want: Any) -> None:
    """The same shape, dtype and values, sums to rounding."""
    assert (got.shape, got.dtype) == (want.shape, want.dtype)
    if want.dtype.kind in "fc":
        np.testing.assert_allclose(got.todense(), want, atol=1e-12)
    else:
        np.testing.assert_array_equal(got.todense(), want)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("format", FORMATS)
def test_every_format_slides_and_is_slid_over(format: str, mode: Any) -> None:
    data = FITS.get(format, GRID)
    array, weights = sa.asarray(data, format=format), sa.asarray(WEIGHTS, format="csr")
    for ours, theirs in (
        (sa.convolve, scipy.signal.convolve),
        (sa.correlate, scipy.signal.correlate),
    ):
        same(ours(array, WEIGHTS, mode=mode), theirs(data, WEIGHTS, mode, "direct"))
        same(ours(array, weights, mode=mode), theirs(data, WEIGHTS, mode, "direct"))
        if mode != "same":
            same(ours(WEIGHTS, array, mode=mode), theirs(WEIGHTS, data, mode, "direct"))


def test_windows_begin_before_the_array(checked: None) -> None:
    """What lowering takes as true of where windows begin holds: kernels check it."""
    for format in ("csr", "rle", "dense"):
        array = sa.asarray(GRID, format=format)
        for ours, theirs in (
            (sa.convolve, scipy.signal.convolve),
            (sa.correlate, scipy.signal.correlate),
        ):
            same(ours(array, WEIGHTS, mode="full"), theirs(GRID, WEIGHTS, "full", "direct"))


@pytest.mark.parametrize("mode", MODES)
def test_three_axes(mode: Any) -> None:
    rng = np.random.default_rng(3)
    cube = rng.integers(1, 5, (4, 5, 6)) * (rng.random((4, 5, 6)) < 0.2)
    weights = rng.integers(-2, 3, (2, 3, 2))
    for ours, theirs in (
        (sa.convolve, scipy.signal.convolve),
        (sa.correlate, scipy.signal.correlate),
    ):
        want = theirs(cube, weights, mode, "direct")
        for format in ("dense", "csf", "coo"):
            got = ours(sa.asarray(cube, format=format), weights, mode=mode)
            same(got, want)
    levels = sa.convolve(sa.asarray(cube, format="csf"), weights).format.levels
    assert [type(level).__name__ for level in levels[:-1]] == ["Dense", "Dense", "SparseList"]


KEPT = [
    ("csr", "dense", "csr"),
    ("csr", "csr", "csr"),
    ("csc", "dense", "csc"),
    ("coo", "dense", "csr"),
    ("dcsr", "dense", "csr"),
    ("band", "dense", "csr"),
    ("bitmap", "dense", "bitmap"),
    ("rle", "dense", "dense"),
    ("dense", "csr", "dense"),
]


@pytest.mark.parametrize(("array", "weights", "result"), KEPT)
def test_what_is_left_out_stays_so(array: str, weights: str, result: str) -> None:
    got = sa.convolve(sa.asarray(GRID, format=array), sa.asarray(WEIGHTS, format=weights))
    assert str(got.format) == result


def test_vectors_that_leave_something_out() -> None:
    a, v = sa.asarray(GRID[0], format="list"), np.array([1.0, 0.0, 2.0])
    assert str(sa.convolve(a, v).format) == "list"
    assert str(sa.convolve(a, sa.asarray(v, format="list")).format) == "list"
    assert str(sa.correlate(a, v, "same").format) == "list"


def test_a_sparse_grid_costs_what_it_stores() -> None:
    """No array of ten billion elements comes about."""
    places = np.array([3, 10**5 - 1]), np.array([10**5 - 2, 4])
    grid = sa.from_coordinates(places, np.array([2.0, 3.0]), (10**5, 10**5))
    for weights in (np.ones((1, 3)), sa.ones((1, 3)), sa.asarray(np.ones((1, 3)), format="csr")):
        got = sa.convolve(grid.asformat("csr"), weights, "same")
        assert got.nstored == 6
        assert got.nbytes < 10**7


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("format", ["dense", "list", "rle", "bitmap", "band"])
def test_vectors_are_correlated_as_in_numpy(format: str, mode: Any) -> None:
    rng = np.random.default_rng(3)
    for n, m in ((7, 3), (3, 7), (4, 4), (6, 2), (2, 6), (1, 1)):
        a = rng.integers(0, 3, n) + 1j * rng.integers(0, 3, n)
        v = rng.integers(0, 3, m) + 1j * rng.integers(0, 3, m)
        got = np.correlate(sa.asarray(a, format=format), sa.asarray(v), mode)
        same(got, np.correlate(a, v, mode))
        same(np.convolve(sa.asarray(a, format=format), v, mode), np.convolve(a, v, mode))
    assert np.correlate(sa.asarray([1, 2, 3]), [1, 1]).tolist() == [3, 5]
    flags = np.array([True, True, False])
    same(
        np.correlate(sa.asarray(flags, format=format), flags[:2], mode),
        np.correlate(flags, flags[:2], mode),
    )


@pytest.mark.parametrize("dtypes", ["bool bool", "int8 int8", "int8 float32", "uint8 complex64"])
def test_dtypes(dtypes: str) -> None:
    one, other = dtypes.split()
    a, v = GRID.astype(one), np.abs(WEIGHTS).astype(other)
    want = scipy.signal.convolve(a.astype(int), v.astype(int if other == "bool" else other))
    got = sa.convolve(sa.asarray(a, format="csr"), v)
    assert got.dtype == np.result_type(a, v)
    np.testing.assert_array_equal(got.todense(), np.round(want, 3).astype(got.dtype))


def test_what_is_outside_is_not_multiplied() -> None:
    """Strictly, infinities among the weights meet no zeros beyond the edges."""
    with sa.options(strict_ieee=True):
        got = sa.convolve(sa.asarray([[1.0, 2.0]], format="csr"), [[np.inf, 1.0]], mode="full")
        np.testing.assert_array_equal(got.todense(), [[np.inf, np.inf, 2.0]])


def test_fills_other_than_zero() -> None:
    a = sa.asarray(GRID + 2.5, format="csr", fill_value=2.5)
    same(sa.convolve(a, WEIGHTS), scipy.signal.convolve(GRID + 2.5, WEIGHTS, method="direct"))
    v = sa.asarray(WEIGHTS + 1, format="csr", fill_value=1.0)
    same(sa.convolve(sa.asarray(GRID, format="csr"), v), scipy.signal.convolve(GRID, WEIGHTS + 1))
    same(sa.correlate(a, v), scipy.signal.correlate(GRID + 2.5, WEIGHTS + 1, "valid", "direct"))


def test_expressions_views_and_formats_asked_for() -> None:
    a = sa.asarray(GRID, format="csr")
    want = scipy.signal.convolve((2 * GRID).T, WEIGHTS, method="direct")
    same(sa.convolve((a + a).T, WEIGHTS), want)
    for format in ("csr", "csc", "dense", "rle", "coo"):
        got = sa.convolve(a.T * 2, WEIGHTS).asformat(format)
        assert str(got.format) == format
        same(got, want)
    same(sa.convolve(a, WEIGHTS) * 2 + 1, 2 * scipy.signal.convolve(GRID, WEIGHTS) + 1)


BAD = [
    (lambda: sa.convolve(GRID, [1, 2]), "as many axes"),
    (lambda: sa.convolve(GRID, np.ones((2, 0))), "v cannot be empty"),
    (lambda: sa.correlate(GRID[:0], WEIGHTS), "a cannot be empty"),
    (lambda: sa.convolve(GRID, WEIGHTS, "some"), "mode must be one of"),
    (lambda: sa.convolve(np.ones((2, 5)), np.ones((3, 3)), "valid"), "at least as long"),
    (lambda: sa.ndimage.correlate(GRID, [1, 2]), "as many axes"),
    (lambda: sa.ndimage.correlate(GRID, np.ones((0, 1))), "cannot be empty"),
    (lambda: sa.ndimage.convolve(GRID, WEIGHTS, mode="same"), "boundary mode 'same'"),
    (lambda: sa.ndimage.convolve(GRID, WEIGHTS, origin=2), "origin 2 of axis 0"),
    (lambda: sa.ndimage.convolve(GRID, WEIGHTS, origin=(0, 0, 0)), "each of 2 axes"),
    (lambda: sa.ndimage.convolve(GRID, WEIGHTS * 1j, float), "complex"),
]


@pytest.mark.parametrize(("call", "says"), BAD)
def test_bad_arguments(call: Any, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        call()


BOUNDARIES = ("reflect", "constant", "nearest", "mirror", "wrap")
BOUNDARIES += ("grid-mirror", "grid-constant", "grid-wrap")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("mode", BOUNDARIES)
@pytest.mark.parametrize("format", ["dense", "csr", "csc", "rle", "bitmap"])
def test_filters_are_scipys(format: str, mode: str) -> None:
    array = sa.asarray(GRID, format=format)
    for weights in (WEIGHTS, WEIGHTS.T, np.ones((4, 1)), np.ones((1, 1))):
        low = [-(m // 2) for m in weights.shape]
        high = [(m - 1) // 2 for m in weights.shape]
        for origin in (0, low, high):
            options = {"mode": mode, "origin": origin, "cval": 0.0}
            want = scipy.ndimage.correlate(GRID, weights, **options)
            same(sa.ndimage.correlate(array, weights, **options), want)
            want = scipy.ndimage.convolve(GRID, weights, **options)
            same(sa.ndimage.convolve(array, weights, **options), want)


@pytest.mark.parametrize("mode", BOUNDARIES)
def test_windows_longer_than_the_array(mode: str) -> None:
    a, weights = np.array([1.0, 2.0, 4.0]), np.arange(9.0)
    got = sa.ndimage.correlate(sa.asarray(a), weights, mode=mode)
    same(got, scipy.ndimage.correlate(a, weights, mode=mode))


@pytest.mark.parametrize("dtype", ["bool", "int8", "int64", "float32", "complex64"])
def test_filters_compute_in_double_precision(dtype: str) -> None:
    a = GRID.astype(dtype)
    for weights in (np.ones((2, 2), int), WEIGHTS / 4, WEIGHTS * 1j):
        for cval in (0, 0.5):
            options: Any = {"mode": "constant", "cval": cval}
            want = scipy.ndimage.correlate(a, weights, **options)
            got = sa.ndimage.correlate(sa.asarray(a, format="csr"), weights, **options)
            assert got.dtype == want.dtype
            np.testing.assert_allclose(got.todense(), want, rtol=1e-6)
    got = sa.ndimage.convolve(sa.asarray(a), WEIGHTS, output=np.complex64)
    assert got.dtype == np.complex64


def test_filters_of_nothing_and_of_a_number() -> None:
    assert sa.ndimage.correlate(np.ones((0, 3)), np.ones((2, 2))).shape == (0, 3)
    assert float(sa.ndimage.convolve(3.0, 2.0)) == 6.0
    with pytest.raises(TypeError, match="output= takes a dtype"):
        sa.ndimage.convolve(GRID, WEIGHTS, output=np.empty_like(GRID))


def test_filters_keep_what_is_left_out() -> None:
    a = sa.asarray(GRID, format="csr")
    assert str(sa.ndimage.convolve(a, WEIGHTS, mode="constant").format) == "csr"
    assert str(sa.ndimage.convolve(a, WEIGHTS, mode="wrap").format) == "csr"


ASKED = ("csr", "csc", "dcsr", "coo", "rle", "band", "vbl", "bitmap", "dense")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kept", ASKED)
@pytest.mark.parametrize("format", ASKED)
def test_windows_are_summed_where_they_are_asked_for(format: str, kept: str) -> None:
    mask = np.where(np.random.default_rng(3).random(GRID.shape) < 0.3, 2.0, 0.0)
    a, m = sa.asarray(GRID, format=format), sa.asarray(mask, format=kept)
    weights = np.arange(12.0).reshape(3, 4)
    for correlate, theirs in (
        (sa.ndimage.correlate, scipy.ndimage.correlate),
        (sa.ndimage.convolve, scipy.ndimage.convolve),
    ):
        plain = theirs(GRID, weights, mode="constant")
        found = correlate(a, weights, mode="constant")
        same(np.tanh(found) * m, np.tanh(plain) * mask)
        same(np.where(m != 0, found, 0), np.where(mask != 0, plain, 0))
        same(np.where(m != 0, 0, found), np.where(mask != 0, 0, plain))


def test_a_masked_window_visits_what_the_mask_stores() -> None:
    """A few windows of a matrix with as many elements as fit."""
    n = 10**5
    diagonal = sa.from_coordinates((np.arange(n), np.arange(n)), np.ones(n), (n, n), format="csr")
    few = sa.from_coordinates(([5, 70], [5, 71]), [1.0, 1.0], (n, n), format="dcsr")
    found = np.where(few != 0, sa.ndimage.correlate(diagonal, np.ones((3, 3)), mode="constant"), 0)
    found = found.compute()
    assert found.nstored == 2
    assert found[5, 5] == 3.0
    assert found[70, 71] == 2.0
