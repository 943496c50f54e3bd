"""Sums and products of arrays side by side: part by part, each by its own structure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._array import Array
from structarr._execute.executor import Executor
from structarr._execute.steps import Call, Product
from structarr._lazy.graph import leaf
from structarr._scheduler import split_joins
from structarr._storage.tensor import Tensor

N = 24
RANDOM = np.random.default_rng(0)
LISTED = np.where(RANDOM.random((N, 5)) < 0.3, RANDOM.random((N, 5)), 0)
DENSE = RANDOM.random((N, 2))
WEIGHTS, LEFT, RIGHT = RANDOM.random(N), RANDOM.random(N), RANDOM.random((18, 2))


def parts() -> list[Any]:
    random = np.random.default_rng(1)
    return [
        random.random((N, 3)),
        sa.one_hot(random.integers(-1, 4, N), 4),
        sa.asarray(LISTED, format="csc"),
        sa.one_hot(random.integers(0, 6, N), 6),
    ]


def joined() -> tuple[Any, Any]:
    """An array of parts, and the same of NumPy."""
    every = parts()
    dense = [one.todense() if isinstance(one, Array) else one for one in every]
    return sa.concatenate(every, axis=1), np.concatenate(dense, axis=1)


MU, SCALE = RANDOM.random(18), 1 + RANDOM.random(18)
EXPRESSIONS: dict[str, Callable[[Any], Any]] = {
    "x @ b": lambda x: x @ RIGHT[:, 0],
    "x @ B": lambda x: x @ RIGHT,
    "x.T @ r": lambda x: x.T @ LEFT,
    "sandwich": lambda x: x.T @ (WEIGHTS[:, None] * x),
    "squares": lambda x: x.T @ x,
    "standardised": lambda x: ((x - MU) / SCALE) @ RIGHT[:, 0],
    "standardised.T": lambda x: ((x - MU) / SCALE).T @ LEFT,
    "standardised sandwich": lambda x: (x - MU).T @ (WEIGHTS[:, None] * (x - MU)),
    "rows": lambda x: x[[5, 1, 5, 0]] @ RIGHT[:, 0],
    "slice": lambda x: x[2:20:3, 2:] @ RIGHT[2:, 0],
    "columns cut": lambda x: x[:, 1:9].sum(axis=1),
    "sum": lambda x: x.sum(),
    "sum by columns": lambda x: x.sum(axis=0),
    "mean and spread": lambda x: x.mean(axis=0) + x.std(axis=0),
    "largest": lambda x: x.max(axis=1) + x.min(axis=1),
    "products": lambda x: (x + 1).prod(axis=1),
    "any": lambda x: (x > 0.5).any(axis=1),
    "normal equations": lambda x: x.T @ (x @ RIGHT[:, 0]),
    "left to right": lambda x: x.T @ x @ RIGHT[:, 0],
    "within more": lambda x: np.exp(x @ RIGHT[:, 0]) * 2 - LEFT,
    "beside another": lambda x: (x * x[:, ::-1]).sum(axis=1),
    "two joins": lambda x: np.concatenate([x, 2 * x], axis=0).T @ np.concatenate([LEFT, LEFT]),
    "joined again": lambda x: np.concatenate([x, x], axis=1) @ np.concatenate([RIGHT, RIGHT]),
}


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("name", EXPRESSIONS)
def test_values(name: str, strict: bool) -> None:
    own, dense = joined()
    with sa.options(tier="interpreted", strict_ieee=strict):
        for _ in range(2):  # planned, and replayed
            found = np.asarray(EXPRESSIONS[name](own))
            np.testing.assert_allclose(found, EXPRESSIONS[name](dense), rtol=1e-12, atol=1e-12)
    assert own._tensor is None  # nothing was put together


def computed(expression: Array) -> list[Any]:
    """The shapes of what the planner computes by itself for an expression."""
    executor, shapes = Executor(), []

    def value(node: Any) -> Tensor:
        shapes.append((node.kind, node.shape))
        return executor.planner.value(node)

    split_joins.applied(expression._node, value, value, wanted=False)
    return shapes


def test_blocks_that_mirror_others_are_computed_once() -> None:
    own, _ = joined()
    shapes = computed(own.T @ (WEIGHTS[:, None] * own))
    widths = [3, 4, 5, 6]
    pairs = [(a, b) for k, a in enumerate(widths) for b in widths[k:]]
    assert [shape for kind, shape in shapes if kind == "reduce"] == pairs


def test_blocks_of_one_column_mirror_others_too() -> None:
    hot, listed = parts()[1:3]
    every = [LISTED[:, :1].copy(), hot, RANDOM.integers(0, 9, (N, 1)), listed, DENSE[:, :1]]
    dense = np.concatenate([np.asarray(one) for one in every], axis=1)
    own = sa.concatenate(every, axis=1)
    shapes = computed(own.T @ (WEIGHTS[:, None] * own))
    widths = [1, 4, 1, 5, 1]
    pairs = [(a, b) for k, a in enumerate(widths) for b in widths[k:]]
    assert [shape for kind, shape in shapes if kind == "reduce"] == pairs
    with sa.options(tier="interpreted"):
        for weights in (WEIGHTS, WEIGHTS[:, None], WEIGHTS[:1]):
            left = weights[:, None] if weights.ndim == 1 else weights
            found = np.asarray(own.T @ (left * own))
            np.testing.assert_allclose(found, dense.T @ (left * dense), rtol=1e-12)


@pytest.mark.parametrize("weights", [WEIGHTS, WEIGHTS.astype(np.float32), np.arange(N)])
def test_blocks_of_truth_values_mirror_others_too(weights: Any) -> None:
    hot = [sa.one_hot(RANDOM.integers(0, count, N), count) for count in (4, 7, 7)]
    own, dense = sa.concatenate(hot, axis=1), np.concatenate([h.todense() for h in hot], axis=1)
    shapes = computed(own.T @ (weights[:, None] * own))
    blocks = [(4, 4), (4, 7), (4, 7), (7, 7), (7, 7), (7, 7)]
    assert [shape for kind, shape in shapes if kind == "reduce"] == blocks
    with sa.options(tier="interpreted"):
        found = own.T @ (weights[:, None] * own)
        expected = dense.T @ (weights[:, None] * dense)
        close = 1e-5 if expected.dtype == np.float32 else 1e-12  # no order of its sums is promised
        np.testing.assert_allclose(found.todense(), expected, rtol=close)


def test_factors_that_differ_are_not_taken_for_each_other() -> None:
    own, dense = joined()
    with sa.options(tier="interpreted"):
        found = own.T @ (WEIGHTS[:, None] * (own + 1))
        np.testing.assert_allclose(found.todense(), dense.T @ (WEIGHTS[:, None] * (dense + 1)))


def test_a_vector_of_sums_is_computed_once_for_all_parts() -> None:
    random = np.random.default_rng(0)
    hot = [sa.one_hot(random.integers(0, 50, 500), 50) for _ in range(2)]
    x = sa.concatenate([random.random((500, 3)), *hot], axis=1)
    shapes = computed(x.T @ (x @ random.random(103)))
    # The two columns of categories are summed together.
    assert [shape for kind, shape in shapes if kind == "reduce"] == 2 * [(500,)] + [(3,), (100,)]


@pytest.mark.parametrize("op", ["sum", "max", "prod"])
def test_sums_of_parts_are_added_to_those_of_others(op: str) -> None:
    codes = RANDOM.integers(-1, 40, 20_000), RANDOM.integers(0, 300, 20_000)
    hot = [sa.one_hot(one, count) for one, count in zip(codes, (40, 300), strict=True)]
    x = sa.concatenate([*hot, RANDOM.random((20_000, 3))], axis=1)
    b = RANDOM.random(343)
    wanted = getattr(x.todense() * b, op)(axis=1)
    found = [np.asarray(getattr(x * b, op)(axis=1)) for _ in range(2)]  # planned, and replayed
    for one in found:
        np.testing.assert_allclose(one, wanted)


def test_no_vector_of_each_part_is_held() -> None:
    hot = [sa.one_hot(RANDOM.integers(0, 40, 40_000), 40) for _ in range(9)]
    x = sa.concatenate([*hot, sa.asarray(RANDOM.random((40_000, 3))).copy()], axis=1)
    b = sa.asarray(RANDOM.random(363)).copy()
    calls: list[tuple[Call, Tensor]] = []
    executor = Executor(told=lambda *one: calls.append(one))
    found = executor.run(executor.planner.plan((x @ b)._node))
    np.testing.assert_allclose(found.buffers[0], x.todense() @ b.todense())
    long = [call.pick.plan.kernel.source for call, made in calls if made.shape == (40_000,)]
    assert len(long) == 3  # and BLAS for the numbers, to which each adds four parts, or one
    assert all("_val[u(i)] + t\n" in one for one in long)


def test_many_parts_need_no_kernel_of_all() -> None:
    random = np.random.default_rng(0)
    every = [sa.one_hot(random.integers(0, 3, N), 3) for _ in range(40)]
    x = sa.concatenate(every, axis=1)
    dense = np.concatenate([one.todense() for one in every], axis=1)
    with sa.options(tier="interpreted"):
        np.testing.assert_array_equal(
            (x.astype(float) @ np.arange(120.0)).todense(), dense @ np.arange(120.0)
        )


def test_nothing_is_dense_that_is_not_asked_for() -> None:
    codes = np.arange(N)
    x = sa.concatenate([sa.one_hot(codes, 10**6), sa.one_hot(codes, 10**6)], axis=1)
    with sa.options(tier="interpreted"):
        assert (x.astype(float).T @ np.ones(N)).sum() == 2 * N
        squares = x.astype(float).T @ x.astype(float)
        assert str(squares.format) == "csr"
        assert squares.nstored == 4 * N


@pytest.mark.parametrize("shape", [(0, 18), (5, 0)])
def test_empty_arrays(shape: tuple[int, int]) -> None:
    rows, columns = shape
    x = sa.concatenate(
        [np.zeros((rows, columns)), sa.asarray(np.zeros((rows, 2)), format="csr")], axis=1
    )
    np.testing.assert_array_equal(x.T @ x, np.zeros((columns + 2,) * 2))
    np.testing.assert_array_equal(x @ np.ones(columns + 2), np.zeros(rows))


def test_blocks_of_a_dense_result_are_dense_arrays_of_blas() -> None:
    a = np.random.default_rng(0).random((N, 3))
    planner = Executor().planner
    node = (sa.asarray(a).T @ (sa.asarray(WEIGHTS)[:, None] * sa.asarray(a)))._node
    assert isinstance(planner.plan(node), Product)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("order", ["C", "F"])
def test_weighted_products(sign: int, order: Any) -> None:
    random = np.random.default_rng(0)
    a, b = (np.asarray(random.random((5000, k)), order=order) for k in (3, 40))
    w, v = sign * random.random(5000), random.random(5000)
    A, B, W, V = map(sa.asarray, (a, b, w, v))
    np.testing.assert_allclose(A.T @ (W[:, None] * A), a.T @ (w[:, None] * a))
    np.testing.assert_allclose((W[:, None] * B).T @ A, (w[:, None] * b).T @ a)
    np.testing.assert_allclose(A.T @ (W[:, None] * V[:, None] * B), a.T @ ((w * v)[:, None] * b))
    w[3] = np.nan
    assert np.isnan(A.T @ (sa.asarray(w)[:, None] * A)).all()


def test_a_trace_takes_the_parts() -> None:
    own, dense = joined()

    @sa.jit
    def both(x: Any, w: Any) -> tuple[Any, Any]:
        return x.T @ (w[:, None] * x), x @ RIGHT[:, 0]

    for w in (WEIGHTS, 2 * WEIGHTS):
        square, product = both(own, w)
        np.testing.assert_allclose(square, dense.T @ (w[:, None] * dense))
        np.testing.assert_allclose(product, dense @ RIGHT[:, 0])
    assert own._tensor is None
    other = sa.concatenate([own[:, :9], own[:, 9:]], axis=1) * 1
    np.testing.assert_allclose(both(other, WEIGHTS)[1], dense @ RIGHT[:, 0])


def test_values_are_leaves() -> None:
    own, _ = joined()
    planner = Executor().planner
    found = split_joins.applied((own.T @ LEFT)._node, planner.value, planner.value, wanted=False)
    assert found.kind == leaf(own.compute()._tensor).kind == "leaf"


def test_the_room_of_products_of_categories_is_that_of_their_rows() -> None:
    codes = np.random.default_rng(0).integers(0, 10**6, 5000)
    x, y = sa.one_hot(codes, 10**6), sa.one_hot(codes, 10**6)
    with sa.options(tier="interpreted"):
        found = (x.T @ (np.ones(5000)[:, None] * y)).compute()
    assert (str(found.format), found.nstored) == ("csr", len(np.unique(codes)))


@pytest.mark.parametrize("format", ["csr", "tril", "csc"])
def test_dense_parts_that_stay_within_a_sum(format: str) -> None:
    """The greatest sum of rows of running sums, side by side, of products without terms."""
    nothing = sa.asarray(np.zeros((0, 4)), fill_value=1.0, format=format)
    with sa.options(tier="interpreted"):
        row = np.matmul(np.zeros(0, np.float32), nothing)
        steps = np.cumsum(np.isfinite(np.stack([row, row, row], axis=-1)), axis=1)
        chosen = np.where(steps, steps, np.float32([0.1]))
        assert float(np.linalg.norm(chosen, np.inf)) == 6
    np.testing.assert_array_equal(np.asarray(chosen), np.repeat([[1.0, 2.0, 3.0]], 4, axis=0))
