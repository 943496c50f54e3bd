"""Functions and joins of further arrays of a structure, which are built without their steps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa

FUNCTIONS: dict[str, tuple[Any, Any]] = {
    "norm": (sa.linalg.norm, np.linalg.norm),
    "norm of rows": (lambda a: sa.linalg.norm(a, axis=1), lambda a: np.linalg.norm(a, axis=1)),
    "greatest sum": (lambda a: sa.linalg.norm(a, 1), lambda a: np.linalg.norm(a, 1)),
    "count": (sa.count_nonzero, np.count_nonzero),
    "counts kept": (
        lambda a: sa.count_nonzero(a, axis=1, keepdims=True),
        lambda a: np.count_nonzero(a, axis=1, keepdims=True),
    ),
    "diagonal": (sa.diagonal, np.diagonal),
    "diagonal beside": (lambda a: sa.diagonal(a, 1), lambda a: np.diagonal(a, 1)),
    "trace": (sa.trace, np.trace),
    "trace beside": (lambda a: sa.trace(a, -2), lambda a: np.trace(a, -2)),
    "list of axes": (
        lambda a: sa.linalg.norm(a, axis=(0, 1)),
        lambda a: np.linalg.norm(a, axis=(0, 1)),
    ),
}
JOINS: dict[str, Any] = {
    "below": lambda np, a, b: np.vstack([a, b]),
    "beside": lambda np, a, b: np.concatenate([a, b, a], axis=1),
    "twice the same": lambda np, a, b: np.concatenate([a, a]),
    "slices": lambda np, a, b: np.concatenate([a[2:], b[:3]]),
    "other slices": lambda np, a, b: np.concatenate([a[1:], b[:4]]),
    "of one": lambda np, a, b: np.concatenate([a]),
    "flat": lambda np, a, b: np.concatenate([a, b], axis=None),
    "beside zeros": lambda np, a, b: np.concatenate([np.zeros((2, 5)), a]),
}


def _matrix(seed: int, dtype: Any = float) -> Any:
    random = np.random.default_rng(seed)
    return np.where(random.random((5, 5)) < 0.5, random.integers(1, 9, (5, 5)), 0).astype(dtype)


@pytest.fixture(autouse=True)
def _interpreted() -> Any:
    with sa.options(tier="interpreted"):
        yield


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128", "int64", "bool"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_further_arrays(name: str, dtype: str) -> None:
    ours, numpys = FUNCTIONS[name]
    for seed in range(3):
        dense = _matrix(seed, dtype)
        a = sa.asarray(dense, format="csr")
        for one, other in ((a, dense), (a[1:4, 1:4], dense[1:4, 1:4]), (a[2:], dense[2:])):
            got, wanted = np.asarray(ours(one)), np.asarray(numpys(other))
            assert got.dtype == wanted.dtype
            np.testing.assert_allclose(got, wanted, rtol=1e-6)


@pytest.mark.parametrize("name", JOINS)
def test_joins_of_further_arrays(name: str) -> None:
    for seed in range(3):
        dense = _matrix(seed), _matrix(seed + 9)
        ours = [sa.asarray(one, format="csr") for one in dense]
        np.testing.assert_array_equal(JOINS[name](sa, *ours).todense(), JOINS[name](np, *dense))


def test_other_arguments_give_other_results() -> None:
    a = sa.asarray(_matrix(0), format="csr")
    results = [sa.count_nonzero(a, axis) for axis in (None, 0, 1)]
    results += [sa.count_nonzero(a, axis=1, keepdims=keep) for keep in (False, True)]
    assert [one.shape for one in results] == [(), (5,), (5,), (5,), (5, 1)]


def test_iterators_are_joined() -> None:
    a = sa.asarray(_matrix(0), format="csr")
    assert sa.concat(iter([a, a])).shape == (10, 5)
