"""Rows of designs at places: of each part no more is converted or copied than is read."""

import tracemalloc

import numpy as np
import pytest

import structarr as sa
from structarr._support import buffer_pool

N = 200_000

random = np.random.default_rng(0)
NUMBERS = random.random((N, 4))
CODES = [random.integers(-1, 6, N), random.integers(0, 50, N)]


def _design(order: str = "C") -> sa.Array:
    hot = [sa.one_hot(CODES[0], 6), sa.one_hot(CODES[1], 50)]
    return sa.concatenate([np.asarray(NUMBERS, order=order), *hot], axis=1)


def _dense() -> np.ndarray:
    hot = [(codes[:, None] == np.arange(n)) * 1.0 for codes, n in zip(CODES, (6, 50), strict=True)]
    return np.concatenate([NUMBERS, *hot], axis=1)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("count", [0, 1, 700])
def test_products_with_rows(order: str, count: int) -> None:
    x, dense = _design(order), _dense()
    b = random.random(60)
    rows = random.integers(0, N, count)
    np.testing.assert_allclose(np.asarray(x[rows] @ b), dense[rows] @ b)
    r = random.random(count)
    np.testing.assert_allclose(np.asarray(x[rows].T @ r), dense[rows].T @ r, atol=1e-12)
    np.testing.assert_array_equal(x[rows].todense(), dense[rows])


def test_one_hot_rows_of_truth_values() -> None:
    x = sa.one_hot(CODES[0], 6)
    rows = random.integers(0, N, 300)
    want = (CODES[0][:, None] == np.arange(6))[rows]
    assert x[rows].dtype == np.bool_
    np.testing.assert_array_equal(np.asarray(x[rows]), want)
    np.testing.assert_array_equal(np.asarray(x[rows].sum(axis=0)), want.sum(axis=0))
    np.testing.assert_array_equal(
        np.asarray(x[rows].astype(float) @ np.arange(6.0)), want @ np.arange(6)
    )


@pytest.mark.parametrize("order", ["C", "F"])
def test_few_rows_take_little_memory(order: str) -> None:
    x, b = _design(order), random.random(60)
    rows = random.integers(0, N, 500)
    for _ in range(4):
        np.asarray(x[rows] @ b)
    buffer_pool.let_go()
    tracemalloc.start()
    try:
        np.asarray(x[rows] @ b)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < N  # a byte a row, where codes have four and numbers eight
