"""The order of products: priced by loops that lists can be read in."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa
from structarr._scheduler.product_order import Factor, best

LENGTHS = {0: 1024, 1: 1024, 2: 1024, 3: 32}
ROWS = np.where(np.random.default_rng(0).random((40, 30)) < 0.2, 1.0, 0.0)


def lists(*labels: int) -> Factor:
    """A matrix of lists in dense rows."""
    return Factor(labels, 4096.0, labels[1:], labels)


def test_loops_lie_within_those_over_the_levels_above() -> None:
    vector = Factor((2,), 1024.0)
    assert best((lists(0, 1), lists(2, 1), vector), (0,), LENGTHS).tree == (0, (1, 2))


def test_rows_of_lists_times_a_dense_matrix_are_dense() -> None:
    dense = Factor((2, 3), 32 * 1024.0)
    assert best((lists(0, 1), lists(2, 1), dense), (0, 3), LENGTHS).tree == (0, (1, 2))


@pytest.mark.parametrize("format", ["csr", "csc", "dcsr", "coo", "rle", "dense"])
def test_chains_of_products(format: str) -> None:
    a, x = sa.asarray(ROWS, format=format), np.arange(40.0)
    y = np.arange(80.0).reshape(40, 2)
    with sa.options(tier="interpreted"):
        np.testing.assert_array_equal(np.asarray(a @ a.T @ x), ROWS @ (ROWS.T @ x))
        np.testing.assert_array_equal(np.asarray(a @ a.T @ sa.asarray(y)), ROWS @ (ROWS.T @ y))
        found = np.einsum("ij,kj,kl,ml,m->i", a, a, a, a, x)
        np.testing.assert_array_equal(np.asarray(found), ROWS @ (ROWS.T @ (ROWS @ (ROWS.T @ x))))
