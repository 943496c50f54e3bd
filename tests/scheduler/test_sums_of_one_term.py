"""Sums along rows of which one place is stored: each is stored at once, and nothing is cleared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa

RANDOM = np.random.default_rng(0)
CODES = RANDOM.integers(-1, 5, 40)
HOT = (CODES[:, None] == np.arange(5)).astype(float)
B, MATRIX = RANDOM.random(5), RANDOM.random((5, 3))

REDUCTIONS: dict[str, Callable[[Any], Any]] = {
    "values": lambda p: p @ B,
    "narrow values": lambda p: p.astype(np.float32) @ B.astype(np.float32),
    "counts": lambda p: p.sum(axis=1),
    "largest": lambda p: (p * B).max(axis=1),
    "least": lambda p: (p * -B).min(axis=1),
    "products": lambda p: (p + 1).prod(axis=1),
    "a matrix": lambda p: p @ MATRIX,
    "columns": lambda p: p.T @ np.ones(40),
    "a map": lambda p: np.exp(p @ B) - 1,
}


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("name", REDUCTIONS)
def test_values(name: str, strict: bool) -> None:
    with sa.options(tier="interpreted", strict_ieee=strict):
        own = sa.one_hot(CODES, 5).astype(float)
        for _ in range(2):  # planned, and replayed
            found = REDUCTIONS[name](own)
            np.testing.assert_allclose(np.asarray(found), REDUCTIONS[name](HOT), rtol=1e-6)


def test_infinities_beside_what_is_not_stored() -> None:
    with sa.options(tier="interpreted", strict_ieee=True), np.errstate(invalid="ignore"):
        b = np.array([1.0, np.inf, 2.0, 3.0, 4.0])
        np.testing.assert_array_equal(np.asarray(sa.one_hot(CODES, 5).astype(float) @ b), HOT @ b)


def test_the_result_is_not_read() -> None:
    told = sa.explain(sa.one_hot(CODES, 5) @ sa.asarray(B).copy())
    lines = [line.strip() for line in told.kernel.splitlines() if "C_val" in line]
    assert lines[1:] == ["C_val[u(i)] = t"]
