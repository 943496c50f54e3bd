"""Sums of products in all orders and formats, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import checked

import structarr as sa
from structarr._array import stored

MATRIX = ("csr", "csc", "dcsr", "coo", "dense", "band", "vbl", "bitmap", "rle", "ragged", "hash")
VECTOR = ("list", "dense", "rle", "band", "vbl", "bitmap")
LETTERS = "ijkl"


def operand(draw: Any, shape: tuple[int, ...], dtype: str) -> tuple[sa.Array, np.ndarray[Any, Any]]:
    rng = np.random.default_rng(draw(st.integers(0, 2**16)))
    share = draw(st.sampled_from([0.0, 0.2, 0.6, 1.0]))
    dense = np.where(rng.random(shape) < share, rng.integers(-3, 4, shape), 0).astype(dtype)
    format = draw(st.sampled_from(MATRIX if len(shape) == 2 else VECTOR))
    return sa.asarray(dense, format=format), dense


@settings(deadline=None)
@given(st.data())
def test_einsums_are_numpys(data: st.DataObject) -> None:
    """Any product of up to four factors, whole or multiplied step by step by the user."""
    lengths = {letter: data.draw(st.integers(0, 5), label=letter) for letter in LETTERS}
    dtype = data.draw(st.sampled_from(["float64", "int64", "int8", "bool"]))
    names = data.draw(
        st.lists(
            st.permutations(LETTERS).map(lambda p: p[: 1 + (p[0] < "k")]), min_size=2, max_size=4
        )
    )
    terms = ["".join(one) for one in names]
    used = sorted(set("".join(terms)))
    result = "".join(data.draw(st.lists(st.sampled_from(used), unique=True, max_size=2)))
    pairs = [operand(data.draw, tuple(lengths[i] for i in term), dtype) for term in terms]
    text = f"{','.join(terms)}->{result}"
    want = np.einsum(text, *(dense for _, dense in pairs))
    with sa.options(tier=data.draw(st.sampled_from(["interpreted", "auto"]))):
        got = sa.einsum(text, *(array for array, _ in pairs))
        checked(stored(got))
        np.testing.assert_array_equal(got.todense(), want)
    assert got.dtype == want.dtype


@settings(deadline=None)
@given(st.data())
def test_chains_masks_and_sums_are_numpys(data: st.DataObject) -> None:
    """Products, elementwise products and sums, one after the other."""
    n = data.draw(st.integers(0, 5))
    dtype = data.draw(st.sampled_from(["float64", "int64", "bool"]))
    array, dense = operand(data.draw, (n, n), dtype)
    for _ in range(data.draw(st.integers(1, 4))):
        step = data.draw(st.sampled_from(["@", "r@", "*", "sum", "@x", "T", "+", "-"]))
        if step in ("@", "r@", "*") and array.ndim == 2:
            other, plain = operand(data.draw, (n, n), dtype)
            if step == "*":
                array, dense = array * other, dense * plain
            elif step == "@":
                array, dense = array @ other, dense @ plain
            else:
                array, dense = other @ array, plain @ dense
        elif step == "@x" and array.ndim:
            other, plain = operand(data.draw, (n,), dtype)
            array, dense = array @ other, dense @ plain
        elif step == "sum" and array.ndim and dtype != "bool":
            axis = data.draw(st.integers(0, array.ndim - 1))
            array, dense = sa.sum(array, axis=axis), dense.sum(axis=axis)
        elif step == "T":
            array, dense = array.T, dense.T
        elif step == "+" and array.ndim:
            array, dense = array + array, dense + dense
        elif step == "-" and dtype != "bool":
            array, dense = -array, -dense
    with sa.options(tier=data.draw(st.sampled_from(["interpreted", "auto"]))):
        checked(stored(array))
        np.testing.assert_array_equal(array.todense(), dense)
    assert array.dtype == dense.dtype
