"""A column that is nearly full takes the other terms of its sum in: products split all the same."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._array import stored
from structarr._execute import replay
from structarr._scheduler import full_fibers, split_sums
from structarr._storage.dense import finite
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
    """The numbers of the fibers by which a plan takes others in, however long that takes."""
    sa.clear_cache()  # plans of other tests
    noted: list[Any] = []
    own = full_fibers.taken

    def taken(found: Any, full: Any) -> Any:
        noted.append(full.buffers[1].tolist())
        return own(found, full)

    monkeypatch.setattr(full_fibers, "taken", taken)
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


@pytest.mark.parametrize("name", ["a vector", "of the transpose", "of several terms"])
def test_plans_of_thin_and_of_full_columns_stay(
    name: str, taken_in: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever comes first, the other one is planned once, and declined before a product."""
    whole: list[Any] = []

    def noted(*given: Any) -> Any:
        whole.append(given)
        return finite(*given)

    monkeypatch.setattr(replay, "finite", noted)
    call, thin = PRODUCTS[name], np.zeros((N, N))
    thin.flat[RNG.permutation(N * N)[: np.count_nonzero(A)]] = 1.0
    with sa.options(tier="interpreted"):
        for dense in (thin, A, thin, A, np.roll(A, 2, axis=1)):
            whole.clear()
            found = call(sa.asarray(dense, format="csr"))
            np.testing.assert_allclose(found.todense(), call(dense), rtol=1e-12, atol=1e-11)
    assert taken_in == [[5, 11]]
    assert len(whole) == 1


@pytest.mark.parametrize("name", ["a vector", "of the transpose", "of several terms"])
def test_the_plan_serves_matrices_of_other_columns(name: str, taken_in: list[Any]) -> None:
    call = PRODUCTS[name]
    every = A.copy()
    every[:, ::2] = 1e6
    none = A * (A < 0.9)
    none[:, 5] = none[:, 11] = 0.0
    with sa.options(tier="interpreted"):
        for dense in (A, np.roll(A, 2, axis=1), none, A, every):
            found = call(sa.asarray(dense, format="csr"))
            np.testing.assert_allclose(found.todense(), call(dense), rtol=1e-12, atol=1e-11)
    first, *others = taken_in
    assert first == [5, 11]
    assert [7, 13] not in others  # which the first plan computed


def test_what_is_not_finite_is_not_computed_by_the_plan_of_others(taken_in: list[Any]) -> None:
    with sa.options(tier="interpreted"), np.errstate(invalid="ignore"):
        for value in (1.0, np.inf, np.nan):
            dense, mean = A.copy(), MU.copy()
            dense[3, 5] = mean[7] = mean[11] = value
            found = ((sa.asarray(dense, format="csr") - mean) @ Y).todense()
            np.testing.assert_allclose(found, (dense - mean) @ Y, rtol=1e-12, atol=1e-11)
    assert taken_in[0] == [5, 11]


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
    monkeypatch.setattr(full_fibers, "taken", None)
    with sa.options(tier="interpreted"):
        found = (sa.asarray(A, format="csr") - MU) @ Y
        np.testing.assert_allclose(found.todense(), (A - MU) @ Y)


@pytest.mark.parametrize("format", ["csr", "csc", "coo"])
def test_how_much_fibers_store(format: str) -> None:
    tensor = stored(sa.asarray(A, format=format))
    for axis in (0, 1):
        np.testing.assert_array_equal(counted_along(tensor, axis), (A != 0).sum(axis=axis))


def test_both_factors_take_other_terms_in(taken_in: list[Any]) -> None:
    def call(a: Any) -> Any:
        return (a - MU).T @ (a - X)

    with sa.options(tier="interpreted"):
        for dense in (A, np.roll(A, 2, axis=1), A * (A < 0.9)):
            found = call(sa.asarray(dense, format="csr")).todense()
            np.testing.assert_allclose(found, call(dense), rtol=1e-10, atol=1e-9)


def test_a_plan_is_not_taken_where_another_sum_would_be_cancelled(taken_in: list[Any]) -> None:
    """Full columns take others in; full rows of the same matrix do not, and are met later."""

    def call(a: Any) -> Any:
        return (a - MU) @ (a - X[:, None])

    rows = A.copy()
    rows[4] = 1e6 + RNG.random(N)
    with sa.options(tier="interpreted"):
        for dense in (A, rows):
            found = call(sa.asarray(dense, format="csr")).todense()
            np.testing.assert_allclose(found, call(dense), rtol=1e-10, atol=1e-4)


@pytest.mark.usefixtures("taken_in")
def test_products_are_split_once_full_columns_have_taken_terms_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plain, splits = split_sums._refilled, list[bool]()

    def refilled(*given: Any) -> Any:
        made = plain(*given)
        splits.append(made is not None)
        return made

    monkeypatch.setattr(split_sums, "_refilled", refilled)
    with sa.options(tier="interpreted"):
        found = PRODUCTS["a vector"](sa.asarray(A, format="csr")).todense()
    np.testing.assert_allclose(found, (A - MU) @ X, rtol=1e-12, atol=1e-11)
    assert splits == [True]


@pytest.mark.parametrize("format", ["csr", "csc"])
def test_what_takes_other_terms_in_is_kept_in_the_order_of_its_lists(format: str) -> None:
    tensor = stored(sa.asarray(A, format=format))
    order = tensor.format.order

    def kept(along: int) -> tuple[int, ...]:
        whole: Any = SimpleNamespace(shape=(N, N))
        term: Any = SimpleNamespace(tensor=tensor, axes=(0,))
        nothing: Any = None
        return full_fibers.Filled(whole, term, nothing, nothing, along).format.order

    assert [kept(0), kept(1)] == [order, order[::-1]]
