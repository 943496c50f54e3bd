"""Places along the axis of runs: runs stay runs, and are found among the places by their bounds."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa

RUNS = ("rle", "sparse-rle", "packbits", "interval")
OTHERS = ("triu", "tril", "symmetric", "dia", "bsr", "1-bit", "constant", "vbl")
KEPT = {"rle": "rle", "sparse-rle": "sparse-rle", "packbits": "packbits", "interval": "sparse-rle"}


def matrix(name: str, dtype: str = "float64") -> np.ndarray:
    x = np.zeros((40, 40))
    x[3, 4:30], x[20, 10:13], x[21, 35:] = 2, 3, 2
    if name in ("rle", "sparse-rle", "packbits"):
        x[20, 1:4], x[39] = 1, 3
    if name in ("triu", "tril"):
        x = getattr(np, name)(x)
    if name == "symmetric":
        x = x + x.T
    if name == "constant":
        x[:] = 2
    return (x > 0).astype(np.uint8) if name == "1-bit" else x.astype(dtype)


PLACES = {
    "none": np.zeros(0, int),
    "few": np.array([39, 0, 12, 12]),
    "ascending": np.arange(1, 40, 3),
    "twice": np.repeat(np.arange(40), 2),
    "two stretches": np.r_[np.arange(10, 40), np.arange(12)],
    "backward": np.arange(40)[::-1],
    "any": np.random.default_rng(0).permutation(40),
}


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("places", PLACES.values(), ids=PLACES)
@pytest.mark.parametrize("name", RUNS + OTHERS)
def test_places_are_those_of_numpy(name: str, places: np.ndarray, axis: int) -> None:
    x = matrix(name)
    taken = sa.take(sa.asarray(x, format=name), places, axis=axis)
    assert taken.dtype == x.dtype
    np.testing.assert_array_equal(taken.todense(), x.take(places, axis))
    if axis and name in RUNS:
        assert str(taken.format) == KEPT[name]


@pytest.mark.parametrize("dtype", ["bool", "int16", "complex128"])
@pytest.mark.parametrize("name", RUNS)
def test_repeats_deletions_masks_and_fills(name: str, dtype: str) -> None:
    x = matrix(name, dtype)
    for fill in (0, 1):
        y = x + x.dtype.type(fill) if dtype != "bool" else x ^ bool(fill)
        a = sa.asarray(y, format=name, fill_value=fill)
        mask = np.arange(40) % 7 > 2
        np.testing.assert_array_equal(a[:, mask].todense(), y[:, mask])
        for places in (mask, np.arange(40)[::-1], np.r_[0:40:3, 1:40:3]):
            taken = a[:, places].compute()
            assert taken.fill_value == fill
            np.testing.assert_array_equal(taken.todense(), y[:, places])
        np.testing.assert_array_equal(
            np.repeat(a[:, 5:30], 3, axis=1).todense(), np.repeat(y[:, 5:30], 3, axis=1)
        )
        np.testing.assert_array_equal(
            np.repeat(a[2:30], 3, axis=0).todense(), np.repeat(y[2:30], 3, axis=0)
        )
        np.testing.assert_array_equal(
            np.delete(a, [3, 9], axis=1).todense(), np.delete(y, [3, 9], axis=1)
        )
        np.testing.assert_array_equal(
            np.insert(a, 5, 1, axis=0).todense(), np.insert(y, 5, 1, axis=0)
        )
    assert sa.asarray(np.zeros((0, 4)), format=name)[:, [3, 1]].compute().shape == (0, 2)


@pytest.mark.parametrize("name", ["rle", "sparse-rle", "packbits"])
def test_repeated_runs_are_as_many(name: str) -> None:
    x = np.zeros((50, 1000))
    x[:, 200:900] = 4.0
    a = sa.asarray(x, format=name).compute()
    long = np.repeat(a, 1000, axis=1).compute()  # 50 million elements
    assert long.nstored == a.nstored and long.format == a.format
    assert float(long.sum()) == 1000 * x.sum()
    assert np.repeat(a[:25], 4, axis=0).compute().nstored == 2 * a.nstored


def test_rows_of_triangles_are_bands() -> None:
    x = np.triu(np.ones((60, 60)))
    a = sa.asarray(x, format="triu")
    taken = a[[50, 3, 50]].compute()
    assert str(taken.format) == "band" and taken.nstored == 10 + 57 + 10
    np.testing.assert_array_equal(taken.todense(), x[[50, 3, 50]])
    changed = a.copy()
    changed[50] = 7.0
    x[50] = 7.0
    np.testing.assert_array_equal(changed.todense(), x)


def test_runs_are_transposed_by_a_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*args: object) -> None:
        raise AssertionError("each element is listed")

    for level in (sa.formats.RunList, sa.formats.PackBits):
        monkeypatch.setattr(level, "expand", refused)
    x = matrix("rle")
    for name in ("rle", "packbits"):
        a = sa.asarray(x, format=name)
        np.testing.assert_array_equal((a + a.T).todense(), x + x.T)
        np.testing.assert_array_equal((a[[3, 20]] @ x).todense(), x[[3, 20]] @ x)


@pytest.mark.parametrize("name", RUNS + OTHERS)
def test_many_and_few_elements_at_masks(name: str) -> None:
    x = matrix(name)
    a = sa.asarray(x, format=name)
    for mask in (x > 2, x >= 0, x < 0):
        np.testing.assert_array_equal(a[mask].todense(), x[mask])
