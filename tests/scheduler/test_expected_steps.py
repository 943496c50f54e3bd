"""Steps that the cost model expects of kernels, beside those that they take."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._compiler.rules.defaults import default_rules
from structarr._compiler.rules.engine import simplifier
from structarr._scheduler import cost_model
from structarr._scheduler.cost_model import cost
from structarr._testing.counted_calls import counting
from structarr._testing.forcing import witnessed

MANY = sa.asarray(np.where(np.random.default_rng(0).random(400) < 0.3, 1.0, 0.0), format="list")


def single(place: int) -> sa.Array:
    """A list of one element."""
    return sa.asarray(np.eye(1, 400, place)[0], format="list")


def steps(make: Callable[[], Any], program: int = 0) -> tuple[int, int]:
    """The iterations that kernels take, and those that were expected."""
    calls: list[Any] = []
    with witnessed(calls.append, program), counting() as taken:
        np.asarray(make())
    rules = simplifier(default_rules(False))
    expected = sum(cost(one.program, one.given, rules).steps for one in calls)
    return sum(one.iterations for one in taken), expected


@pytest.mark.parametrize("place", [0, 200, 399])
def test_a_merge_steps_to_where_operands_meet(place: int) -> None:
    one = single(place)
    taken, expected = steps(lambda: (one * MANY).sum())
    assert abs(taken - expected) <= 12


def test_a_gallop_searches_its_way_there() -> None:
    one = single(200)
    taken, expected = steps(lambda: (one * MANY).sum(), program=1)
    assert max(taken, expected) <= 2


def test_nothing_is_met_beside_an_empty_operand() -> None:
    empty = sa.asarray(np.zeros(400), format="list")
    assert steps(lambda: (empty * MANY).sum()) == (0, 0)


def test_rows_that_are_empty_take_no_steps() -> None:
    random = np.random.default_rng(1)
    few, more = (
        sa.asarray(np.where(random.random((40, 40)) < share, 1.0, 0.0), format="csr")
        for share in (0.02, 0.2)
    )
    taken, expected = steps(lambda: few * more)
    assert 0.8 * taken < expected < 1.2 * taken


def test_what_several_operands_read_alike_is_met_once() -> None:
    runs = sa.asarray(np.repeat(np.arange(1.0, 9.0), 5), format="rle")
    taken, expected = steps(lambda: runs + runs * 2.0)
    assert taken == expected == 8


def test_a_factor_that_the_innermost_loop_does_not_reach_is_not_merged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The loop over a row of the second matrix is priced as one over a list."""
    random = np.random.default_rng(2)
    a, b = (
        sa.asarray(np.where(random.random((40, 40)) < 0.3, 1.0, 0.0), format="csr")
        for _ in range(2)
    )
    calls: list[Any] = []
    with witnessed(calls.append, 0):
        np.asarray(a @ b)
    rules = simplifier(default_rules(False))
    call = calls[0]
    found = cost(call.program, call.given, rules)
    monkeypatch.setattr(cost_model, "MERGE", 1e9)
    assert cost(call.program, call.given, rules) == found


def test_rows_of_a_triangle_are_one_stretch() -> None:
    dense = np.zeros((600, 600))
    dense[np.arange(600), np.random.default_rng(1).permutation(600)] = 1.0
    taken, expected = steps(lambda: np.tril(sa.asarray(dense, format="csr")).sum(axis=0))
    assert expected < 10 * taken
