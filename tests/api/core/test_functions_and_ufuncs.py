"""Functions and ufuncs: what NumPy's protocols reach, and what they refuse."""

from __future__ import annotations

import types
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import structarr as sa
from structarr._array import FUNCTIONS
from structarr._compiler.ir.ops import OPS, UNSUPPORTED

DENSE = np.array([[0.0, 2.0, 0.0], [1.0, 0.0, 3.0]])


@pytest.fixture
def csr() -> sa.Array:
    return sa.asarray(scipy.sparse.csr_array(DENSE))


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
    if FUNCTIONS.found(ufunc) is not None:
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


def test_elementwise_results_alone_are_broadcast_to_out(csr: sa.Array) -> None:
    wide = np.zeros((2, 2, 3))
    np.add(csr, 1, out=wide)
    np.testing.assert_array_equal(wide, np.broadcast_to(DENSE + 1, wide.shape))
    np.clip(csr, 1, 2, out=wide)
    np.testing.assert_array_equal(wide[1], DENSE.clip(1, 2))
    for call in (np.sum, np.mean, np.max, np.var, np.argmax, np.all):
        with pytest.raises(ValueError, match="must have that of the result"):
            call(csr, axis=0, out=np.zeros((2, 3)))


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


def test_inspection() -> None:
    info = sa.__array_namespace_info__()
    assert sa.__array_api_version__ == "2025.12"
    assert info.devices() == (info.default_device(),)
    assert set(info.dtypes(kind="bool")) == {"bool"}
    assert info.default_dtypes()["integral"] == sa.int64
    assert info.capabilities()["boolean indexing"]


def test_casting_rules_without_a_dtype_are_numpys() -> None:
    pairs: list[tuple[np.ufunc, tuple[Any, ...]]] = [
        (np.add, (np.array([1, 2]), 1.5)),
        (np.divide, (np.array([1, 2]), 2)),
        (np.add, (np.array([1, 2], "int8"), np.array([1, 2]))),
        (np.add, (np.array([1, 2], "float32"), 1)),
        (np.sqrt, (np.array([4, 9]),)),
    ]
    for casting in ("no", "equiv", "safe", "same_kind", "unsafe"):
        for ufunc, (first, *others) in pairs:
            try:
                wanted = ufunc(first, *others, casting=casting)
            except TypeError:
                with pytest.raises(TypeError, match=casting):
                    ufunc(sa.asarray(first), *others, casting=casting)
            else:
                found = ufunc(sa.asarray(first), *others, casting=casting)
                assert found.dtype == wanted.dtype
                np.testing.assert_array_equal(found, wanted)
    target = np.array([4.0, 9.0])
    np.divide(target, sa.asarray([2, 3]), out=target, casting="unsafe")
    assert target.tolist() == [2, 3]
