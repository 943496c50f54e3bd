"""Dense columns that lie apart in memory: products of all of them, some rows at a time."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._array import Array
from structarr._execute.executor import Executor
from structarr._execute.steps import Product, Step
from structarr._scheduler import columns_apart
from structarr._scheduler.columns_apart import ColumnsApart
from structarr._storage.tensor import Tensor

N = 50
RANDOM = np.random.default_rng(0)
LISTED = np.where(RANDOM.random((N, 3)) < 0.3, RANDOM.random((N, 3)), 0)
KINDS: dict[str, Callable[[], list[Any]]] = {
    "numbers": lambda: [RANDOM.random((N, 1)) for _ in range(5)],
    "dtypes": lambda: [
        RANDOM.random((N, 1)),
        RANDOM.integers(-9, 9, (N, 1)),
        RANDOM.random((N, 2)).astype(np.float32),
        RANDOM.random((N, 1)) < 0.5,
        np.asfortranarray(RANDOM.random((N, 3))),
    ],
    "categories between": lambda: [
        RANDOM.random((N, 1)),
        RANDOM.random((N, 2)),
        sa.one_hot(RANDOM.integers(-1, 4, N), 4),
        RANDOM.random((N, 1)),
        RANDOM.random((N, 1)),
        sa.asarray(LISTED, format="csc"),
        RANDOM.random((N, 1)),
    ],
    "runs beside": lambda: [
        sa.asarray(np.repeat([1.0, 4.0], N // 2), format="rle")[:, None],
        RANDOM.random((N, 1)),
        RANDOM.random((N, 1)),
    ],
}
W, R = RANDOM.random(N), RANDOM.random((N, 4))


def both(kind: str) -> tuple[Array, Any]:
    every = KINDS[kind]()
    dense = [np.asarray(one) for one in every]
    return sa.concatenate(every, axis=1), np.concatenate(dense, axis=1)


def numbers(x: Any) -> Any:
    return np.linspace(-1, 1, x.shape[1])


EXPRESSIONS: dict[str, Callable[[Any], Any]] = {
    "x @ b": lambda x: x @ numbers(x),
    "x @ B": lambda x: x @ np.outer(numbers(x), [1.0, 2.0, 3.0]),
    "b @ x.T": lambda x: numbers(x) @ x.T,
    "B @ x.T": lambda x: np.outer([1.0, 2.0], numbers(x)) @ x.T,
    "x.T @ r": lambda x: x.T @ W,
    "x.T @ R": lambda x: x.T @ R,
    "R.T @ x": lambda x: R.T @ x,
    "squares": lambda x: x.T @ x,
    "sandwich": lambda x: x.T @ (W[:, None] * x),
    "weights below zero": lambda x: x.T @ ((W - 0.5)[:, None] * x),
    "two weights": lambda x: (W[:, None] * x).T @ (R[:, :1] * x),
    "one column": lambda x: x.T @ R[:, :1],
    "scaled": lambda x: (x * numbers(x)) @ numbers(x),
    "standardised": lambda x: ((x - 0.5) / 2.0).T @ (W[:, None] * ((x - 0.5) / 2.0)),
    "of some rows": lambda x: x[[3, 1, 3]] @ numbers(x),
    "slice": lambda x: x[3:40].T @ (W[3:40, None] * x[3:40]),
    "some columns": lambda x: x[:, 1:4].T @ x[:, 2:],
    "normal": lambda x: x.T @ (x @ numbers(x)),
    "rows outside": lambda x: x @ x.T,
    "exponential": lambda x: x.T @ (np.exp(x @ numbers(x))[:, None] * x),
    "more than a product": lambda x: 2 * (x @ numbers(x)) + W,
    "one below the other": lambda x: np.concatenate([x, x]).T @ np.concatenate([R, R]),
}


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", EXPRESSIONS)
def test_values(name: str, kind: str, strict: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns_apart, "STRETCH", 64)
    own, dense = both(kind)
    dense = dense.astype(float)
    with sa.options(tier="interpreted", strict_ieee=strict):
        for _ in range(2):  # planned, and replayed
            found = np.asarray(EXPRESSIONS[name](own))
            np.testing.assert_allclose(found, EXPRESSIONS[name](dense), rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("between", [np.int8, np.float32])
def test_what_a_conversion_loses_stays_lost(between: Any) -> None:
    every = [RANDOM.random((N, 1)) * 9 for _ in range(3)]
    dense = np.concatenate(every, axis=1).astype(between)
    b = np.array([1.0, 2.0, 3.0])
    lossy = sa.concatenate([sa.asarray(one).astype(between) for one in every], axis=1)
    for x in (lossy, lossy.astype(float), sa.concatenate(every, axis=1).astype(between)):
        np.testing.assert_allclose(np.asarray(x @ b), dense.astype(float) @ b, rtol=1e-13)
        squares = dense.astype(float).T @ (W[:, None] * dense)
        np.testing.assert_allclose(np.asarray(x.T @ (W[:, None] * x)), squares, rtol=1e-13)


def products(expression: Array) -> list[Step]:
    """The products of columns apart that an executor runs."""
    sa.clear_cache()
    found: list[Step] = []
    run = Executor.run

    def noted(self: Executor, step: Step) -> Tensor:
        if isinstance(step, Product) and isinstance(step.product, ColumnsApart):
            found.append(step)
        return run(self, step)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Executor, "run", noted)
        np.asarray(expression)
    return found


def test_all_columns_are_one_factor() -> None:
    own, _ = both("numbers")
    assert len(products(own.T @ (W[:, None] * own))) == 1
    assert len(products(own @ numbers(own))) == 1
    assert len(products(own @ np.ones((5, 3)))) == 1
    assert products(own.T @ W) == []  # each column with a vector, by BLAS
    beside, _ = both("categories between")
    assert len(products(beside.T @ (W[:, None] * beside))) == 5  # of two runs and one column
    alone = sa.concatenate([LISTED, sa.asarray(LISTED, format="csc")], axis=1)
    assert products(alone @ np.ones(6)) == []


def test_a_stack_beside_columns_is_no_matrix() -> None:
    own, dense = both("numbers")
    stack = RANDOM.random((N, 2, 3))
    for labels in ("ic,ikl->ck", "ic,ikl->cl"):
        found = np.einsum(labels, own, stack)
        np.testing.assert_allclose(np.asarray(found), np.einsum(labels, dense, stack), rtol=1e-12)


def test_no_rows() -> None:
    x = sa.concatenate([np.zeros((0, 1)) for _ in range(3)], axis=1)
    np.testing.assert_array_equal(np.asarray(x.T @ x), np.zeros((3, 3)))
    assert np.asarray(x @ np.ones(3)).shape == (0,)


def test_a_part_without_columns_beside_one() -> None:
    column = RANDOM.random((N, 1))
    x = sa.concatenate([column[:, :0], column], axis=1)
    for weights in (W[:, None], R[:, :1]):
        found = x.T @ (weights * x)
        np.testing.assert_allclose(np.asarray(found), column.T @ (weights * column), rtol=1e-12)


def test_infinities_are_those_of_numpy() -> None:
    columns = [np.array([[1.0], [np.inf], [np.nan]]), np.array([[2.0], [0.0], [1.0]])]
    x, dense = sa.concatenate(columns, axis=1), np.concatenate(columns, axis=1)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(np.asarray(x.T @ x), dense.T @ dense)
        np.testing.assert_array_equal(np.asarray(x @ [1.0, 0.0]), dense @ [1.0, 0.0])


def test_no_dense_copy_is_made() -> None:
    rows = 200_000
    x = sa.concatenate([RANDOM.random((rows, 1)) for _ in range(8)], axis=1)
    w = RANDOM.random(rows)
    np.asarray(x.T @ (w[:, None] * x))
    tracemalloc.start()
    try:
        np.asarray(x.T @ (w[:, None] * x))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 5 * w.nbytes  # the weights' roots, and a stretch


def test_a_trace_has_such_products() -> None:
    @sa.jit
    def squares(x: Any, w: Any) -> Any:
        return x.T @ (w[:, None] * x)

    own, dense = both("dtypes")
    for turn in range(3):
        w = W + turn
        np.testing.assert_allclose(np.asarray(squares(own, w)), dense.T @ (w[:, None] * dense))


def test_extremes_of_columns_are_no_products() -> None:
    x, dense = both("numbers")
    found = x * numbers(x)
    assert not columns_apart.is_product(found.max(axis=1)._node)
    np.testing.assert_array_equal(found.max(axis=1).todense(), (dense * numbers(x)).max(axis=1))
