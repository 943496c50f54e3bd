"""Arrays of what is given, and of a shape: structure, fills, dtypes, copies, refusals."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

import structarr as sa
from structarr import formats
from structarr.errors import DensificationError, FormatError

DENSE = np.array([[0.0, 2.0, 0.0], [1.0, 0.0, 3.0]])


def test_asarray_keeps_structure() -> None:
    for layout in ("csr", "csc"):
        assert sa.asarray(scipy.sparse.csr_array(DENSE).asformat(layout)).format == layout
    assert sa.asarray(DENSE).format == "dense"
    assert sa.asarray(scipy.sparse.csr_array(DENSE), format="csc").format == "csc"
    tree = formats.Dense(formats.SparseList())
    assert sa.asarray(DENSE, format=tree).format == "csr"


def test_asarray_takes_a_fill_value() -> None:
    a = sa.asarray([[1, 1, 5], [1, 1, 1]], format="csr", fill_value=1)
    assert (a.nstored, a.fill_value, a.tolist()) == (1, 1, [[1, 1, 5], [1, 1, 1]])
    b = sa.asarray(scipy.sparse.csr_array(DENSE), fill_value=7)
    np.testing.assert_array_equal(b.todense(), np.where(DENSE == 0, 7, DENSE))
    with pytest.raises(ValueError, match="not exact"):
        sa.asarray([1, 2], fill_value=1.5)
    with pytest.raises(OverflowError):
        sa.asarray([1, 2], dtype="int64", fill_value=2**70)
    with pytest.raises(ValueError, match=r"fill_value is 0\.0, not 3"):
        sa.asarray(sa.asarray(DENSE, format="csr"), fill_value=3)


def test_asarray_converts_dtypes() -> None:
    a = sa.asarray(DENSE, dtype="int8", format="csr")
    assert (a.dtype, a.format, a.nstored) == (np.int8, "csr", 3)
    assert sa.asarray(np.array([1, 2], ">i4")).dtype == np.dtype("int32")
    assert sa.asarray(True).dtype == bool and sa.asarray(1j).dtype == np.complex128


def test_asarray_copies_when_told() -> None:
    x = np.arange(3.0)
    assert sa.asarray(sa.asarray(x)).tolist() == [0, 1, 2]
    for obj, given in (
        ([1, 2], {}),
        (x, {"dtype": "int8"}),
        (x, {"format": "list"}),
        (x.astype(">f8"), {}),
    ):
        with pytest.raises(ValueError, match="unable to avoid a copy"):
            sa.asarray(obj, copy=False, **given)
    assert np.shares_memory(sa.asarray(x, copy=False), x)


def test_asarray_refuses_what_it_cannot_store() -> None:
    for obj in (["a"], [None], np.ones(2, "f2"), np.ones(2, "M8[s]"), [[1], 2], object()):
        with pytest.raises((TypeError, ValueError)):
            sa.asarray(obj)
    with pytest.raises(TypeError, match="use float32"):
        sa.asarray(np.ones(2, "f2"))
    with pytest.raises(FormatError, match="2 axes"):
        sa.asarray([1, 2], format="csr")
    with pytest.raises(ValueError, match="cpu"):
        sa.asarray([1], device="gpu")
    with pytest.raises(TypeError, match="not supported"):
        sa.asarray([1], dtype="float16")


def test_creation() -> None:
    assert sa.zeros((2, 3)).tolist() == np.zeros((2, 3)).tolist()
    assert sa.ones(2, dtype="int8").dtype == np.int8
    assert sa.full((2,), 7).tolist() == [7, 7] and sa.full((), 2.5).tolist() == 2.5
    assert sa.empty((0, 2)).shape == (0, 2)
    for shape, k in (((3, 3), 0), ((2, 4), 1), ((4, 2), -1), ((2, 2), 5), ((2, 2), -5)):
        np.testing.assert_array_equal(sa.eye(*shape, k=k).todense(), np.eye(*shape, k=k))
    assert sa.arange(3).tolist() == [0, 1, 2]
    assert sa.arange(1, 2, 0.5).tolist() == [1, 1.5]
    assert sa.linspace(0, 1, 3).tolist() == [0, 0.5, 1]
    assert sa.zeros_like(sa.asarray([1, 2]), dtype="float32").dtype == np.float32
    assert np.full_like(sa.asarray([1, 2]), 9).tolist() == [9, 9]
    assert np.ones_like(sa.asarray([1.5])).tolist() == [1.0]
    with pytest.raises(ValueError, match="negative dimensions"):
        sa.zeros((-1,))
    with pytest.raises(ValueError, match="must be a scalar"):
        sa.full((2,), [1, 2])
    with pytest.raises(DensificationError, match="arange"):
        sa.arange(np.float32(10**12))


def test_nothing_large_is_made_by_naming_a_large_shape() -> None:
    wide = sa.zeros((10**6, 10**6))
    assert wide.shape == (10**6, 10**6) and wide.fill_value == 0
