"""Matrices that are parts of several expressions: formed at the third, if they have few entries."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa
from structarr._api.core.uses import DEEP

RANDOM = np.random.default_rng(0)
A = RANDOM.random((40, 40)) * (RANDOM.random((40, 40)) < 0.2)
X = RANDOM.random(40)


def test_what_scales_a_matrix_is_formed_at_the_third_use() -> None:
    scaled = sa.asarray(A, format="csr") * X / 2.0
    for turn in range(4):
        np.testing.assert_allclose((scaled @ X).todense(), (A * X / 2.0) @ X)
        assert (scaled._tensor is not None) == (turn >= 2)


@pytest.mark.parametrize("left", ["csr", "dia", "coo"])
def test_sums_of_kronecker_products_are_formed(left: str) -> None:
    a = sa.asarray(np.diag(X[:6]) + np.eye(6, k=1), format=left)
    whole = sa.kron(sa.eye(6), a) + sa.kron(a, sa.eye(6))
    wanted = np.kron(np.eye(6), a.todense()) + np.kron(a.todense(), np.eye(6))
    x = RANDOM.random(36)
    for turn in range(4):
        np.testing.assert_allclose((whole @ x).todense(), wanted @ x)
        assert (whole._tensor is not None) == (turn >= 2)
    np.testing.assert_allclose(whole.todense(), wanted)


def test_what_is_full_is_never_formed() -> None:
    centred = sa.asarray(A, format="csr") - A.mean(axis=0)
    view = sa.asarray(A, format="csr").T
    for _ in range(5):
        np.testing.assert_allclose((centred @ X).todense(), (A - A.mean(axis=0)) @ X)
        np.testing.assert_allclose((view @ X).todense(), A.T @ X)
    assert centred._tensor is None
    assert view._tensor is None


def test_parts_side_by_side_stay_parts() -> None:
    a = sa.asarray(A, format="csr")
    both, dense = 2.0 * sa.hstack([a, a]), 2.0 * np.hstack([A, A])
    for _ in range(5):
        np.testing.assert_allclose((both.T @ X).todense(), dense.T @ X)
    assert both._tensor is None


def test_bits_that_depend_on_operands_alone() -> None:
    with sa.options(deterministic=True):
        scaled = sa.asarray(A, format="csr") * X / 2.0
        found = [(scaled @ X).todense() for _ in range(5)]
        assert scaled._tensor is None
    for one in found:
        np.testing.assert_array_equal(one, found[0])


def test_deep_sums_are_computed_in_parts() -> None:
    a, x = sa.asarray(A, format="csr"), sa.asarray(X)
    wanted, sums = X, []
    for _ in range(20):
        sums.append(x._node.sums)
        x, wanted = 0.1 * (a @ x) + 1.0, 0.1 * (A @ wanted) + 1.0
    np.testing.assert_allclose(x.todense(), wanted)
    assert sums == [k % DEEP for k in range(20)]
