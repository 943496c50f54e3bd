"""Operations that move elements keep the fill, in formats that store all elements, too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr.formats import Dense, Format, SparseInterval

DATA = np.ones((4, 5))
DATA[1, 3], DATA[2, 2] = 0, 4
MOVES: dict[str, Callable[[Any], Any]] = {
    "rows": lambda a: a[[0, 2]],
    "a mask": lambda a: a[DATA > 0],
    "an outer product of places": lambda a: a[np.ix_([0, 1], [1, 2])],
    "reshape": lambda a: a.reshape(10, 2),
    "sort": lambda a: np.sort(a, axis=0),
    "roll": lambda a: np.roll(a, 1),
    "delete": lambda a: np.delete(a, 1, axis=0),
    "repeat": lambda a: np.repeat(a, 2, axis=0),
    "columns": lambda a: a.asformat("csc"),
}


@pytest.mark.parametrize("format", ["dense", "rle", "packbits", "csr", "bitmap"])
def test_results_have_the_fill_of_the_operand(format: str) -> None:
    with sa.options(tier="interpreted"):
        for name, move in MOVES.items():
            found = move(sa.asarray(DATA, format=format, fill_value=1.0))
            assert found.fill_value == found.compute().fill_value == 1, name
        array = sa.asarray(DATA, format=format, fill_value=1.0)
        array[0] = 5
        assert array.fill_value == 1
        assert array.todense()[0].tolist() == [5] * 5


def test_runs_become_intervals_of_columns() -> None:
    """What equals the fill is left out, though runs are put into another order densely."""
    data = np.ones((5, 5))
    data[3, 3] = 0
    runs = sa.asarray(data, format="rle", fill_value=1.0)
    with sa.options(tier="interpreted"):
        found = runs.asformat(Format(Dense(SparseInterval()), (1, 0)))
        np.testing.assert_array_equal(found.todense(), data)
