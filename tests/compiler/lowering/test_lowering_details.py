"""The traps of the design's section 4, by their numbers; each on whole extents and on windows."""

from __future__ import annotations

import re
from typing import ClassVar

import numpy as np
import pytest
from handmade import (
    FILL,
    FLOAT,
    ZERO,
    Made,
    assigned,
    band,
    call,
    computed,
    lines,
    lookup,
    run,
    runs,
    steps,
    steps_of,
    text,
    total,
    window,
)

import structarr
from structarr._compiler.ir.expr import Expr, Lit, Var
from structarr._compiler.ir.kernel import lines_of
from structarr._compiler.looplets.base import Looplet, function
from structarr._compiler.looplets.lookup import Lookup
from structarr._compiler.looplets.run import Run

WINDOWS = [(0, 9), (0, 4), (3, 9), (2, 7), (4, 4), (5, 6)]


def product(*made: Made) -> Expr:
    value = made[0].at()
    for one in made[1:]:
        value = call("multiply", value, one.at())
    return value


def summed(*made: Made) -> Expr:
    value = made[0].at()
    for one in made[1:]:
        value = call("add", value, one.at())
    return value


def check(value: Expr, want: np.ndarray, *made: Made, fmt: str = "dense") -> None:
    """The values over the whole extent and over windows."""
    n = len(want)
    np.testing.assert_array_equal(computed(*assigned(value, fmt), made, n), want)
    for lo, hi in WINDOWS:
        mask = window("w", lo, hi, n)
        program = assigned(call("multiply", mask.at(), value), fmt)
        np.testing.assert_array_equal(computed(*program, (mask, *made), n), want * mask.values)


def test_01_a_tie_of_priorities_is_an_error() -> None:
    class Other(Looplet):
        priority: ClassVar[int] = Run.priority

    value = call("add", run("a", 1.0, 3).at(), Made(Other(), np.zeros(3)).at())
    with pytest.raises(TypeError, match="same priority 50"):
        text(*total(value))


def test_02_fibers_may_be_empty() -> None:
    empty, full = steps("a", [], 9), steps("b", [1, 8], 9)
    check(product(empty, full), np.zeros(9), empty, full)
    check(summed(empty, full), full.values, empty, full)


@pytest.mark.parametrize("op", ["minimum", "maximum"])
def test_02_a_spikes_empty_body_updates_nothing(op: str) -> None:
    """Nothing lies between neighbours: their fill must not enter a minimum."""
    made = steps("a", list(range(9)), 9)
    start = np.inf if op == "minimum" else -np.inf
    stmt, out = total(made.at(), op, start)
    assert computed(stmt, out, (made,), 9) == getattr(made.values, op[:3])()


@pytest.mark.parametrize("n", [0, 1])
def test_02_extents_may_be_empty(n: int) -> None:
    made = runs("a", [n] * n, n), steps("b", list(range(n)), n)
    stmt, out = total(product(*made), "minimum", 5.0)
    assert computed(stmt, out, made, n) == min([5.0] + [1.0] * n)
    stmt, out = total(Made(Run(Var(FLOAT, "x")), np.zeros(n), {"x": np.inf}).at())
    assert computed(stmt, out, (Made(Run(ZERO), np.zeros(n), {"x": np.inf}),), n) == (
        np.inf if n else 0
    )


def test_03_seek_goes_forward_and_stays_in_the_fiber() -> None:
    made, other = steps("a", [0, 5], 9), band("b", 6, 3, 9)
    check(product(made, other), np.zeros(9), made, other)


def test_04_next_only_where_the_childs_own_stop_is_met() -> None:
    made = steps("a", [6], 9), runs("b", [2, 3, 5, 9], 9)
    check(product(*made), made[0].values * made[1].values, *made)


def test_05_a_spike_cut_short_is_a_run() -> None:
    made = steps("a", [3, 7], 9), runs("b", [4, 5, 9], 9)
    check(summed(*made), made[0].values + made[1].values, *made)


def test_06_one_stepper_tests_for_no_tail() -> None:
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
    ("band band band", 30, 140),
    ("list run band", 60, 160),
    ("list list band", 70, 170),
    ("list run run", 110, 150),
]


@pytest.mark.parametrize(("kinds", "most", "most_of_sum"), BUDGETS)
def test_06_three_way_kernels_stay_small(kinds: str, most: int, most_of_sum: int) -> None:
    made = [THREE[kind](name) for kind, name in zip(kinds.split(), "abd", strict=True)]
    values = [one.values for one in made]
    check(product(*made), np.prod(values, axis=0), *made)
    check(summed(*made), np.sum(values, axis=0), *made)
    found = [lines_of(lines(*total(value(*made)))) for value in (product, summed)]
    assert found[0] <= most, found
    assert found[1] <= most_of_sum, found


def test_07_phases_in_every_order() -> None:
    for start in (0, 3, 6):
        made = band("a", start, 2, 9), band("b", 3, 4, 9)
        check(summed(*made), made[0].values + made[1].values, *made)
        check(product(*made), made[0].values * made[1].values, *made)


def test_08_jumpers_skip_to_the_largest_stop() -> None:
    made = steps("a", [0, 1, 2, 3, 4, 8], 9, True), steps("b", [8], 9, True)
    check(product(*made), made[0].values * made[1].values, *made)
    assert steps_of(*total(product(*made)), made, 9) <= 2


def test_09_a_failed_proof_costs_an_if() -> None:
    made = window("a", 7, 3, 9), lookup("b", np.arange(9.0))  # the stops are out of order
    assert computed(*total(product(*made)), made, 9) == 0


def test_10_an_access_read_twice_is_unfurled_once() -> None:
    made = steps("a", [1, 4], 9)
    check(product(made, made), made.values**2, made)
    assert text(*total(product(made, made))).count("while") == 0


def test_11_what_is_bound_out_of_order_is_read_at_random() -> None:
    column = np.array([[0.0], [2.0], [0.0], [3.0]])  # its one entry a row is read in every column
    array = structarr.asarray(column).asformat("csr")
    product = array * np.arange(12.0).reshape(4, 3)
    np.testing.assert_array_equal(product.todense(), column * np.arange(12.0).reshape(4, 3))


def test_12_repeated_updates_keep_the_guard() -> None:
    for n in (0, 3):
        made = run("a", np.inf, n)
        assert computed(*total(made.at()), (made,), n) == (np.inf if n else 0)
        assert computed(*total(made.at(), "maximum", 1.0), (made,), n) == (np.inf if n else 1)


def test_13_scalars_with_a_meaning_are_known() -> None:
    zero = Made(Run(FILL), np.zeros(9))
    assert "for" not in text(*total(product(zero, lookup("b", np.zeros(0)))))
    assert "2.5" in text(*total(product(Made(Run(Lit(FLOAT, 2.5)), np.zeros(0)))))


def test_14_what_is_read_is_named_once() -> None:
    kernel = text(*total(product(steps("a", [], 0), steps("b", [], 0))))
    assert kernel.count("a_val[") == kernel.count("b_val[") == 1


def test_15_equal_stops_are_one_arm() -> None:
    """`p += stride == idx[p]` is not what comes out: the order of stops is analysed by cases."""
    kernel = text(*total(product(steps("a", [], 0), steps("b", [], 0))))
    assert "min(" not in kernel
    assert [kernel.count(word) for word in ("if b_i < a_i", "elif a_i < b_i")] == [1, 1]


def test_15_a_lagging_stepper_is_guarded() -> None:
    made = [steps("a", [6], 9), steps("b", [0, 1, 2, 3, 6], 9, weight=2), runs("d", [3, 9], 9)]
    check(product(*made), np.prod([one.values for one in made], axis=0), *made)


def test_15_locals_are_loaded_again_after_a_seek() -> None:
    made = runs("a", [2, 4, 6, 9], 9), band("b", 5, 3, 9)
    check(product(*made), made[0].values * made[1].values, *made)


def test_15_cursors_after_a_guarded_phase_are_unknown() -> None:
    made = steps("a", [0, 2, 5, 8], 9), band("b", 2, 0, 9)
    check(summed(*made), made[0].values + made[1].values, *made)


def test_15_a_run_that_crosses_the_end_is_clipped() -> None:
    made = runs("a", [9], 9), band("b", 0, 4, 9)
    stmt, out = total(product(*made))
    assert computed(stmt, out, made, 9) == 10
    check(product(*made), made[0].values * made[1].values, *made)


def test_15_an_exhausted_list_goes_on_past_the_end_in_unions() -> None:
    made = steps("a", [0], 9), steps("b", [3, 5, 8], 9)
    check(summed(*made), made[0].values + made[1].values, *made)
    assert text(*total(summed(*made))).count("while") == 1


def test_15_an_exhausted_list_ends_an_intersection() -> None:
    made = steps("a", [0], 9000), steps("b", list(range(9000)), 9000)
    assert steps_of(*total(product(*made)), made, 9000) == 1


def test_15_the_stepper_of_most_stops_is_tested_first() -> None:
    kernel = text(*total(product(steps("a", [], 0, weight=5), steps("b", [], 0))))
    assert kernel.index("if a_i < b_i") < kernel.index("elif b_i < a_i")


def test_15_a_jumper_leads_only_where_its_body_annihilates() -> None:
    made = steps("a", [1, 6], 9, True), steps("b", [2, 6], 9, True)
    check(summed(*made), made[0].values + made[1].values, *made)
    assert "search" not in text(*total(summed(*made)))


def test_15_runs_merge_and_the_first_close_is_dropped() -> None:
    ones = run("a", 1.0, 9)
    made = runs("b", [3, 6, 9], 9)
    value = call("minimum", made.at(), ones.at())
    check(value, np.minimum(made.values, 1), made, ones, fmt="rle")


def test_15_nan_equals_nan_in_runs() -> None:
    made = Made(Lookup(function("i", lambda i: Var(FLOAT, "x"))), np.full(4, np.nan), {"x": np.nan})
    np.testing.assert_array_equal(computed(*assigned(made.at(), "rle"), (made,), 4), made.values)


def test_15_a_list_ignores_its_fill() -> None:
    made = steps("a", [1, 4], 9), band("b", 4, 2, 9)
    check(product(*made), made[0].values * made[1].values, *made, fmt="list")


def test_16_reductions_are_kept_in_a_local() -> None:
    kernel = text(*total(product(steps("a", [], 0), lookup("b", np.zeros(0)))))
    assert kernel.count("C_val") == 2  # read before the loop, stored after it


def test_17_plain_lookups_are_one_loop() -> None:
    kernel = text(*assigned(product(lookup("a", np.zeros(0)), lookup("b", np.zeros(0)))))
    assert len(kernel.split("\n")) == 2


def test_17_the_innermost_loop_of_dense_arrays_is_vectorized() -> None:
    from structarr._compiler.build import compiled

    dense = structarr.asarray(np.ones((8, 9)))
    plan = structarr.explain(dense + dense * 2.0).plan
    assert plan is not None
    source, params = plan.kernel.source, plan.kernel.params
    signature = tuple(compiled._numba_type(param) for param in params)
    name = compiled.identify(source, params)
    dispatcher = compiled._in_memory(name, compiled._rename(source, name), signature)
    assert re.search(r"<\d+ x double>", dispatcher.inspect_llvm(signature))
