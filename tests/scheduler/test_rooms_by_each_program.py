"""Whichever program makes a result, it stores the same and finds room for it."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._testing.forcing import by_each_program
from structarr.formats import (
    Constant,
    Dense,
    Format,
    Level,
    PackBits,
    RunList,
    SparseBand,
    SparseList,
    SparsePoint,
    SparseRunList,
    SparseVBL,
)

ROWS = np.zeros((2, 7))
ROWS[[0, 1], [4, 2]] = 2.0, -1.0
BLOCK = np.repeat(ROWS[:, None], 3, axis=1)
ABOVE: dict[str, Format] = {
    "points": Format(Constant(SparseList(SparsePoint())), (1, 0, 2)),
    "lists": Format(Constant(SparseList(SparseList())), (1, 0, 2)),
    "lists in rows": Format(Dense(Constant(SparseList())), (0, 1, 2)),
}
"""Formats of rows that are found before the loop over the axis along which they are the same."""


@pytest.mark.parametrize("given", ABOVE)
def test_scattered_rows_above_dense_blocks(given: str) -> None:
    array = sa.asarray(BLOCK).asformat(ABOVE[given]).compute()
    with sa.options(tier="interpreted"):
        compute = lambda: np.arctan2(array[..., None], array[..., None]).compute()  # noqa: E731
        results = list(by_each_program(compute))
        assert len({result.nstored for result in results}) == 1
        for result in results:
            np.testing.assert_array_equal(result.todense(), np.arctan2(BLOCK, BLOCK)[..., None])


KEPT: tuple[Level, ...] = (SparseList(), SparseVBL(), SparseBand(), SparseRunList())
CHOICES: dict[str, Callable[[Any, Any], Any]] = {
    "the first": lambda a, b: np.where(1, a, b),
    "the second": lambda a, b: np.where(False, b, a),
    "in a sum": lambda a, b: np.where(1, a, b) + a,
    "in a product": lambda a, b: b * np.where(1, a, b),
}


@pytest.mark.parametrize("kept", KEPT, ids=str)
@pytest.mark.parametrize("choice", CHOICES)
def test_choices_by_a_number(kept: Level, choice: str) -> None:
    """What is not chosen is as if it were not there, dense or not."""
    other = np.arange(14.0).reshape(2, 7)
    for data in (np.zeros((2, 7)), ROWS):
        array = sa.asarray(data).asformat(Format(Dense(kept), (0, 1)))
        with sa.options(tier="interpreted"):
            for result in by_each_program(lambda: CHOICES[choice](array, sa.asarray(other))):  # noqa: B023
                np.testing.assert_array_equal(result.todense(), CHOICES[choice](data, other))


@pytest.mark.parametrize("leaf", [RunList(), PackBits()], ids=str)
def test_fibers_without_gaps_of_what_a_workspace_holds(leaf: Level) -> None:
    """A row of a temporary's fills is written, and not left out."""
    left = sa.asarray(np.full((2, 4), True), fill_value=True).asformat(
        Format(Constant(PackBits()), (0, 1))
    )
    right = sa.asarray(np.zeros((4, 2), "float32"), format="dcsr")
    expected = np.full((2, 2, 2, 2), 0.0, "float32")
    runs = sa.ones(3).asformat(Format(leaf, (0,)))
    points = sa.asarray([0.0, 2.0, 0.0], format="list")
    with sa.options(tier="interpreted"):
        product = left @ right
        for result in by_each_program(lambda: np.divide.outer(product, product).compute()):
            np.testing.assert_array_equal(result.todense(), expected)
        for result in by_each_program(lambda: np.multiply.outer(points, runs).compute()):
            np.testing.assert_array_equal(result.todense(), np.outer([0, 2, 0], np.ones(3)))
