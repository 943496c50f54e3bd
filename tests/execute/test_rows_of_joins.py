"""Batches of rows of arrays side by side: computed of rows of their parts, and replayed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._execute import compute
from structarr._execute.expression_key import key_of
from structarr._lazy.rewrite.rows_of_joins import with_rows

ROWS = 40
RNG = np.random.default_rng(0)
NUMBERS = RNG.standard_normal((ROWS, 3))
LISTS = np.where(RNG.random((ROWS, 4)) < 0.4, RNG.random((ROWS, 4)), 0.0)
CODES = RNG.integers(0, 5, ROWS)
X = sa.concatenate([NUMBERS, sa.one_hot(CODES, 5), sa.asarray(LISTS, format="csr")], axis=1)
DENSE = X.todense()
B, R = RNG.random(12), RNG.random(ROWS)
BATCHES = [slice(0, 10), slice(10, 20), slice(7, 17), slice(30, 40)]

PRODUCTS: dict[str, Callable[..., Any]] = {
    "a vector": lambda x, r: x @ B,
    "transposed": lambda x, r: x.T @ r,
    "two": lambda x, r: x.T @ (r - x @ B),
    "weighted": lambda x, r: x.T @ (r[:, None] * x),
    "sums": lambda x, r: x.sum(axis=0),
    "scaled": lambda x, r: (2 * x).T @ r,
}


@pytest.fixture(autouse=True)
def _interpreted() -> Iterator[None]:
    with sa.options(tier="interpreted"):
        yield


@pytest.mark.parametrize("name", PRODUCTS)
def test_products_of_batches_are_numpys(name: str) -> None:
    for rows in BATCHES * 2:
        found = PRODUCTS[name](X[rows], R[rows])
        np.testing.assert_allclose(np.asarray(found), PRODUCTS[name](DENSE[rows], R[rows]))


@pytest.mark.parametrize("columns", [slice(0, 4), slice(2, 9), slice(3, 8), slice(5, 5)])
def test_parts_of_rows(columns: slice) -> None:
    for rows in (*BATCHES, slice(3, 3), slice(5, None), slice(8, 30, 3), slice(20, 10, -1)):
        part, dense = X[rows, columns], DENSE[rows, columns]
        np.testing.assert_allclose(np.asarray(part @ B[columns]), dense @ B[columns])
        np.testing.assert_allclose(np.asarray(part.T @ R[rows]), dense.T @ R[rows])
        np.testing.assert_allclose(np.asarray(part.sum()), dense.sum())
        np.testing.assert_array_equal(part.todense(), dense)


def test_batches_of_one_length_are_one_expression(monkeypatch: pytest.MonkeyPatch) -> None:
    for rows in BATCHES:
        np.asarray(X[rows].T @ R[rows])
    keys = {key_of(with_rows((X[rows].T @ R[rows])._node)) for rows in BATCHES}
    assert None not in keys and len(keys) == 1

    def planned(*_: Any) -> Any:
        raise AssertionError("the expression is planned once more")

    monkeypatch.setattr(compute, "_recording", planned)
    for rows in BATCHES:
        np.testing.assert_allclose(np.asarray(X[rows].T @ R[rows]), DENSE[rows].T @ R[rows])


def test_batches_of_an_argument_are_those_of_each_call() -> None:
    step = sa.jit(lambda x, r: x[5:15].T @ r[5:15])
    for sign in (1.0, -2.0, 3.0):
        numbers = sign * NUMBERS
        x = sa.concatenate([numbers, sa.one_hot(CODES, 5)], axis=1)
        np.testing.assert_allclose(np.asarray(step(x, R)), x.todense()[5:15].T @ R[5:15])


def test_later_changes_of_numbers_are_seen_as_before() -> None:
    numbers = NUMBERS.copy()
    x = sa.concatenate([numbers, sa.one_hot(CODES, 5)], axis=1)
    before = x[5:15].T @ R[5:15]
    wanted = x.todense()[5:15].T @ R[5:15]
    numbers[:] = 0
    np.testing.assert_allclose(np.asarray(before), wanted)


RESHAPED: dict[str, Callable[[Any], Any]] = {
    "products": lambda a: [a.T.reshape(2, 8) @ NUMBERS[:8]] * 2,
    "sums": lambda a: [a.T.reshape(2, 8).sum(axis=0)[:, None] * a.reshape(2, 8).T, a.reshape(8, 2)],
    "covariances": lambda a: [np.cov(np.roll(a, 2, None), rowvar=False)] * 2,
}


@pytest.mark.parametrize("format", ["csr", "coo", "dense"])
@pytest.mark.parametrize("name", RESHAPED)
def test_rows_of_products_of_reshaped_arrays(name: str, format: str) -> None:
    a = LISTS[:4]
    want = np.concatenate(RESHAPED[name](a))[1:3]
    found = np.concatenate(RESHAPED[name](sa.asarray(a, format=format)))[1:3]
    np.testing.assert_allclose(np.asarray(found), want)
