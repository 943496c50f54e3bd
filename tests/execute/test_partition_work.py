"""The rows at which pieces end, by what is stored before them."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa
from structarr import formats
from structarr._array import stored
from structarr._execute.partition_work import (
    COARSE,
    bounds_of,
    row_at,
    rows_at,
    stored_before,
    work_of,
)
from structarr.formats.entries import Array

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("length", [0, 1, 2, 3, 1000, COARSE, COARSE + 1, 70_001])
@pytest.mark.parametrize("most", [0, 1, 9])
def test_the_last_row_before_which_there_is_no_more(length: int, most: int) -> None:
    """Of rows that store nothing, some or as much as each other; the first one if none is."""
    stored = np.concatenate([[0], np.cumsum(RNG.integers(0, most + 1, length))])
    targets = np.unique(RNG.integers(0, stored[-1] + 2, 40))
    asked: list[Array] = []

    def work(rows: Array) -> Array:
        asked.append(rows)
        return np.take(stored, rows)

    found = rows_at(work, length, targets)
    wanted = np.searchsorted(stored[:length], targets, side="right") - 1
    np.testing.assert_array_equal(found, np.maximum(wanted, 0))
    assert len(asked) <= 3


@pytest.mark.parametrize("above", [formats.Hash, formats.SparseList, formats.SparsePoint])
def test_what_is_stored_below_levels_that_are_not_cut(above: type[formats.Level]) -> None:
    dense = np.zeros((4, 3, 5))
    dense[[0, 2, 2], [1, 0, 0], [2, 1, 4]] = 1.0
    lists = formats.SparseList(formats.Element())
    fmt = formats.Format(formats.Dense(above(lists)), (0, 1, 2), "int64")
    tensor = stored(sa.asarray(dense, format=fmt))
    assert stored_before(tensor, np.arange(5)).tolist() == [0, 1, 1, 3, 3]


@pytest.mark.parametrize("most", [0, 1, 9])
def test_pointers_alone_tell_the_row(most: int) -> None:
    """As the work of rows does."""
    lengths = RNG.integers(0, most + 1, 500)
    rows = np.repeat(np.arange(500), lengths)
    columns = np.concatenate([np.arange(one) for one in lengths])
    a = sa.from_coordinates((rows, columns), np.ones(len(rows)), (500, 9), format="csr")
    bounds = bounds_of([stored(a), stored(sa.asarray(np.ones(500)))])
    assert bounds is not None
    targets = np.arange(0, len(rows) + 502, 7)
    found = [row_at(bounds, 500, one) for one in targets.tolist()]
    assert found == rows_at(work_of([stored(a)]), 500, targets).tolist()


def test_several_lists_and_other_levels_are_asked_for_their_work() -> None:
    a = stored(sa.asarray(np.eye(4), format="csr"))
    dense = stored(sa.asarray(np.eye(4)))
    deep = stored(sa.asarray(np.ones((2, 2, 2)), format="csf"))
    assert bounds_of([a, dense]) is a.buffers[0]
    assert bounds_of([a, a]) is bounds_of([dense]) is bounds_of([deep]) is None
