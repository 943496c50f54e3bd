"""Interpolated functions of elements: the format stays, and no dense copy is made."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa

POINTS, VALUES = [-1.0, 0.0, 2.0], [3.0, 1.0, 4.0]


@pytest.mark.parametrize("format", ["csr", "coo", "hash", "rle", "dense", "band"])
def test_the_format_stays_and_the_fill_is_the_function_of_the_fill(format: str) -> None:
    dense = np.diag([1.0, -0.5, 7.0]) + np.diag([0.25, -3.0], 1)
    array = sa.asarray(dense, format=format)
    found = np.interp(array, POINTS, VALUES)
    assert found.format == array.format
    if format != "dense":
        assert found.fill_value == 1.0
    np.testing.assert_array_equal(found.todense(), np.interp(dense, POINTS, VALUES))


def test_arrays_that_no_memory_holds() -> None:
    places = (np.array([3, 10**8]), np.array([5, 10**8]))
    array = sa.from_coordinates(places, np.array([1.0, 9.0]), (10**9, 10**9))
    found = sa.interp(array, POINTS, VALUES)
    assert found[3, 5] == 2.5 and found[10**8, 10**8] == 4 and found[0, 0] == 1


def test_points_of_ours_and_complex_values_and_a_period() -> None:
    x = sa.asarray([0.0, 0.0, 350.0, -10.0], format="list")
    got = sa.interp(x, sa.asarray([0.0, 90.0, 270.0]), sa.asarray([0, 9j, 1.0]), period=360)
    np.testing.assert_array_equal(
        got.todense(), np.interp(x.todense(), [0.0, 90.0, 270.0], [0, 9j, 1.0], period=360)
    )
    assert got.format == "list" and got.dtype == np.complex128


def test_computed_and_conjugated_elements() -> None:
    made = (sa.arange(6.0), sa.eye(3), sa.full((2, 3), -0.5), sa.asarray([True, False]))
    for array in made:
        expected = np.interp(array.todense(), POINTS, VALUES)
        np.testing.assert_array_equal(sa.interp(array, POINTS, VALUES).todense(), expected)


def test_errors_are_numpys() -> None:
    x = sa.asarray([0.0, 2.0], format="list")
    with pytest.raises(ValueError, match="empty"):
        sa.interp(x, [], [])
    with pytest.raises(ValueError, match="length"):
        sa.interp(x, [0.0, 1.0], [1.0])
    with pytest.raises(ValueError, match="period"):
        sa.interp(x, [0.0], [1.0], period=0)
    with pytest.raises(TypeError):
        sa.interp(x * 1j, [0.0], [1.0])
