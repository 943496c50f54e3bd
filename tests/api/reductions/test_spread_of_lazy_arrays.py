"""Variances of arrays that are not computed: NumPy's values, by what is stored alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa

RNG = np.random.default_rng(0)
DENSE = np.where(RNG.random((9, 8)) < 0.3, RNG.integers(1, 5, (9, 8)), 0.0)
LAZY: dict[str, Callable[[Any], Any]] = {
    "a slice": lambda a: a[1:8, 2:7],
    "a row of a slice": lambda a: a[1:8][3],
    "a function": np.log1p,
    "scaled": lambda a: a * 3,
    "scaled by rows": lambda a: a * np.arange(9.0)[:, None],
    "shifted": lambda a: a + 2,
    "transposed": lambda a: np.sqrt(a.T),
    "a product": lambda a: a @ a.T,
    "a sum": lambda a: a + a[::-1],
    "complex": lambda a: a * (1 + 2j),
}


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "dcsr", "band", "sparse-rle"])
@pytest.mark.parametrize("name", LAZY)
def test_values(name: str, format: str) -> None:
    a = sa.asarray(DENSE, format=format)
    want = LAZY[name](DENSE)
    with sa.options(tier="interpreted"):
        for axis in (0, want.ndim - 1, None):
            got = LAZY[name](a).var(axis=axis), np.std(LAZY[name](a), axis=axis, ddof=1)
            np.testing.assert_allclose(got[0].todense(), want.var(axis=axis), atol=1e-12)
            np.testing.assert_allclose(got[1].todense(), want.std(axis=axis, ddof=1), atol=1e-12)


@pytest.mark.parametrize("operation", [lambda a, s: a + s, lambda a, s: a * s, lambda a, s: s - a])
def test_numbers_of_the_expression_are_those_of_each_call(operation: Callable[..., Any]) -> None:
    a = sa.asarray(DENSE, format="csr")
    for number in (0.0, 1.0, -4.0, 0.0, 7.0):
        want = operation(DENSE, number).var(axis=0)
        np.testing.assert_allclose(operation(a, number).var(axis=0).todense(), want, atol=1e-12)


def test_what_is_not_stored_is_not_looked_at() -> None:
    n = 10**6
    places = np.array([0, 5, n - 1]), np.array([3, 3, 7])
    a = sa.from_coordinates(places, np.array([1.0, 3.0, 2.0]), (n, n), format="csr")
    with sa.options(tier="compiled"):
        found = (2 * a)[:, :9].var(axis=0).todense()
    np.testing.assert_allclose(found[[3, 7]], [40 / n - (8 / n) ** 2, 16 / n - (4 / n) ** 2])
    assert not found[[0, 8]].any()
