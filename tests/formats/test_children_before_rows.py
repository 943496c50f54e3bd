"""Levels that store a part of a matrix say how many children the rows above have, for pieces."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa
from structarr._testing.forcing import witnessed
from structarr.formats import (
    Dense,
    Element,
    Format,
    RunList,
    SparseList,
    SparseVBL,
    Symmetric,
    Triangular,
)

LEVELS = {
    "symmetric": Symmetric,
    **{
        f"{side} {k}": lambda child, side=side, k=k: Triangular(child, side, k)
        for side in ("upper", "lower")
        for k in (-2, -1, 0, 1, 3)
    },
}
HALF = np.random.default_rng(3).integers(0, 3, (7, 7, 4)).astype(float)


def _data(name: str) -> np.ndarray:
    if name == "symmetric":
        return HALF + HALF.swapaxes(0, 1)
    side, _, k = name.partition(" ")
    kept = np.triu(np.ones((7, 7)), int(k)) if side == "upper" else np.tri(7, k=int(k))
    return HALF * kept[:, :, None]


@pytest.mark.parametrize("name", list(LEVELS))
def test_children_before_rows_are_those_of_so_many_rows(name):
    level = LEVELS[name](Element())
    for dim in (0, 1, 2, 7):
        rows = np.arange(dim + 1)
        found = level.before(rows, dim, ())
        if name == "symmetric":
            assert found.tolist() == [k * (k + 1) // 2 for k in rows]
            continue
        assert found.tolist() == [level.children(int(one), dim) for one in rows]


@pytest.mark.parametrize("below", [SparseList, SparseVBL, RunList, Dense])
@pytest.mark.parametrize("name", list(LEVELS))
def test_lists_below_a_part_of_a_matrix_are_cut_into_pieces(name, below):
    data = _data(name)
    a = sa.asarray(data).asformat(Format(Dense(LEVELS[name](below(Element()))), (0, 1, 2)))
    for pieces in (2, 3, 5):
        with sa.options(threads=2), witnessed(lambda call: None, pieces=pieces):
            assert float(a.sum()) == data.sum()
            np.testing.assert_array_equal(a.sum(axis=0).todense(), data.sum(axis=0))
            np.testing.assert_array_equal(a.max(axis=(1, 2)).todense(), data.max(axis=(1, 2)))
