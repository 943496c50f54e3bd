"""Rows that are read again and again are looked up in a workspace, where counts say it pays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import structarr as sa
from structarr._scheduler import pipeline
from structarr._scheduler.scatter import scattered

N = 300
RNG = np.random.default_rng(0)
A = sp.random_array((N, N), density=0.05, format="csr", rng=RNG)
X = sp.random_array((N,), density=0.3, format="coo", rng=RNG).todense()


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
def test_a_sparse_vector_is_scattered(tier: str) -> None:
    with sa.options(tier=tier):
        y = sa.asarray(A) @ sa.asarray(X, format="list")
        assert "Brow" in sa.explain(y).cin
        np.testing.assert_allclose(y.todense(), A @ X)


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
def test_a_row_of_a_matrix_is_scattered(tier: str) -> None:
    a, dense = sa.asarray(A), A.toarray()
    with sa.options(tier=tier):
        y = a @ a[7]
        assert "Brow" in sa.explain(y).cin
        np.testing.assert_allclose(y.todense(), A @ dense[7])
        every = [np.asarray(a @ a[k]) for k in range(-3, N, 50)]
        np.testing.assert_allclose(every, [A @ dense[k] for k in range(-3, N, 50)])
        part = sa.einsum("ij,ikj->ik", a[5:9], sa.stack([a[2:6], a[::75]]).transpose(1, 0, 2))
        want = np.einsum("ij,ikj->ik", dense[5:9], np.stack([dense[2:6], dense[::75]], 1))
        np.testing.assert_allclose(part.todense(), want)


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
def test_a_row_is_a_bytemap_for_triangles(tier: str) -> None:
    edges = (A + A.T).toarray() != 0
    a = sa.asarray(edges, format="csr").astype(np.int64)
    with sa.options(tier=tier):
        count = sa.einsum("ij,jk,ki->", a, a, a)
        assert "row" in sa.explain(count).cin
        dense = edges.astype(np.int64)
        assert int(count) == np.trace(dense @ dense @ dense)


def test_what_is_not_stored_annihilates_after_a_scatter_as_before() -> None:
    infinite = A.copy()
    infinite.data[:] = np.inf
    a, x = sa.asarray(infinite), sa.asarray(X, format="list")
    with sa.options(tier="interpreted"):
        scattered = a @ x
        assert "Brow" in sa.explain(scattered).cin
        walked: Any = sa.loops("y[i] += A[i, walk(j)] * x[walk(j)]", A=a, x=x)
        np.testing.assert_array_equal(scattered.todense(), walked.todense())
    assert not np.isnan(scattered.todense()).any()


def test_explicit_zeros_are_stored_after_a_scatter() -> None:
    """Their product with an infinity is NaN, as NumPy has it."""
    places = np.arange(0, N, 2)
    buffers = ([0, len(places)], places, np.where(places > 0, 1.0, 0.0))
    x = sa._storage.tensor.Tensor.checked(sa.formats.parse("list", 1), (N,), 0.0, buffers)
    a = np.ones((N, N))
    a[5, 0] = np.inf
    with np.errstate(all="ignore"):
        y = sa.asarray(a, format="csr") @ sa._array.of_tensor(x)
        assert "row" in sa.explain(y).cin
        assert np.isnan(y.todense()[5])


def test_a_few_elements_are_not_scattered() -> None:
    """A workspace as long as the row would cost more than the walk."""
    x = sa.asarray(X[:8], format="list")
    a = sa.asarray(A[:1, :8])
    assert "row" not in sa.explain(a @ x).cin


@pytest.mark.parametrize("dtype", ["bool", "int32", "complex128"])
def test_dtypes(dtype: str) -> None:
    a, x = A.toarray().astype(dtype), X.astype(dtype)
    y = sa.asarray(a, format="csr") @ sa.asarray(x, format="list")
    np.testing.assert_allclose(y.todense(), a @ x)


def test_a_fill_other_than_zero() -> None:
    a, x = sa.asarray(A), sa.asarray(np.where(X > 0, X, -np.inf), format="list", fill_value=-np.inf)
    dense = np.where(X > 0, X, -np.inf)
    got = sa.loops("y[i] <<max>>= where(A[i, j] != 0, x[j], 0.0)", A=a, x=x)
    want = np.where(A.toarray() != 0, dense, 0.0).max(axis=1)
    np.testing.assert_array_equal(got.todense(), want)


def test_few_operands_are_scattered_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[int] = []

    def noted(program: Any) -> Any:
        for one in scattered(program):
            found.append(len(one.temps) - len(program.temps))
            yield one

    monkeypatch.setattr(pipeline, "scattered", noted)
    given = {
        name: sa.asarray(np.arange(40) % k == 0, format="list")
        for name, k in zip("xyz", (3, 5, 7), strict=True)
    }
    A = sa.asarray(np.ones((30, 40)) * (np.arange(40) % 2), format="csr")
    sa.explain("s[i] += A[i, j] * x[j] * y[j] * z[j]", A=A, **given)
    assert {*found} == {1, 2}
