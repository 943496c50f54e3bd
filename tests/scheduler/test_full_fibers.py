"""A column that is nearly full takes the other terms of its sum in: products split all the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._array import stored
from structarr._scheduler import full_fibers, split_sums
from structarr._storage.statistics import counted_along

RNG = np.random.default_rng(3)
N = 24
A = np.where(RNG.random((N, N)) < 0.1, RNG.random((N, N)), 0.0)
A[:, 5] = 1e6 + RNG.random(N)
A[1:, 11] = 1.0
MU, X, Y = A.mean(axis=0), RNG.random(N), RNG.random((N, 3))
PRODUCTS: dict[str, Callable[[Any], Any]] = {
    "a vector": lambda a: (a - MU) @ X,
    "a matrix": lambda a: (a - MU) @ Y,
    "of the transpose": lambda a: (a - MU).T @ Y,
    "from the left": lambda a: X @ (a - MU),
    "the other way round": lambda a: (MU - a) @ X,
    "of several terms": lambda a: (a - MU + X) @ Y,
    "a quotient": lambda a: ((a - MU) / (X + 1.0)) @ Y,
    "sums": lambda a: (a - MU).sum(axis=1),
    "within an expression": lambda a: 2.0 * ((a - MU) @ X) + X,
    "of columns": lambda a: (a.T - MU[:, None]) @ X,
}


@pytest.fixture
def taken_in(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The numbers of the fibers into which others are taken, however long it takes."""
    noted: list[Any] = []
    own = full_fibers.parts_of

    def parts_of(found: Any, fibers: Any, rest: Any) -> Any:
        noted.append(fibers.tolist())
        return own(found, fibers, rest)

    monkeypatch.setattr(full_fibers, "parts_of", parts_of)
    for name in ("REFILL", "REFILLED", "GAIN"):
        monkeypatch.setattr(split_sums, name, 0.0)
    return noted


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "dcsr"])
@pytest.mark.parametrize("name", PRODUCTS)
def test_full_columns_take_other_terms_in(name: str, format: str, taken_in: list[Any]) -> None:
    call = PRODUCTS[name]
    with sa.options(tier="interpreted"):
        found = call(sa.asarray(A, format=format)).todense()
    assert taken_in == [[5, 11]]
    # What was subtracted from products would be rounded at 1e6.
    np.testing.assert_allclose(found, call(A), rtol=1e-12, atol=1e-11)


def test_the_next_matrix_has_other_columns(taken_in: list[Any]) -> None:
    other = np.roll(A, 2, axis=1)
    with sa.options(tier="interpreted"):
        for dense in (A, other, A * (RNG.random(N) < 0.5)[:, None] * (A < 1)):
            found = (sa.asarray(dense, format="csr") - MU) @ Y
            np.testing.assert_allclose(found.todense(), (dense - MU) @ Y, rtol=1e-12, atol=1e-11)
    assert taken_in == [[5, 11], [7, 13]]


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
def test_what_is_not_finite_is_computed_as_it_is_written(value: float) -> None:
    dense, mean = A.copy(), MU.copy()
    dense[3, 5] = mean[7] = value
    with sa.options(tier="interpreted"):
        found = ((sa.asarray(dense, format="csr") - mean) @ Y).todense()
    with np.errstate(invalid="ignore"):
        np.testing.assert_allclose(found, (dense - mean) @ Y)


def test_other_sums_are_left_as_they_are(taken_in: list[Any]) -> None:
    """Vectors along both axes leave no axis along which all other terms are the same."""
    with sa.options(tier="interpreted"):
        found = (sa.asarray(A, format="csr") - MU - X[:, None]) @ Y
        np.testing.assert_allclose(found.todense(), (A - MU - X[:, None]) @ Y, rtol=1e-12)
    assert not taken_in


def test_small_sums_are_not_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(full_fibers, "parts_of", None)
    with sa.options(tier="interpreted"):
        found = (sa.asarray(A, format="csr") - MU) @ Y
        np.testing.assert_allclose(found.todense(), (A - MU) @ Y)


@pytest.mark.parametrize("format", ["csr", "csc", "coo"])
def test_how_much_fibers_store(format: str) -> None:
    tensor = stored(sa.asarray(A, format=format))
    for axis in (0, 1):
        np.testing.assert_array_equal(counted_along(tensor, axis), (A != 0).sum(axis=axis))
