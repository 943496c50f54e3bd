"""Arrays of coordinates and values: order, duplicates, dtypes, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import structarr as sa
from structarr.errors import FormatError


@given(st.lists(st.integers(0, 3), min_size=1, max_size=3).map(tuple), st.data())
def test_entries_in_any_order_are_added_up(shape: tuple[int, ...], data: st.DataObject) -> None:
    places = list(np.ndindex(shape))
    entries = data.draw(st.lists(st.sampled_from(places), max_size=9)) if places else []
    coords = np.array(entries, np.int64).reshape(len(entries), len(shape)).T
    values = np.arange(1.0, len(entries) + 1)
    wanted = np.zeros(shape)
    np.add.at(wanted, tuple(coords), values)
    array = sa.from_coordinates(coords, values, shape)
    np.testing.assert_array_equal(array.todense(), wanted)
    assert array.nstored == len(set(entries))


@pytest.mark.parametrize("format", ["coo", "csr", "csc", "bsr", "hash", "dia", "dense", "dcsr"])
@pytest.mark.parametrize("dtype", ["bool", "int8", "float32", "complex128"])
def test_every_format_can_be_asked_for(format: str, dtype: str) -> None:
    coords, values = ([2, 0, 2, 1], [1, 3, 1, 1]), np.array([1, 1, 1, 1], dtype)
    array = sa.from_coordinates(coords, values, (4, 6), format=format)
    wanted = np.zeros((4, 6), dtype)
    np.add.at(wanted, coords, values)
    assert array.format == format
    assert array.dtype == dtype
    np.testing.assert_array_equal(array.todense(), wanted)


def test_the_shape_is_the_least_that_holds_all() -> None:
    assert sa.from_coordinates(([2, 0], [1, 5]), 1.0).shape == (3, 6)
    assert sa.from_coordinates(([], []), []).shape == (0, 0)
    assert sa.from_coordinates([4, 1], [1, 2]).shape == (5,)


def test_one_value_and_one_axis_may_stand_alone() -> None:
    array = sa.from_coordinates([3, 1], True, 5)
    np.testing.assert_array_equal(array.todense(), [False, True, False, True, False])
    assert sa.from_coordinates([], [], 4).shape == (4,)


def test_the_fill_is_what_is_asked() -> None:
    array = sa.from_coordinates([1], [2.0], 3, fill_value=np.inf)
    np.testing.assert_array_equal(array.todense(), [np.inf, 2, np.inf])
    with pytest.raises(FormatError, match=r"fill_value 0.5 is not exact in dtype int64"):
        sa.from_coordinates([1], [2], 3, fill_value=0.5)


def test_index_dtypes_widen_where_they_must() -> None:
    narrow = np.array([1], np.int32)
    assert sa.from_coordinates((narrow, narrow), [1.0], (4, 4)).format.index == "int32"
    assert sa.from_coordinates((narrow, narrow), [1.0], (4, 2**31)).format.index == "int64"
    assert sa.from_coordinates(([1], [1]), [1.0], (4, 4)).format.index == "int64"
    with pytest.raises(ValueError, match="more places on an axis than int64 counts"):
        sa.from_coordinates((narrow, narrow), [1.0], (4, 2**63))


@pytest.mark.parametrize(
    ("coords", "values", "shape", "message"),
    [
        (([0, 1], [1, 7]), [1, 2], (2, 3), r"axis 1: entry 1, 7, is outside \[0, 3\)"),
        (([0, -1], [1, 1]), [1, 2], (2, 3), "axis 0: entry 1, -1, is outside"),
        (([0, 1], [1]), [1, 2], (2, 3), "axis 1 have shape"),
        (([0.5], [1]), [1], (2, 3), "axis 0 must be integers, not float64"),
        (([0.5], [1]), [1], None, "axis 0 must be integers, not float64"),
        (([0], [1]), [[1]], (2, 3), "values must have one dimension"),
        (([0], [1]), [1], (2, 3, 4), "2 arrays of coordinates"),
        ((np.array([2**64 - 1], np.uint64), [1]), [1], (2, 3), "is outside"),
    ],
)
def test_what_is_refused(coords: Any, values: Any, shape: Any, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        sa.from_coordinates(coords, values, shape)


def test_duplicates_are_refused_where_asked() -> None:
    coords = [3, 1, 0, 1, 3], [0, 2, 0, 2, 0]
    with pytest.raises(FormatError, match=r"entries 1 and 3 are both at \(1, 2\); leave one out"):
        sa.from_coordinates(coords, np.ones(5), (4, 3), duplicates="raise")
    different = sa.from_coordinates(([1, 0], [0, 0]), [1.0, 2.0], (2, 1), duplicates="raise")
    np.testing.assert_array_equal(different.todense(), [[2.0], [1.0]])
    with pytest.raises(ValueError, match='must be "sum" or "raise"'):
        sa.from_coordinates(coords, np.ones(5), (4, 3), duplicates="last")  # type: ignore[arg-type]
