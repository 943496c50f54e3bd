"""Steppers alone and together: fibers, seeks, stops, cursors, and the order of cases."""

from __future__ import annotations

import numpy as np
import pytest
from handmade import (
    FLOAT,
    band,
    check_windows,
    computed,
    lines,
    lookup,
    product,
    runs,
    steps,
    steps_of,
    summed,
    text,
    total,
)

import structarr as sa
from structarr._compiler.ir.expr import INDEX, Helper
from structarr._compiler.ir.kernel import If, Set, lines_of
from structarr._compiler.ir.variables import Var
from structarr._compiler.looplets.stepper_coiterate import _closes


def test_fibers_may_be_empty() -> None:
    empty, full = steps("a", [], 9), steps("b", [1, 8], 9)
    check_windows(product(empty, full), np.zeros(9), empty, full)
    check_windows(summed(empty, full), full.values, empty, full)


@pytest.mark.parametrize("op", ["minimum", "maximum"])
def test_a_spikes_empty_body_updates_nothing(op: str) -> None:
    """Nothing lies between neighbours: their fill must not enter a minimum."""
    made = steps("a", list(range(9)), 9)
    start = np.inf if op == "minimum" else -np.inf
    stmt, out = total(made.at(), op, start)
    assert computed(stmt, out, (made,), 9) == getattr(made.values, op[:3])()


def test_seek_goes_forward_and_stays_in_the_fiber() -> None:
    made, other = steps("a", [0, 5], 9), band("b", 6, 3, 9)
    check_windows(product(made, other), np.zeros(9), made, other)


def test_next_only_where_the_childs_own_stop_is_met() -> None:
    made = steps("a", [6], 9), runs("b", [2, 3, 5, 9], 9)
    check_windows(product(*made), made[0].values * made[1].values, *made)


def test_a_spike_cut_short_is_a_run() -> None:
    made = steps("a", [3, 7], 9), runs("b", [4, 5, 9], 9)
    check_windows(summed(*made), made[0].values + made[1].values, *made)


def test_one_stepper_tests_for_no_tail() -> None:
    kernel = text(*total(product(steps("a", [], 0), lookup("b", np.zeros(0)))))
    assert "if " not in kernel
    assert "while" not in kernel


THREE = {
    "list": lambda name: steps(name, [1, 4, 8], 9),
    "run": lambda name: runs(name, [2, 5, 9], 9),
    "band": lambda name: band(name, 2, 5, 9),
}
BUDGETS = [  # kind, lines of the product's kernel, lines of the sum's
    ("list list list", 50, 140),
    ("run run run", 110, 110),
    (
        "band band band",
        30,
        200,
    ),  # a sum of floats takes four lines more a loop: it is cut into blocks
    ("list run band", 60, 160),
    ("list list band", 70, 170),
    ("list run run", 110, 150),
]


@pytest.mark.usefixtures("as_shipped")
@pytest.mark.parametrize(("kinds", "most", "most_of_sum"), BUDGETS)
def test_three_way_kernels_stay_small(kinds: str, most: int, most_of_sum: int) -> None:
    made = [THREE[kind](name) for kind, name in zip(kinds.split(), "abd", strict=True)]
    values = [one.values for one in made]
    check_windows(product(*made), np.prod(values, axis=0), *made)
    check_windows(summed(*made), np.sum(values, axis=0), *made)
    found = [lines_of(lines(*total(value(*made)))) for value in (product, summed)]
    assert found[0] <= most, found
    assert found[1] <= most_of_sum, found


def test_equal_stops_are_one_arm() -> None:
    """`p += stride == idx[p]` is not what comes out: the order of stops is analysed by cases."""
    kernel = text(*total(product(steps("a", [], 0), steps("b", [], 0))))
    assert "min(" not in kernel
    assert [kernel.count(word) for word in ("if b_i < a_i", "elif a_i < b_i")] == [1, 1]


def test_a_lagging_stepper_is_guarded() -> None:
    made = [steps("a", [6], 9), steps("b", [0, 1, 2, 3, 6], 9, weight=2), runs("d", [3, 9], 9)]
    check_windows(product(*made), np.prod([one.values for one in made], axis=0), *made)


def test_locals_are_loaded_again_after_a_seek() -> None:
    made = runs("a", [2, 4, 6, 9], 9), band("b", 5, 3, 9)
    check_windows(product(*made), made[0].values * made[1].values, *made)


def test_cursors_after_a_guarded_phase_are_unknown() -> None:
    made = steps("a", [0, 2, 5, 8], 9), band("b", 2, 0, 9)
    check_windows(summed(*made), made[0].values + made[1].values, *made)


def test_a_run_that_crosses_the_end_is_clipped() -> None:
    made = runs("a", [9], 9), band("b", 0, 4, 9)
    stmt, out = total(product(*made))
    assert computed(stmt, out, made, 9) == 10
    check_windows(product(*made), made[0].values * made[1].values, *made)


def test_an_exhausted_list_goes_on_past_the_end_in_unions() -> None:
    made = steps("a", [0], 9), steps("b", [3, 5, 8], 9)
    check_windows(summed(*made), made[0].values + made[1].values, *made)
    assert text(*total(summed(*made))).count("while") == 1


def test_an_exhausted_list_ends_an_intersection() -> None:
    made = steps("a", [0], 9000), steps("b", list(range(9000)), 9000)
    assert steps_of(*total(product(*made)), made, 9000) == 1


def test_the_stepper_of_most_stops_is_tested_first() -> None:
    kernel = text(*total(product(steps("a", [], 0, weight=5), steps("b", [], 0))))
    assert kernel.index("if a_i < b_i") < kernel.index("elif b_i < a_i")


def test_of_three_steppers_the_one_of_most_stops_is_tested_first() -> None:
    weights = {"a": 0, "b": 1, "d": 5}
    kernel = text(*total(summed(*[steps(name, [], 0, weight=n) for name, n in weights.items()])))
    assert kernel.index("if d_i < a_i and d_i < b_i") < kernel.index("if b_i < a_i")


@pytest.mark.parametrize("kept", ["A", "B"])
def test_a_merge_without_branches_writes_where_the_list_is_that_it_keeps(kept: str) -> None:
    one, other = np.arange(12) % 3, np.arange(12)[::-1] % 4
    a, b = sa.asarray(one, format="list"), sa.asarray(other, format="list")
    with sa.options(tier="interpreted"):
        found = a * (b == 0) if kept == "A" else (a == 0) * b
        kernel = sa.explain(found).kernel
        expected = one * (other == 0) if kept == "A" else (one == 0) * other
        np.testing.assert_array_equal(found.todense(), expected)
    merged = kernel[kernel.index("while True") : kernel.index("break")]
    assert f"C0_idx[u(C0_n)] = {kept.lower()}_i" in merged


def test_what_closes_a_run_keeps_the_value_that_differs() -> None:
    value, opened, count = Var(FLOAT, "v"), Var(FLOAT, "open"), Var(INDEX, "n")
    differs = Helper("bool", "differ", (value, opened))
    for last, closes in ((Set(opened, value), True), (Set(count, count + 1), False)):
        assert _closes(If(((differs, (Set(count, count + 1), last)),))) is closes
    assert not _closes(Set(opened, value))
