"""Operands that others can write: whatever they write later, results are of what stood there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import structarr as sa
from structarr._api.core import operands

LENGTH, THIN = 20, 4
SPARSE = sp.random(LENGTH, LENGTH, 0.1, format="csr", random_state=0)
DENSE = SPARSE.toarray()
RESULTS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "a product before a mask": lambda a, y, s: a * (sa.asarray(y.copy()) @ y.T),
    "a chain": lambda a, y, s: a @ y @ y.T,
    "a broadcast sum": lambda a, y, s: a[:, :, None] + y[:, :1].T[..., None],
    "an elementwise sum": lambda a, y, s: sa.asarray(y.copy()) + y,
    "a matrix of SciPy's": lambda a, y, s: (a @ s) @ y,
    "a factor of SciPy's": lambda a, y, s: a * s + s,
}


@pytest.fixture(autouse=True)
def no_operand_is_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operands, "COPY_LIMIT", 0)


@pytest.mark.parametrize("name", RESULTS)
def test_what_is_written_later_changes_nothing(name: str) -> None:
    array = sa.asarray(SPARSE.copy())
    thin, other = np.random.default_rng(1).random((LENGTH, THIN)), SPARSE.copy()
    want = RESULTS[name](sa.asarray(DENSE), thin.copy(), sa.asarray(DENSE)).todense()
    with sa.options(tier="interpreted"):
        result = RESULTS[name](array, thin, other)
        thin[:] = -1
        other.data[:] = -1
        np.testing.assert_allclose(result.todense(), want)


def test_a_product_that_is_larger_than_its_factors_is_lazy() -> None:
    thin = np.ones((2 * LENGTH, THIN))
    assert sa.asarray(thin.copy())._tensor is not None
    assert (sa.asarray(thin.copy()) @ thin.T)._tensor is None
    assert (sa.asarray(thin.copy()) + thin)._tensor is not None  # as large as the operand


PRODUCTS: dict[str, Callable[[Any, Any], Any]] = {
    "read at once": lambda a, y: a.T @ y[:, :1],
    "turned and read at once": lambda a, y: y.T @ a,
    "from the left": lambda a, y: y.T @ a @ a,
    "copied": lambda a, y: (a - 1.0) @ y,
    "copied and turned": lambda a, y: (a @ y) @ y.T,
}


@pytest.mark.parametrize("limit", [0, 1 << 17])
@pytest.mark.parametrize("name", PRODUCTS)
def test_products_like_earlier_ones_have_the_values_of_the_call(
    name: str, limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second and the third are made, or read, by look-ups alone."""
    monkeypatch.setattr(operands, "COPY_LIMIT", limit)
    array = sa.asarray(SPARSE.copy())
    for seed in range(3):
        thin = np.random.default_rng(seed).random((LENGTH, THIN))
        want = PRODUCTS[name](DENSE, thin)
        result = PRODUCTS[name](array, thin)
        thin[:] = -1
        np.testing.assert_allclose(result.todense(), want)
