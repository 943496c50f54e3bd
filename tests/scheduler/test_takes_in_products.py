"""Reads at places within products, along each axis, beside NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa

PLACES = np.array([3, 0, 5, 3])
CASES: dict[str, Callable[[Any, Any], Any]] = {
    "rows of a product": lambda a, b: np.take(a @ b, PLACES, axis=0),
    "columns of a product": lambda a, b: np.take(a @ b, PLACES, axis=1),
    "rows of a factor": lambda a, b: np.take(a, PLACES, axis=0) @ b,
    "columns of a factor": lambda a, b: a @ np.take(b, PLACES, axis=1),
    "the axis that is summed": lambda a, b: (
        np.take(a * 2, PLACES, axis=1) @ np.take(b, PLACES, axis=0)
    ),
    "sums of what is taken": lambda a, b: np.take((a * b).sum(axis=1) * 2, PLACES) + 1,
    "taken twice": lambda a, b: np.take(np.take(a, PLACES, axis=0), [1, 0], axis=0) @ b,
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("format", ["csr", "csc", "dense"])
def test_values_are_those_of_numpy(case: str, format: str) -> None:
    rng = np.random.default_rng(28)
    a, b = (rng.integers(0, 9, (6, 6)) * (rng.random((6, 6)) < 0.4) for _ in range(2))
    found = CASES[case](sa.asarray(a, format=format), sa.asarray(b))
    np.testing.assert_array_equal(found.todense(), CASES[case](a, b))
