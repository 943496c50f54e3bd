"""Loops of no turns are not cut into pieces, whatever they go along."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa
from structarr._testing.fuzz.pieces import in_pieces


@pytest.mark.parametrize("shape", [(0, 4), (4, 0), (0, 0)])
@pytest.mark.parametrize("format", ["csr", "csc", "coo", "bsr", "vbl"])
def test_sums_and_products(format: str, shape: tuple[int, int]) -> None:
    x = np.zeros(shape)
    rows, columns = map(np.ones, shape)
    with in_pieces(), sa.options(threads=2):
        a = sa.asarray(x, format=format)
        assert np.array_equal(rows @ a, rows @ x)
        assert np.array_equal(a @ columns, x @ columns)
        assert np.array_equal(a.sum(axis=0), x.sum(axis=0))
        assert np.array_equal(a.T @ a, x.T @ x)
        assert float(rows @ a @ columns) == 0
