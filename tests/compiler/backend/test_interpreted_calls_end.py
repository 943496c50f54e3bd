"""An interpreted call that takes as long as compiling is stopped, and starts anew compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from stopped_calls import Stop, stopping

import structarr as sa
from structarr._compiler.backend import kernel
from structarr._compiler.backend.kernel import PYTHON, Kernel
from structarr._execute import choices, replay_table

DENSE = np.where(np.arange(63).reshape(7, 9) % 3 == 0, np.arange(63.0).reshape(7, 9), 0)
X, Y = np.arange(9.0), np.ones((9, 4))


@pytest.fixture
def stop(monkeypatch: pytest.MonkeyPatch) -> Stop:
    """Calls that are stopped, of kernels of expressions."""

    def build(one: Kernel, made: list[str]) -> Any:
        made.append(one.source)
        return PYTHON.build(one.functions, one.params)  # which nothing stops

    return stopping(monkeypatch, build, (choices, "_choices"), (replay_table, "_recorded"))


EXPRESSIONS: dict[str, Callable[[Any], Any]] = {
    "appended": lambda a: a * a + 1 * a,
    "merged": lambda a: a + a[::-1],
    "vector": lambda a: a @ X,
    "matrix": lambda a: a @ Y,
    "sum": lambda a: (a * a).sum(),
    "largest": lambda a: a.max(axis=0),
    "workspace": lambda a: a.T @ a,
}


@pytest.mark.sampled(8)
@pytest.mark.parametrize("looks", [1, 2, 5, 17, 60])
@pytest.mark.parametrize("name", EXPRESSIONS)
@pytest.mark.parametrize("fmt", ["csr", "csc", "rle", "vbl", "bitmap", "dense", "coo"])
def test_what_is_stopped_anywhere_starts_anew(fmt: str, name: str, looks: int, stop: Stop) -> None:
    with sa.options(tier="interpreted"):
        a = sa.asarray(DENSE, format=fmt).compute()
    stop(looks)
    with sa.options(tier="auto"):
        for _ in range(2):
            np.testing.assert_allclose(np.asarray(EXPRESSIONS[name](a)), EXPRESSIONS[name](DENSE))


@pytest.mark.parametrize("name", ["appended", "vector", "workspace"])
def test_it_is_stopped_once_and_in_whatever_loop(name: str, stop: Stop) -> None:
    with sa.options(tier="interpreted"):
        a = sa.asarray(DENSE, format="csr").compute()
    for looks in (2, 12):  # in the first row, and further in
        made = stop(looks)
        with sa.options(tier="auto"):
            for _ in range(3):
                EXPRESSIONS[name](a).compute()
        assert made
        assert len(set(made)) == len(made)


def test_a_loop_without_others_is_stopped(stop: Stop) -> None:
    made = stop(5)
    with sa.options(tier="auto"):
        long = sa.asarray(np.arange(500.0), format="list")
        assert float((long * long).sum()) == float((np.arange(500.0) ** 2).sum())
    assert made


def test_arrays_that_are_assigned_are_written_once(stop: Stop) -> None:
    """What was added before the call was stopped is not added again."""
    with sa.options(tier="interpreted"):
        a = sa.asarray(DENSE, format="csr").compute()
    made = stop(9)
    with sa.options(tier="auto"):
        y = np.arange(7.0)
        found = sa.loops("y[i] += A[i, j] * x[j]", A=a, x=X, y=y)
        np.testing.assert_allclose(np.asarray(found), np.arange(7.0) + DENSE @ X)
        out = np.ones(7)
        np.add(a @ X, 1.0, out=out)
        np.testing.assert_allclose(out, DENSE @ X + 1)
        b = sa.asarray(DENSE, format="csr")
        b[1:3] = b[1:3] * 2
        want = DENSE.copy()
        want[1:3] *= 2
        np.testing.assert_allclose(b.todense(), want)
    assert made


def test_the_other_tiers_are_not_stopped(stop: Stop) -> None:
    made = stop(1)
    with sa.options(tier="interpreted"):
        a = sa.asarray(DENSE, format="csr")
        np.testing.assert_allclose(np.asarray(a @ X), DENSE @ X)
    assert not made


def test_nothing_is_interpreted_that_is_expected_to_take_longer(
    monkeypatch: pytest.MonkeyPatch, stop: Stop
) -> None:
    """Few entries may make many steps: each meets a row of a dense matrix."""
    dense = np.ones((2, 500))
    with sa.options(tier="interpreted"):
        few, many = sa.asarray(dense, format="csr").compute(), sa.asarray(np.ones((500, 64)))
    made = stop(10**9)
    monkeypatch.setattr(Kernel, "_seconds_to_compile", lambda self: 0.02)
    before = kernel.statistics()["interpreted_calls"]
    with sa.options(tier="auto"):
        np.testing.assert_array_equal((few @ many).todense(), dense @ np.ones((500, 64)))
    assert made
    assert kernel.statistics()["interpreted_calls"] == before


def test_a_call_that_is_stopped_and_starts_anew_is_one_call(stop: Stop) -> None:
    with sa.options(tier="interpreted"):
        a = sa.asarray(np.ones((50, 50)), format="csr").compute()
    stop(40)
    with sa.options(tier="auto"), sa.profile() as p:
        np.testing.assert_array_equal((a @ np.ones(50)).todense(), np.full(50, 50.0))
    assert [(one.calls, one.interpreted) for one in p.kernels] == [(1, 0)]
