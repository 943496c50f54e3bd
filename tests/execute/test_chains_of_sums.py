"""Loops that nobody looks at between their steps are planned and computed once a step."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._execute import compute
from structarr._execute.executor import Executor

N = 300


def _graph() -> Any:
    rng = np.random.default_rng(2)
    return (rng.random((N, N)) < 0.02) * rng.random((N, N))


def _ranks(a: Any, steps: int) -> Any:
    degrees = a.sum(axis=0)
    walk = a / np.where(degrees > 0, degrees, 1)
    start = np.eye(1, N)[0]
    rank = start
    for _ in range(steps):
        rank = 0.85 * (walk @ rank) + 0.15 * start
    return rank


def _calls(steps: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """The calls of kernels that are planned for some steps, those computed on the way included."""
    sa.clear_cache()
    calls: list[Any] = []
    called = Executor._called
    with monkeypatch.context() as patch:
        patch.setattr(Executor, "_called", lambda *one: calls.append(one) or called(*one))
        patch.setattr(compute, "recorded", lambda key: None)
        _ranks(sa.asarray(_graph(), format="csr"), steps).compute()
    return len(calls)


def test_each_step_takes_as_many_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    eight, sixteen, last = (_calls(steps, monkeypatch) for steps in (8, 16, 24))
    assert last - sixteen == sixteen - eight
    assert last <= 2 * 24


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
def test_they_are_right(tier: str) -> None:
    dense = _graph()
    with sa.options(tier=tier):
        for _ in range(3):  # planned, noted, and replayed
            got = _ranks(sa.asarray(dense, format="csr"), 7).todense()
            np.testing.assert_allclose(got, _ranks(dense, 7))
