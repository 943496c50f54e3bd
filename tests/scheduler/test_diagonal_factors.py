"""Factors that store their main diagonal alone: they scale the others."""

import numpy as np
import pytest

import structarr as sa
from structarr._testing.forcing import witnessed

RANDOM = np.random.default_rng(0)
A = np.where(RANDOM.random((6, 6)) < 0.4, RANDOM.integers(1, 5, (6, 6)), 0).astype(float)
X, Y = RANDOM.random((2, 6))

PRODUCTS = {
    "rows": lambda a, diag, np: diag(X) @ a,
    "columns": lambda a, diag, np: a @ diag(Y),
    "both": lambda a, diag, np: diag(X) @ a @ diag(Y),
    "transposed": lambda a, diag, np: diag(X).T @ a.T,
    "of a vector": lambda a, diag, np: diag(X) @ a @ Y,
    "of diagonals": lambda a, diag, np: diag(X) @ diag(Y),
    "trace": lambda a, diag, np: np.einsum("ij,jk,ki->", diag(X), a, diag(Y)),
    "rows of products": lambda a, diag, np: np.einsum("ij,ij->i", diag(X), a),
    "summed twice": lambda a, diag, np: (diag(X) @ a).sum(),
    "ones": lambda a, diag, np: diag(np.ones(6)) @ a,
}


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "band", "dense", "rle", "symmetric"])
@pytest.mark.parametrize("name", PRODUCTS)
def test_products_are_numpys(name, kind):
    dense = A + A.T if kind == "symmetric" else A
    with sa.options(tier="interpreted"):
        found = PRODUCTS[name](sa.asarray(dense, format=kind), sa.diag, sa)
        for _ in range(2):  # the second one is replayed
            np.testing.assert_allclose(np.asarray(found + 0), PRODUCTS[name](dense, np.diag, np))


@pytest.mark.parametrize("kind", ["csr", "csc"])
def test_lists_are_scaled_in_place(kind):
    """No workspace is needed, and the lists are not searched."""
    calls, a = [], sa.asarray(A, format=kind)
    with sa.options(tier="interpreted"), witnessed(calls.append):
        found = (sa.diag(X) @ a).compute()
    assert str(found.format) == kind
    assert [call.program.temps for call in calls] == [()]


@pytest.mark.parametrize("dtype", ["float32", "int64", "complex128"])
@pytest.mark.parametrize("turned", [False, True], ids=["rows", "columns"])
def test_lists_of_other_dtypes_are_scaled_in_place(dtype, turned):
    """The diagonal, or the matrix, is converted first: to complex numbers, or to wider floats."""
    calls, dense = [], A.astype(dtype) * (1 + 2j if dtype == "complex128" else 1)
    a = sa.asarray(dense, format="csr")
    with sa.options(tier="interpreted"), witnessed(calls.append):
        found = (a @ sa.diag(X) if turned else sa.diag(X) @ a).compute()
    expected = dense @ np.diag(X) if turned else np.diag(X) @ dense
    assert str(found.format) == "csr" and found.dtype == expected.dtype
    np.testing.assert_allclose(found.todense(), expected)
    assert [call.program.temps for call in calls] == [()]


def test_eyes_and_factors_of_other_shapes():
    a = sa.asarray(A, format="csr")
    with sa.options(tier="interpreted"):
        np.testing.assert_array_equal(np.asarray((sa.eye(6) @ a).todense()), A)
        np.testing.assert_array_equal(np.asarray((sa.eye(3, 6) @ a).todense()), A[:3])
        np.testing.assert_array_equal(
            np.asarray((sa.eye(6, k=1) @ a).todense()), np.eye(6, k=1) @ A
        )
        with sa.options(strict_ieee=True):
            found = np.asarray((sa.diag(np.full(6, -0.0)) @ a).todense())
    assert not np.signbit(found).any()
