"""Elements at points: places on every axis that vary together, read by one kernel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa

FORMATS = ("csr", "csc", "coo", "dcsr", "band", "rle", "sparse-rle", "packbits", "bitmap", "hash")
N = 6
ROWS = np.array([[0, -1, 3], [2, 2, -6]])
COLUMNS = np.array([[1, 5, 3], [0, 0, 4]])
CALLS: dict[str, Callable[[Any], Any]] = {
    "points": lambda a: a[ROWS, COLUMNS],
    "transposed": lambda a: a.T[ROWS[0], COLUMNS[0]],
    "of a map": lambda a: (2 * a + 1)[ROWS, COLUMNS],
    "of a slice": lambda a: a[1:][ROWS % 5, COLUMNS],
    "of a product": lambda a: (a @ a)[ROWS, COLUMNS],
    "mapped": lambda a: a[ROWS, COLUMNS] * a[COLUMNS, ROWS],
    "summed": lambda a: a[ROWS, COLUMNS].sum(axis=1),
    "of one row": lambda a: a[ROWS, 3],
    "broadcast": lambda a: a[ROWS[:, :1], COLUMNS],
    "none": lambda a: a[np.zeros((0, 2), int), 0],
    "along an axis": lambda a: np.take_along_axis(a, np.array([[5, 0]] * N), axis=1),
}


def matrix() -> np.ndarray:
    random = np.random.default_rng(3)
    data = np.where(random.random((N, N)) < 0.5, random.integers(1, 5, (N, N)) + 0.0, 0)
    return np.triu(np.tril(data, 2), -2)


@pytest.mark.parametrize("what", CALLS)
def test_points_are_numpys(what: str) -> None:
    data = matrix()
    with sa.options(tier="interpreted"):
        for name in ("csc", "rle", "packbits"):
            found = CALLS[what](sa.asarray(data, format=name))
            np.testing.assert_array_equal(found.todense(), CALLS[what](data))


@pytest.mark.long
@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("what", CALLS)
def test_they_are_so_in_every_format(what: str, name: str) -> None:
    data = matrix()
    found = CALLS[what](sa.asarray(data, format=name))
    np.testing.assert_array_equal(found.todense(), CALLS[what](data))


def test_what_is_computed_with_points_makes_no_list_of_them() -> None:
    a = sa.asarray(matrix(), format="csr")
    text = str(sa.explain((3 * a)[ROWS[0], COLUMNS[0]].sum()).kernel)
    assert text.count("def kernel") == 1 and "bisect" in text and "c_sum" in text


def test_places_are_the_results_own() -> None:
    a, rows = sa.asarray(matrix(), format="csr"), np.array([0, 1])
    found = a[rows, rows]
    rows[:] = 10**9
    np.testing.assert_array_equal(found.todense(), matrix()[[0, 1], [0, 1]])


def test_places_that_are_not_there_are_refused_at_the_call() -> None:
    a = sa.asarray(matrix(), format="csr")
    with pytest.raises(IndexError, match="index 6 is out of bounds for axis 1 with size 6"):
        a[[0, 1], [0, 6]]
    with pytest.raises(IndexError, match="could not be broadcast"):
        a[[0, 1, 2], [0, 1]]
