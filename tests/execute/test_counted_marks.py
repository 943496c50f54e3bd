"""What is not zero is counted in rows by its places, whatever is stored there."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa
from structarr._execute.counted_marks import MANY, by_marks
from structarr._execute.executor import Executor

RNG = np.random.default_rng(5)
ROWS, COLUMNS = 120, 200


def matrix(fill: float, dtype: str, some: list[float]) -> np.ndarray:
    """A matrix that stores more elements than are asked one by one, in rows of any lengths."""
    made = np.full((ROWS, COLUMNS), fill, dtype)
    stored = RNG.random((ROWS, COLUMNS)) < 0.9
    stored[[0, 7, ROWS - 1]] = False
    made[stored] = RNG.integers(3, 9, stored.sum())
    for value in some:
        made[stored & (RNG.random((ROWS, COLUMNS)) < 0.1)] = value
    assert stored.sum() > MANY
    return made


def stored(dense: np.ndarray, fill: float, format: str) -> sa.Array:
    """The matrix with elements stored that equal the fill."""
    held = dense.copy()
    places = np.nonzero((dense != fill) | (RNG.random(dense.shape) < 0.1))
    return sa.from_coordinates(
        places, held[places], dense.shape, format=format, fill_value=dense.dtype.type(fill)
    )


@pytest.mark.parametrize("format", ["csr", "csc"])
@pytest.mark.parametrize(
    ("fill", "dtype", "some"),
    [
        (0, "float64", []),
        (0, "float64", [0.0, -0.0, np.nan, np.inf]),
        (0, "float32", [0.0, 2.5]),
        (0, "int64", [0]),
        (2, "float64", [2.0, 0.0]),
        (np.nan, "float64", [np.nan, 0.0]),
    ],
)
@pytest.mark.parametrize("strict", [False, True])
def test_counts_are_numpys(
    format: str, fill: float, dtype: str, some: list[float], strict: bool
) -> None:
    dense = matrix(fill, dtype, some)
    with sa.options(strict_ieee=strict):
        for array in (stored(dense, fill, format), sa.asarray(dense, format=format)):
            for axis in (0, 1):
                found = sa.count_nonzero(array, axis=axis)
                np.testing.assert_array_equal(found, np.count_nonzero(dense, axis=axis))
                unlike = array != dense.dtype.type(fill)
                np.testing.assert_array_equal(unlike.any(axis=axis), (dense != fill).any(axis))
                np.testing.assert_array_equal(unlike.sum(axis=axis), (dense != fill).sum(axis))
                np.testing.assert_array_equal(unlike.all(axis=axis), (dense != fill).all(axis))


def test_comparisons_with_the_fill_along_rows_alone_are_of_marks() -> None:
    array = sa.asarray(matrix(0, "float64", []), format="csr")

    def is_of_marks(made: sa.Array) -> bool:
        return by_marks(made._node, Executor().run) is not made._node

    assert is_of_marks((array != 0.0).sum(axis=1))
    assert is_of_marks((array.asformat("csc") != 0.0).any(axis=0))
    assert not is_of_marks((array != 0.0).sum(axis=0))
    assert not is_of_marks((array != 4.0).sum(axis=1))
    assert not is_of_marks((array > 0.0).sum(axis=1))
    assert not is_of_marks((array.asformat("coo") != 0.0).sum(axis=1))
    assert not is_of_marks((array[:50] != 0.0).sum(axis=1))  # which is not stored


def test_a_change_of_a_shared_value_shows() -> None:
    plain = sa.asarray(matrix(0, "float64", []), format="csr").to_scipy().copy()
    array = sa.asarray(plain)
    before = np.asarray(sa.count_nonzero(array, axis=1))
    plain.data[0] = 0.0
    after = np.asarray(sa.count_nonzero(array, axis=1))
    assert (before - after).sum() == 1
