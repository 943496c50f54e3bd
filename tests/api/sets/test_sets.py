"""Distinct elements and sets, by what is stored."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa
from structarr.errors import DensificationError

HUGE = 10**12


def test_the_fill_is_one_element_however_often_it_occurs() -> None:
    a = sa.from_coordinates([[3, 5, 7]], [2.0, -1.0, 2.0], (HUGE,), format="list")
    found = sa.unique_all(a)
    assert found.values.tolist() == [-1, 0, 2]
    assert found.indices.tolist() == [5, 0, 3]
    assert found.counts.tolist() == [1, HUGE - 3, 2]
    inverse = found.inverse_indices
    assert inverse.format == "list" and inverse.nstored == 3 and inverse.fill_value == 1
    assert [int(inverse[place]) for place in (0, 3, 5, 7)] == [1, 2, 0, 2]


def test_a_fill_that_does_not_occur_is_none() -> None:
    a = sa.asarray([1, 2, 1], format="list")
    assert a.nstored == 3 and sa.unique_values(a).tolist() == [1, 2]
    assert sa.unique_values(sa.asarray(np.zeros((0, 3)), format="csr")).tolist() == []


@pytest.mark.parametrize("format", ["constant", "dense", "rle", "coo"])
def test_nothing_has_no_elements(format: str) -> None:
    """A constant is stored however few places there are for it."""
    a = sa.asarray(np.zeros(0)).asformat(format)
    column = a[:1, None]
    assert sa.unique_values(column).shape == sa.union1d(a, column).shape == (0,)


def test_what_int64_does_not_count() -> None:
    a = sa.from_coordinates([[5], [7]], [2.0], (HUGE, HUGE), format="dcsr")
    assert sa.unique_values(a).tolist() == [0, 2]
    assert sa.unique_inverse(a).inverse_indices.nstored == 1
    with pytest.raises(ValueError, match="more than int64 counts"):
        sa.unique_counts(a)
    with pytest.raises(ValueError, match="more places than int64 counts"):
        sa.unique_all(a)


def test_each_nan_is_one_of_its_own_or_all_are_one() -> None:
    data = np.array([[np.nan, 0, 1], [0, np.nan, np.nan]])
    a = sa.asarray(data, format="csr")
    values, counts = sa.unique(a, return_counts=True)
    np.testing.assert_array_equal(values, [0, 1, np.nan])
    assert counts.tolist() == [2, 1, 3]
    each = sa.unique_all(a)
    np.testing.assert_array_equal(each.values, [0, 1, np.nan, np.nan, np.nan])
    assert each.indices.tolist() == [1, 2, 0, 4, 5] and each.counts.tolist() == [2, 1, 1, 1, 1]
    assert each.inverse_indices.tolist() == [[2, 0, 1], [0, 3, 4]]
    assert each.inverse_indices.format == "csr"
    lost = sa.with_fill(sa.from_coordinates([[3]], [2.0], (HUGE,), format="list"), np.nan)
    assert sa.unique(lost).shape == (2,)
    with pytest.raises(DensificationError, match="densify_limit"):
        sa.unique_values(lost)


@pytest.mark.parametrize("name", ["symmetric", "interval", "constant", "band", "rle", "csr"])
def test_the_format_of_the_inverse_does_not_depend_on_values(name: str) -> None:
    plain, lost = np.ones((2, 2)), np.full((2, 2), np.nan)
    formats = [
        str(sa.unique_inverse(sa.asarray(data, format=name)).inverse_indices.format)
        for data in (plain, lost)
    ]
    assert formats[0] == formats[1]


def test_long_runs_count_as_often_as_they_are_long() -> None:
    a = sa.from_coordinates([[3]], [2.0], (HUGE,)).asformat("rle")
    assert sa.unique_counts(a).counts.tolist() == [HUGE - 1, 1]
    assert sa.unique_counts(sa.full((10**6, 10**6), 7)).counts.tolist() == [HUGE]


def test_sets_of_what_is_mostly_fill() -> None:
    a = sa.from_coordinates([[3, 5]], [2.0, -1.0], (HUGE,), format="list")
    assert np.union1d(a, [4]).tolist() == [-1, 0, 2, 4]
    assert np.intersect1d(a, [4, 0, 2]).tolist() == [0, 2]
    assert np.setdiff1d(a, [0]).tolist() == [-1, 2]
    assert np.setxor1d(a, [0, 9]).tolist() == [-1, 2, 9]
    values, ours, theirs = np.intersect1d(a, [4, 0, 2], return_indices=True)
    assert (values.tolist(), ours.tolist(), theirs.tolist()) == ([0, 2], [0, 3], [1, 2])
    with pytest.raises(DensificationError):
        np.setdiff1d(a, [0], assume_unique=True)


def test_isin_takes_scalars_and_keeps_the_format() -> None:
    a = sa.asarray([[0, 2, 0], [3, 0, 0]], format="csr")
    assert sa.isin(a, 2).format == "csr" and sa.isin(a, 2).nstored == 2
    assert sa.isin(a, a).all() and not sa.isin(a, a, invert=True).any()
    assert bool(sa.isin(2, a)) and not bool(sa.isin(5, a))
    assert np.isin(a, [0], invert=True).tolist() == (a.todense() != 0).tolist()
    pattern = sa.asarray([False, True], format="list")
    assert sa.isin(pattern, [True]).tolist() == [False, True]


def test_slices_along_an_axis() -> None:
    a = sa.asarray([[0, 2], [0, 2], [1, 0]], format="csr")
    rows, counts = np.unique(a, axis=0, return_counts=True)
    assert rows.tolist() == [[0, 2], [1, 0]] and counts.tolist() == [2, 1]
    with pytest.raises(np.exceptions.AxisError):
        np.unique(a, axis=2)
    with pytest.raises(np.exceptions.AxisError):
        np.unique(a[0], axis=1)


def test_differences_beside_others() -> None:
    a = sa.asarray([0, 0, 5, 5], format="list")
    assert np.ediff1d(a, to_begin=[9], to_end=-1).tolist() == [9, 0, 5, 0, -1]
    with pytest.raises(TypeError, match="same_kind"):
        np.ediff1d(a, to_end=0.5)
