"""The array API's functions on stored arrays, against the same calls of array_api_strict.

It refuses what the standard leaves open, so that what it computes is what every library owes.
"""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable
from typing import Any

import array_api_strict as strict
import numpy as np
import pytest
from example_counts import examples
from hypothesis import assume, given, strategies as st

import structarr as sa
from structarr.errors import FormatError

DTYPES = ("bool", "int8", "uint8", "int32", "int64", "uint64", "float32", "float64")
DTYPES += ("complex64", "complex128")
FORMATS = ("dense", "csr", "coo", "list", "rle", "sparse-rle", "band", "vbl", "bitmap", "auto")
SHAPES = ((), (0,), (1,), (4,), (7,), (0, 3), (3, 0), (1, 3), (3, 4), (4, 4), (2, 3, 2))
AXES = (None, 0, 1, -1)

UNARY = (
    *("abs", "acos", "asin", "atan", "bitwise_invert", "ceil", "conj", "cos", "exp", "expm1"),
    *("floor", "imag", "isfinite", "isinf", "isnan", "log1p", "logical_not", "negative"),
    *("positive", "real", "reciprocal", "round", "sign", "signbit", "sin", "sqrt", "square"),
    *("tan", "tanh", "trunc", "matrix_transpose", "count_nonzero", "zeros_like", "ones_like"),
)
BINARY = (
    *("add", "subtract", "multiply", "equal", "not_equal", "less", "less_equal", "greater"),
    *("greater_equal", "logical_and", "logical_or", "logical_xor", "bitwise_and", "bitwise_or"),
    *("bitwise_xor", "maximum", "minimum", "hypot", "copysign", "atan2", "nextafter", "isin"),
    *("matmul", "vecdot", "tensordot"),
)
ALONG: dict[str, Callable[[Any, Any, Any], Any]] = {
    "sum": lambda xp, x, axis: xp.sum(x, axis=axis),
    "prod": lambda xp, x, axis: xp.prod(x, axis=axis, keepdims=True),
    "max": lambda xp, x, axis: xp.max(x, axis=axis),
    "min": lambda xp, x, axis: xp.min(x, axis=axis, keepdims=True),
    "any": lambda xp, x, axis: xp.any(x, axis=axis),
    "all": lambda xp, x, axis: xp.all(x, axis=axis),
    "mean": lambda xp, x, axis: xp.mean(x, axis=axis),
    "var": lambda xp, x, axis: xp.var(x, axis=axis, correction=1.0),
    "std": lambda xp, x, axis: xp.std(x, axis=axis),
    "argmax": lambda xp, x, axis: xp.argmax(x, axis=axis),
    "argmin": lambda xp, x, axis: xp.argmin(x, axis=axis, keepdims=True),
    "count_nonzero": lambda xp, x, axis: xp.count_nonzero(x, axis=axis),
    "flip": lambda xp, x, axis: xp.flip(x, axis=axis),
    "roll": lambda xp, x, axis: xp.roll(x, 2, axis=axis),
    "repeat": lambda xp, x, axis: xp.repeat(x, 2, axis=axis),
    "concat": lambda xp, x, axis: xp.concat((x, x), axis=axis),
    "stack": lambda xp, x, axis: xp.stack((x, x), axis=axis or 0),
    "expand_dims": lambda xp, x, axis: xp.expand_dims(x, axis=axis or 0),
    "unstack": lambda xp, x, axis: xp.unstack(x, axis=axis or 0),
    "cumulative_sum": lambda xp, x, axis: xp.cumulative_sum(x, axis=axis),
    "cumulative_prod": lambda xp, x, axis: xp.cumulative_prod(x, axis=axis, include_initial=True),
    "diff": lambda xp, x, axis: xp.diff(x, axis=-1 if axis is None else axis),
    "sort": lambda xp, x, axis: xp.sort(x, axis=axis or 0, descending=True),
    "argsort": lambda xp, x, axis: xp.argsort(x, axis=axis or 0),
    "take": lambda xp, x, axis: xp.take(x, xp.asarray([0, 0]), axis=axis or 0),
    "moveaxis": lambda xp, x, axis: xp.moveaxis(x, 0, axis or 0),
    "reshape": lambda xp, x, axis: xp.reshape(x, (-1,)),
    "tile": lambda xp, x, axis: xp.tile(x, (2, 1)),
    "tril": lambda xp, x, axis: xp.tril(x, k=axis or 0),
    "triu": lambda xp, x, axis: xp.triu(x, k=axis or 0),
    "nonzero": lambda xp, x, axis: xp.nonzero(x),
    "unique_values": lambda xp, x, axis: xp.sort(xp.unique_values(x)),
    "clip": lambda xp, x, axis: xp.clip(x, 0, 2),
    "where": lambda xp, x, axis: xp.where(xp.astype(x, xp.bool), x, xp.zeros_like(x)),
    "astype": lambda xp, x, axis: xp.astype(x, xp.float32),
    "index": lambda xp, x, axis: x[::2, ...],
    "mask": lambda xp, x, axis: x[xp.astype(x, xp.bool)],
}


@st.composite
def stored(draw: Any, shape: tuple[int, ...], dtype: str) -> tuple[Any, Any]:
    """An array of ours in some format, and the same of array_api_strict."""
    rng = np.random.default_rng(draw(st.integers(0, 2**16)))
    share = draw(st.sampled_from([0.0, 0.4, 1.0]))
    dense = np.asarray(rng.integers(0, 4, shape) * (rng.random(shape) < share), dtype)
    try:
        ours = sa.asarray(dense, format=draw(st.sampled_from(FORMATS)))
    except FormatError:  # not for so many axes
        ours = sa.asarray(dense)
    return ours, strict.asarray(dense)


def agree(function: Callable[[Any, Any], Any], ours: Any, theirs: Any) -> None:
    """Compare values, shapes and dtypes of what the standard defines."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            wanted = function(strict, theirs)
        except (TypeError, ValueError, IndexError, RuntimeError):
            assume(False)
        found = function(sa, ours)
    pairs = zip(found, wanted, strict=True) if isinstance(wanted, tuple) else [(found, wanted)]
    for one, other in pairs:
        value, dense = one.todense(), np.asarray(other)
        assert (one.shape, str(one.dtype)) == (other.shape, str(dense.dtype))
        rtol = 1e-5 if str(dense.dtype) in ("float32", "complex64") else 1e-12
        np.testing.assert_allclose(value, dense, rtol=rtol, atol=rtol)


@given(st.data())
@examples(5)
def test_functions_of_elements_and_of_two_arrays(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(UNARY + BINARY))
    shape, dtype = data.draw(st.sampled_from(SHAPES)), data.draw(st.sampled_from(DTYPES))
    with sa.options(strict_ieee=True):
        ours, theirs = data.draw(stored(shape, dtype))
        if name in UNARY:
            agree(lambda xp, x: getattr(xp, name)(x), ours, theirs)
            return
        other = data.draw(stored(data.draw(st.sampled_from((shape, shape[-1:]))), dtype))
        pair = {sa: other[0], strict: other[1]}
        axes = {"axes": 1} if name == "tensordot" else {}
        agree(lambda xp, x: getattr(xp, name)(x, pair[xp], **axes), ours, theirs)


@given(st.data())
@examples(5)
def test_functions_along_axes(data: st.DataObject) -> None:
    name, axis = data.draw(st.sampled_from(sorted(ALONG))), data.draw(st.sampled_from(AXES))
    shape, dtype = data.draw(st.sampled_from(SHAPES)), data.draw(st.sampled_from(DTYPES))
    with sa.options(strict_ieee=True):
        ours, theirs = data.draw(stored(shape, dtype))
        agree(lambda xp, x: ALONG[name](xp, x, axis), ours, theirs)


@given(st.data())
@examples(2)
def test_operators(data: st.DataObject) -> None:
    names = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "lshift", "eq")
    name = data.draw(st.sampled_from(names))
    shape, dtype = data.draw(st.sampled_from(SHAPES)), data.draw(st.sampled_from(DTYPES))
    assume(not (name in ("floordiv", "mod", "truediv") and dtype.startswith("complex")))
    with sa.options(strict_ieee=True):
        ours, theirs = data.draw(stored(shape, dtype))
        scalar = data.draw(st.sampled_from([1, 2, 3]))
        if name == "matmul":
            agree(lambda xp, x: operator.matmul(x, xp.matrix_transpose(x)), ours, theirs)
        else:
            agree(lambda xp, x: getattr(operator, name)(x, scalar), ours, theirs)


@pytest.mark.parametrize("format", ["dense", "csr"])
def test_memory_is_handed_over_by_dlpack(format: str) -> None:
    dense = np.arange(6.0).reshape(2, 3)
    found = strict.from_dlpack(sa.asarray(dense, format=format))
    np.testing.assert_array_equal(np.from_dlpack(found), dense)
    np.testing.assert_array_equal(sa.from_dlpack(found).todense(), dense)
