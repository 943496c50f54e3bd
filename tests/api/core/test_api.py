"""The functions: what NumPy's protocols reach, what they refuse, and how arrays are made."""

from __future__ import annotations

import types
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import structarr as sa
from structarr import _compute, formats
from structarr._array import FUNCTIONS
from structarr._compiler.ir.ops import OPS, UNSUPPORTED
from structarr.errors import DensificationError, FormatError

DENSE = np.array([[0.0, 2.0, 0.0], [1.0, 0.0, 3.0]])


@pytest.fixture
def csr() -> sa.Array:
    return sa.asarray(scipy.sparse.csr_array(DENSE))


# ---------------------------------------------------------------- protocols


@pytest.mark.parametrize("name", OPS)
def test_every_operator_has_a_function(name: str) -> None:
    if hasattr(np, name):
        assert getattr(sa, name) is FUNCTIONS[getattr(np, name)]


def test_functions_document_themselves() -> None:
    for name in dir(sa):
        function = getattr(sa, name)
        if isinstance(function, types.FunctionType) and not name.startswith("_"):
            assert function.__doc__, name


@pytest.mark.parametrize("name", [n for n in UNSUPPORTED if hasattr(np, n)])
def test_ufuncs_without_an_operator_are_served_or_refused(name: str, csr: sa.Array) -> None:
    ufunc = getattr(np, name)
    if ufunc in FUNCTIONS:
        return
    with pytest.raises(TypeError, match=f"'{name}' is not supported.*{UNSUPPORTED[name][:12]}"):
        ufunc(csr)


def test_divmod(csr: sa.Array) -> None:
    for got, expected in zip(np.divmod(csr, 2), np.divmod(DENSE, 2), strict=True):
        np.testing.assert_array_equal(got, expected)


def test_ufuncs_write_into_numpy_arrays(csr: sa.Array) -> None:
    out = np.full((2, 3), 9.0)
    assert np.multiply(csr, 2, out=out) is out
    np.testing.assert_array_equal(out, DENSE * 2)
    out = np.full((2, 3), 9.0)
    np.add(csr, 1, out=out, where=DENSE > 0)
    np.testing.assert_array_equal(out, np.where(DENSE > 0, DENSE + 1, 9))
    quotient = np.zeros((2, 3))
    assert np.divmod(csr, 2, out=(quotient, None))[0] is quotient
    with pytest.raises(TypeError, match="arrays are values"):
        np.add(DENSE, 1, out=csr)
    with pytest.raises(TypeError, match="casting rule 'same_kind'"):
        np.add(csr, 1, out=np.zeros((2, 3), int))
    with pytest.raises(ValueError, match="non-broadcastable output"):
        np.add(csr, 1, out=np.zeros(3))
    with pytest.raises(TypeError, match="undefined"):
        np.add(csr, 1, where=DENSE > 0)


def test_ufuncs_take_a_dtype_and_a_casting_rule(csr: sa.Array) -> None:
    assert np.add(csr, 1, dtype="complex64", casting="unsafe").dtype == np.complex64
    assert np.add(csr, 1, dtype="float32").dtype == np.float32
    whole = sa.asarray([1, 2])
    np.testing.assert_array_equal(np.sqrt(whole, dtype="float32"), np.sqrt([1, 2], dtype="float32"))
    assert np.add(csr, 1.7, dtype="int64", casting="unsafe").tolist()[0] == [1, 3, 1]
    for call in (
        lambda: np.add(csr, 1, dtype="int64"),
        lambda: np.add(whole, csr, casting="no"),
        lambda: np.add(whole, 1, dtype="int8", casting="safe"),
        lambda: np.add(csr, 1, dtype="float16"),
        lambda: np.add(csr, 1, signature="dd->d"),
    ):
        with pytest.raises(TypeError):
            call()


def test_ufunc_methods(csr: sa.Array) -> None:
    np.testing.assert_array_equal(np.add.reduce(csr), DENSE.sum(0))
    np.testing.assert_array_equal(np.maximum.reduce(csr, axis=1), DENSE.max(1))
    assert float(np.add.reduce(csr, axis=None, initial=10)) == 16
    assert np.multiply.reduce(csr, axis=1, keepdims=True).shape == (2, 1)
    np.testing.assert_array_equal(np.add.outer([1, 2], csr), np.add.outer([1, 2], DENSE))
    np.testing.assert_array_equal(np.less.outer(csr, csr), np.less.outer(DENSE, DENSE))
    np.testing.assert_array_equal(np.subtract.reduce(csr), np.subtract.reduce(DENSE))
    np.testing.assert_array_equal(np.add.accumulate(csr), np.add.accumulate(DENSE))
    np.testing.assert_array_equal(np.add.reduceat(csr, [0]), np.add.reduceat(DENSE, [0]))
    with pytest.raises(TypeError, match="values"):
        np.add.at(csr, [0], 1)


def test_functions_that_are_missing_are_named(csr: sa.Array) -> None:
    def newest(a: Any) -> Any: ...

    newest.__module__ = "numpy"
    with pytest.raises(TypeError, match=r"numpy\.newest.*is not implemented.*a\.todense\(\)"):
        csr.__array_function__(newest, (sa.Array,), (csr,), {})


def test_questions_about_arrays(csr: sa.Array) -> None:
    assert (np.shape(csr), np.ndim(csr), np.size(csr), np.size(csr, 1)) == ((2, 3), 2, 6, 3)
    assert np.result_type(csr, np.int8) == sa.result_type(csr, 1) == np.float64
    assert sa.can_cast(csr, "complex128") and not np.can_cast(csr.dtype, "int8")
    assert np.isrealobj(csr) and not np.iscomplexobj(csr)
    assert np.array_equal(csr, DENSE) and not np.array_equal(csr, DENSE[:1])
    assert np.allclose(csr, DENSE + 1e-12) and not np.allclose(csr, DENSE + 1)
    assert int(np.count_nonzero(csr)) == 3
    assert sa.isdtype(csr.dtype, "real floating") and sa.finfo(csr).bits == 64


# --------------------------------------------------------------- reductions


def test_reductions_check_their_arguments(csr: sa.Array) -> None:
    with pytest.raises(np.exceptions.AxisError, match="axis 2 is out of bounds"):
        np.sum(csr, axis=2)
    with pytest.raises(ValueError, match="repeated axis"):
        np.sum(csr, axis=(0, 0))
    with pytest.raises(TypeError):
        np.sum(csr, axis=1.5)
    with pytest.raises(ValueError, match="zero-size array to reduction operation maximum"):
        np.max(sa.zeros((0, 3)), axis=0)
    assert np.max(sa.zeros((0, 3)), axis=1).shape == (0,)
    assert np.max(sa.zeros(0), initial=-1.0).tolist() == -1
    with pytest.raises(ValueError, match="identity"):
        np.max(csr, where=DENSE > 0)
    with pytest.raises(TypeError, match="must be boolean"):
        np.sum(csr, where=[1, 0, 1])


def test_reductions_write_and_accumulate(csr: sa.Array) -> None:
    out = np.zeros(3)
    assert np.sum(csr, axis=0, out=out) is out
    assert out.tolist() == [1, 2, 3]
    assert np.sum(sa.asarray([True, True])).dtype == np.int64
    assert np.sum(sa.asarray([200, 100], dtype="uint8")).tolist() == 300
    assert np.sum(sa.asarray([200, 100], dtype="uint8"), dtype="uint8").tolist() == 44


def test_moments() -> None:
    a = sa.asarray(DENSE, format="csr")
    for ddof in (0, 1):
        np.testing.assert_allclose(np.var(a, axis=1, ddof=ddof), DENSE.var(axis=1, ddof=ddof))
    np.testing.assert_allclose(sa.std(a, correction=1.0), DENSE.std(ddof=1))
    np.testing.assert_allclose(np.var(a * 1j), np.var(DENSE * 1j))
    assert np.mean(sa.asarray([1, 2], dtype="int8")).dtype == np.float64
    assert np.mean(sa.asarray([1, 2], dtype="float32")).dtype == np.float32


# ----------------------------------------------------------------- products


@pytest.mark.parametrize("layout", ["dense", "csr"])
def test_products(layout: str) -> None:
    x, y = DENSE, DENSE.T + 1j
    a, b = sa.asarray(x, format=layout), sa.asarray(y, format=layout)
    v = np.array([1j, 2, 3])
    for got, expected in (
        (np.matmul(a, b), x @ y),
        (np.dot(a, v), x @ v),
        (np.inner(a, a), np.inner(x, x)),
        (np.tensordot(a, b, 1), np.tensordot(x, y, 1)),
        (np.tensordot(a, b, ([0, 1], [1, 0])), np.tensordot(x, y, ([0, 1], [1, 0]))),
        (np.vdot(b, b), np.vdot(y, y)),
        (np.vecdot(b.T, v), np.vecdot(y.T, v)),
        (sa.vecdot(b, b, axis=0), np.vecdot(y, y, axis=0)),
        (np.matvec(a, v), np.matvec(x, v)),
        (np.vecmat(v, b), np.vecmat(v, y)),
        (np.outer([1, 2], v * sa.asarray(1)), np.outer([1, 2], v)),
        (np.linalg.matmul(a, b), x @ y),
    ):
        np.testing.assert_allclose(np.asarray(got), expected)


def test_products_of_dense_arrays_are_numpys(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: Any) -> Any:
        raise AssertionError("a kernel was called")

    a = sa.asarray(DENSE)
    product = a @ a.T.todense()
    monkeypatch.setattr(_compute, "_choice_for", refuse)
    np.testing.assert_array_equal(product, DENSE @ DENSE.T)


def test_products_of_booleans_and_small_integers() -> None:
    truth = DENSE > 0
    np.testing.assert_array_equal(sa.asarray(truth, format="csr") @ truth.T, truth @ truth.T)
    small = (DENSE * 50).astype("int8")
    np.testing.assert_array_equal(sa.asarray(small, format="csr") @ small.T, small @ small.T)


def test_products_of_operands_that_do_not_fit(csr: sa.Array) -> None:
    for call, message in (
        (lambda: csr @ csr, "matmul: Input operand 1 has a mismatch"),
        (lambda: csr @ 2, "does not have enough dimensions"),
        (lambda: np.dot(csr, csr), r"shapes \(2, 3\) and \(2, 3\) not aligned"),
        (lambda: np.tensordot(csr, csr, 1), "shape-mismatch for sum"),
        (lambda: np.tensordot(csr, csr, 3), "axes=3"),
        (lambda: np.vecdot(csr, [1, 2]), "mismatch"),
        (lambda: np.linalg.outer(csr, csr), "vectors"),
    ):
        with pytest.raises(ValueError, match=message):
            call()


def test_convolve_checks_its_arguments() -> None:
    a = sa.asarray([1.0, 2.0])
    for call, message in (
        (lambda: np.convolve(a, []), "v cannot be empty"),
        (lambda: np.convolve(a, [[1]]), "as many axes"),
        (lambda: sa.convolve(a, [1], "most"), "mode must be one of"),
    ):
        with pytest.raises(ValueError, match=message):
            call()


# ------------------------------------------------------------------- shapes


def test_views_check_their_arguments(csr: sa.Array) -> None:
    for call, message in (
        (lambda: np.transpose(csr, (0, 0)), "repeated|axes"),
        (lambda: np.transpose(csr, (0,)), "axes don't match array"),
        (lambda: np.squeeze(csr, 0), "size not equal to one"),
        (lambda: np.expand_dims(csr, 5), "out of bounds"),
        (lambda: np.broadcast_to(csr, (2, 2)), "could not be broadcast"),
        (lambda: np.broadcast_to(csr, (3,)), "could not be broadcast"),
        (lambda: np.swapaxes(csr, 0, 2), "out of bounds"),
        (lambda: np.moveaxis(csr, (0, 1), 0), "same number of elements"),
        (lambda: sa.matrix_transpose(sa.asarray([1])), "ndim < 2"),
        (lambda: np.reshape(csr, (4, 2)), "cannot reshape array of size 6"),
        (lambda: np.reshape(csr, (-1, -1)), "one unknown"),
        (lambda: np.reshape(csr, (-1, 4)), "cannot reshape"),
    ):
        with pytest.raises(ValueError, match=message):
            call()


def test_joining_checks_its_arguments(csr: sa.Array) -> None:
    for call, message in (
        (lambda: sa.concat([]), "at least one array"),
        (lambda: np.concatenate([csr, csr.T]), "along dimension 1"),
        (lambda: np.concatenate([csr, [1, 2]]), "same number of dimensions"),
        (lambda: np.concatenate([csr, csr], axis=2), "out of bounds"),
        (lambda: np.concatenate([sa.asarray(1), 2]), "zero-dimensional"),
        (lambda: np.stack([csr, csr.T]), "same shape"),
    ):
        with pytest.raises(ValueError, match=message):
            call()
    with pytest.raises(TypeError, match="casting rule 'same_kind'"):
        np.concatenate([csr, csr], dtype="int8")


# ----------------------------------------------------------------- creation


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
    for obj in (["a"], [None], np.ones(2, "f2"), np.ones(2, "M8[s]"), [[1], [1, 2]], object()):
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


def test_inspection() -> None:
    info = sa.__array_namespace_info__()
    assert sa.__array_api_version__ == "2025.12"
    assert info.devices() == (info.default_device(),)
    assert set(info.dtypes(kind="bool")) == {"bool"}
    assert info.default_dtypes()["integral"] == sa.int64
    assert info.capabilities()["boolean indexing"]


def test_elementwise_functions_beyond_rows(csr: sa.Array) -> None:
    np.testing.assert_array_equal(np.where(csr > 1, csr, -1), np.where(DENSE > 1, DENSE, -1))
    np.testing.assert_array_equal(np.clip(csr, None, 2), np.clip(DENSE, None, 2))
    np.testing.assert_array_equal(sa.clip(csr, min=1), np.clip(DENSE, 1, None))
    small = np.array([0, 3, 200], np.uint8)
    for ends in [(-1, 2), (2, 300), (None, 300), (-1, None)]:
        found = np.clip(sa.asarray(small), *ends)
        assert found.dtype == np.uint8 and found.tolist() == np.clip(small, *ends).tolist()
    with pytest.raises(OverflowError, match="300 out of bounds"):
        np.clip(sa.asarray(small), 300, None)
    x = np.array([1.25, -2.375, 1234.5, np.nan, np.inf, -np.inf])
    for decimals in (0, 2, -2):
        np.testing.assert_array_equal(np.round(sa.asarray(x), decimals), np.round(x, decimals))
    np.testing.assert_array_equal(
        np.round(sa.asarray([1250, 15]), -1), np.round(np.array([1250, 15]), -1)
    )
    np.testing.assert_array_equal(np.nan_to_num(sa.asarray(x)), np.nan_to_num(x))
    np.testing.assert_array_equal(np.fix(sa.asarray(x)), np.fix(x))
    z = np.array([1 + 1j, -1j])
    np.testing.assert_allclose(np.angle(sa.asarray(z), deg=True), np.angle(z, deg=True))
    np.testing.assert_array_equal(np.real(sa.asarray(z)), z.real)
    for mine, theirs in zip(np.where(csr), np.where(DENSE), strict=True):
        np.testing.assert_array_equal(mine, theirs)
    with pytest.raises(ValueError, match="either both or neither"):
        np.where(csr, 1)
