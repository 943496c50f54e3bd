"""Lists with other values at points: places that are stored keep the coordinates."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._array import stored

RNG = np.random.default_rng(5)
DENSE = np.where(RNG.random((9, 7)) < 0.4, RNG.integers(1, 9, (9, 7)), 0).astype(float)
THERE = np.nonzero(DENSE)


def _coordinates(array: Any) -> list[Any]:
    return [one.tolist() for one in stored(array).buffers[:-1]]


@pytest.mark.parametrize("format", ["csr", "csc", "coo"])
@pytest.mark.parametrize("value", [5.0, np.arange(1.0, 1 + len(THERE[0]))])
def test_values_at_stored_places_leave_the_coordinates(format: str, value: Any) -> None:
    a, dense = sa.asarray(DENSE, format=format), DENSE.copy()
    earlier, before = a + 0.0, _coordinates(a)
    order = RNG.permutation(len(THERE[0]))
    there = THERE[0][order], THERE[1][order]
    a[there] = value
    dense[there] = value
    np.testing.assert_array_equal(a.todense(), dense)
    assert _coordinates(a) == before
    np.testing.assert_array_equal(earlier.todense(), DENSE)


@pytest.mark.parametrize("format", ["csr", "csc", "coo"])
def test_points_of_which_some_are_not_stored(format: str) -> None:
    a, dense = sa.asarray(DENSE, format=format), DENSE.copy()
    rows, columns = np.divmod(np.arange(0, DENSE.size, 3), DENSE.shape[1])
    values = np.where(np.arange(len(rows)) % 4, 3.0, 0.0)
    a[rows, columns] = values
    dense[rows, columns] = values
    np.testing.assert_array_equal(a.todense(), dense)
    assert a.nstored == np.count_nonzero(dense)


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "dcsr", "dense"])
@pytest.mark.parametrize("value", [5, 0.0, np.nan, np.array([[2.5]]), np.int8(3)])
def test_one_element(format: str, value: Any) -> None:
    i, j = (int(axis[3]) for axis in THERE)
    for key in ((i, j), (-1, 0), (slice(2, 3), j), (i, slice(j, j + 1), None)):
        a, dense = sa.asarray(DENSE, format=format), DENSE.copy()
        a[key] = value
        dense[key] = np.asarray(value).reshape(())
        np.testing.assert_array_equal(a.todense(), dense)
        assert a.format == sa.asarray(DENSE, format=format).format


@pytest.mark.parametrize("dtype", ["bool", "int16", "float32", "complex128"])
def test_one_element_is_of_the_dtype(dtype: str) -> None:
    dense = DENSE.astype(dtype)
    a, i, j = sa.asarray(dense, format="csr"), *(int(axis[3]) for axis in THERE)
    for value in (np.float64(1.0), np.uint8(2), True):
        a[i, j] = value
        dense[i, j] = value
        np.testing.assert_array_equal(a.todense(), dense)
        assert a.dtype == dense.dtype


def test_one_element_of_a_vector() -> None:
    a, dense = sa.asarray(DENSE[0], format="list"), DENSE[0].copy()
    for n, value in enumerate((4.0, 0.0, 6.0, 0.0)):
        a[n] = value
        dense[n] = value
    np.testing.assert_array_equal(a.todense(), dense)
    with pytest.raises(IndexError, match="out of bounds"):
        a[99] = 1.0


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
@pytest.mark.parametrize("dtype", ["float64", "int8", "bool", "complex128"])
def test_regions_of_entries_are_dropped_in_one_pass(tier: str, dtype: str) -> None:
    """Rows, columns and what they have in common, the first and the last; of no entries too."""
    keys = [3, (slice(None), 4), (slice(2, 9, 3), slice(1, 6)), slice(None), 0, 8, slice(4, 4)]
    keys.append(np.ix_([1, 7, 3], [2, 5]))
    with sa.options(tier=tier):
        for dense, key in product((DENSE.astype(dtype), np.zeros((9, 7), dtype)), keys):
            a, wanted = sa.asarray(dense, format="coo"), dense.copy()
            earlier = a + dense.dtype.type(0)
            a[key] = wanted[key] = 0
            np.testing.assert_array_equal(a.todense(), wanted)
            np.testing.assert_array_equal(earlier.todense(), dense)
            assert a.format == "coo" and a.nstored == np.count_nonzero(wanted)
