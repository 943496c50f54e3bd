"""Assignment to matrices of diagonals: what is assigned on the diagonal or by such a mask stays."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import structarr as sa


def _matrix(n: int = 6, offsets: tuple[int, ...] = (-2, 0, 1)) -> sp.dia_array:
    values = np.arange(1.0, 1 + n * len(offsets)).reshape(len(offsets), n)
    return sp.dia_array((values, offsets), shape=(n, n))


@pytest.mark.parametrize("order", ["rows", "columns"])
def test_the_main_diagonal_is_assigned_in_place(order: str) -> None:
    a, dense = sa.asarray(_matrix()), _matrix().toarray()
    if order == "columns":
        a, dense = a.T, dense.T.copy()
    places = np.array([1, -1, 3, 1])
    for value in (7.0, np.array([1.0, 2.0, 0.0, 4.0])):
        a[places, places] = value
        dense[places, places] = value
        assert isinstance(a.format.levels[1], sa.formats.Diagonals)
        np.testing.assert_array_equal(a.todense(), dense)


def test_an_earlier_array_keeps_its_values() -> None:
    matrix = _matrix()
    a = sa.asarray(matrix)
    earlier, places = a + 0.0, np.arange(6)
    a[places, places] = -1.0
    np.testing.assert_array_equal(earlier.todense(), matrix.toarray())


@pytest.mark.parametrize("shape", [(6, 6), (6, 4)])
def test_arrays_of_other_places_are_not_a_diagonal(shape: tuple[int, int]) -> None:
    matrix = sp.dia_array((np.ones((2, shape[1])), (0, 1)), shape=shape)
    a, dense = sa.asarray(matrix), matrix.toarray()
    rows, columns = np.array([0, 1, 3]), np.array([0, 2, 1])
    a[rows, columns] = 5.0
    a[rows, rows] = 6.0
    dense[rows, columns] = 5.0
    dense[rows, rows] = 6.0
    np.testing.assert_array_equal(a.todense(), dense)


def test_a_diagonal_that_is_not_stored_is_assigned() -> None:
    matrix = _matrix(offsets=(-1, 1))
    a, dense, places = sa.asarray(matrix), matrix.toarray(), np.arange(6)
    a[places, places] = 5.0
    dense[places, places] = 5.0
    np.testing.assert_array_equal(a.todense(), dense)


@pytest.mark.parametrize("offsets", [(0, 1), (-3, 2), (0,)])
def test_a_mask_of_diagonals_keeps_the_format(offsets: tuple[int, ...]) -> None:
    matrix, mask = _matrix(), _matrix(offsets=offsets).astype(bool)
    a, dense = sa.asarray(matrix), matrix.toarray()
    a[sa.asarray(mask)] = 9.0
    dense[mask.toarray()] = 9.0
    assert isinstance(a.format.levels[1], sa.formats.Diagonals)
    np.testing.assert_array_equal(a.todense(), dense)


def test_a_mask_without_structure_makes_lists() -> None:
    matrix = _matrix()
    a, dense, mask = sa.asarray(matrix), matrix.toarray(), np.zeros((6, 6), bool)
    mask[0, 5] = mask[2, 2] = True
    a[mask] = 9.0
    dense[mask] = 9.0
    np.testing.assert_array_equal(a.todense(), dense)
    assert not isinstance(a.format.levels[1], sa.formats.Diagonals)


@pytest.mark.parametrize("kind", ["int64", ">i8", "int32", "uint8"])
@pytest.mark.parametrize(
    "places", [[0, 1, 2, 3, 4, 5], [2, 3], [5], [0, 2, 1, 3], [3, 2, 1], [1, 1, 3], []]
)
def test_places_of_any_kind_that_may_follow_one_another(places: list[int], kind: str) -> None:
    given = np.array(places, kind)
    apart = np.repeat(given, 2)[::2]
    given.flags.writeable = False
    for one in (given, apart):
        for value in (7.0, np.arange(10.0, 10 + len(places))):
            a, dense = sa.asarray(_matrix()), _matrix().toarray()
            a[one, one] = value
            dense[one, one] = value
            assert isinstance(a.format.levels[1], sa.formats.Diagonals)
            np.testing.assert_array_equal(a.todense(), dense)


@pytest.mark.parametrize("name", ["csr", "coo", "bsr", "dia", "dense"])
def test_places_that_are_written_afterwards_stay_as_they_were(name: str) -> None:
    a, dense, places = sa.asarray(_matrix()).asformat(name), _matrix().toarray(), np.arange(4)
    a[places, places] = 5.0
    dense[places, places] = 5.0
    places[:] = 5
    np.testing.assert_array_equal(a.todense(), dense)
