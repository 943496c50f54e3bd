"""Sums of parts that are added to what others come to: in its place, and nobody else's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._array import Array
from structarr._compiler.options import Forced, force
from structarr._execute.executor import Executor
from structarr._execute.onto import Onto
from structarr._execute.steps import Added, Step
from structarr._storage.tensor import Tensor

N = 40
RANDOM = np.random.default_rng(0)
LISTED = np.where(RANDOM.random((N, 6)) < 0.3, RANDOM.random((N, 6)), 0)
DENSE = RANDOM.random((N, 3))
CODES = [RANDOM.integers(-1, count, N) for count in (4, 7, 2)]


def parts(*, twice: bool = False) -> list[Any]:
    hot = [sa.one_hot(one, int(one.max()) + 1) for one in CODES]
    found = [hot[0], sa.asarray(LISTED, format="csc"), DENSE, hot[1], sa.asarray(LISTED), hot[2]]
    return found + found if twice else found


def both(every: list[Any], axis: int = 1) -> tuple[Array, Any]:
    dense = [one.todense() if isinstance(one, Array) else one for one in every]
    return sa.concatenate(every, axis=axis), np.concatenate(dense, axis=axis)


@contextmanager
def steps() -> Iterator[list[Step]]:
    """The steps that executors run meanwhile, for expressions that are planned anew."""
    sa.clear_cache()
    found: list[Step] = []
    run = Executor.run

    def noted(self: Executor, step: Step) -> Tensor:
        found.append(step)
        return run(self, step)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Executor, "run", noted)
        yield found


def added(found: list[Step]) -> int:
    return sum(isinstance(one, Added) for one in found)


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
@pytest.mark.parametrize("pieces", [None, 1, 3])
@pytest.mark.parametrize("order", ["C", "F"])
def test_products_with_a_matrix(order: str, pieces: int | None, tier: str) -> None:
    x, dense = both(parts())
    b = np.asarray(RANDOM.random((x.shape[1], 5)), order=order)  # type: ignore[call-overload]
    with sa.options(tier=tier), steps() as found, force(Forced(pieces=pieces)):
        made = np.asarray(x @ b)
    np.testing.assert_allclose(made, dense @ b, rtol=1e-13)
    assert added(found) >= 2
    with sa.options(tier=tier):  # replayed
        for _ in range(6):
            other = RANDOM.random(b.shape)
            np.testing.assert_allclose(np.asarray(x @ other), dense @ other, rtol=1e-13)


@pytest.mark.parametrize("axis", [0, 1])
def test_rows_and_columns_of_the_result(axis: int) -> None:
    every = parts()
    if axis == 0:
        every = [one.T if isinstance(one, Array) else one.T.copy() for one in every]
    x, dense = both(every, axis)
    w = RANDOM.random((x.shape[axis], 4))
    found = np.asarray(x.T @ w if axis == 0 else x @ w)
    np.testing.assert_allclose(found, dense.T @ w if axis == 0 else dense @ w, rtol=1e-13)


def test_values_that_are_used_elsewhere_stay() -> None:
    a, c = sa.asarray(DENSE), sa.one_hot(CODES[0], int(CODES[0].max()) + 1)
    b, d = RANDOM.random((3, 4)), RANDOM.random((c.shape[1], 4))
    y = a @ sa.asarray(b)
    total = sa.concatenate([a, c], axis=1) @ sa.asarray(np.concatenate([b, d]))
    want = DENSE @ b + c.todense() @ d
    np.testing.assert_allclose(np.asarray(total + y), want + DENSE @ b)
    np.testing.assert_allclose(np.asarray(y), DENSE @ b)
    known = (a @ sa.asarray(b)).compute()
    before = np.array(known)
    np.testing.assert_allclose(np.asarray(total * 2 + known), 2 * want + DENSE @ b)
    np.testing.assert_array_equal(known, before)


def test_parts_that_are_alike() -> None:
    every = parts(twice=True)
    x, dense = both(every)
    b = RANDOM.random((x.shape[1] // 2, 3))
    b = np.concatenate([b, b])
    for _ in range(2):
        np.testing.assert_allclose(np.asarray(x @ b), dense @ b, rtol=1e-13)
    tall, whole = both(2 * [x], 0)
    ones = np.ones((2 * N, 2))
    np.testing.assert_allclose(np.asarray(tall.T @ ones), whole.T @ ones, rtol=1e-13)
    squares = tall.T @ (ones[:, :1] * tall)
    np.testing.assert_allclose(np.asarray(squares), whole.T @ whole, rtol=1e-13)


def test_parts_of_one_column_are_no_view_of_their_total() -> None:
    one, other = RANDOM.random((N, 1)), RANDOM.random((N, 2))
    a = sa.asarray(one).compute()
    x = sa.concatenate([a, sa.asarray(LISTED, format="csc"), other], axis=1)
    found = np.asarray((x[:, :, None] * np.ones((1, 9, 3))).sum(axis=1))
    want = np.concatenate([one, LISTED, other], axis=1).sum(axis=1)
    np.testing.assert_allclose(found, np.repeat(want[:, None], 3, axis=1))
    np.testing.assert_array_equal(a, one)


@pytest.mark.parametrize("dtype", [np.float32, np.int64, np.complex128, bool])
def test_other_dtypes(dtype: Any) -> None:
    every = [one.astype(dtype) for one in parts()]
    x, dense = both(every)
    b = (RANDOM.random((x.shape[1], 3)) * 5).astype(dtype)
    np.testing.assert_allclose(np.asarray(x @ b), dense @ b, rtol=1e-5)


@pytest.mark.parametrize("threads", [1, 2])
def test_long_calls_in_pieces(threads: int) -> None:
    rows = 300_000
    codes = RANDOM.integers(0, 900, rows), RANDOM.integers(0, 90, rows)
    hot = [sa.one_hot(one, count) for one, count in zip(codes, (900, 90), strict=True)]
    numbers = RANDOM.random((rows, 2))
    x = sa.concatenate([numbers, *hot], axis=1)
    b, w = RANDOM.random((992, 6)), RANDOM.random((rows, 6))
    want = numbers @ b[:2] + b[2:902][codes[0]] + b[902:][codes[1]]
    with sa.options(threads=threads):
        for _ in range(2):
            np.testing.assert_allclose(np.asarray(x @ b), want)
        both_ways = [np.bincount(codes[0], w[:, k], 900) for k in range(6)]
        np.testing.assert_allclose(np.asarray(x.T @ w)[2:902], np.transpose(both_ways))


def test_a_total_that_others_can_write_is_added_to_apart() -> None:
    x, dense = both([DENSE, parts()[0]])
    b = RANDOM.random((x.shape[1], 4))
    np.asarray(x @ b)
    with steps() as found, force(Forced()):
        np.testing.assert_allclose(np.asarray(x @ b), dense @ b)
    (call,) = [one.call for one in found if isinstance(one, Added)]
    onto = Onto(call.choice, (), call.given.extents, call.shape)
    lent = np.zeros(call.shape)
    lent.setflags(write=False)
    frozen = sa.asarray(lent)._node.data
    assert onto(frozen, *call.given.tensors) is None
