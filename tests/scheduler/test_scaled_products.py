"""Products of sparse matrices that are scaled by vectors: as sparse as without the vectors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa

RANDOM = np.random.default_rng(0)
A = RANDOM.random((30, 40)) * (RANDOM.random((30, 40)) < 0.05)
B = RANDOM.random((20, 40)) * (RANDOM.random((20, 40)) < 0.05)
U, V, W = RANDOM.random(20) + 1, RANDOM.random(30) + 1, RANDOM.random(40) + 1

SCALED: dict[str, Callable[[Any, Any], Any]] = {
    "rows of the right": lambda a, b: a @ (b * U[:, None]).T,
    "rows of the right, divided": lambda a, b: a @ (b / U[:, None]).T,
    "rows of the left": lambda a, b: (a * V[:, None]) @ b.T,
    "what is summed": lambda a, b: (a * W) @ b.T,
    "all": lambda a, b: (a * V[:, None] * W) @ (b * U[:, None]).T,
    "of itself": lambda a, b: (a / V[:, None]) @ a.T,
    "a slice": lambda a, b: a @ (a * V[:, None])[:7].T,
}


@pytest.mark.parametrize("how", SCALED)
@pytest.mark.parametrize("format", ["csr", "csc", "coo"])
def test_scaled_products_are_sparse(how: str, format: str) -> None:
    a, b = (sa.asarray(one, format=format) for one in (A, B))
    found = SCALED[how](a, b).compute()
    assert found.nstored < found.size
    np.testing.assert_allclose(found.todense(), SCALED[how](A, B))


def test_what_is_added_to_is_no_scaling() -> None:
    a, b = (sa.asarray(one, format="csr") for one in (A, B))
    found = (a @ (b + U[:, None]).T).compute()
    np.testing.assert_allclose(found.todense(), A @ (B + U[:, None]).T)
    found = ((a + V[:, None]) @ (b * U[:, None]).T).compute()
    np.testing.assert_allclose(found.todense(), (A + V[:, None]) @ (B * U[:, None]).T)
