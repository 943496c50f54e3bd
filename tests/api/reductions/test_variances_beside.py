"""Variances of arrays side by side: those of the parts, each by its own structure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import structarr as sa

ROWS = 30
RNG = np.random.default_rng(0)
CODES = RNG.integers(0, 7, ROWS)
NUMBERS = RNG.standard_normal((ROWS, 2))
LISTS = np.where(RNG.random((ROWS, 4)) < 0.3, 3, 0)


@pytest.fixture(autouse=True)
def _interpreted() -> Iterator[None]:
    with sa.options(tier="interpreted"):
        yield


def design() -> sa.Array:
    return sa.concatenate([NUMBERS, sa.one_hot(CODES, 7), sa.asarray(LISTS, format="csr")], axis=1)


ARRAYS: dict[str, Callable[[Any], Any]] = {
    "as they are": lambda x: x,
    "scaled": lambda x: 2 * x,
    "rows": lambda x: x[3:20],
    "turned": lambda x: x.T,
    "less a vector": lambda x: x - np.arange(13.0),
}


@pytest.mark.parametrize("name", ARRAYS)
@pytest.mark.parametrize("axis", [0, 1, -1, (0,), None])
def test_values_are_numpys(name: str, axis: Any) -> None:
    x, dense = ARRAYS[name](design()), ARRAYS[name](design().todense())
    for keepdims in (False, True):
        for ddof in (0, 1):
            found = np.var(x, axis=axis, keepdims=keepdims, ddof=ddof)
            wanted = np.var(dense, axis=axis, keepdims=keepdims, ddof=ddof)
            np.testing.assert_allclose(np.asarray(found), wanted, atol=1e-12)
    np.testing.assert_allclose(np.asarray(np.std(x, axis=axis)), np.std(dense, axis=axis))


def test_the_array_is_never_put_together() -> None:
    """Of many categories the whole would take hours, and be refused as dense."""
    x = sa.concatenate([sa.one_hot(CODES, 7), sa.one_hot(np.arange(ROWS), 10**6)], axis=1)
    with sa.options(densify_limit=1 << 24):
        found = np.asarray(x.var(axis=0)[:8])
    np.testing.assert_allclose(found[7], 1 / ROWS - 1 / ROWS**2)
