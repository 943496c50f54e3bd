"""Looplets alone, expanded to sequences: on whole extents, on windows, and coiterated."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from example_counts import examples
from handmade import (
    FILL,
    FLOAT,
    INDEX,
    Made,
    assigned,
    band,
    call,
    computed,
    counts,
    lookup,
    run,
    runs,
    steps,
    total,
    window,
)
from hypothesis import given, strategies as st

import structarr as sa
from structarr._compiler.ir.conditions import TRUE, eq
from structarr._compiler.ir.expr import Lit
from structarr._compiler.ir.variables import Var
from structarr._compiler.looplets.let import Simplify
from structarr._compiler.looplets.pipeline import Phase, Pipeline
from structarr._compiler.looplets.run import Run
from structarr._compiler.looplets.shift import Shift
from structarr._compiler.looplets.spike import Spike
from structarr._compiler.looplets.switch import Case, Switch

LENGTH = 8


def expand(made: Made, fmt: str = "dense") -> None:
    """Writing a looplet out gives its values."""
    n = len(made.values)
    stmt, out = assigned(made.at(), fmt)
    np.testing.assert_array_equal(computed(stmt, out, (made,), n), made.values)


def expand_window(made: Made, lo: int, hi: int, fmt: str = "dense") -> None:
    """So does writing a part of it, whose ends are known only at run time."""
    n = len(made.values)
    mask = window("w", lo, hi, n)
    stmt, out = assigned(call("multiply", mask.at(), made.at()), fmt)
    got = computed(stmt, out, (mask, made), n)
    np.testing.assert_array_equal(got, made.values * mask.values)


def pipeline(name: str, parts: list[Made], stops: list[int], n: int) -> Made:
    """Parts one after the other; the stops are known at run time only."""
    variables = [Var(INDEX, f"{name}_s{k}") for k in range(len(stops))]
    ends: list[Any] = [*variables, None]
    looplet = Pipeline(tuple(Phase(e, part.looplet) for e, part in zip(ends, parts, strict=True)))
    values = np.zeros(n)
    for lo, hi, part in zip([0, *stops], [*stops, n], parts, strict=True):
        values[lo:hi] = part.values[lo:hi]
    given = dict(zip([v.name for v in variables], stops, strict=True))
    return joined(looplet, values, parts, given)


def joined(looplet: Any, values: np.ndarray, parts: list[Made], given: dict[str, Any]) -> Made:
    for part in parts:
        given = given | part.given
    return Made(looplet, values, given, tuple(c for part in parts for c in part.cursors))


def shifted(made: Made, delta: int, n: int) -> Made:
    """The same `delta` later; zero before, and whatever was there before is cut off at n."""
    by, first = Var(INDEX, "delta"), Phase(Var(INDEX, "delta"), Run(FILL))
    looplet = Pipeline((first, Phase(None, Shift(by, made.looplet))))
    values = np.concatenate([np.zeros(delta), made.values])[:n]
    return joined(looplet, values, [made], {"delta": delta})


def switch(name: str, flag: int, left: Made, right: Made) -> Made:
    cond = eq(counts(f"{name}_flag")[0], 1)
    looplet = Switch((Case(cond, left.looplet), Case(TRUE, right.looplet)))
    given = {f"{name}_flag": np.array([flag])}
    return joined(looplet, (left if flag == 1 else right).values, [left, right], given)


def spike(name: str, last: int, n: int) -> Made:
    """Nothing up to `last`, a value there, nothing after."""
    end, tail = Var(INDEX, f"{name}_e"), Var(FLOAT, f"{name}_t")
    looplet = Pipeline((Phase(end, Spike(FILL, tail)), Phase(None, Run(FILL))))
    values = np.zeros(n)
    if n:
        values[last] = 7.0
    return Made(looplet, values, {end.name: min(last + 1, n), tail.name: 7.0})


@st.composite
def coordinates(draw: Any, n: int) -> list[int]:
    return sorted(draw(st.sets(st.integers(0, n - 1)))) if n else []


@st.composite
def ends(draw: Any, n: int) -> list[int]:
    return [*sorted(draw(st.sets(st.integers(1, n - 1)))), n] if n > 1 else [n] * (n > 0)


@st.composite
def simple(draw: Any, name: str, n: int) -> Made:
    """A looplet of one kind."""
    kind = draw(st.sampled_from(["lookup", "run", "steps", "jumps", "runs", "band", "spike"]))
    weight = draw(st.integers(0, 3))
    match kind:
        case "lookup":
            return lookup(name, np.arange(1.0, n + 1))
        case "run":
            return run(name, 3.0, n)
        case "steps" | "jumps":
            return steps(name, draw(coordinates(n)), n, kind == "jumps", weight)
        case "runs":
            return runs(name, draw(ends(n)), n, weight)
        case "band":
            start = draw(st.integers(0, n))
            return band(name, start, draw(st.integers(0, n - start)), n)
    return spike(name, draw(st.integers(0, max(n - 1, 0))), n)


@st.composite
def nests(draw: Any, name: str, n: int, depth: int = 2) -> Made:
    """Looplets within looplets."""
    if depth == 0:
        return draw(simple(name, n))
    kind = draw(st.sampled_from(["simple", "pipeline", "pipeline", "switch", "mark"]))
    if kind == "simple":
        return draw(simple(name, n))
    inner = [draw(nests(f"{name}{letter}", n, depth - 1)) for letter in "xy"]
    if kind == "pipeline":
        return pipeline(name, inner, [draw(st.integers(0, n))], n)
    if kind == "switch":
        return switch(name, draw(st.integers(0, 1)), *inner)
    return joined(Simplify(inner[0].looplet), inner[0].values, inner[:1], {})


def bounds() -> st.SearchStrategy[tuple[int, int]]:
    return st.tuples(st.integers(0, LENGTH), st.integers(0, LENGTH)).map(lambda b: tuple(sorted(b)))


KINDS = {
    "lookup": lookup("a", np.arange(1.0, 9)),
    "run": run("a", 3.0, 8),
    "steps": steps("a", [1, 2, 5], 8),
    "steps to the end": steps("a", [0, 7], 8),
    "no steps": steps("a", [], 8),
    "jumps": steps("a", [0, 4, 6], 8, leads=True),
    "runs": runs("a", [1, 4, 8], 8),
    "band": band("a", 2, 3, 8),
    "empty band": band("a", 4, 0, 8),
    "spike": spike("a", 4, 8),
    "shifted list": shifted(steps("a", [0, 3, 6, 7], 8), 2, 8),
    "shifted runs": shifted(runs("a", [3, 8], 8), 3, 8),
    "lists in turn": pipeline("p", [steps("a", [1, 3], 8), steps("b", [2, 5, 7], 8)], [3], 8),
    "switch": switch("s", 1, steps("a", [1], 8), runs("b", [8], 8)),
    "other switch": switch("s", 0, steps("a", [1], 8), runs("b", [8], 8)),
}
FORMATS = ("dense", "list", "rle", "band")


@pytest.mark.parametrize("fmt", FORMATS)
@pytest.mark.parametrize("kind", KINDS)
def test_expanded(kind: str, fmt: str) -> None:
    expand(KINDS[kind], fmt)


@pytest.mark.parametrize("bound", [(0, 0), (0, 8), (0, 3), (3, 8), (2, 5), (4, 5), (5, 5), (8, 8)])
@pytest.mark.parametrize("kind", KINDS)
def test_windows(kind: str, bound: tuple[int, int]) -> None:
    expand_window(KINDS[kind], *bound)


@pytest.mark.parametrize("n", [0, 1])
def test_the_shortest_extents(n: int) -> None:
    for made in (lookup("a", np.ones(n)), run("a", 3.0, n), steps("a", list(range(n)), n)):
        expand(made)
    expand(runs("a", [1] * n, n))
    expand(band("a", 0, n, n))


@examples(0.4)
@given(nests("a", LENGTH), bounds(), st.sampled_from(FORMATS))
def test_nests(made: Made, bound: tuple[int, int], fmt: str) -> None:
    expand(made, fmt)
    expand_window(made, *bound, fmt)


@examples(0.4)
@given(nests("a", LENGTH, 1), st.integers(0, LENGTH), bounds())
def test_shifted_nests(made: Made, delta: int, bound: tuple[int, int]) -> None:
    moved = shifted(made, delta, LENGTH)
    expand(moved)
    expand_window(moved, *bound)


@examples(0.6)
@given(
    nests("a", LENGTH, 1),
    nests("b", LENGTH, 1),
    st.sampled_from(["add", "multiply", "minimum", "maximum", "subtract"]),
    st.sampled_from(FORMATS),
    bounds(),
)
def test_two_nests_coiterated(
    left: Made, right: Made, op: str, fmt: str, bound: tuple[int, int]
) -> None:
    mask = window("w", *bound, LENGTH)
    want = getattr(np, op)(left.values, right.values)
    stmt, out = assigned(call(op, left.at(), right.at()), fmt)
    np.testing.assert_array_equal(computed(stmt, out, (left, right), LENGTH), want)
    stmt, out = assigned(call("multiply", mask.at(), call(op, left.at(), right.at())), fmt)
    got = computed(stmt, out, (mask, left, right), LENGTH)
    np.testing.assert_array_equal(got, want * mask.values)


@given(st.data())
def test_three_steppers_coiterated(data: st.DataObject) -> None:
    made = [data.draw(simple(name, LENGTH)) for name in "abd"]  # c is the output
    inner, outer = (data.draw(st.sampled_from(["add", "multiply", "maximum"])) for _ in range(2))
    value = call(outer, call(inner, made[0].at(), made[1].at()), made[2].at())
    want = getattr(np, inner)(made[0].values, made[1].values)
    want = getattr(np, outer)(want, made[2].values)
    stmt, out = assigned(value, data.draw(st.sampled_from(FORMATS)))
    np.testing.assert_array_equal(computed(stmt, out, tuple(made), LENGTH), want)


REDUCTIONS = [("add", np.sum, 0.0), ("multiply", np.prod, 1.0), ("minimum", np.min, np.inf)]


@examples(0.4)
@given(nests("a", LENGTH, 1), nests("b", LENGTH, 1), st.sampled_from(REDUCTIONS), bounds())
def test_reductions(
    left: Made, right: Made, reduction: tuple[str, Any, float], bound: tuple[int, int]
) -> None:
    op, fn, start = reduction
    mask = window("w", *bound, LENGTH)
    value = call("multiply", mask.at(), call("multiply", left.at(), right.at()))
    stmt, out = total(value, op, start)
    got = computed(stmt, out, (mask, left, right), LENGTH)
    np.testing.assert_array_equal(got, fn(mask.values * left.values * right.values))


def test_a_constant_that_is_known_needs_no_loop() -> None:
    stmt, out = total(Made(Run(Lit(FLOAT, 2.0)), np.full(5, 2.0)).at())
    assert computed(stmt, out, (), 5) == 10


def test_a_loop_over_no_index_is_left_out() -> None:
    # Between the point and an entry of the list at the same place there is nothing.
    dense = np.array([0.0, 3.0, 0.0, 1.0, 0.0])
    point = sa.asarray(np.array([0.0, 3.0, 0.0, 0.0, 0.0]), format="point")
    mask, entries = (
        sa.asarray(dense, format="bitmap"),
        sa.asarray(dense[::-1].copy(), format="list"),
    )
    found = np.where(np.where(point, 0.0, mask + dense), 1.0, entries).asformat("packbits")
    np.testing.assert_array_equal(found.todense(), [0.0, 1.0, 0.0, 1.0, 0.0])
