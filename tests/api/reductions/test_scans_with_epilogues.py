"""Operations on the values of scans: in one kernel with them, with room for all that it stores."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr.formats import Dense, Ragged, SparseBand, SparseList, SparseVBL

TREES = {
    "csf": "csf",
    "coo": "coo",
    "lists": Dense(Dense(SparseList())),
    "bands": Dense(Dense(SparseBand())),
    "blocks": Dense(Dense(SparseVBL())),
    "ragged": Dense(Dense(Ragged())),
    "sparse rows": Dense(SparseList(SparseList())),
}
AFTER: dict[str, Callable[[Any], Any]] = {
    "scaled": lambda x: x * 2,
    "divided": lambda x: x / 3,
    "moved": lambda x: x + 1,
    "of a function": lambda x: np.sin(x),
    "of a function with a fill": lambda x: np.exp(x),
    "clipped": lambda x: np.clip(x, 1, 6),
    "compared": lambda x: x > 1,
    "with another": lambda x: x * np.arange(3.0),
    "twice": lambda x: np.cumsum(x * 2, axis=-1),
}
EMPTY = np.zeros((4, 2, 3))
ONE = EMPTY.copy()
ONE[1, 0, 1] = 5.0


@pytest.mark.parametrize("values", [EMPTY, ONE, EMPTY[:, :0]], ids=["empty", "one", "no rows"])
@pytest.mark.parametrize("after", AFTER)
@pytest.mark.parametrize("tree", TREES)
def test_values_are_numpys(tree: str, after: str, values: np.ndarray) -> None:
    array = sa.asarray(values).asformat(TREES[tree])
    for axis in range(3):
        for scan in (np.cumsum, np.maximum.accumulate):
            found = AFTER[after](scan(array, axis=axis))
            np.testing.assert_array_equal(found.todense(), AFTER[after](scan(values, axis=axis)))
