"""Weighted products of dense matrices by BLAS, whose scaled matrix is not formed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa

RNG = np.random.default_rng(0)
A, B, W = RNG.random((300, 8)), RNG.random((300, 9)), RNG.random(300) - 0.5
PRODUCTS: dict[str, Callable[..., Any]] = {
    "of two": lambda a, b, w: a.T @ (w[:, None] * b),
    "the weights first": lambda a, b, w: (a.T * w) @ b,
    "of one, some weights negative": lambda a, b, w: a.T @ (w[:, None] * a),
    "of one, no weight negative": lambda a, b, w: (a.T * abs(w)) @ a,
    "two weights": lambda a, b, w: np.einsum("ki,k,k,kj->ij", a, w, w, b),
}


@pytest.mark.parametrize("name", PRODUCTS)
def test_values_are_those_of_numpy(name: str) -> None:
    made = PRODUCTS[name](sa.asarray(A), sa.asarray(B), sa.asarray(W))
    np.testing.assert_allclose(made.todense(), PRODUCTS[name](A, B, W), atol=1e-12)
