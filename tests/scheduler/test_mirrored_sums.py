"""Sums over symmetric matrices: their triangle is read once, in the order in which it is stored."""

import numpy as np
import pytest
import scipy.sparse as sp

import structarr as sa
from structarr._testing.forcing import witnessed

RANDOM = np.random.default_rng(5)
HALF = RANDOM.integers(-4, 5, (23, 23)).astype(float)
DENSE = HALF + HALF.T
X, Y, SIDE = RANDOM.random(23), RANDOM.random(23), RANDOM.random((23, 4))

SUMS = {
    "vector on the right": lambda a: a @ X,
    "vector on the left": lambda a: X @ a,
    "form": lambda a: Y @ a @ X,
    "matrix on the right": lambda a: a @ SIDE,
    "matrix on the left": lambda a: SIDE.T @ a,
    "sum": lambda a: (a * X).sum(axis=0),
    "sum of all": lambda a: (a * X[:, None]).sum(),
    "squares": lambda a: (a * a).sum(axis=1),
    "extremes": lambda a: np.max(a * X, axis=1),
    "truth": lambda a: (a > 7).any(axis=0),
    "counts": lambda a: np.count_nonzero(a > 0, axis=1),
    "what follows": lambda a: 1 / (1 + abs(a @ X)),
    "mean": lambda a: a.mean(axis=1),
    "part": lambda a: a[2:] @ X,
    "complex": lambda a: a @ (X + 1j * Y),
}


@pytest.mark.parametrize("pieces", [None, 3])
@pytest.mark.parametrize("name", list(SUMS))
def test_sums_are_those_of_both_triangles(name, pieces):
    a = sa.asarray(DENSE, format="symmetric")
    with sa.options(threads=2), witnessed(lambda call: None, pieces=pieces):
        np.testing.assert_allclose(
            np.asarray(SUMS[name](a)), SUMS[name](DENSE), rtol=1e-12, atol=1e-12
        )


@pytest.mark.parametrize(
    "name", ["vector on the right", "matrix on the right", "form", "squares", "extremes"]
)
def test_rows_of_the_triangle_are_read_and_no_columns(name):
    ends_at_the_diagonal(sa.explain(SUMS[name](sa.asarray(DENSE, format="symmetric"))).kernel)


def ends_at_the_diagonal(kernel):
    pairs = {"range(i + 1)": ("i", "j"), "range(j + 1)": ("j", "i"), "range(k + 1)": ("k", "i")}
    row, column = next(pair for end, pair in pairs.items() if end in kernel)
    assert f"in range({row} + 1)" in kernel and f"in range({row})" in kernel
    assert f"triangle({column})" not in kernel


@pytest.mark.parametrize("name", list(SUMS))
def test_sums_over_hermitian_matrices(name):
    dense = DENSE + 1j * (HALF - HALF.T) if name not in ("extremes", "truth", "counts") else DENSE
    a = sa.asarray(dense, format="hermitian")
    found = np.asarray(SUMS[name](a))
    np.testing.assert_allclose(found, SUMS[name](dense), rtol=1e-12, atol=1e-12)


def test_of_hermitian_matrices_no_columns_are_read():
    dense = DENSE + 1j * (HALF - HALF.T)
    ends_at_the_diagonal(sa.explain(sa.asarray(dense, format="hermitian") @ X).kernel)


def test_beside_lists_rows_are_read_both_ways():
    lists = sp.random_array((23, 23), density=0.3, rng=1, format="csr")
    a, b = sa.asarray(DENSE, format="symmetric"), sa.asarray(lists)
    np.testing.assert_allclose(np.asarray((a * b).sum(axis=1)), (DENSE * lists.toarray()).sum(1))
    np.testing.assert_allclose(np.asarray((a @ b).todense()), DENSE @ lists.toarray())


def test_without_rows():
    a = sa.asarray(np.zeros((0, 0)), format="symmetric")
    assert np.asarray(a @ np.zeros(0)).shape == (0,)


@pytest.mark.parametrize("other", ["symmetric", "dense", "csr", "csc"])
def test_sums_into_symmetric_matrices_are_written_once(other):
    a, b = sa.asarray(DENSE, format="symmetric"), sa.asarray(DENSE, format=other)
    found = np.stack([a, b]).sum(axis=0)
    np.testing.assert_array_equal(found.todense(), 2 * DENSE)
    stretched = np.broadcast_to(a, (4, 23, 23)).sum(axis=0)
    np.testing.assert_array_equal(stretched.todense(), 4 * DENSE)
