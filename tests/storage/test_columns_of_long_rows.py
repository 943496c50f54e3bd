"""Columns taken of rows that are far longer than they have entries."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import structarr as sa


@pytest.mark.parametrize("length", [200, 100_000])
@pytest.mark.parametrize("columns", [[3, 40, 41, 150], [150, 3, 40], [40, 40, 3], [7]])
def test_columns_are_those_of_scipy(length: int, columns: list[int]) -> None:
    places = ([0, 0, 1, 3, 3], [3, 40, 41, 3, 150])
    a = sp.csr_array(([1.0, 2.0, 3.0, 4.0, 5.0], places), (4, length))
    found = sa.asarray(a)[:, columns]
    assert found.format == "csr"
    np.testing.assert_array_equal(found.todense(), a[:, columns].toarray())
    both = sa.asarray(a)[np.ix_([0, 3], columns)]
    np.testing.assert_array_equal(both.todense(), a[[0, 3]][:, columns].toarray())
