"""Sums of stored matrices that cancel each other are not multiplied out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import structarr as sa
from structarr._array import stored
from structarr._scheduler.sum_terms import _without_fill
from structarr._scheduler.unlike_terms import LOSS, _is_one_larger, are_unlike

N = 700
RNG = np.random.default_rng(3)
S = sp.random_array((N, N), density=0.025, format="csr", rng=RNG)
NEAR = sp.csr_array((S.data * (1 + 1e-10 * RNG.random(S.nnz)), S.indices, S.indptr), S.shape)
OTHER = sp.random_array((N, N), density=0.025, format="csr", rng=RNG)
X = RNG.random(N)

SUMS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "a difference": lambda a, b, x: (a - b) @ x,
    "from the left": lambda a, b, x: x @ (a - b),
    "with numbers": lambda a, b, x: (2.0 * a - b * 2.0) @ x,
    "of transposes": lambda a, b, x: (a.T - b.T) @ x,
    "sums of columns": lambda a, b, x: (a - b).sum(axis=0),
}


def _is_split(found: sa.Array) -> bool:
    return "as it is written" in str(sa.explain(found))


@pytest.mark.parametrize("formats", ["csr csr", "csc csr", "coo coo", "csr coo"])
@pytest.mark.parametrize("name", SUMS)
def test_what_matrices_leave_of_each_other_is_as_exact_as_numpys(name: str, formats: str) -> None:
    kinds = formats.split()
    a, b = (sa.asarray(one).asformat(kind) for one, kind in zip((S, NEAR), kinds, strict=True))
    wanted = SUMS[name](S.toarray(), NEAR.toarray(), X)
    for _ in range(2):  # the second one may be a replay
        found = np.asarray(SUMS[name](a, b, X))
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-12 * np.abs(wanted).max())


def test_a_replay_asks_whether_its_own_operands_cancel() -> None:
    a, b, near = map(sa.asarray, (S, OTHER, NEAR))
    assert _is_split((a - b) @ X)
    for second, dense in ((b, OTHER), (near, NEAR), (b, OTHER)):
        wanted = (S.toarray() - dense.toarray()) @ X
        found = np.asarray((a - second) @ X)
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-12 * np.abs(wanted).max())


def test_a_replay_asks_with_its_own_numbers() -> None:
    a, b = sa.asarray(S), sa.asarray(NEAR)
    for by in (3.0, 1.0, -1.0, 3.0):
        wanted = (S.toarray() - by * NEAR.toarray()) @ X
        found = np.asarray((a - by * b) @ X)
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-12 * np.abs(wanted).max())


def test_matrices_that_leave_most_of_each_other_are_multiplied_out() -> None:
    a, b = sa.asarray(S), sa.asarray(OTHER)
    assert _is_split((a + b) @ X)
    assert _is_split((a - b.asformat("csc")) @ X)
    assert _is_split((a + 0.5 * sa.eye(N)) @ X)


@pytest.mark.parametrize(
    ("count", "formats", "is_split"),
    [
        (4000, "csr csr", False),
        (4000, "csr dia", False),
        (4000, "csr csc", True),
        (12000, "csr csr", True),
    ],
)
def test_short_lists_are_gone_along_together(count: int, formats: str, is_split: bool) -> None:
    """Whether they cancel is not asked then, which takes longer; nor is one put in order."""
    one, two = formats.split()
    left = sp.random_array((N, N), density=count / N**2, format=one, rng=RNG)
    right = sp.random_array((N, N), density=count / N**2, rng=RNG)
    eye = sp.eye_array(N, format="dia")
    right = eye if two == "dia" else right.asformat(two)
    found = (sa.asarray(left) + 0.5 * sa.asarray(right)) @ X
    assert _is_split(found) == is_split
    np.testing.assert_allclose(np.asarray(found), left @ X + 0.5 * (right @ X))


def test_infinite_values_and_complex_ones() -> None:
    infinite = S.copy()
    infinite.data[5] = np.inf
    a, b = sa.asarray(infinite), sa.asarray(NEAR)
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(np.asarray((a - b) @ X), (infinite - NEAR) @ X)
    c, d = sa.asarray(S * 1j), sa.asarray(NEAR * 1j)
    wanted = (S.toarray() - NEAR.toarray()) @ X * 1j
    np.testing.assert_allclose(np.asarray((c - d) @ X), wanted, rtol=1e-9, atol=1e-21)


@pytest.mark.parametrize("fill", [0.0, 2.5])
def test_what_kernels_know_to_store_little_is_not_computed_first(fill: float) -> None:
    array = sa.asarray([[fill, 1.0], [fill, fill]], format="csr", fill_value=fill)
    sparse, every = _without_fill(sa.exp(array)._node, (0, 1))
    assert every.nodes[0].kind == "constant"
    assert (sparse.nodes[0].kind == "first") is (fill != 0)


@pytest.mark.parametrize(
    "by", [(1.0, -1.0), (2.0, 3.0), (1j, -1j), (1 + 1e-9j, -1.0), (1e100, -1e100)]
)
@pytest.mark.parametrize("other", [S, NEAR, OTHER, S.T.tocsr()])
def test_norms_of_sums_of_sketches_decide(by: tuple[complex, complex], other: Any) -> None:
    tensors = stored(sa.asarray(S)), stored(sa.asarray(other))
    terms = [(one, [np.asarray(k)[()]], False, False) for one, k in zip(tensors, by, strict=True)]
    left, right = (one.toarray() / 1e100 for one in (S, other))
    total = np.linalg.norm(by[0] * left + by[1] * right)
    sizes = abs(by[0]) * np.linalg.norm(left) + abs(by[1]) * np.linalg.norm(right)
    assert are_unlike(terms) == bool(LOSS * total >= sizes)


@pytest.mark.parametrize(
    ("by", "is_proved"), [((1.0, 3.0), True), ((2.0, -1.0), True), ((1.0, 1.1), False)]
)
def test_norms_tell_at_once_that_one_term_is_larger(
    by: tuple[float, float], is_proved: bool
) -> None:
    tensors = stored(sa.asarray(S)), stored(sa.asarray(S * (1 + 1e-9)))
    terms = [(one, [np.float64(k)], False, False) for one, k in zip(tensors, by, strict=True)]
    assert are_unlike(terms)
    assert all([("sketch", False) in one.memo for one in tensors]) is not is_proved


def test_norms_tell_nothing_of_what_overflows_or_has_no_own_values() -> None:
    huge = sp.csr_array((S.data * 1e200, S.indices, S.indptr), S.shape)
    for one in (sa.asarray(huge), sa.asarray(S).asformat("rle"), sa.asarray(S.astype(np.int64))):
        few = stored(sa.eye(N))
        assert not _is_one_larger([(stored(one), (), False, False), (few, (), False, False)])


def test_sums_of_terms_that_are_not_finite_are_as_they_are_written() -> None:
    data = S.data.copy()
    data[:] = np.inf
    a, b = sa.asarray(sp.csr_array((data, S.indices, S.indptr), S.shape)), sa.asarray(S)
    assert not are_unlike([(stored(a), (), False, False), (stored(a), (), False, True)])
    with np.errstate(all="ignore"):
        wanted = (a.todense() - S.toarray()) @ X
    np.testing.assert_array_equal(np.asarray((a - b) @ X), wanted)
