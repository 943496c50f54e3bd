"""Slices and diagonals of sums: only what is looked at is summed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._array import stored
from structarr._lazy.rewrite.push_views import pushed
from structarr._scheduler.reorder_products import Product

RNG = np.random.default_rng(0)
A, B, D = (RNG.integers(0, 3, shape).astype(float) for shape in ((5, 4), (4, 5), (5, 5)))
ROW = RNG.random(5)
VIEWS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "diagonal": lambda a, b, d: np.diagonal(a @ b),
    "upper diagonal": lambda a, b, d: np.diagonal(a @ b, 1),
    "of an expression": lambda a, b, d: np.diagonal((a @ b).T * d + ROW),
    "of one row for all": lambda a, b, d: np.diagonal((a @ b).max(axis=0, keepdims=True) * d),
    "trace": lambda a, b, d: np.trace(a @ b),
    "row": lambda a, b, d: (a @ b)[0],
    "column": lambda a, b, d: (a @ b)[:, 1],
    "every other": lambda a, b, d: ((a @ b) * d + ROW)[::2, ::-1],
    "of a chain": lambda a, b, d: (a @ b @ d)[-1],
    "of sums that are kept": lambda a, b, d: ((a @ b).sum(axis=1, keepdims=True) * d)[::2, 1:],
    "converted": lambda a, b, d: np.exp(a @ b).astype("float32")[0, :2],
    "nothing": lambda a, b, d: (a @ b)[1:1],
    "columns of a product's row": lambda a, b, d: (a @ b @ d)[1, ::2],
    "a number": lambda a, b, d: (a @ b)[1, 2],
    "a row of products of vectors": lambda a, b, d: (a[:, 0] @ (b.T * a)[:, :2])[None][:, 1:],
    "a product with one row": lambda a, b, d: np.squeeze((a[:1] @ b) * d[1], 0),
    "with a new axis": lambda a, b, d: (a @ b)[:, None][:1, :, 1:],
}


@pytest.mark.parametrize("format", ["csr", "csc", "dense", "rle", "coo"])
def test_views_are_numpys(format: str) -> None:
    ours = [sa.asarray(one, format=format) for one in (A, B, D)]
    with sa.options(tier="interpreted"):
        for name, view in VIEWS.items():
            want, got = view(A, B, D), np.asarray(view(*ours))
            assert got.dtype == want.dtype, name
            np.testing.assert_allclose(got, want, err_msg=name)


def test_sums_are_of_views() -> None:
    a = sa.asarray(A, format="csr")
    for view in ((a @ a.T)[0], (a @ a.T)[:, 2], np.diagonal(a @ a.T)):
        node = pushed(view._node)
        assert node.kind == "reduce"
        assert node.args[0].shape == (*view.shape, 4)
    plain = (a + 1)[0]
    assert pushed(plain._node) is plain._node
    assert stored(plain.compute()).shape == (4,)


def test_the_factors_of_sums_are_viewed() -> None:
    a = sa.asarray(A, format="csr")
    node = pushed((a @ a.T)[:, 2]._node)
    product = node.args[0]
    assert product.args[0].kind == "leaf"  # nothing is taken of it
    assert product.args[1].shape == (1, 4)


def test_an_array_transposed_twice_is_itself() -> None:
    a = sa.asarray(A, format="csr")
    assert a.T.T._node is a._node
    found = Product.of(pushed(np.diagonal(a @ a.T)._node))
    assert found is not None
    assert found.nodes[0] is found.nodes[1]


def test_a_trace_is_one_sum_of_products() -> None:
    a = sa.asarray(A, format="csr")
    found = Product.of(pushed(np.trace(a.T @ a)._node))
    assert found is not None
    assert len(found.nodes) == 2
    assert sorted(found.labels[0]) == sorted(found.labels[1])
