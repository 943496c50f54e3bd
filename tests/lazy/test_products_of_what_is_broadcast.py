"""Sums of products with factors that are the same along axes, which no other factor may have."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa

PRODUCTS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "a vector": lambda t, a, x: t @ (t.T @ x),
    "a vector of rows": lambda t, a, x: t.T @ (a @ (a.T @ x)),
    "a chain": lambda t, a, x: t @ (a.T @ (t @ a.T)),
    "sums of rows": lambda t, a, x: (t @ (a.T @ a)).sum(axis=1),
    "a product of sums": lambda t, a, x: t.sum(axis=1) * (a @ a.T).sum(axis=0),
    "a masked product": lambda t, a, x: (a @ t.T) * (t @ t.T),
    "columns": lambda t, a, x: np.sum(t[:, :, None] * (a.T @ a), axis=1),
}
GIVEN: dict[str, Callable[[int], Any]] = {
    "a number": lambda n: np.float64(2.5),
    "a row": lambda n: np.arange(1.0, n + 1),
    "a column": lambda n: np.array([[2.0], [3.0], [0.5]]),
}


@pytest.mark.parametrize("name", PRODUCTS)
@pytest.mark.parametrize("given", GIVEN)
@pytest.mark.parametrize("length", [0, 1, 4])
def test_products_have_all_axes(name: str, given: str, length: int) -> None:
    a, x, part = np.ones((3, length)), np.array([1.0, 0.0, 2.0]), GIVEN[given](length)
    want = PRODUCTS[name](np.broadcast_to(part, (3, length)), a, x)
    with sa.options(tier="interpreted"):
        lazy = np.broadcast_to(sa.asarray(part), (3, length))
        got = PRODUCTS[name](lazy, sa.asarray(a, format="csr"), sa.asarray(x, format="list"))
        assert got.shape == want.shape == got.todense().shape
        np.testing.assert_allclose(got.todense(), want)
