"""NumPy's functions on our arrays against the same calls on its own, over formats and dtypes."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, strategies as st

import structarr as sa
from structarr.errors import FormatError

DTYPES = (
    *("bool", "int8", "int32", "int64", "uint8", "uint64"),
    *("float32", "float64", "complex64", "complex128"),
)
FORMATS = ("dense", "csr", "csc", "list", "csf", "rle", "band", "bitmap")
lengths = st.integers(0, 4)
shapes = st.lists(lengths, min_size=0, max_size=3).map(tuple)


@st.composite
def values(draw: Any, shape: tuple[int, ...], dtype: str) -> np.ndarray[Any, Any]:
    """Few distinct values, zeros and runs among them, so that formats have something to do."""
    parts = draw(st.lists(st.sampled_from([0, 0, 0, 1, 2, 3, 5]), min_size=8, max_size=8))
    size = int(np.prod(shape))
    flat = np.resize(np.asarray(parts), size)
    signed = np.dtype(dtype).kind not in "bu"
    flat = flat * draw(st.sampled_from([1, -1])) if signed else flat
    imaginary = 1 + 1j if np.dtype(dtype).kind == "c" else 1
    return (flat * imaginary).astype(dtype).reshape(shape)


@st.composite
def stored(draw: Any, shape: tuple[int, ...], dtype: str) -> tuple[Any, Any]:
    """An array of ours in some format, and NumPy's of the same value."""
    dense = draw(values(shape, dtype))
    name = draw(st.sampled_from(FORMATS))
    try:
        return sa.asarray(dense, format=name), dense
    except FormatError:  # not for so many axes
        return sa.asarray(dense), dense


@st.composite
def operands(draw: Any, shape: tuple[int, ...], dtype: str) -> tuple[Any, Any]:
    """Anything that may stand beside an array of ours, and NumPy's of the same value."""
    kind = draw(st.sampled_from(["ours", "numpy", "scipy", "python", "numpy scalar"]))
    if kind == "ours":
        return draw(stored(shape, dtype))
    dense = draw(values(shape, dtype))
    if kind == "scipy" and len(shape) == 2:
        layout = draw(st.sampled_from(["csr", "csc", "coo"]))
        return scipy.sparse.coo_array(dense).asformat(layout), dense
    if kind == "python":
        scalar = draw(st.sampled_from([0, 1, 2, 1.5, True]))
        return scalar, scalar
    if kind == "numpy scalar":
        number = np.dtype(dtype).type(1)
        return number, number
    return dense, dense


@st.composite
def broadcastable(draw: Any, shape: tuple[int, ...]) -> tuple[int, ...]:
    kept = shape[draw(st.integers(0, len(shape))) :]
    return tuple(draw(st.sampled_from([1, n])) for n in kept)


@st.composite
def pairs(draw: Any) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    shape = draw(shapes)
    first = draw(stored(shape, draw(st.sampled_from(DTYPES))))
    other = draw(st.one_of(st.just(shape), broadcastable(shape)))
    return first, draw(operands(other, draw(st.sampled_from(DTYPES))))


def same(function: Callable[..., Any], ours: tuple[Any, ...], numpys: tuple[Any, ...]) -> None:
    """Compare results, or that both sides refuse."""
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = function(*numpys)
    except (TypeError, ValueError, OverflowError) as error:
        with pytest.raises((TypeError, ValueError, OverflowError)):
            function(*ours)
        assert error
        return
    got = function(*ours)
    expected = np.asarray(expected)
    assert isinstance(got, sa.Array)
    assert got.shape == expected.shape
    assert got.dtype.name == expected.dtype.name.replace("float16", "float32")
    tolerance = 1e-2 if expected.dtype == np.float16 else 1e-5
    np.testing.assert_allclose(np.asarray(got), expected, rtol=tolerance, atol=tolerance)


# Zero annihilates where nothing is stored: division and powers have tests of their own.
BINARY = (
    *("add", "subtract", "multiply", "maximum", "minimum", "hypot", "arctan2", "copysign"),
    *("equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "gcd", "lcm"),
    *("logical_and", "logical_or", "logical_xor", "bitwise_and", "bitwise_or", "bitwise_xor"),
    *("fmax", "fmin", "left_shift", "right_shift", "logaddexp", "heaviside"),
)
UNARY = (
    *("negative", "positive", "absolute", "sign", "square", "conjugate", "floor", "ceil", "rint"),
    *("trunc", "sin", "cos", "tanh", "exp", "expm1", "sqrt", "arctan", "invert", "logical_not"),
    *("isnan", "isinf", "isfinite", "signbit", "bitwise_count", "deg2rad", "cbrt", "fabs"),
)


@pytest.mark.parametrize("name", BINARY)
@given(data=st.data())
def test_binary_ufuncs(name: str, data: Any) -> None:
    (ours, dense), (other, plain) = data.draw(pairs())
    ufunc = getattr(np, name)
    if data.draw(st.booleans()):
        same(ufunc, (ours, other), (dense, plain))
    elif isinstance(other, scipy.sparse.sparray):
        same(ufunc, (sa.asarray(other), ours), (plain, dense))
    else:
        same(ufunc, (other, ours), (plain, dense))


@pytest.mark.parametrize("name", UNARY)
@given(data=st.data())
def test_unary_ufuncs(name: str, data: Any) -> None:
    ours, dense = data.draw(stored(data.draw(shapes), data.draw(st.sampled_from(DTYPES))))
    same(getattr(np, name), (ours,), (dense,))


@pytest.mark.parametrize("name", ["sum", "prod", "max", "min", "any", "all", "mean", "var"])
@given(data=st.data())
def test_reductions(name: str, data: Any) -> None:
    shape = data.draw(shapes)
    ours, dense = data.draw(stored(shape, data.draw(st.sampled_from(DTYPES))))
    axes = st.integers(-len(shape) - 1, len(shape))
    axis = data.draw(st.one_of(st.none(), axes, st.lists(axes, max_size=2).map(tuple)))
    keepdims = data.draw(st.booleans())
    function = getattr(np, name)
    same(lambda x: function(x, axis=axis, keepdims=keepdims), (ours,), (dense,))


@given(data=st.data())
def test_masked_reductions(data: Any) -> None:
    shape = data.draw(shapes)
    ours, dense = data.draw(stored(shape, data.draw(st.sampled_from(DTYPES))))
    mask = data.draw(values(shape, "bool"))
    name = data.draw(st.sampled_from(["sum", "prod", "any"]))
    same(lambda x: getattr(np, name)(x, where=mask), (ours,), (dense,))
    same(lambda x: np.max(x, where=mask, initial=1), (ours,), (dense,))


@given(data=st.data())
def test_matrix_products(data: Any) -> None:
    batch = data.draw(st.sampled_from([(), (2,), (1,)]))
    m, k, n = (data.draw(lengths) for _ in range(3))
    dtypes = [data.draw(st.sampled_from(DTYPES)) for _ in range(2)]
    left_shape = data.draw(st.sampled_from([(k,), (m, k), (*batch, m, k)]))
    right_shape = data.draw(st.sampled_from([(k,), (k, n), (*batch, k, n), (k + 1,)]))
    left, dense_left = data.draw(stored(left_shape, dtypes[0]))
    right, dense_right = data.draw(operands(right_shape, dtypes[1]))
    same(np.matmul, (left, right), (dense_left, dense_right))
    same(np.dot, (left, right), (dense_left, dense_right))


@given(data=st.data())
def test_tensordot(data: Any) -> None:
    shape = data.draw(shapes)
    left, dense_left = data.draw(stored(shape, "float64"))
    right, dense_right = data.draw(stored(shape[::-1], "int64"))
    count = data.draw(st.integers(0, 3))
    reversed_axes = list(range(len(shape)))[::-1]
    pairs = (list(range(len(shape)))[:count], reversed_axes[:count])
    same(lambda x, y: np.tensordot(x, y, pairs), (left, right), (dense_left, dense_right))


@given(data=st.data())
def test_views(data: Any) -> None:
    shape = data.draw(shapes)
    ours, dense = data.draw(stored(shape, "int64"))
    order = data.draw(st.permutations(range(len(shape))))
    same(lambda x: np.transpose(x, order), (ours,), (dense,))
    same(lambda x: x.T, (ours,), (dense,))
    same(np.squeeze, (ours,), (dense,))
    place = data.draw(st.integers(-4, 4))
    same(lambda x: np.expand_dims(x, place), (ours,), (dense,))
    same(lambda x: np.squeeze(x, place), (ours,), (dense,))
    same(lambda x: np.moveaxis(x, place, 0), (ours,), (dense,))
    same(lambda x: x[None, ..., None], (ours,), (dense,))
    wanted = (*data.draw(st.sampled_from([(), (2,), (0,)])), *shape)
    same(lambda x: np.broadcast_to(x, wanted), (ours,), (dense,))


@given(data=st.data())
def test_joining(data: Any) -> None:
    shape = data.draw(shapes)
    dtypes = [data.draw(st.sampled_from(DTYPES)) for _ in range(2)]
    first, dense = data.draw(stored(shape, dtypes[0]))
    second, other = data.draw(stored(shape, dtypes[1]))
    axis = data.draw(st.integers(-4, 3))
    same(lambda x, y: np.concatenate([x, y], axis), (first, second), (dense, other))
    same(lambda x, y: np.stack([x, y], axis), (first, second), (dense, other))
    same(lambda x, y: np.vstack([x, y]), (first, second), (dense, other))
    same(lambda x, y: np.hstack([x, y]), (first, second), (dense, other))


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@given(data=st.data())
def test_convolution(mode: str, data: Any) -> None:
    a, dense = data.draw(stored((data.draw(st.integers(0, 6)),), "float64"))
    v, other = data.draw(operands((data.draw(st.integers(1, 4)),), "int64"))
    if np.ndim(other) == 1:
        same(lambda x, y: np.convolve(x, y, mode), (a, v), (dense, other))


@given(data=st.data())
def test_choosing_and_limiting(data: Any) -> None:
    (ours, dense), (other, plain) = data.draw(pairs())
    same(lambda x, y: np.where(x > 1, x, y), (ours, other), (dense, plain))
    same(lambda x: np.clip(x, 1, 2), (ours,), (dense,))
    same(np.round, (ours,), (dense,))


@given(data=st.data())
def test_chains(data: Any) -> None:
    shape = data.draw(shapes)
    (a, x), (b, y), (c, z) = (data.draw(stored(shape, "float64")) for _ in range(3))
    same(lambda a, b, c: np.sum(a * b + c), (a, b, c), (x, y, z))
    same(lambda a, b, c: (a - b) * (a + c) - 2 * b, (a, b, c), (x, y, z))
    same(lambda a, b, c: np.max(a * b, initial=0) + c.sum(), (a, b, c), (x, y, z))


@given(data=st.data())
def test_conversions(data: Any) -> None:
    ours, dense = data.draw(stored(data.draw(shapes), data.draw(st.sampled_from(DTYPES))))
    np.testing.assert_array_equal(ours.todense(), dense)
    np.testing.assert_array_equal(np.asarray(ours), dense)
    target = data.draw(st.sampled_from(DTYPES))
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        expected = dense.astype(target)
    if not (dense.dtype.kind in "fc" and np.dtype(target).kind in "u"):
        np.testing.assert_array_equal(ours.astype(target).todense(), expected)
