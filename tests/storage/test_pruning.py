"""Stored elements that equal the fill: left out by conversions, in whatever order of the axes."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa
from structarr._array import of_tensor, stored
from structarr._storage.transpose import pruned


@pytest.mark.parametrize("fill", [0, 7])
@pytest.mark.parametrize("target", ["csr", "csc", "coo", "dcsr"])
@pytest.mark.parametrize("source", ["csr", "csc", "coo", "dcsc"])
def test_conversions_leave_out_what_equals_the_fill(source: str, target: str, fill: int) -> None:
    dense = np.random.default_rng(0).integers(fill, fill + 4, (40, 30))
    a = sa.asarray(dense, format=source, fill_value=fill)
    marked = sa.where(a == fill + 1, fill, a).compute()
    want = np.where(dense == fill + 1, fill, dense)
    if marked.format == target:
        return  # it is as it was
    made = marked.asformat(target)
    np.testing.assert_array_equal(made.todense(), want)
    assert made.nstored == np.count_nonzero(want != fill)
    assert made.format == target


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "list"])
def test_lists_are_pruned(format: str) -> None:
    places = [np.array([0, 0, 2, 2]), np.array([1, 3, 0, 2])][: 1 if format == "list" else 2]
    places[0] = np.arange(4) if format == "list" else places[0]
    shape = (4,) * len(places)
    ones = sa.from_coordinates(tuple(places), np.array([5, 9, 9, 6]), shape, format=format)
    a = sa.where(ones == 9, 0, ones).compute()
    tensor = stored(a)
    kept = of_tensor(pruned(tensor))
    np.testing.assert_array_equal(kept.todense(), a.todense())
    assert (tensor.nstored, kept.nstored) == (4, 2)
    assert stored(kept).format == tensor.format
