"""How many iterations kernels make on skewed operands."""

from __future__ import annotations

import numpy as np
import pytest
from handmade import band, call, computed as value_of, lookup, runs, steps, steps_of, total

from structarr._compiler.kernel_passes.blocked_sums import BLOCK

N = 4000


def dot(left: object, right: object) -> int:
    stmt, out = total(call("multiply", left.at(), right.at()))  # type: ignore[attr-defined]
    made = (left, right)
    want = np.dot(left.values, right.values)  # type: ignore[attr-defined]
    assert value_of(stmt, out, made, N) == want  # type: ignore[arg-type]
    return steps_of(stmt, out, made, N)  # type: ignore[arg-type]


def summed(entries: int) -> int:
    """How many iterations a sum takes that is made in blocks: a turn for each entry and block."""
    return entries + -(-entries // BLOCK)


@pytest.mark.usefixtures("as_shipped")
@pytest.mark.parametrize("width", [0, 1, 10, 100, 1000])
def test_list_against_band_costs_the_entries_inside_the_band(width: int) -> None:
    inside = (width + 1) // 2
    assert dot(steps("a", list(range(0, N, 2)), N), band("b", 1000, width, N)) == summed(inside)


@pytest.mark.parametrize("leads", [(True, True), (True, False), (False, True)])
def test_galloping_costs_the_shorter_list(leads: tuple[bool, bool]) -> None:
    few = steps("a", [5, 1700, 3999], N, leads[0])
    many = steps("b", list(range(N)), N, leads[1])
    if leads[0]:
        assert dot(few, many) <= 2 * 3 + 1
        assert dot(many, few) <= 2 * 3 + 1
    else:  # the leader is the long one: it is no worse than walking
        assert dot(few, many) <= N


def test_walking_costs_both_lists() -> None:
    cost = dot(steps("a", [3999], N), steps("b", list(range(N)), N))
    assert cost == N


def test_galloping_of_disjoint_blocks() -> None:
    left = steps("a", list(range(0, 2000)), N, leads=True)
    right = steps("b", list(range(2000, 4000)), N, leads=True)
    assert dot(left, right) <= 2


def test_runs_cost_the_runs_not_the_elements() -> None:
    assert dot(runs("a", [1000, N], N), runs("b", [10, 3000, N], N)) == 4


def test_a_list_against_runs_costs_its_entries_and_the_runs() -> None:
    # A turn for each of three entries, and one for each test whether a run is passed.
    assert dot(steps("a", [7, 9, 2500], N), runs("b", [1000, 2000, N], N)) <= 3 + (3 + 2)


@pytest.mark.usefixtures("as_shipped")
def test_a_list_against_a_lookup_costs_its_entries() -> None:
    assert dot(steps("a", [7, 9, 2500], N), lookup("b", np.ones(N))) == summed(3)
