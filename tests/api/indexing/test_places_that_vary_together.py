"""Places of some of the axes that vary together, and of several axes of their own, are lazy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import structarr as sa

CUBE, MATRIX = ("csf", "coo", "rle", "vbl", "dense"), ("csr", "csc", "coo", "dcsr", "dia", "rle")
ALL = slice(None)
ROWS = np.array([[0, 4, 1], [2, 2, -5]])
COLUMNS = np.array([[1, -6, 3], [0, 0, 4]])
DEEP = np.array([[6, 0, 3], [-1, 2, 2]])
FEW, NONE = np.array([1, 3, 3]), np.zeros(0, int)

OF_CUBES = {
    "first axis": (ROWS,),
    "second axis": (ALL, COLUMNS),
    "last axis": (ALL, ALL, DEEP),
    "around": (ROWS, ALL, DEEP),
    "last two": (ALL, COLUMNS, DEEP),
    "first two": (ROWS, COLUMNS),
    "cut": (FEW, FEW, slice(1, 3)),
    "with a new axis": (FEW, None, FEW),
    "with a number": (0, ALL, FEW),
    "with a stride": (ROWS, slice(None, None, 2), DEEP),
    "none": (NONE, ALL, NONE),
}
OF_MATRICES = {
    "rows": (ROWS,),
    "columns": (ALL, COLUMNS),
    "rows of a column": (ROWS, 3),
    "columns of some rows": (slice(1, 3), COLUMNS),
    "none": (NONE,),
}


def data(ndim: int) -> np.ndarray:
    random = np.random.default_rng(ndim)
    shape = (5, 6, 7)[:ndim]
    return np.where(random.random(shape) < 0.4, random.integers(1, 9, shape) + 0.0, 0)


@settings(max_examples=30)
@given(st.sampled_from(sorted(OF_CUBES)), st.sampled_from(CUBE))
def test_places_in_cubes_are_numpys(key, name):
    check(data(3), OF_CUBES[key], name)


@given(st.sampled_from(sorted(OF_MATRICES)), st.sampled_from(MATRIX))
def test_places_in_matrices_are_numpys(key, name):
    check(data(2), OF_MATRICES[key], name)


def check(values, key, name):
    with sa.options(tier="interpreted"):
        found, expected = sa.asarray(values).asformat(name)[key], values[key]
        assert found.shape == expected.shape
        np.testing.assert_array_equal(found.todense(), expected)
        np.testing.assert_array_equal((2 * found + 1).todense(), 2 * expected + 1)
        assert float(found.sum()) == expected.sum()


def test_lists_stay_lists():
    a = sa.asarray(data(3), format="csf")
    found = a[FEW, :, FEW].compute()
    assert found.nstored == np.count_nonzero(data(3)[FEW, :, FEW])
    rows = sa.asarray(data(2), format="csr")[ROWS].compute()
    assert str(rows.format) == "list"
    assert rows.nstored == np.count_nonzero(data(2)[ROWS])


def test_sums_of_taken_rows_make_no_rows():
    a = sa.asarray(data(2), format="csr")
    text = str(sa.explain(a[ROWS].sum(axis=(0, 1))).kernel)
    assert text == str(sa.explain(a[ROWS.ravel()].sum(axis=0)).kernel)


def test_places_are_checked_at_the_call():
    a = sa.asarray(data(3), format="csf")
    with pytest.raises(IndexError, match="index 7 is out of bounds for axis 2 with size 7"):
        a[[0, 1], :, [0, 7]]
    with pytest.raises(IndexError, match="could not be broadcast"):
        a[[0, 1, 2], :, [0, 1]]
    with pytest.raises(IndexError, match="index -6 is out of bounds for axis 0 with size 5"):
        a[np.array([[0, -6]])]
