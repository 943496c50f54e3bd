"""What is found at an index is chosen before an output has a place for it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._array import stored
from structarr.formats import (
    Bitmap,
    Constant,
    Dense,
    Format,
    Level,
    SparseBand,
    SparseList,
    SparsePoint,
)

CUBE = np.zeros((3, 3, 3))
CUBE[1, 1] = 1
FORMATS: dict[str, Level] = {
    "bands of points": SparseBand(SparsePoint(Constant())),
    "points of points": SparsePoint(SparsePoint(Constant())),
    "lists of points": SparseList(SparsePoint(Dense())),
    "rows of points of lists": Dense(SparsePoint(SparseList())),
    "rows of points": Dense(SparsePoint(Constant())),
    "rows of lists": Dense(SparseList(Constant())),
    "bitmaps": Dense(Bitmap(Constant())),
}


@pytest.mark.parametrize("name", FORMATS)
def test_located_children_that_are_not_there(name: str) -> None:
    array = sa.asarray(CUBE).asformat(Format(FORMATS[name], (0, 1, 2)))
    with sa.options(tier="interpreted"):
        found: Any = sa.locate(array)
        np.testing.assert_array_equal(found.todense(), CUBE)
        if name != "bitmaps":  # of which all that is there is visited
            assert stored(found.compute()).counts[-1] <= 3
