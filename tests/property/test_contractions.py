"""Sums of products in all orders and formats, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from strategies import checked

import structarr as sa
from structarr._array import stored
from structarr._execute import choices
from structarr._scheduler import memory_costs

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


@settings(deadline=None)
@given(st.data())
def test_products_by_hashed_rows(data: st.DataObject) -> None:
    """As if every row were too wide for a dense workspace."""
    n = data.draw(st.integers(0, 7))
    dtype = data.draw(st.sampled_from(["float64", "int64", "bool"]))
    (a, first), (b, second) = [operand(data.draw, (n, n), dtype) for _ in "ab"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(memory_costs, "RESERVE", 1e12)
        patch.setattr(choices, "_choices", {})
        with sa.options(tier=data.draw(st.sampled_from(["interpreted", "auto"]))):
            masked = data.draw(st.booleans())
            got = (a @ b) * a if masked else a @ b
            checked(stored(got))
    want = (first @ second) * first if masked else first @ second
    np.testing.assert_array_equal(got.todense(), want)


ASKED = {
    "tanh(r) * m": lambda r, m: np.tanh(r) * m,
    "exp(r) * m + r": lambda r, m: np.exp(r) * m + r,
    "r * m - m": lambda r, m: r * m - m,
    "where(m, r, 3)": lambda r, m: np.where(m != 0, r, 3.0),
    "where(m, m, r)": lambda r, m: np.where(m != 0, m, r),
    "(r < m) & (m > 0)": lambda r, m: (r < m) & (m > 0),
    "(r + 1) * (m * m)": lambda r, m: (r + 1) * (m * m),
    "sum of abs(r) * m": lambda r, m: (np.abs(r) * m).sum(axis=0),
    "maximum(r * m, r / 2)": lambda r, m: np.maximum(r * m, r / 2),
}


@settings(deadline=None)
@given(st.data())
def test_sums_that_few_elements_are_asked_of(data: st.DataObject) -> None:
    """Whatever is sparse and decides the result says where a sum is made."""
    n, k = data.draw(st.integers(0, 5)), data.draw(st.integers(0, 4))
    dtype = data.draw(st.sampled_from(["float64", "int64"]))
    (a, first), (b, second) = operand(data.draw, (n, k), dtype), operand(data.draw, (k, n), dtype)
    mask, plain = operand(data.draw, (n, n), dtype)
    function = ASKED[data.draw(st.sampled_from(sorted(ASKED)))]
    want = function(first @ second, plain)
    with sa.options(tier=data.draw(st.sampled_from(["interpreted", "auto"]))):
        got = function(a @ b, mask)
        checked(stored(got))
    np.testing.assert_allclose(got.todense(), want, rtol=1e-12)
    assert got.dtype == want.dtype


def test_a_dense_product_is_not_formed_where_little_is_asked_of_it() -> None:
    """A kernel of distances on a sparse neighbourhood of 10^10 pairs."""
    rng = np.random.default_rng(0)
    points = rng.random((100_000, 3))
    rows, columns = rng.integers(0, len(points), (2, 1000))
    near = sa.from_coordinates((rows, columns), np.ones(1000), (len(points),) * 2)
    x = sa.asarray(points)
    distances = (np.square(x[:, None, :] - x[None, :, :])).sum(axis=2)
    got = np.exp(-distances) * near
    want = near.to_scipy().tocoo()
    exact = np.exp(-np.square(points[want.row] - points[want.col]).sum(axis=1)) * want.data
    np.testing.assert_allclose(got.to_scipy().tocoo().data, exact)


def test_rows_of_any_length() -> None:
    """A result of 10^24 elements, of which few are stored."""
    n, rng = 10**12, np.random.default_rng(0)
    rows, columns = rng.integers(0, n, (2, 400))
    rows[:200] = columns[200:]
    values = rng.integers(1, 9, 400).astype(np.float64)
    a = sa.from_coordinates((rows, columns), values, (n, n), format="dcsr")
    got = a @ a
    entries = {(i, k): v for i, k, v in zip(rows, columns, values, strict=True)}
    want = {
        (i, j): v * w for (i, k), v in entries.items() for (m, j), w in entries.items() if k == m
    }
    checked(stored(got))
    assert got.nstored == len(want)
    assert float(got.sum()) == sum(want.values())


HUGE = {
    "outer": lambda v, w, m: np.multiply.outer(v, w),
    "outer + matrix": lambda v, w, m: np.multiply.outer(v, w) + m,
    "rows scaled": lambda v, w, m: v[:, None] * m,
    "square": lambda v, w, m: m @ m,
    "transposed square": lambda v, w, m: m.T @ m,
    "chain": lambda v, w, m: sa.einsum("ij,jk,kl->il", m, m, m),
    "three": lambda v, w, m: sa.einsum("i,j,k->ijk", v, w, v),
}


@pytest.mark.parametrize("name", HUGE)
@pytest.mark.parametrize("format", ["dcsr", "coo"])
def test_results_of_any_shape_take_what_they_store(name: str, format: str) -> None:
    n = 10**12
    places, small = np.array([5, 7, 10**11]), np.array([0, 1, 2])

    def arrays(where: np.ndarray[Any, Any], length: int) -> list[sa.Array]:
        v = sa.from_coordinates((where[:2],), [2.0, 3.0], (length,))
        w = sa.from_coordinates((where[1:],), [1.0, 4.0], (length,))
        pairs = (where[[0, 1, 2]], where[[1, 0, 2]])
        return [v, w, sa.from_coordinates(pairs, [2.0, 3.0, 5.0], (length,) * 2, format=format)]

    got, want = HUGE[name](*arrays(places, n)), HUGE[name](*arrays(small, 3)).todense()
    axes = sa.nonzero(got)
    where = tuple(np.searchsorted(places, np.asarray(axis)) for axis in axes)
    np.testing.assert_array_equal(np.transpose(where), np.argwhere(want))
    assert float(got.sum()) == want.sum()


def test_formats_do_not_depend_on_counts() -> None:
    """Whatever order the counts prefer, a result has the format of its operation and operands."""
    rng = np.random.default_rng(0)
    for formats in (("csr", "csr", "csr"), ("csr", "csc", "dense"), ("dcsr", "csr", "band")):
        for shapes in ((9, 9, 9, 9), (2, 30, 2, 30), (30, 2, 30, 2)):
            found = set()
            for share in (0.02, 0.5, 1.0):
                sides = zip(shapes, shapes[1:], formats, strict=False)
                parts = [
                    sa.asarray(np.where(rng.random((n, m)) < share, 1.0, 0.0), format=format)
                    for n, m, format in sides
                ]
                found.add(str((parts[0] @ parts[1] @ parts[2]).format))
            assert len(found) == 1, (formats, shapes, found)
