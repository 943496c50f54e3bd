"""Order: medians, quantiles, sorts, distinct elements and places of extremes, by runs or entries.

Where much is stored all elements are read instead; results and their formats are the same.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._storage.sorted_fibers import sorted_fibers
from structarr._storage.weighed import weighed

FORMATS = ("rle", "sparse-rle", "packbits", "vbl", "band", "ragged", "bitmap", "csr", "csc", "coo")
DTYPES = ("bool", "uint8", "int64", "float32", "complex128")


def few(dtype: str, shape: tuple[int, int] = (7, 60)) -> np.ndarray:
    """Two short runs in some of the rows."""
    x = np.zeros(shape)
    x[1, 3:9], x[1, 20:22], x[4, 3:5], x[6, -4:] = 2, -1, 3, 1
    return np.abs(x).astype(dtype) if dtype in ("bool", "uint8") else x.astype(dtype)


def many(dtype: str) -> np.ndarray:
    """Something in almost all places."""
    x = np.repeat(np.random.default_rng(2).integers(-2, 4, (7, 20)), 3, axis=1)
    return np.abs(x).astype(dtype) if dtype in ("bool", "uint8") else x.astype(dtype)


SORTED: dict[str, Callable[[Any, Any], Any]] = {
    "sort": lambda a, axis: np.sort(a, axis=axis),
    "argmax": lambda a, axis: np.argmax(a, axis=axis),
    "argmin": lambda a, axis: np.argmin(a, axis=axis),
}
STATISTICS: dict[str, Callable[[Any, Any], Any]] = {
    "median": lambda a, axis: np.median(a, axis=axis),
    "quantile": lambda a, axis: np.quantile(a, [0.0, 0.3, 0.95, 1.0], axis=axis),
    "lower": lambda a, axis: np.quantile(a, 0.9, axis=axis, method="lower"),
    "nanmedian": lambda a, axis: np.nanmedian(a, axis=axis),
}


def agree(x: np.ndarray, name: str, function: Callable[[Any, Any], Any], **how: Any) -> list[str]:
    """Compare results along every axis, and return their formats."""
    a, found = sa.asarray(x, format=name, **how), []
    for axis in (None, 0, 1):
        result, wanted = function(a, axis), function(x, axis)
        assert result.dtype == wanted.dtype
        np.testing.assert_array_equal(result.todense(), wanted)
        found.append(str(result.format))
    return found


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", FORMATS)
def test_sorts_and_places_of_extremes(name: str, dtype: str) -> None:
    for function in SORTED.values():
        formats = agree(few(dtype), name, function)
        assert formats == agree(many(dtype), name, function)
        agree(few(dtype)[:1], name, function)


@pytest.mark.parametrize("dtype", DTYPES[:-1])
@pytest.mark.parametrize("name", FORMATS)
def test_medians_and_quantiles(name: str, dtype: str) -> None:
    for label, function in STATISTICS.items():
        if dtype == "bool" and label in ("quantile", "nanmedian"):
            continue  # NumPy refuses to interpolate truth values
        formats = agree(few(dtype), name, function)
        assert formats == agree(many(dtype), name, function)
        agree(few(dtype)[:1], name, function)


@pytest.mark.filterwarnings("ignore:All-NaN")
@pytest.mark.parametrize("fill", [5.0, -5.0, np.nan])
@pytest.mark.parametrize("name", FORMATS)
def test_other_fills_and_nan(name: str, fill: float) -> None:
    for x in (few("float64"), many("float64")):
        x = np.where(x == 0, fill, x)
        x[3, 2:8] = np.nan
        for function in (SORTED["sort"], *STATISTICS.values()):
            agree(x, name, function, fill_value=fill)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", FORMATS)
def test_distinct_elements(name: str, dtype: str) -> None:
    for x in (few(dtype), many(dtype), few(dtype)[:1], np.zeros((0, 4), dtype)):
        a = sa.asarray(x, format=name)
        np.testing.assert_array_equal(sa.unique(a).todense(), np.unique(x))
        found, wanted = sa.unique(a, True, True, True), np.unique(x, True, True, True)
        for one, other in zip(found, wanted, strict=True):
            np.testing.assert_array_equal(one.todense(), other)
        for one, other in zip(
            sa.unique(a, return_counts=True), np.unique(x, return_counts=True), strict=True
        ):
            np.testing.assert_array_equal(one.todense(), other)


@pytest.mark.parametrize("name", ["rle", "sparse-rle", "packbits"])
def test_runs_are_counted_where_elements_would_not_fit(name: str) -> None:
    x = np.zeros((300, 1000))
    x[5, 7], x[250, 10], x[7, 10:900] = 2.0, 3.0, 4.0
    a = sa.asarray(x, format=name).compute()
    with sa.options(densify_limit=20_000):
        values, counts = sa.unique(a, return_counts=True)
        assert values.tolist() == [0, 2, 3, 4] and counts.tolist()[1:] == [1, 1, 890]
        assert float(sa.median(a)) == 0.0
        assert float(sa.quantile(a, 1 - 500 / x.size, method="lower")) == 4.0
        assert sa.sort(a).nstored < 700
        np.testing.assert_array_equal(sa.quantile(a, 0.5, axis=1).todense(), np.median(x, axis=1))


def test_fibers_are_sorted_as_rows_whatever_their_lengths() -> None:
    rng = np.random.default_rng(0)
    lengths = rng.integers(0, 40, 50)
    ptr = np.append(0, np.cumsum(lengths))
    for dtype in ("bool", "int8", "float64", "complex64"):
        values = rng.integers(-3, 3, ptr[-1]).astype(dtype)
        if values.dtype.kind in "fc":
            values[::7] = np.nan
        beside = np.arange(len(values))
        found = sorted_fibers(values, ptr, beside)
        np.testing.assert_array_equal(found.values, sorted_fibers(values, ptr).values)
        assert found.beside is not None
        np.testing.assert_array_equal(found.values, values[found.beside])
        for lo, hi in itertools.pairwise(ptr):
            np.testing.assert_array_equal(found.values[lo:hi], np.sort(values[lo:hi]))
            assert sorted(found.beside[lo:hi]) == list(range(lo, hi))


def test_values_are_weighed_by_their_elements() -> None:
    for name in FORMATS[:-1]:  # lists of coordinates have but entries
        found = weighed(sa.asarray(many("int64"), format=name)._tensor)
        assert found is not None
        total = np.zeros(7, int)
        np.add.at(total, found.values + 2, found.times)
        x = many("int64")
        assert [total[k + 2] for k in (-2, -1, 1, 2, 3)] == [
            np.count_nonzero(x == k) for k in (-2, -1, 1, 2, 3)
        ]
