"""NumPy's arrays in several places of an expression: one operand, of what stood there each time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._api.core import copies, operands
from structarr._lazy.graph import Node

N = 6
A = np.where(np.arange(N * N).reshape(N, N) % 3 == 0, 1.5, 0.0)


@pytest.fixture(autouse=True, params=[0, 2**16], ids=["borrowed", "small"])
def interpreted(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(operands, "COPY_LIMIT", request.param)
    monkeypatch.setattr("structarr._api.core.borrowed.SHARE", 1e9)
    with sa.options(tier="interpreted"):
        yield


def operands_of(node: Node) -> Iterator[int]:
    """The tensors of an expression, by identity."""
    if node.kind == "leaf":
        yield id(node.data)
    for arg in node.args:
        yield from operands_of(arg)


def test_an_array_that_comes_again_is_one_operand() -> None:
    a, x, y = sa.asarray(A), np.arange(N, dtype=float), np.ones((N, 2))
    quadratic, gram = x @ a.T @ a @ x, y.T @ a.T @ a @ y
    assert len({*operands_of(quadratic._node)}) == len({*operands_of(gram._node)}) == 2
    np.testing.assert_allclose(quadratic, x @ A.T @ A @ x)
    np.testing.assert_allclose(gram.todense(), y.T @ A.T @ A @ y)


CHANGES: dict[str, Callable[[Any], Any]] = {
    "an element": lambda x: x.__setitem__(3, 9.0),
    "the sign of zero": lambda x: x.__setitem__(0, -0.0),
    "a NaN": lambda x: x.__setitem__(1, np.nan),
    "nothing": lambda x: None,
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_changes_in_between_is_another_operand(name: str) -> None:
    a, x = sa.asarray(A), np.arange(N, dtype=float)
    product, wanted = a @ x, A @ x
    CHANGES[name](x)
    both, wanted = product + np.copysign(sa.ones(N), x), wanted + np.copysign(1.0, x)
    x[:] = -7.0
    np.testing.assert_allclose(both.todense(), wanted)


def test_an_array_takes_another_shape() -> None:
    a, x = sa.asarray(A), np.arange(N, dtype=float)
    first = a @ x
    x.shape = (2, 3)
    second = sa.asarray(np.ones((3, 2))) @ x
    x.dtype = np.int64
    third = sa.asarray(np.ones((3, 2), np.int64)) @ x
    np.testing.assert_allclose(first.todense(), A @ np.arange(N))
    np.testing.assert_allclose(second.todense(), np.ones((3, 2)) @ np.arange(6.0).reshape(2, 3))
    np.testing.assert_array_equal(third.todense(), np.ones((3, 2), np.int64) @ x)


def test_views_are_other_operands_than_their_arrays() -> None:
    a, y = sa.asarray(A), np.arange(2.0 * N).reshape(N, 2)
    for view in (y.T, y[::-1].T, y[:, ::-1].T, np.asfortranarray(y).T):
        product, wanted = view @ a @ y, view @ A @ y
        y[0] += 1
        np.testing.assert_allclose(product.todense(), wanted)


def test_small_results_of_long_vectors_are_computed_at_once() -> None:
    """What is written to a vector later has no effect, and no copy of it is made or compared."""
    rows, columns = 60_000, 12
    x = sa.asarray(np.eye(rows, columns), format="csr").compute()
    vector = np.ones(rows)
    copies.COPIES.clear()
    for _ in range(2):
        found = x.T @ vector
        assert found._tensor is not None
    assert id(vector) not in copies.COPIES
    vector[:] = 2
    np.testing.assert_array_equal(np.asarray(found), np.ones(columns))
