"""Matrices of 2**80 places: what has no number for each of them works, or is refused by name."""

from typing import Any

import numpy as np
import pytest

import structarr as sa

N = 2**40
AT = np.array([0, 3, 7, 2**35, N - 1])  # where something is stored, on both axes


def _matrix() -> tuple[Any, Any]:
    """A matrix, and what it has at the places of its entries."""
    random = np.random.default_rng(0)
    dense = np.where(random.random((5, 5)) < 0.6, random.integers(1, 9, (5, 5)), 0.0)
    i, j = np.nonzero(dense)
    stored = sa.from_coordinates((AT[i], AT[j]), dense[i, j], shape=(N, N), format="coo")
    return dense, stored


def _seen(a: Any) -> Any:
    return a[np.ix_(AT, AT)].todense()


@pytest.mark.parametrize(
    "key",
    [([1, 4, 2], [3, 0, 2]), ([1, 1], [2, 2]), np.ix_([0, 4], [1, 2, 3]), ([[0], [3]], [4, 1])],
)
@pytest.mark.parametrize("value", [0.0, 5.0, None])
def test_places_are_assigned_to(key: Any, value: float | None) -> None:
    dense, a = _matrix()
    far = tuple(AT[np.asarray(one)] for one in key)
    values = np.arange(1.0, dense[key].size + 1).reshape(dense[key].shape)
    changed, wanted = a.copy(), dense.copy()
    changed[far] = wanted[key] = values if value is None else value
    np.testing.assert_array_equal(_seen(changed), wanted)
    np.testing.assert_array_equal(_seen(a), dense)


def test_places_without_an_entry_are_assigned_to() -> None:
    dense, a = _matrix()
    changed = a.copy()
    changed[[5, 9, N - 2], [6, 0, 1]] = [1.0, 2.0, 3.0]
    assert changed.nnz == a.nnz + 3
    assert [float(changed[i, j]) for i, j in ((5, 6), (9, 0), (N - 2, 1))] == [1.0, 2.0, 3.0]
    np.testing.assert_array_equal(_seen(changed), dense)


def test_variance_of_all() -> None:
    dense, a = _matrix()
    square = (dense**2).sum() / float(N) ** 2
    np.testing.assert_allclose(float(sa.var(a)), square, rtol=1e-12)
    np.testing.assert_allclose(float(sa.std(a)), square**0.5, rtol=1e-12)
    np.testing.assert_allclose(float(sa.var(a, ddof=1)), square, rtol=1e-12)


def test_counts_beyond_int64_are_refused_by_name() -> None:
    _, a = _matrix()
    with pytest.raises(ValueError, match=r"has its fill .* times, more than int64 counts"):
        np.histogram(a, bins=[-1.0, 0.5, 9.0])
    counts, _ = np.histogram(a, bins=[0.5, 4.5, 9.0])
    dense, _ = np.histogram(_matrix()[0], bins=[0.5, 4.5, 9.0])
    np.testing.assert_array_equal(counts, dense)


def test_a_sparse_condition_selects_rows() -> None:
    dense, a = _matrix()
    chosen = sa.from_coordinates((AT[[0, 2, 3]],), np.ones(3, bool), shape=(N,))
    for found in (sa.compress(chosen, a, axis=0), np.compress(chosen, a, axis=0), a[chosen]):
        assert found.shape == (3, N)
        np.testing.assert_array_equal(found[:, AT].todense(), dense[[0, 2, 3]])
