"""A list beside stretches that come to nothing between the list's elements, in rows of all kinds.

There are rows without stretches, the last one too, rows whose stretches end before the list does,
rows of stretches alone, and rows with nothing at all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa

LISTED = np.zeros((8, 12))
LISTED[[0, 0, 0, 1, 1, 2, 3, 3], [0, 4, 11, 5, 9, 3, 2, 10]] = np.arange(1.0, 9.0)
LISTED[6] = np.arange(12.0)
LISTED[7, 5:9] = 2.0
STRETCHES = np.zeros((8, 12))
STRETCHES[0, 2:5], STRETCHES[2, 3:], STRETCHES[3] = 2.0, 3.0, 4.0
STRETCHES[4, 2:4], STRETCHES[6, :3] = 5.0, 6.0

OPERATIONS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "product": lambda xp, a, v: a * v,
    "with something between the stretches": lambda xp, a, v: a * (v + 1),
    "where there are none": lambda xp, a, v: a * (v == 0),
    "sums": lambda xp, a, v: (a * (v + 1)).sum(axis=1),
    "a number beside": lambda xp, a, v: a * xp.where(v > 2, v, 7),
    "minima": lambda xp, a, v: xp.minimum(a, v + 1).max(axis=1),
}


@pytest.mark.parametrize("format", ["vbl", "sparse-rle", "interval", "rle", "bsr"])
@pytest.mark.parametrize("leader", ["csr", "dcsr"])
@pytest.mark.parametrize("name", OPERATIONS)
def test_each_element_finds_its_stretch(name: str, leader: str, format: str) -> None:
    stretches = STRETCHES
    if format == "interval":  # one stretch a row
        stretches = np.where(np.arange(8)[:, None] == 6, 0.0, STRETCHES)
    if format == "bsr":
        stretches = np.kron(STRETCHES[:4, :6] != 0, np.ones((2, 2)))
    given = sa.asarray(LISTED, format=leader), sa.asarray(stretches, format=format)
    with sa.options(tier="interpreted"):
        found = OPERATIONS[name](sa, *given).todense()
    np.testing.assert_array_equal(found, OPERATIONS[name](np, LISTED, stretches))


@pytest.mark.usefixtures("as_shipped")
def test_a_merge_goes_from_one_stretch_to_the_next() -> None:
    """It searches none, as the list's next element is as near as the stretch's."""
    given = sa.asarray(LISTED, format="csr"), sa.asarray(STRETCHES, format="vbl")
    kernel = str(sa.explain(given[0] * given[1]).kernel)
    assert "b_q += 1" in kernel
    assert "b_q = search" not in kernel
