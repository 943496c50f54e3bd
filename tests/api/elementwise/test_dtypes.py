"""Dtypes against NumPy's arrays: what operators take and give, reductions, scalars, refusals."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from structarr._compiler.ir.ops import OPS
from structarr._storage.dense import from_dense
from structarr._support import dtypes as _dtypes

DTYPES = (
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float32", "float64", "complex64", "complex128"),
)
WEAK: dict[Any, Any] = {bool: True, int: 1, float: 1.0, complex: 1j}
UFUNCS = [op for op in OPS.values() if isinstance(getattr(np, op.name, None), np.ufunc)]


def numpys(name: str, args: list[Any]) -> str | None:
    """Return the dtype of NumPy's result with float16 raised to float32, or None if it raises."""
    try:
        with np.errstate(all="ignore"):
            result = getattr(np, name)(*args)
    except TypeError:
        return None
    return str(result.dtype.name).replace("float16", "float32")


def ours(name: str, dtypes: tuple[Any, ...]) -> str | None:
    try:
        return _dtypes.resolve(name, dtypes)[1]
    except TypeError:
        return None


@pytest.mark.parametrize("op", UFUNCS, ids=str)
def test_results_are_numpys(op: Any) -> None:
    for names in itertools.product(DTYPES, repeat=op.arity):
        arrays = [np.ones(1, name) for name in names]
        assert ours(op.name, tuple(a.dtype for a in arrays)) == numpys(op.name, arrays), names


@pytest.mark.parametrize("op", [op for op in UFUNCS if op.arity == 2], ids=str)
@pytest.mark.parametrize("weak", WEAK)
def test_python_scalars_are_weak(op: Any, weak: type) -> None:
    for name in DTYPES:
        array = np.ones(1, name)
        for flip in (1, -1):
            pair, values = (array.dtype, weak)[::flip], [array, WEAK[weak]][::flip]
            assert ours(op.name, pair) == numpys(op.name, values), pair


@pytest.mark.parametrize("name", ["real", "imag", "angle", "round"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_functions_that_are_no_ufuncs(name: str, dtype: str) -> None:
    assert ours(name, (np.dtype(dtype),)) == numpys(name, [np.ones(1, dtype)])


@pytest.mark.parametrize(("a", "b"), [*itertools.product(DTYPES, (*DTYPES, *WEAK))])
def test_where_promotes_its_choices(a: str, b: Any) -> None:
    dtype, value = (b, WEAK[b]) if b in WEAK else (np.dtype(b), np.ones(1, b))
    ins, out = _dtypes.resolve("where", (np.dtype("int8"), np.dtype(a), dtype))
    assert ins == ("bool", out, out)
    assert out == numpys("where", [np.ones(1, bool), np.ones(1, a), value])


def test_small_integers_take_the_float32_loop() -> None:
    assert _dtypes.resolve("sin", (np.dtype("int8"),)) == (("float32",), "float32")
    loop = ("float32", "int32"), "float32"
    assert _dtypes.resolve("ldexp", (np.dtype("bool"), np.dtype("int8"))) == loop


def test_signed_and_unsigned_compare_without_a_float() -> None:
    mixed = np.dtype("int64"), np.dtype("uint64")
    assert _dtypes.resolve("less", mixed) == (("int64", "uint64"), "bool")


def test_refused_operands_are_named() -> None:
    flags = np.dtype(bool)
    with pytest.raises(TypeError, match="subtract is not defined for bool, bool"):
        _dtypes.resolve("subtract", (flags, flags))
    with pytest.raises(TypeError, match="gcd is not defined for float32, Python int"):
        _dtypes.resolve("gcd", (np.dtype("float32"), int))


@pytest.mark.parametrize("dtype", DTYPES)
def test_stored_dtypes_become_native(dtype: str) -> None:
    swapped = np.dtype(dtype).newbyteorder(">")
    assert _dtypes.check(swapped) == np.dtype(dtype)
    assert _dtypes.check(swapped).isnative


def test_long_and_long_long_are_one_dtype() -> None:
    assert _dtypes.check(np.longlong).char == _dtypes.check(np.int64).char


@pytest.mark.parametrize(
    ("dtype", "remedy"),
    [
        ("float16", "dtype float16 is not supported: use float32"),
        ("g", "use float64"),
        ("G", "use complex128"),
        ("O", "dtype object is not supported: convert"),
        ("U3", "store codes"),
        ("S3", "store codes"),
        ("M8[s]", "int64"),
        ("m8[s]", "int64"),
        ([("x", "f8")], "each field"),
    ],
)
def test_refused_dtypes_say_what_to_do(dtype: Any, remedy: str) -> None:
    with pytest.raises(TypeError, match=remedy):
        _dtypes.check(dtype)


REDUCED = [
    *("add", "multiply", "maximum", "minimum", "fmax", "fmin", "logical_and", "logical_or"),
    *("logical_xor", "bitwise_and", "bitwise_or", "bitwise_xor", "gcd", "lcm", "hypot"),
    *("logaddexp", "logaddexp2"),
]


@pytest.mark.parametrize("name", REDUCED)
@pytest.mark.parametrize("dtype", DTYPES)
def test_reductions_have_numpys_dtypes_and_starts(name: str, dtype: str) -> None:
    array = np.array([1, 0, 1]).astype(dtype)
    try:
        wanted = getattr(np, name).reduce(array)
    except TypeError:
        with pytest.raises(TypeError):
            _dtypes.reduction(name, dtype)
        return
    got = _dtypes.reduction(name, dtype)
    assert got == wanted.dtype.name.replace("float16", "float32")
    start = _dtypes.identity_of(name, got)
    assert start is not None
    assert type(start) is type(np.zeros((), got).item())
    cast = array.astype(got)
    assert getattr(np, name).reduce(cast, initial=start) == getattr(np, name).reduce(cast)


def test_a_reduction_takes_the_dtype_asked_for() -> None:
    assert _dtypes.reduction("add", "int8", "float32") == "float32"
    with pytest.raises(TypeError, match="float16"):
        _dtypes.reduction("add", "int8", "float16")


def test_what_does_not_reduce_says_so() -> None:
    with pytest.raises(TypeError, match="less does not reduce int8"):
        _dtypes.reduction("less", "int8")
    assert _dtypes.identity_of("subtract", "int8") is None


@pytest.mark.parametrize(("value", "dtype"), [(300, "uint8"), (-1, "uint64"), (2**63, "int64")])
def test_integers_out_of_bounds_overflow(value: int, dtype: str) -> None:
    with pytest.raises(OverflowError, match=f"{value} out of bounds for {dtype}"):
        _dtypes.scalar(value, dtype)


def test_scalars_have_the_dtype() -> None:
    assert type(_dtypes.scalar(True, "int8")) is np.int8
    assert type(_dtypes.scalar(2, "float32")) is np.float32
    assert type(_dtypes.scalar(np.int64(3), "uint8")) is np.uint8


def test_operands_of_a_dtype_by_another_name_are_stored_in_ours() -> None:
    for kind in ("longlong", "ulonglong", "longdouble", "long"):
        given = np.ones(3, kind)
        if given.dtype.itemsize == 8:
            tensor = from_dense(given)
            assert tensor.buffers[0].dtype is tensor.dtype is np.dtype(given.dtype.name)
            assert given.flags.writeable
