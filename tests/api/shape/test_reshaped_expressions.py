"""Reshaped arrays are lazy, keep the order of what is stored, and fuse with what is around them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

import structarr as sa

FORMATS = ("csr", "csc", "coo", "dcsr", "csf", "bsr", "dia", "vbl", "bitmap", "hash", "rle", "band")
SHAPES = ((48,), (12, 4), (4, 12), (48, 1), (2, 3, 8), (2, 3, 2, 4), (3, 4, 1, 4), (24, 2), (6, 8))
OPERATIONS = {
    "alone": lambda a: a,
    "mapped": lambda a: 2 * a + a,
    "summed": lambda a: a.sum(),
    "summed along the last axis": lambda a: (a * a).sum(axis=-1),
    "summed along the first axis": lambda a: a.sum(axis=0),
    "extreme": lambda a: a.max(axis=0),
    "transposed": lambda a: a.T * 3,
    "cut": lambda a: a[1:, ...],
    "again": lambda a: (a + 1).reshape(-1, 3).min(axis=1),
}


def matrix(seed: int, fill: float = 0.0) -> np.ndarray:
    random = np.random.default_rng(seed)
    return np.where(random.random((6, 8)) < 0.4, random.integers(1, 9, (6, 8)) + 0.0, fill)


@given(
    st.sampled_from(FORMATS),
    st.sampled_from(SHAPES),
    st.sampled_from(sorted(OPERATIONS)),
    st.sampled_from("CF"),
    st.integers(0, 2),
)
def test_reshaped_arrays_are_numpys(name, shape, operation, order, seed):
    data, call = matrix(seed), OPERATIONS[operation]
    with sa.options(tier="interpreted"):
        a = sa.asarray(data).asformat("dcsr" if name == "csf" else name)
        found = call(sa.reshape(a, shape, order=order))
        np.testing.assert_array_equal(found.todense(), call(data.reshape(shape, order=order)))


@pytest.mark.parametrize("source", ["csr", "csc", "coo", "dcsr", "bsr", "rle", "constant"])
def test_formats_are_those_of_the_array(source):
    data = np.ones((6, 8)) if source == "constant" else matrix(1)
    kept = {"csc": "csr", "bsr": "csr"}.get(source, source)
    with sa.options(tier="interpreted"):
        found = sa.reshape(sa.asarray(data).asformat(source), (4, 12))
        assert str(found.format) == kept
        assert found.tolist() == data.reshape(4, 12).tolist()


def test_sums_over_all_elements_make_no_other_shape():
    a = sa.asarray(matrix(1), format="csr")
    text = str(sa.explain((a.reshape(4, 12) * 2).sum()).kernel)
    assert text == str(sa.explain((a * 2).sum()).kernel)


def test_sums_along_whole_axes_are_sums_of_the_array():
    data = matrix(2).reshape(2, 3, 8)
    a = sa.asarray(data, format="csf")
    with sa.options(tier="interpreted"):
        assert str(sa.explain(a.reshape(2, 24).sum(axis=1)).kernel) == str(
            sa.explain(a.sum(axis=(1, 2))).kernel
        )
        np.testing.assert_array_equal(a.reshape(2, 24).max(axis=1), data.max(axis=(1, 2)))
        np.testing.assert_array_equal(a.reshape(6, 8).sum(axis=0), data.sum(axis=(0, 1)))


def test_elements_left_out_may_be_other_numbers():
    data = matrix(3, fill=2.0)
    a = sa.asarray(data, format="csr", fill_value=2.0)
    with sa.options(tier="interpreted"):
        found = a.reshape(16, 3)
        assert found.compute().fill_value == 2.0
        assert found.compute().nstored == a.nstored
        np.testing.assert_array_equal(found.todense(), data.reshape(16, 3))


def test_coordinates_grow_with_the_axes():
    a = sa.from_coordinates(
        (np.array([0, 70_000 - 1], np.int32), np.array([5, 70_000 - 1], np.int32)), [1.0, 2.0]
    )
    found = a.asformat("coo").reshape(-1)
    assert found[70_000**2 - 1] == 2.0
    assert found.reshape(70_000, 70_000)[69_999, 69_999] == 2.0


def test_places_beyond_int64_are_refused():
    a = sa.from_coordinates(([0], [5]), [1.0], (10**12, 10**12))
    with pytest.raises(ValueError, match="more places than int64 counts"):
        a.reshape(10**10, 10**14).compute()


def test_arrays_of_one_value_stay_so_however_long_they_are():
    found = sa.full((10**6, 10**9), 3.0).reshape(10**9, 10**6)
    assert str(found.compute().format) == "constant"
    assert found[5, 6] == 3.0


def test_later_writes_to_the_operand_do_not_show():
    data = matrix(1)
    x = data.copy()
    found = sa.reshape(x, (4, 12)) * 2
    x[:] = 0
    np.testing.assert_array_equal(found.todense(), data.reshape(4, 12) * 2)


def test_no_order_is_that_of_rows():
    data = np.arange(6).reshape(2, 3)
    a = sa.asarray(data, format="csr")
    for found in (a.flatten(order=None), a.ravel(order=None), a.reshape(6, order=None)):
        np.testing.assert_array_equal(found.todense(), data.reshape(6))
