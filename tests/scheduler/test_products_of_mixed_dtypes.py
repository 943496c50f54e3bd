"""Products of factors of several dtypes are ordered as those of one dtype are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import structarr as sa

LONG = 200_000  # a matrix of so many rows and columns is formed by nobody
DTYPES = ("bool", "int8", "uint16", "int64", "float32", "complex64")


def entries(dtype: str, n: int) -> sp.csr_array:
    """A matrix of a few entries a row."""
    random = np.random.default_rng(0)
    rows, columns = np.repeat(np.arange(n), 3), random.integers(0, n, 3 * n)
    values = random.integers(1, 100, 3 * n).astype(dtype)
    return sp.csr_array(sp.coo_array((values, (rows, columns)), shape=(n, n)))


PRODUCTS: dict[str, Callable[..., Any]] = {
    "masked": lambda a, u, v, x: a * (u @ v),
    "masked twice": lambda a, u, v, x: a * (u @ v) * a,
    "masked and summed": lambda a, u, v, x: (a * (u @ v)).sum(),
    "masked and applied": lambda a, u, v, x: (a * (u @ v)) @ x,
    "of rank 2": lambda a, u, v, x: (u @ v) @ (a @ x),
    "of dense ones": lambda a, u, v, x: (a @ u) @ v @ x,
}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", PRODUCTS)
def test_values(name: str, dtype: str) -> None:
    stored = entries(dtype, 30)
    random = np.random.default_rng(1)
    u, v, x = random.random((30, 2)), random.random((2, 30)), random.random(30)
    found = PRODUCTS[name](sa.asarray(stored), sa.asarray(u), sa.asarray(v), x)
    wanted = PRODUCTS[name](stored.toarray(), u, v, x)
    assert found.dtype == wanted.dtype
    np.testing.assert_allclose(np.asarray(found.todense()), wanted, rtol=1e-5)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", PRODUCTS)
@pytest.mark.sampled(3)
def test_nothing_long_is_formed(name: str, dtype: str) -> None:
    u, v = np.ones((LONG, 2)), np.ones((2, LONG))
    product = PRODUCTS[name](sa.asarray(entries(dtype, LONG)), sa.asarray(u), sa.asarray(v), v[0])
    assert np.all(np.isfinite(np.asarray(product.sum())))


def test_sums_of_narrow_integers_overflow_as_numpys_do() -> None:
    stored, x = entries("int8", 20), np.linspace(0.0, 1.0, 20)
    a, dense = sa.asarray(stored), stored.toarray()
    np.testing.assert_allclose(((a @ a) @ x).todense(), (dense @ dense) @ x)
    np.testing.assert_allclose(((a * a) @ x).todense(), (dense * dense) @ x)


def test_sums_of_narrow_floats_are_not_formed_where_they_are_widened() -> None:
    """The sum of a full column by a full row would have all elements."""
    rows = np.arange(LONG)
    zeros = np.zeros_like(rows)
    values = np.full(LONG, 0.1, np.float32)
    column = sa.asarray(sp.csr_array((values, (rows, zeros)), shape=(LONG, LONG)))
    row = sa.asarray(sp.csr_array((values, (zeros, rows)), shape=(LONG, LONG)))
    found = np.asarray((column @ row) @ np.ones(LONG))
    np.testing.assert_allclose(found, np.full(LONG, 0.01 * LONG), rtol=1e-6)


def test_centred_floats_that_are_widened_are_not_formed() -> None:
    stored = entries("float32", LONG)
    a, x = sa.asarray(stored), np.linspace(-1.0, 1.0, LONG)
    found = np.asarray((a - a.mean(axis=0)) @ x)
    means = stored.mean(axis=0)
    np.testing.assert_allclose(found, stored @ x - means @ x, rtol=1e-5, atol=1e-3)
