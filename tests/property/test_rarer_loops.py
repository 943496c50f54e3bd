"""Loops that few programs have: their values are those of the same lines over NumPy's arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr.formats import Dense, PackBits, RunList, SparseBand, SparseList, SparseRunList

ROWS = np.array([[3.0, 3, 0, 0], [0, 0, 3, 3], [3, 3, 3, 0], [0, 0, 0, 3]])


@pytest.mark.parametrize("level", [SparseRunList, RunList, PackBits, SparseBand, SparseList])
def test_rows_go_on_where_the_row_above_ended(level: Any) -> None:
    with sa.options(tier="interpreted"):
        found = (sa.asarray(ROWS, format="csr") * 2).asformat(Dense(level()))
        np.testing.assert_array_equal(found.todense(), ROWS * 2)
        again = (found + found).asformat(Dense(level()))
        np.testing.assert_array_equal(again.todense(), ROWS * 4)


@pytest.mark.parametrize("format", ["rle", "sparse-rle", "packbits", "vbl", "list", "band"])
def test_rows_are_read_from_their_ends(format: str) -> None:
    row = np.array([0.0, 2, 2, 2, 0, 0, 5, 5, 1])
    other = np.array([1.0, 0, 0, 4, 0, 6, 7, 0, 2])
    stored = sa.asarray(row, format=format)
    with sa.options(tier="interpreted"):
        for beside in ("list", "rle", "dense"):
            found = stored[::-1] * sa.asarray(other, format=beside)
            np.testing.assert_array_equal(found.todense(), row[::-1] * other)
            ahead = stored[::-1][2:] + sa.asarray(other, format=beside)[2:]
            np.testing.assert_array_equal(ahead.todense(), row[::-1][2:] + other[2:])


PROGRAMS = {
    "a constant is taken in before it is read": (
        "t = 0.0\n  for j in range(4):\n    t = max(t, 2.0)\n    y[i, j] = t * a[i, j]"
    ),
    "a constant is taken in after it is read": (
        "t = 0.0\n  for j in range(4):\n    y[i, j] = t * a[i, j]\n    t = max(t, 2.0)"
    ),
    "a condition leaves elements alone": (
        "for j in range(4):\n    if a[i, j] > 1.0:\n      y[i, j] = a[i, j]"
    ),
    "a condition on the index": "for j in range(4):\n    if j > i:\n      y[i, j] = a[i, j] + 1",
}


@pytest.mark.parametrize("fill", [0.0, 3.0])
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_of_two_loops(name: str, fill: float) -> None:
    program = f"y = np.zeros((4, 4))\nfor i in range(4):\n  {PROGRAMS[name]}"
    names: dict[str, Any] = {"a": ROWS, "np": np}
    exec(program, names)
    for format in ("csr", "rle", "dense"):
        held = sa.asarray(ROWS, fill_value=fill, format=format)
        with sa.options(tier="interpreted"):
            found = sa.loops(program, a=held)
            np.testing.assert_array_equal(found.todense(), names["y"])
