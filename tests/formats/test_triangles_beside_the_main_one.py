"""Triangles that end beside the main diagonal, and what is stored in them or counted of others."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa
from structarr._array import stored
from structarr.formats import Dense, Diagonals, Element, Tiles, Triangular

SHAPES = ((4, 4), (3, 5), (5, 3))


def _dense(shape: tuple[int, int]) -> np.ndarray:
    return np.arange(1.0, shape[0] * shape[1] + 1).reshape(shape)


@pytest.mark.parametrize("k", [-2, -1, 0, 1, 2])
@pytest.mark.parametrize("side", ["upper", "lower"])
@pytest.mark.parametrize("shape", SHAPES)
def test_rows_of_a_triangle_end_at_its_diagonal(shape: tuple[int, int], side: str, k: int) -> None:
    part = (np.triu if side == "upper" else np.tril)(_dense(shape), k)
    a = sa.asarray(part, format=Dense(Triangular(Element(), side, k)))
    x, y = np.arange(1.0, shape[1] + 1), np.arange(1.0, shape[0] + 1)
    with sa.options(tier="interpreted"):
        np.testing.assert_array_equal(np.asarray(a @ x), part @ x)
        np.testing.assert_array_equal(np.asarray(y @ a), y @ part)
        np.testing.assert_array_equal((a * _dense(shape)).todense(), part * _dense(shape))
        np.testing.assert_array_equal((a + a).todense(), part + part)


def test_each_row_of_a_tile_is_a_stretch() -> None:
    dense = np.kron(np.eye(3), np.ones((4, 2)))
    level = stored(sa.asarray(dense, format=Dense(Tiles(Element(), 4, 2)))).format.levels[1]
    held = stored(sa.asarray(dense, format=Dense(Tiles(Element(), 4, 2))))
    assert level.stretches(12, 6, held.level_buffers[1]) == 12


@pytest.mark.usefixtures("as_shipped")
def test_rows_that_have_nothing_in_a_triangle_are_not_entered() -> None:
    text = str(sa.explain(np.triu(sa.asarray(_dense((4, 5))), 1)).kernel)
    assert "if c_edge < j_n:" in text


def test_rows_of_numbers_on_diagonals_are_written_in_place() -> None:
    """Below diagonals there is room for as many rows as these have elements."""
    dense = np.eye(3, 4)[:, :, None] * np.arange(1.0, 3)
    a = sa.asarray(dense, format=Dense(Diagonals(Dense())))
    with sa.options(tier="interpreted"):
        found = (a * 2.0).compute()
    assert str(found.format) == str(a.format)
    np.testing.assert_array_equal(found.todense(), dense * 2)
