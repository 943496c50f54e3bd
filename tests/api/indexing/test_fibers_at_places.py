"""Fibers at places: of any level that keeps them one after the other, read by a kernel."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import structarr as sa
from structarr import formats as f

LEVELS = ("rle", "sparse-rle", "packbits", "vbl", "band", "ragged", "bitmap", "list")
DTYPES = ("bool", "uint8", "complex128")
PLACES = {
    "none": [],
    "again": [4, 0, 0, 3, 4, 1, 4],
    "backward": [5, 4, 3, 2, 1, 0],
}


def matrix(dtype: str, shape: tuple[int, ...] = (6, 9)) -> np.ndarray:
    rng = np.random.default_rng(len(shape))
    values = np.repeat(rng.integers(-1, 3, (*shape[:-1], shape[-1] // 3)), 3, axis=-1)
    values[1] = 0
    return np.maximum(values, 0).astype(dtype)


@pytest.mark.parametrize("places", PLACES.values(), ids=PLACES)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", LEVELS)
def test_fibers_at_places_are_those_of_numpy(name: str, dtype: str, places: list[int]) -> None:
    x = matrix(dtype)
    a, at = sa.asarray(x, format=name), np.array(places, int)
    taken = a[at]
    assert taken.format == a.format and taken.dtype == x.dtype
    np.testing.assert_array_equal(taken.todense(), x[at])
    np.testing.assert_array_equal((a[at] * 2).todense(), x[at] * 2)
    np.testing.assert_array_equal(a[at].sum(axis=1).todense(), x[at].sum(axis=1))
    both = a[at] + a[at[::-1]]
    np.testing.assert_array_equal(both.todense(), x[at] + x[at[::-1]])


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("name", LEVELS)
def test_fibers_below_two_dense_levels(name: str, axis: int) -> None:
    x = matrix("float64", (3, 4, 6))
    a = sa.asarray(x, format=name)
    for places in ([], [1], [2, 0, 2, 2, 1]):
        at = np.array(places, int)
        np.testing.assert_array_equal(sa.take(a, at, axis=axis).todense(), x.take(at, axis))
        moved = sa.take(a, at, axis=axis) + 1
        np.testing.assert_array_equal(moved.todense(), x.take(at, axis) + 1)
    rows, columns = np.ix_([2, 0, 2], [3, 3, 1, 0, 3])
    np.testing.assert_array_equal(a[rows, columns].todense(), x[rows, columns])
    np.testing.assert_array_equal((a[rows, columns] - 1).todense(), x[rows, columns] - 1)


@pytest.mark.parametrize("name", LEVELS)
def test_other_fills_and_no_columns(name: str) -> None:
    x = np.where(matrix("float64") == 0, 7.0, matrix("float64"))
    a = sa.asarray(x, format=name, fill_value=7.0)
    np.testing.assert_array_equal(a[[5, 5, 0]].todense(), x[[5, 5, 0]])
    empty = sa.asarray(np.zeros((4, 0)), format=name)
    assert empty[[3, 0, 0]].compute().shape == (3, 0)
    assert sa.asarray(np.zeros((0, 4)), format=name)[np.zeros(0, int)].compute().shape == (0, 4)


@pytest.mark.parametrize("name", ["rle", "sparse-rle", "packbits", "vbl"])
def test_nothing_is_looked_at_but_what_is_stored(name: str) -> None:
    # 10^5 rows of 10^6 elements: a list of what the rows hold would not fit.
    few = sp.csr_array(([2.0, 3.0], ([5, 90_000], [7, 10])), (100_000, 1_000_000))
    a = sa.asarray(few).asformat(name).compute()
    rows = np.tile([90_000, 5, 6], 1000)
    taken = a[rows].compute()
    assert taken.format == a.format
    assert taken.sum() == 5000 and taken.nbytes < 200_000
    assert sa.repeat(a[:10], 3, axis=0).compute().sum() == 6


@pytest.mark.parametrize("name", ["band", "ragged"])
def test_sums_of_bands_at_places_have_room_for_their_hulls(name: str) -> None:
    x = np.tril(np.ones((400, 400)))[:, :40] if name == "ragged" else np.eye(400)
    a = sa.asarray(x, format=name).compute()
    rows = np.arange(400)[::-1]
    total = (a[rows] + a).compute()
    assert total.format == a.format
    np.testing.assert_array_equal(total.todense(), x[rows] + x)


def test_levels_of_their_own_leaves_are_copied() -> None:
    x = matrix("float64")
    tree = f.Format(f.Dense(f.SparseList(f.Pattern())), (0, 1))
    a = sa.asarray(x != 0, format=tree)
    np.testing.assert_array_equal(a[[3, 3, 1]].todense(), (x != 0)[[3, 3, 1]])
