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
    monkeypatch.setattr(gather, "coordinates", None)
    wanted = np.array(wanted, int)
    np.testing.assert_array_equal(array[wanted].todense(), X[wanted])


@pytest.mark.parametrize("format", FORMATS, ids=str)
def test_fibers_at_pairs(format, monkeypatch):
    array = sa.asarray(X, format=format)
    monkeypatch.setattr(gather, "coordinates", None)
    rows, columns = np.array([6, 0, 6]), np.array([4, 1, 0])
    np.testing.assert_array_equal(array[rows, columns].todense(), X[rows, columns])
