"""Fibers at places of the outermost axes: read by themselves, whatever else the array stores."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa
from structarr._storage import gather
from structarr.formats import Dense, SparseList

RNG = np.random.default_rng(4)
X = np.where(RNG.random((7, 5, 6)) < 0.3, RNG.integers(1, 9, (7, 5, 6)), 0)

FORMATS = ["csf", "coo", Dense(SparseList(SparseList())), Dense(Dense(SparseList()))]


@pytest.mark.parametrize("format", FORMATS, ids=str)
@pytest.mark.parametrize("wanted", [[1, 6, 3], [2, 2], [-1], []])
def test_fibers_are_read_without_listing_the_array(format, wanted, monkeypatch):
    array = sa.asarray(X, format=format)
    monkeypatch.setattr(gather, "entries_of", None)
    wanted = np.array(wanted, int)
    np.testing.assert_array_equal(array[wanted].todense(), X[wanted])


@pytest.mark.parametrize("format", FORMATS, ids=str)
def test_fibers_at_pairs(format, monkeypatch):
    array = sa.asarray(X, format=format)
    monkeypatch.setattr(gather, "entries_of", None)
    rows, columns = np.array([6, 0, 6]), np.array([4, 1, 0])
    np.testing.assert_array_equal(array[rows, columns].todense(), X[rows, columns])


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
@pytest.mark.parametrize("count", [0, 1, 2, 3, 40])
def test_few_and_many_columns_of_rows(count: int, tier: str) -> None:
    """Of few the values of the others are not read."""
    dense = np.where(RNG.random((30, 50)) < 0.3, RNG.integers(1, 9, (30, 50)), 0).astype(float)
    wanted = np.sort(RNG.choice(50, count, replace=False))
    for places in (wanted, wanted[::-1], np.repeat(wanted, 2)):
        for format, given in (("csr", dense), ("csc", dense.T)):
            array = sa.asarray(given, format=format)
            key = (slice(None), places) if format == "csr" else places
            with sa.options(tier=tier):
                np.testing.assert_array_equal(array[key].todense(), given[key])
