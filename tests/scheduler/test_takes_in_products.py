"""Reads at places within products, along each axis, beside NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import structarr as sa
from structarr._testing.forcing import witnessed

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


def _shapes(make: Callable[[], sa.Array]) -> list[Any]:
    """The shapes of the operands of each call of a kernel that computes an expression."""
    calls: list[Any] = []
    with sa.options(tier="compiled"), witnessed(calls.append):
        make().compute()
    return [[one.shape for one in call.given.tensors] for call in calls]


def test_few_rows_are_taken_first_where_the_order_of_their_product_needs_them() -> None:
    """Row by row, all pairs of rows would be multiplied: the loops of a product of lists do not."""
    rng = np.random.default_rng(0)
    columns = rng.integers(0, 2000, (8000, 10))
    lists = sp.csr_array((np.ones(80_000), columns.ravel(), np.arange(0, 80_001, 10)))
    rows = rng.integers(0, 8000, 40)
    a = sa.asarray(lists)
    assert any((40, a.shape[1]) in shapes for shapes in _shapes(lambda: a[rows] @ a.T))
    found = (a[rows] @ a.T).compute()
    np.testing.assert_array_equal(found.todense(), (lists[rows] @ lists.T).toarray())


@pytest.mark.parametrize(("width", "moves"), [(1, True), (64, False)])
def test_places_move_to_a_vector_and_not_to_many_columns(width: int, moves: bool) -> None:
    rng = np.random.default_rng(0)
    dense = rng.random((50, 300)) * (rng.random((50, 300)) < 0.1)
    places, y = rng.integers(0, 300, 20), rng.random((20, width)).squeeze()
    a = sa.asarray(dense, format="csr")
    shapes = [one for call in _shapes(lambda: a[:, places] @ y) for one in call]
    assert ((50, 300) in shapes and (50, 20) not in shapes) == moves
    np.testing.assert_allclose((a[:, places] @ y).todense(), dense[:, places] @ y)
