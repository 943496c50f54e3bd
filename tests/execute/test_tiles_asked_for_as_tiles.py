"""Expressions of matrices in tiles that are asked for in tiles, as assignments by masks ask."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse

import structarr as sa
from structarr._array import stored
from structarr._execute import compute


def _tiles(seed: int, sides: tuple[int, int], dtype: str = "float64") -> tuple[sa.Array, Any]:
    """A matrix in tiles of these sides, and its elements; a tile in three is stored."""
    random = np.random.default_rng(seed)
    height, width = 24 // sides[0], 36 // sides[1]
    marks = np.kron(random.random((height, width)) < 0.35, np.ones(sides, bool))
    dense = np.where(marks, random.integers(-3, 4, (24, 36)), 0).astype(dtype)
    given = scipy.sparse.csr_array(dense).tobsr(sides)
    return sa.asarray(given), dense


@pytest.mark.parametrize("number", [0.0, 2.0, np.nan])
@pytest.mark.parametrize("sides", [(1, 1), (2, 3), (4, 4)])
@pytest.mark.parametrize("of_mask", [(1, 1), (2, 3), (2, 4), (3, 2)])
def test_numbers_are_assigned_by_masks_in_tiles(
    number: float, sides: tuple[int, int], of_mask: tuple[int, int]
) -> None:
    for seed in (0, 1):
        (a, dense), (m, marks) = _tiles(seed, sides), _tiles(seed + 10, of_mask)
        before = a[:, :]
        mask = (m != 0).compute()
        wanted = np.where(marks != 0, number, dense)
        a[mask] = number
        np.testing.assert_array_equal(a.todense(), wanted)
        np.testing.assert_array_equal(before.todense(), dense)
        assert a.format == "bsr"


@pytest.mark.parametrize("sides", [(1, 1), (2, 3)])
def test_tiles_of_nothing_but_the_fill_are_left_out(sides: tuple[int, int]) -> None:
    a, dense = _tiles(2, sides)
    mask = (a != 0).compute()
    half = np.where(np.arange(24)[:, None] < 12, dense, 0.0)
    a[sa.where(sa.asarray(np.arange(24) >= 12)[:, None], mask, False).compute()] = 0.0
    np.testing.assert_array_equal(a.todense(), half)
    b, _ = _tiles(2, sides)
    b[mask] = 0.0
    assert b.nstored == 0 and b.format == "bsr"
    np.testing.assert_array_equal(b.todense(), np.zeros_like(dense))


def test_values_of_other_dtypes_and_fills_stay() -> None:
    for dtype in ("float32", "complex128", "int64", "bool"):
        (a, dense), (m, marks) = _tiles(3, (2, 2), dtype), _tiles(4, (2, 2))
        a[(m != 0).compute()] = 0
        wanted = np.where(marks != 0, np.zeros((), dtype), dense)
        np.testing.assert_array_equal(a.todense(), wanted)
        assert a.dtype == dense.dtype
    (a, dense), (m, marks) = _tiles(5, (2, 2)), _tiles(6, (2, 2))
    moved = (a + 1.0).compute()
    moved[(m != 0).compute()] = 1.0
    np.testing.assert_array_equal(moved.todense(), np.where(marks != 0, 1.0, dense + 1.0))
    assert moved.fill_value == 1.0


def test_columns_of_tiles_are_assigned_to() -> None:
    (a, dense), (m, marks) = _tiles(7, (2, 3)), _tiles(8, (2, 3))
    turned = a.T.compute()
    turned[(m != 0).T.compute()] = 0.0
    np.testing.assert_array_equal(turned.todense(), np.where(marks != 0, 0.0, dense).T)


def test_a_matrix_of_no_tiles_is_assigned_to() -> None:
    a = sa.asarray(scipy.sparse.bsr_array((6, 6), blocksize=(2, 2)))
    mask = sa.asarray(scipy.sparse.csr_array(np.eye(6, dtype=bool)).tobsr((2, 2)))
    a[mask] = 0.0
    assert a.nstored == 0 and not a.todense().any()
    a[mask] = 5.0
    np.testing.assert_array_equal(a.todense(), 5.0 * np.eye(6))


@pytest.mark.parametrize("sides", [(1, 1), (2, 3)])
def test_what_was_planned_once_is_not_planned_again(
    sides: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    planned = []
    recording = compute._recording

    def noted(*args: Any) -> Any:
        planned.append(args)
        return recording(*args)

    monkeypatch.setattr(compute, "_recording", noted)
    for seed in range(9, 13):
        (a, dense), (m, marks) = _tiles(seed, sides), _tiles(seed + 10, sides)
        mask = (m != 0).compute()
        planned.clear()
        a[mask] = 0.0
        assert seed < 11 or not planned
        np.testing.assert_array_equal(a.todense(), np.where(marks != 0, 0.0, dense))
        assert stored(a).format.levels[1].details == sides
