"""Places of values in order, in which equal ones stay as they were."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._storage.stable_order import sort_kind, stable_order


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int32", "uint64", "float32", "float64"])
@pytest.mark.parametrize("shape", [(0,), (1,), (2,), (1000,), (7, 300), (300, 7), (3, 1, 40)])
@pytest.mark.parametrize("many", [3, 10**5])
def test_order_is_numpys_stable_one(dtype: Any, shape: tuple[int, ...], many: int) -> None:
    random = np.random.default_rng(1)
    values = (random.integers(0, many, shape) % 2**15).astype(dtype)
    if values.dtype.kind == "f" and values.size > 4:
        values.reshape(-1)[::5] = np.nan
        values.reshape(-1)[1::7] = -0.0
        values.reshape(-1)[2::7] = 0.0
    for axis in range(len(shape)):
        expected = np.argsort(values, axis, stable=True)
        assert np.array_equal(stable_order(values, axis), expected)
        assert np.array_equal(sa.argsort(sa.asarray(values), axis=axis).todense(), expected)


def test_complex_numbers_and_booleans_are_in_order_too() -> None:
    values = np.array([1 + 1j, 1 + 0j, 1 + 1j, np.nan, 0j])
    assert stable_order(values).tolist() == np.argsort(values, stable=True).tolist()
    truths = np.array([True, False, True, False])
    assert stable_order(truths).tolist() == [1, 3, 0, 2]


def test_sorted_zeros_keep_their_signs_in_order() -> None:
    values = np.array([0.0, 3.0, -0.0, 0.0, -1.0, -0.0] * 50)
    assert sort_kind(values) == "stable" and sort_kind(values[:2]) is None
    found = sa.sort(sa.asarray(values)).todense()
    expected = np.sort(values, stable=True)
    assert np.array_equal(found, expected)
    assert np.array_equal(np.signbit(found), np.signbit(expected))
