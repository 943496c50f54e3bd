"""Sums that several expressions have as a part: computed once, where that needs little memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._execute.executor import Executor
from structarr._lazy.node import nodes_of
from structarr._lazy.rewrite.known_values import with_values

N = 200
RANDOM = np.random.default_rng(5)
DENSE = (RANDOM.random((N, N)) < 0.03) * RANDOM.random((N, N)) + 4 * np.eye(N)
RIGHT = RANDOM.random(N)


def _sparse() -> Any:
    return sa.asarray(DENSE, format="csr")


def conjugate_gradients(a: Any, b: Any, steps: int) -> Any:
    x, r = b * 0, b * 1
    p, rr = r, (r * r).sum()
    for _ in range(steps):
        q = a @ p
        alpha = rr / (p * q).sum()
        x = x + alpha * p
        r = r - alpha * q
        new = (r * r).sum()
        p, rr = r + (new / rr) * p, new
    return x


def power_iteration(a: Any, b: Any, steps: int) -> Any:
    for _ in range(steps):
        b = a @ b
        b = b / np.sqrt((b * b).sum())
    return b


def gradient_descent(a: Any, b: Any, steps: int) -> Any:
    x = b * 1
    for _ in range(steps):
        x = x - 0.01 * (a.T @ (a @ x - b)) - 0.001 * x
    return x


def soft_thresholds(a: Any, b: Any, steps: int) -> Any:
    x = b * 0
    for _ in range(steps):
        u = x - 0.01 * (a.T @ (a @ x - b))
        x = np.sign(u) * np.maximum(np.abs(u) - 0.01, 0)
    return x


def chebyshev(a: Any, b: Any, steps: int) -> Any:
    older, old = b, a @ b / 8
    total = older + old
    for _ in range(steps):
        older, old = old, 2 * (a @ old) / 8 - older
        total = total + old
    return total


def normalized(a: Any, b: Any, steps: int) -> Any:
    labels = np.eye(4)[np.arange(N) % 4]
    for _ in range(steps):
        labels = a @ labels
        labels = labels / labels.sum(axis=1, keepdims=True)
    return labels


LOOPS: list[Callable[[Any, Any, int], Any]] = [
    *(conjugate_gradients, power_iteration, gradient_descent, soft_thresholds, chebyshev),
    normalized,
]


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
def test_loops_are_right(loop: Callable[[Any, Any, int], Any], tier: str) -> None:
    want = loop(DENSE, RIGHT, 6)
    with sa.options(tier=tier):
        for _ in range(3):
            np.testing.assert_allclose(loop(_sparse(), RIGHT, 6).todense(), want, rtol=1e-9)


@pytest.mark.parametrize("loop", LOOPS)
def test_steps_take_as_many_calls(
    loop: Callable[[Any, Any, int], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = [_calls(loop, steps, monkeypatch) for steps in (4, 8, 12)]
    assert counts[2] - counts[1] <= counts[1] - counts[0] + 8  # no more for later steps


def _calls(
    loop: Callable[[Any, Any, int], Any], steps: int, monkeypatch: pytest.MonkeyPatch
) -> int:
    calls: list[Any] = []
    called = Executor._called
    monkeypatch.setattr(
        Executor, "_called", lambda self, step: calls.append(step) or called(self, step)
    )
    sa.clear_cache()  # or steps are replayed, which nobody is told of
    with sa.options(tier="interpreted"):
        loop(_sparse(), RIGHT, steps).compute()
    monkeypatch.undo()
    return len(calls)


def test_what_was_looked_at_is_not_computed_again() -> None:
    y = _sparse() @ RIGHT
    z = 2 * y
    y.compute()
    assert with_values(z._node).sums == 0
    np.testing.assert_allclose(z.todense(), 2 * (DENSE @ RIGHT))


def test_an_assignment_later_is_not_seen() -> None:
    y = _sparse() @ RIGHT
    z = 2 * y
    y.compute()
    y[0] = -1.0
    np.testing.assert_allclose(z.todense(), 2 * (DENSE @ RIGHT))
    assert y[0] == -1.0


def test_products_of_matrices_are_not_formed() -> None:
    a = _sparse()
    both = a @ a
    calls: list[Any] = []
    executor = Executor(told=lambda *one: calls.append(one))
    found = executor.planner.value((both @ RIGHT + both @ (2 * RIGHT))._node)
    np.testing.assert_allclose(found.buffers[0], 3 * (DENSE @ DENSE @ RIGHT))
    assert both._tensor is None
    assert all(made.shape == (N,) for _, made in calls)


def test_deviations_are_not_formed() -> None:
    deviations = _sparse() - _sparse().mean(axis=0)
    dense = DENSE - DENSE.mean(axis=0)
    for _ in range(3):
        np.testing.assert_allclose((deviations @ RIGHT).todense(), dense @ RIGHT)
    assert deviations._tensor is None


@pytest.mark.parametrize("loop", LOOPS)
def test_steps_of_a_trace_take_as_many_calls(loop: Callable[[Any, Any, int], Any]) -> None:
    lengths = []
    for steps in (4, 6, 8):

        def fixed(a: Any, b: Any, steps: int = steps) -> Any:
            return loop(a, b, steps)

        traced = sa.jit(fixed)
        with sa.options(tier="interpreted"):
            got = traced(_sparse(), RIGHT)
            lengths.append(str(traced.explain(_sparse(), RIGHT)).count("= calls["))
        np.testing.assert_allclose(np.asarray(got), loop(DENSE, RIGHT, steps), rtol=1e-9)
    assert lengths[2] - lengths[1] <= lengths[1] - lengths[0] + 2


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
def test_a_place_of_a_sum_that_was_computed_is_this_call_s(tier: str) -> None:
    """Where a part starts is told by no structure: what was made of one start is for no other."""
    x = np.arange(1.0, 9.0)
    a = sa.asarray(x)
    with sa.options(tier=tier):
        for start in (0, 0, 1, 3, 1):
            sums, want = np.cumsum(a), np.cumsum(x)
            scaled = sums[start] * sums
            parts = sums[start : start + 3] + sums[-1] * sums[start + 1]
            np.testing.assert_array_equal(scaled, want[start] * want)
            those = want[start : start + 3] + want[-1] * want[start + 1]
            np.testing.assert_array_equal(parts, those)


def test_steps_that_nobody_looks_at_are_no_part_of_all_later_ones() -> None:
    a, q, before, beta = _sparse(), RIGHT / 9, np.zeros(N), 0.0
    p, former, gamma = RIGHT / 9, np.zeros(N), 0.0
    longest = 0
    for _ in range(12):
        v = a @ q - beta * before
        alpha = float(v @ q)
        v = v - alpha * q
        beta = float(np.linalg.norm(v))
        before, q = q, v / beta
        longest = max(longest, len(list(nodes_of(q._node))))
        u = DENSE @ p - gamma * former
        assert np.allclose(alpha, u @ p)
        u = u - (u @ p) * p
        gamma = np.linalg.norm(u)
        former, p = p, u / gamma
    assert np.allclose(np.asarray(q), p)
    assert longest <= 20


def test_elementwise_operations_of_much_stay_parts() -> None:
    a = _sparse()
    b = np.abs(a * 2.0 - 1.0 * a + 3.0 * a)
    first, second = b.sum(), b.max()
    assert b._tensor is None  # whose value is as large as what it is computed of
    assert float(first) > 0 and float(second) > 0


def test_parts_of_elementwise_operations_are_computed_alone() -> None:
    x = sa.asarray(RIGHT)
    y = np.sqrt(x * 2.0 + 1.0) / 3.0 - x
    first, second = y[:5], y[5:9]
    assert np.allclose(np.asarray(first), (np.sqrt(RIGHT * 2 + 1) / 3 - RIGHT)[:5])
    assert np.allclose(np.asarray(second), (np.sqrt(RIGHT * 2 + 1) / 3 - RIGHT)[5:9])
    assert y._tensor is None


def test_a_row_of_a_join_is_not_taken_for_one_that_it_equals_by_chance() -> None:
    rng = np.random.default_rng(0)
    a, m = rng.integers(1, 9, (25, 7)) + 0.0, np.triu(rng.integers(1, 9, (7, 7))) + 0.0

    def product(rows: Any, squares: Any, k: int) -> Any:
        greatest = rows.max(axis=0)
        joined = np.concatenate([np.where(greatest > 4, greatest, rows), squares])
        return joined[-1 - k] @ squares[k]

    with sa.options(tier="interpreted"):
        given = sa.asarray(a), sa.asarray(m, format="csr")
        for k in (2, 2, 3, 2, 4, 1):  # the row before the last three is the fourth
            assert float(product(*given, k)) == product(a, m, k)
