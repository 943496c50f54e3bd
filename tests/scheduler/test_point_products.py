"""Products of a matrix of points with itself: sums by category, on a diagonal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa

N, COUNT = 12, 7
RANDOM = np.random.default_rng(0)
CODES = RANDOM.integers(-1, COUNT, N)
W, V = RANDOM.random(N), RANDOM.random(N)
HOT = (CODES[:, None] == np.arange(COUNT)).astype(float)

PRODUCTS: dict[str, Callable[[Any], Any]] = {
    "weighted": lambda p: p.T @ (W[:, None] * p),
    "weighted at the left": lambda p: (W[:, None] * p).T @ p,
    "twice weighted": lambda p: (W[:, None] * p).T @ (V[:, None] * p),
    "of numbers by category": lambda p: (p * V[:, None]).T @ (W[:, None] * p),
    "counts": lambda p: p.astype(float).T @ p.astype(float),
    "weights of zero": lambda p: p.T @ (np.zeros(N)[:, None] * p),
    "a ridge": lambda p: p.T @ (W[:, None] * p) + 3 * np.eye(COUNT),
    "scaled columns": lambda p: p.T @ (W[:, None] * p * np.arange(COUNT)),
    "and a vector": lambda p: p.T @ (W[:, None] * p) @ np.arange(COUNT),
    "its sum": lambda p: (p.T @ (W[:, None] * p)).sum(),
    "of a part": lambda p: p[2:9].T @ (W[2:9, None] * p[2:9]),
    "another one": lambda p: p.T @ (W[:, None] * p[::-1]),
    "shifted": lambda p: p.T @ (W[:, None] * (p + 1)),
    "outer": lambda p: (p @ np.ones((COUNT, COUNT)) * W[:, None]) @ p.T,
    "rows": lambda p: p @ p.T.astype(float),
}


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("name", PRODUCTS)
def test_products_are_numpys(name: str, strict: bool) -> None:
    wanted = PRODUCTS[name](HOT)
    with sa.options(tier="interpreted", strict_ieee=strict):
        own = sa.one_hot(CODES, COUNT)
        for _ in range(2):  # the second one is replayed
            found = PRODUCTS[name](own)
            np.testing.assert_allclose(np.asarray(sa.asarray(found, format="dense")), wanted)


@pytest.mark.parametrize(
    "name", ["weighted", "weighted at the left", "twice weighted", "of numbers by category"]
)
def test_they_are_diagonal_by_structure(name: str) -> None:
    with sa.options(tier="interpreted"):
        found = PRODUCTS[name](sa.one_hot(CODES, COUNT))
        assert (str(found.format), found.nstored) == ("dia", COUNT)


def test_the_kernel_of_the_diagonal_is_explained() -> None:
    with sa.options(tier="interpreted"):
        own = sa.one_hot(CODES, COUNT)
        told = sa.explain(own.T @ (W[:, None] * own))
        assert told.format == "dia"
        assert "def kernel" in told.kernel
        assert list(told.results.values()) == ["dense"]
        assert "stored as dia, made of the result" in str(told)
        sums = sa.explain((own * W[:, None]).sum(axis=0))
        assert "stored as" not in str(sums)


def test_of_truth_values_it_is_whether_there_are_any() -> None:
    with sa.options(tier="interpreted"):
        own = sa.one_hot(CODES, COUNT)
        found = own.T @ own
        np.testing.assert_array_equal(found.todense(), np.diag(HOT.any(axis=0)))
        assert (found.dtype, str(found.format)) == (bool, "dia")


def test_a_plan_for_one_matrix_is_none_for_two() -> None:
    """Matrices of the same structure with other points are not diagonal together."""
    other = CODES[::-1].copy()
    with sa.options(tier="interpreted"):
        own, second = sa.one_hot(CODES, COUNT), sa.one_hot(other, COUNT)
        right = (other[:, None] == np.arange(COUNT)).astype(float)
        for one, values in ((own, HOT), (second, right), (own, HOT)):
            found = own.T @ (W[:, None] * one)
            np.testing.assert_allclose(found.todense(), HOT.T @ (W[:, None] * values))


@pytest.mark.parametrize("shape", [(0, 3), (4, 0), (0, 0)])
def test_empty_matrices(shape: tuple[int, int]) -> None:
    rows, columns = shape
    with sa.options(tier="interpreted"):
        own = sa.one_hot(np.full(rows, -1), columns)
        found = own.T @ (np.ones(rows)[:, None] * own)
        np.testing.assert_array_equal(found.todense(), np.zeros((columns, columns)))


def test_large_weights_are_copied_and_the_product_stays_lazy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("structarr._api.core.operands.COPY_LIMIT", 0)
    weights = W.copy()
    with sa.options(tier="interpreted"):
        own = sa.one_hot(CODES, COUNT)
        found = own.T @ (weights[:, None] * own)
        weights[:] = 0  # comes too late
        assert str(found.format) == "dia"
        np.testing.assert_allclose(found.todense(), HOT.T @ (W[:, None] * HOT))
