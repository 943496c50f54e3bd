"""Sorting: what stays of the structure, what is dense, what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from structure import matrix, table, values

import structarr as sa
from structarr.errors import DensificationError

HUGE = 10**12
COLUMNS: dict[str, Callable[[Any], Any]] = {
    "np.sort(a, axis=0)": lambda a: np.sort(a, axis=0),
    "np.sort(a, axis=1)": lambda a: np.sort(a, axis=1),
    "np.cumsum(a, axis=0)": lambda a: np.cumsum(a, axis=0),
    "np.cumsum(a, axis=1)": lambda a: np.cumsum(a, axis=1),
    "np.argmax(a, axis=0)": lambda a: np.argmax(a, axis=0),
    "np.argmax(a, axis=1)": lambda a: np.argmax(a, axis=1),
    "np.isin(a, [1, 2])": lambda a: np.isin(a, [1, 2]),
}
HEADER, *ROWS = table("| along an axis |")


@pytest.fixture
def hypersparse() -> sa.Array:
    places = [5, 5, 7, 10**11], [10**11, 0, 7, 3]
    return sa.from_coordinates(places, [2.0, -1.0, 4.0, 3.0], (HUGE, HUGE), format="dcsr")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_formats_along_an_axis(row: list[str]) -> None:
    name, *said = row
    assert HEADER[1:] == list(COLUMNS)
    for (column, call), expected in zip(COLUMNS.items(), said, strict=True):
        result = call(matrix(name))
        np.testing.assert_array_equal(result.todense(), call(values(name)))
        assert str(result.format) == expected, column


@pytest.mark.parametrize("axis", [0, 1])
def test_what_is_stored_is_sorted_around_the_fill(hypersparse: sa.Array, axis: int) -> None:
    result = sa.sort(hypersparse, axis=axis)
    assert result.format == "dcsr" and result.nstored == 4
    places = [coordinate.tolist() for coordinate in sa.nonzero(result)]
    if axis == 0:
        assert places == [[0, HUGE - 1, HUGE - 1, HUGE - 1], [0, 3, 7, 10**11]]
    else:
        assert places == [[5, 5, 7, 10**11], [0, HUGE - 1, HUGE - 1, HUGE - 1]]


@pytest.mark.parametrize("fill", [0.0, 2.0, -1.0, np.nan, np.inf])
def test_fills_have_their_place(fill: float) -> None:
    data = np.array([[3.0, fill, -2.0, fill], [fill, np.nan, 1.0, -np.inf], [fill] * 4])
    a = sa.asarray(data, format="csr", fill_value=fill)
    for axis in (0, 1):
        result = sa.sort(a, axis=axis)
        np.testing.assert_array_equal(result.todense(), np.sort(data, axis=axis))
        assert result.nstored == a.nstored


def test_runs_are_moved_whole() -> None:
    a = sa.from_coordinates([[5, 10**11]], [2.0, -3.0], (HUGE,)).asformat("rle")
    assert sa.sort(a).nstored == 3
    assert [int(sa.sort(a)[place]) for place in (0, 1, HUGE - 2, HUGE - 1)] == [-3, 0, 0, 2]
    assert int(sa.sort(a, descending=True)[0]) == 2
    b = sa.asarray([0, 4, 4, 4, 0, 0, -1, -1], format="sparse-rle")
    assert sa.sort(b).nstored == 2 and sa.sort(b).tolist() == [-1, -1, 0, 0, 0, 4, 4, 4]


def test_equal_elements_keep_their_order() -> None:
    keys = sa.asarray([2, 0, 2, 0, 1], format="list")
    assert sa.argsort(keys).tolist() == [1, 3, 4, 0, 2]
    assert sa.argsort(keys, descending=True).tolist() == [0, 2, 4, 1, 3]
    assert np.lexsort([sa.asarray([3, 2, 1, 0, 0]), keys]).tolist() == [3, 1, 4, 2, 0]
    assert np.lexsort(sa.asarray([[3, 2, 1], [0, 0, 0]])).tolist() == [2, 1, 0]


def test_places_are_dense(hypersparse: sa.Array) -> None:
    for call in (sa.argsort, lambda a: sa.argpartition(a, 1), lambda a: sa.lexsort([a, a])):
        with pytest.raises(DensificationError, match="densify_limit"):
            call(hypersparse)


def test_what_numpy_refuses() -> None:
    a = sa.asarray([3, 1, 2], format="list")
    for call in (np.sort, np.argsort):
        with pytest.raises(np.exceptions.AxisError):
            call(a, axis=1)
        with pytest.raises(ValueError, match="kind"):
            call(a, kind="none such")
        with pytest.raises(ValueError, match="no fields"):
            call(a, order="x")
        assert call(a, kind="stable").tolist() == call(np.array([3, 1, 2])).tolist()
    with pytest.raises(np.exceptions.AxisError):
        np.sort(sa.asarray(1))
    for call in (np.partition, np.argpartition):
        with pytest.raises(ValueError, match=r"kth\(=3\) out of bounds \(3\)"):
            call(a, 3)
        with pytest.raises(TypeError, match="integer"):
            call(a, 1.0)


def test_arrays_are_not_sorted_in_place() -> None:
    a = sa.asarray([3, 1, 2])
    with pytest.raises(TypeError, match=r"values.*structarr\.sort\(a\)"):
        a.sort()
    with pytest.raises(TypeError, match=r"structarr\.partition\(a\)"):
        a.partition(1)
    assert a.argsort().tolist() == [1, 2, 0] and a.argpartition(0).tolist()[0] == 1


@pytest.mark.parametrize("dtype", ["float64", "int32", "bool"])
@pytest.mark.parametrize("name", ["csr", "csc", "coo", "dcsr", "vbl"])
def test_rows_of_all_lengths_are_sorted_around_the_fill(name: str, dtype: str) -> None:
    random = np.random.default_rng(2)
    data = np.where(random.random((5, 90)) < 0.6, random.integers(-5, 6, (5, 90)), 0).astype(dtype)
    data[1] = 0
    if dtype == "float64":
        data[random.random(data.shape) < 0.1] = np.nan
        data[2, ::7] = np.inf
    with sa.options(tier="interpreted"):
        a = sa.asarray(data).asformat(name)
        for axis in (0, 1):
            found = sa.sort(a, axis=axis)
            np.testing.assert_array_equal(found.todense(), np.sort(data, axis=axis))
            assert found.nstored == a.nstored


def test_elements_that_are_equal_stay_in_order_however_many_there_are() -> None:
    data = np.where(np.arange(200) % 3 == 0, -0.0, 0.0)
    a = sa.asarray(data[None], format="csr", fill_value=1.0)
    found = np.signbit(sa.sort(a, axis=1).todense())
    np.testing.assert_array_equal(found, np.signbit(data[None]))


@pytest.mark.parametrize("axis", [0, 1])
def test_a_triangle_of_ones_that_stores_nothing_is_sorted(axis: int) -> None:
    triangle = sa.tri(4, 4, 1, dtype=bool)
    np.testing.assert_array_equal(
        np.sort(triangle, axis=axis), np.sort(np.tri(4, 4, 1, bool), axis)
    )
