"""Results that take runs, and what they leave out."""

from __future__ import annotations

import numpy as np
from handmade import (
    FLOAT,
    ZERO,
    I,
    Made,
    N,
    assigned,
    band,
    call,
    check_windows,
    computed,
    output,
    product,
    run,
    runs,
    steps,
    text,
)

from structarr._compiler.ir.cin import Access, Assign, Loop
from structarr._compiler.ir.ops import OPS
from structarr._compiler.ir.variables import Var
from structarr._compiler.looplets.base import function
from structarr._compiler.looplets.lookup import Lookup


def test_runs_merge_and_the_first_close_is_dropped() -> None:
    ones = run("a", 1.0, 9)
    made = runs("b", [3, 6, 9], 9)
    value = call("minimum", made.at(), ones.at())
    check_windows(value, np.minimum(made.values, 1), made, ones, fmt="rle")


def test_nan_equals_nan_in_runs() -> None:
    made = Made(Lookup(function("i", lambda i: Var(FLOAT, "x"))), np.full(4, np.nan), {"x": np.nan})
    np.testing.assert_array_equal(computed(*assigned(made.at(), "rle"), (made,), 4), made.values)


def test_a_list_ignores_its_fill() -> None:
    made = steps("a", [1, 4], 9), band("b", 4, 2, 9)
    check_windows(product(*made), made[0].values * made[1].values, *made, fmt="list")


def test_no_run_is_closed_where_the_first_begins() -> None:
    made = band("a", 4, 2, 9)
    kernel = text(*assigned(made.at(), "rle"))
    assert "C0_stop[u(C0_n)] = C0_" not in kernel and "int64(False)" not in kernel
    check_windows(made.at(), made.values, made, fmt="rle")


def test_runs_that_are_updated_begin_with_their_start() -> None:
    made, out = runs("a", [3, 6, 9], 9), output("rle", start=2.0)
    stmt = Loop(I, ZERO, N, Assign(Access(FLOAT, out, (I,)), OPS["add"], made.at()))
    np.testing.assert_array_equal(computed(stmt, out, (made,), 9), made.values + 2)
