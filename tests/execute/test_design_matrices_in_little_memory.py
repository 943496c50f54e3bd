"""Products with design matrices: no dense copy of the matrix is made, by its size in memory."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa

ROWS, COUNTS = 20_000, (200, 300)
RANDOM = np.random.default_rng(0)
CODES = [RANDOM.integers(-1, count, ROWS) for count in COUNTS]
NUMBERS = RANDOM.random((ROWS, 3))
PLACES = RANDOM.integers(0, ROWS, 4000), RANDOM.integers(0, 5, 4000)
COLUMNS = sum(COUNTS) + 3 + 5
DENSE = 8 * ROWS * COLUMNS
B, R, W = RANDOM.random(COLUMNS), RANDOM.random(ROWS), RANDOM.random(ROWS)

PRODUCTS: dict[str, Callable[[Any], Any]] = {
    "X @ b": lambda x: x @ B,
    "X.T @ r": lambda x: x.T @ R,
    "weighted": lambda x: x.T @ (W[:, None] * x),
    "rows": lambda x: x[::3] @ B,
    "standardised": lambda x: ((x - B) / (1 + B)) @ B,
}


def table() -> Any:
    hot = [sa.one_hot(codes, count) for codes, count in zip(CODES, COUNTS, strict=True)]
    lists = sa.from_coordinates(PLACES, np.ones(4000), (ROWS, 5), format="csc")
    return sa.concatenate([*hot, NUMBERS, lists], axis=1)


@pytest.mark.parametrize("name", PRODUCTS)
def test_products_take_a_small_part_of_the_dense_matrix(name: str) -> None:
    call = PRODUCTS[name]
    wanted = call(table().todense())
    for _ in range(2):  # kernels are compiled
        np.testing.assert_allclose(np.asarray(call(table())), wanted, rtol=1e-9, atol=1e-9)
    x = table()
    tracemalloc.start()
    try:
        np.asarray(call(x))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < DENSE / 8, f"{peak} of {DENSE} bytes"
