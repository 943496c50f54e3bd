"""What is written to may be chosen by a condition, and found there by reading another array."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr import formats

SCATTER = """
def program(B, x, g):
    y = np.zeros((2, 4))
    for l in range(len(g)):
        if offset(1, l) >= 0 and offset(1, l) < 2:
            y[offset(1, l), g[l]] -= coalesce(B[l, permit(l)], 1)
        y[g[l], 1] -= x[permit(l)]
    return y
"""


@pytest.mark.parametrize("format", ["sparse-rle", "list"])
@pytest.mark.parametrize("inner", [formats.SparsePoint(), formats.SparseList()])
def test_places_in_a_row_that_is_chosen(format: str, inner: Any) -> None:
    b = np.array([[0.0, 1.0], [0.0, 0.0], [0.0, 3.0], [1.0, 0.0]])
    x, g = np.array([0.0, -2.0]), np.array([1, 1, 0, 1])
    expected = np.zeros((2, 4))
    for row, place in enumerate(g):
        if 1 <= row < 3:
            expected[row - 1, place] -= b[row, row] if row < 2 else 1.0
        expected[place, 1] -= x[row] if row < 2 else 0.0
    with sa.options(tier="interpreted"):
        got = sa.kernel(SCATTER)(
            B=sa.asarray(b, format=formats.SparseVBL(inner)),
            x=sa.asarray(x, format="list"),
            g=sa.asarray(g, format=format),
        )
        np.testing.assert_array_equal(got.todense(), expected)


def test_a_condition_that_may_be_outside_stands_around_loops_with_choices_of_their_own() -> None:
    """The condition is read before the loop in which the choice has its index."""
    text = """
def program(x, z, f):
    y = np.zeros(5)
    for l in range(1, 3):
        if z[f[l]] == 0:
            for j in range(5):
                y[l] += x[l - 1] if l != j else 1
    return y
"""
    x, z, f = np.arange(5.0), np.array([0, 1, 0]), np.array([0, 2, 0])
    with sa.options(tier="interpreted"):
        found = sa.kernel(text)(x=sa.asarray(x), z=sa.asarray(z), f=sa.asarray(f))
    assert found.tolist() == [0.0, 1.0, 5.0, 0.0, 0.0]
