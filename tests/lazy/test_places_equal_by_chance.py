"""Slices that begin at equal places at first, and elsewhere later: chance tells no order."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import Any

import numpy as np
import pytest

import structarr as sa

DATA = np.arange(196.0).reshape(14, 14)
FIRST = [(2, 2, 4), (1, 1, 5), (2, 2, 6)]
LATER = [(0, 2, 5), (2, 4, 4), (4, 2, 6), (3, 1, 5), (1, 3, 4), (4, 3, 5), (2, 0, 6)]
"""Places along two axes, and a length; all lengths have as many bits."""

Part = Callable[[Any, int, int, int], Any]

PARTS: dict[str, Part] = {
    "rows of columns": lambda a, i, j, n: a[:, j : j + 3][i : i + n],
    "steps of columns": lambda a, i, j, n: a[:, j : j + 1][i : i + 2 * n : 2],
    "columns of rows": lambda a, i, j, n: a[i : i + n][:, j : j + 3],
    "both": lambda a, i, j, n: a[i : i + n, j : j + n],
    "both turned": lambda a, i, j, n: a.T[i : i + n, j : j + n],
    "turned": lambda a, i, j, n: a[i : i + n, j : j + 5].T[:3, 1:4],
    "a row of columns": lambda a, i, j, n: a[:, j : j + n][i],
    "of a sum": lambda a, i, j, n: (a[:, j : j + 4] + a[:, i : i + 4])[i : i + n],
    "of a product": lambda a, i, j, n: (a @ a)[:, j : j + 3][i : i + n],
}
USES: dict[str, Callable[[Any], Any]] = {
    "itself": lambda part: part * 1.0,
    "sum": lambda part: part.sum(axis=0),
    "mean": lambda part: part.mean(axis=0),
    "var": lambda part: part.var(axis=0),
    "norm": np.linalg.norm,
    "turned": lambda part: part.T[::-1],
}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("name", PARTS)
@pytest.mark.parametrize("format", ["csr", "coo", "dense"])
def test_parts_begin_where_they_are_asked_to(format: str, name: str, use: str) -> None:
    part, made = PARTS[name], USES[use]
    array = sa.asarray(DATA, format=format)
    with sa.options(tier="interpreted"):
        for first in FIRST:
            sa.clear_cache()
            for places in [first, *LATER]:
                got = np.asarray(made(part(array, *places)))
                np.testing.assert_allclose(got, made(part(DATA, *places)), err_msg=str(places))


def test_three_slices_of_equal_and_other_places() -> None:
    """Along three axes, one after the other, in each order."""
    data = np.arange(1000.0).reshape(10, 10, 10)
    array = sa.asarray(data, format="dense")
    for axes in permutations(range(3)):
        sa.clear_cache()
        for places in [(2, 2, 2), (2, 2, 3), (3, 2, 2), (2, 3, 4), (4, 3, 2), (3, 4, 2), (1, 1, 0)]:
            got, want = array, data
            for axis, place in zip(axes, places, strict=True):
                key = (slice(None),) * axis + (slice(place, place + 4),)
                got, want = got[key], want[key]
            np.testing.assert_array_equal(np.asarray(got.sum(axis=1)), want.sum(axis=1))
