"""Columns of categories side by side: several of them in one loop over their rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from test_sums_over_joins import EXPRESSIONS

import structarr as sa
from structarr._execute.executor import Executor
from structarr._lazy.graph import Node, leaf
from structarr._lazy.rewrite.together import MOST, is_together, runs_of
from structarr._scheduler import split_joins
from structarr._storage.tensor import Tensor

N = 24


def categories(count: int = 6, length: int = 3, least: int = -1) -> list[Any]:
    random = np.random.default_rng(2)
    return [sa.one_hot(random.integers(least, length, N), length) for _ in range(count)]


def called(array: Any) -> list[Node]:
    """The sums whose values are asked for while a sum over a join is taken apart."""
    plan, found = Executor(), []

    def value(node: Node) -> Tensor:
        if node.kind == "reduce":
            found.append(node)
        return plan.planner.value(node)

    split_joins.applied(array._node, value, value, False)
    return found


@pytest.mark.parametrize("dtype", [bool, float])
@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("name", EXPRESSIONS)
def test_values(name: str, strict: bool, dtype: type) -> None:
    every = [one.astype(dtype) for one in categories()]
    own = sa.concatenate(every, axis=1)
    dense = np.concatenate([one.todense() for one in every], axis=1)
    with sa.options(tier="interpreted", strict_ieee=strict):
        for _ in range(2):  # planned, and replayed
            found = np.asarray(EXPRESSIONS[name](own))
            np.testing.assert_allclose(found, EXPRESSIONS[name](dense), rtol=1e-12, atol=1e-12)


def test_few_kernels_sum_many_columns() -> None:
    every = categories(2 * MOST + 1)
    x, b, r = sa.concatenate(every, axis=1), np.ones(3 * len(every)), np.ones(N)
    for product in (x @ sa.asarray(b), x.T @ sa.asarray(r)):
        assert len(called(product)) == 3
    assert called(x[:, : 3 * MOST].T @ sa.asarray(r)) != []  # a slice has to be taken apart
    assert called(sa.concatenate(every[:MOST], axis=1) @ sa.asarray(b[: 3 * MOST])) == []


def test_a_matrix_of_sums_is_computed_by_blocks() -> None:
    x = sa.concatenate(categories(3), axis=1)
    assert len(called(x.T @ x)) == 6


def test_what_is_together() -> None:
    one, other, *_ = categories()
    dense = sa.asarray(np.ones((N, 3)))
    kinds = [one, other, dense, one, sa.asarray(np.eye(N), format="csr"), other]
    nodes = [array._node for array in kinds]
    assert [len(run) for run in runs_of(nodes, 1)] == [2, 1, 1, 1, 1]
    assert [len(run) for run in runs_of(nodes, 0)] == [1] * 6
    assert is_together(sa.concatenate([one, other], axis=1)._node)
    assert not is_together(sa.concatenate([one, other], axis=0)._node)
    assert not is_together(sa.concatenate([one, dense], axis=1)._node)
    turned = leaf(sa.asarray(one.T).compute()._node.data)
    assert runs_of([turned, turned], 1) == [[turned], [turned]]


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_and_empty_columns(threads: int) -> None:
    random = np.random.default_rng(3)
    codes = [random.integers(-1, 4, 4000) for _ in range(6)]
    every = [sa.one_hot(code, 4) for code in codes]
    every.insert(2, sa.one_hot(np.full(4000, -1), 0))
    x = sa.concatenate(every, axis=1)
    dense = np.concatenate([one.todense() for one in every], axis=1)
    r, b = random.random(4000), random.random(24)
    with sa.options(threads=threads):
        np.testing.assert_allclose(np.asarray(x.T @ r), dense.T @ r)
        np.testing.assert_allclose(np.asarray(x @ b), dense @ b)


def test_joins_of_joins_are_one() -> None:
    """As concatenations of many arrays, and of concatenations, are."""
    every = categories(8)
    halves = [sa.concatenate(every[k : k + 2], axis=1) for k in range(0, 8, 2)]
    x = sa.concatenate(halves, axis=1)
    assert len(called(x.T @ sa.asarray(np.ones(N)))) == 2


def test_extremes_are_of_each_part() -> None:
    """Whether a column is stored in whole is told by the column, not by all rows before."""
    x = sa.concatenate(categories(3), axis=1).astype(float)
    for extreme in (x.max(axis=0), x.min(axis=0), x.all(axis=0)):
        assert len(called(extreme)) == 3
    assert called(x.sum(axis=0)) == []
    dense = x.todense()
    assert np.array_equal(np.asarray(x.max(axis=0)), dense.max(axis=0))
    assert np.array_equal(np.asarray(x.min(axis=1)), dense.min(axis=1))
