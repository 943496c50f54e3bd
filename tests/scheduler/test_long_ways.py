"""Searches over long ways have their price: a long list is spread out before many rows meet it."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import structarr as sa

RANDOM = np.random.default_rng(3)
N = 3000
MATRIX = sp.random_array((N, N), density=20 / N, format="csr", rng=1)


def picked(expression: sa.Array) -> str:
    return str(sa.explain(expression)).split("def kernel")[0].split("\n\n")[1]


@pytest.mark.parametrize("format", ["csr", "coo", "dcsr"])
@pytest.mark.parametrize("share", [1.0, 0.1])
def test_many_rows_search_no_long_list(format: str, share: float) -> None:
    dense = RANDOM.random(N) * (RANDOM.random(N) < share)
    a = sa.asarray(MATRIX).asformat(format)
    v = sa.asarray(dense, format="list")
    centred = np.where(a != 0, (a - v) ** 2, 0.0).sum(axis=0)
    for expression in (a @ v, a * v, centred):
        assert "gallop" not in picked(expression)
    np.testing.assert_allclose(np.asarray(a @ v), MATRIX @ dense)
    stored = MATRIX.toarray()
    expected = np.where(stored != 0, (stored - dense) ** 2, 0.0).sum(axis=0)
    np.testing.assert_allclose(np.asarray(centred), expected)


@pytest.mark.parametrize("format", ["csr", "coo"])
def test_short_lists_are_searched_for(format: str) -> None:
    dense = np.zeros(N)
    dense[:3] = 1.0
    a = sa.asarray(MATRIX[:4]).asformat(format)
    v = sa.asarray(dense, format="list")
    np.testing.assert_allclose(np.asarray(a @ v), MATRIX[:4] @ dense)
    assert "row" not in picked(a @ v)
