"""Products of matrices and vectors, convolutions, and operands that do not fit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse

import structarr as sa
from structarr._execute import planner

DENSE = np.array([[0.0, 2.0, 0.0], [1.0, 0.0, 3.0]])


@pytest.fixture
def csr() -> sa.Array:
    return sa.asarray(scipy.sparse.csr_array(DENSE))


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
        (np.vdot(b, a), np.vdot(y, x)),
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
    monkeypatch.setattr(planner, "choice_for", refuse)
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
