"""Products of lists in different orders move the entries of the smaller operand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._array import stored
from structarr._storage.memo import is_remembered

RNG = np.random.default_rng(5)


def _sparse(shape: tuple[int, int], density: float, format: str) -> sa.Array:
    dense = np.where(RNG.random(shape) < density, RNG.integers(1, 9, shape), 0.0)
    return sa.asarray(dense, format=format)


@pytest.mark.parametrize(("width", "turns_left"), [(1, False), (60, True)])
def test_the_smaller_operand_is_turned(width: int, turns_left: bool) -> None:
    a, t = _sparse((200, 150), 0.3, "csc"), _sparse((150, width), 0.05, "csr")
    with sa.options(tier="interpreted"):
        product = (a @ t).compute()
    assert str(product.format) == "csr"
    np.testing.assert_array_equal(product.todense(), a.todense() @ t.todense())
    assert is_remembered(stored(a), "order", (0, 1)) is turns_left


@pytest.mark.parametrize("formats", [("csc", "csr"), ("csr", "csc"), ("csc", "csc")])
@pytest.mark.parametrize("shape", [(40, 30, 1), (1, 30, 40), (40, 30, 0), (0, 30, 2)])
def test_results_are_the_same(formats: tuple[str, str], shape: tuple[int, int, int]) -> None:
    n, k, m = shape
    a, b = _sparse((n, k), 0.4, formats[0]), _sparse((k, m), 0.1, formats[1])
    with sa.options(tier="interpreted"):
        product = (a @ b).compute()
        scaled: Any = ((2.0 * a) @ b + 0.0).compute()
    np.testing.assert_array_equal(product.todense(), a.todense() @ b.todense())
    np.testing.assert_array_equal(scaled.todense(), 2.0 * a.todense() @ b.todense())
    assert product.format == (a.copy() @ b.copy()).format


def test_what_is_stored_does_not_depend_on_it() -> None:
    """Zeros that a product stores stay stored."""
    a = sa.asarray(np.array([[1.0, -1.0], [0.0, 2.0], *[[3.0, 1.0]] * 20]), format="csc")
    t = sa.asarray(np.array([[1.0], [1.0]]), format="csr")
    with sa.options(tier="interpreted"):
        assert (a @ t).nstored == (a.asformat("csr") @ t).nstored == 22
