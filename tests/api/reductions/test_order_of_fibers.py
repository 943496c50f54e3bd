"""The stored elements of fibers in order, however many fibers there are."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa
from structarr._storage.entry_order import changes, entry_order
from structarr._storage.sorted_fibers import sorted_fibers

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "bool"])
@pytest.mark.parametrize("fibers", [1, 7, 2**40, 2**62])
@pytest.mark.parametrize("count", [0, 1, 500])
def test_values_are_sorted_within_their_fibers(count: int, fibers: int, dtype: str) -> None:
    values = (RNG.random(count) * 4).round().astype(dtype)
    if values.dtype.kind == "f":
        values[::7], values[::5] = np.nan, -0.0
    number = RNG.integers(0, fibers, count)
    order = np.lexsort((values, number))
    grouped = entry_order([number], count)
    ptr = np.append(np.flatnonzero(changes([number[grouped]], count)), count)
    beside = np.arange(count)
    for got in (
        sorted_fibers(values[grouped], ptr).values,
        sorted_fibers(values[grouped], ptr, beside).values,
    ):
        np.testing.assert_array_equal(np.signbit(got * 1.0), np.signbit(values[order] * 1.0))
        np.testing.assert_array_equal(got, values[order])


def test_medians_along_a_long_axis() -> None:
    places = np.array([0, 5, 10**12]), np.array([2, 2, 0])
    a = sa.from_coordinates(places, np.array([1.0, 3.0, 2.0]), (10**12 + 1, 3), format="coo")
    assert np.median(a, axis=0).tolist() == [0, 0, 0]
    assert np.max(np.median(a, axis=1)).item() == 0
