"""Parts by numbers and slices, of which those alike are made by one look-up."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import structarr as sa

MATRIX = np.where(np.arange(42).reshape(6, 7) % 3, 0.0, np.arange(42.0).reshape(6, 7))
PARTS = (0, -1, slice(2, 4), slice(3, 5), slice(1, None, 2), slice(2, 2), slice(5, 6, 3), True)


@pytest.mark.parametrize("format", ["csr", "dense"])
def test_each_part_starts_where_it_should(format: str) -> None:
    array = sa.asarray(MATRIX, format=format)
    with sa.options(tier="interpreted"):
        for one, other in product(PARTS[::2], PARTS[1::2]):
            for key in (one, (one, other), (other, one)):
                try:
                    wanted = MATRIX[key]
                except IndexError:
                    with pytest.raises(IndexError):
                        array[key]
                else:
                    assert np.array_equal(array[key].todense(), wanted)


@pytest.mark.parametrize("format", ["csr", "rle"])
def test_parts_of_parts_and_of_expressions(format: str) -> None:
    array = sa.asarray(MATRIX, format=format)
    for start in (0, 1, 2):
        assert np.array_equal(array[start:4][1:, 2].todense(), MATRIX[start:4][1:, 2])
        assert np.array_equal((array * 2)[start].todense(), MATRIX[start] * 2)
        assert np.array_equal(
            (array.T @ array)[start, 1:].todense(), (MATRIX.T @ MATRIX)[start, 1:]
        )
        both = array[start] + array[start + 1] * array[start]
        assert np.array_equal(both.todense(), MATRIX[start] + MATRIX[start + 1] * MATRIX[start])


def test_a_part_is_a_view_of_the_time_of_the_index() -> None:
    array = sa.asarray(MATRIX, format="csr")
    row = array[2]
    array[2, 0] = 77.0
    assert np.array_equal(row.todense(), MATRIX[2])
    assert float(array[2, 0]) == 77.0
