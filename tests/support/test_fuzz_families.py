"""The families of `jit`, histories and moving slices; programs varied by what they reach."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

import structarr as sa
from structarr._lazy.rewrite import known_values
from structarr._scheduler import split_sums
from structarr._testing.fuzz import guide, histories, jitted, moving, reach, sharing
from structarr._testing.fuzz.case import Settings, Wrong
from structarr._testing.fuzz.families import numbered
from structarr._testing.fuzz.operands import Operand
from structarr._testing.fuzz.outcome import outcome
from structarr._testing.fuzz.program import Program
from structarr._testing.fuzz.step import Result, Step
from structarr._testing.fuzz.tally import Tally
from structarr._testing.fuzz.thresholds import for_few
from structarr.formats import parse


@pytest.mark.parametrize("family", ["jit", "histories", "moving", "sharing", "formulas"])
@pytest.mark.parametrize("block", range(2))
def test_programs_of_a_seed(family: str, block: int) -> None:
    settings = Settings(seed=28, families=(family,), compiled=0.0, threads=0.0, steps=4)
    for number in range(block * 6, block * 6 + 6):
        found = outcome(numbered(settings, number))
        assert not found.failed, f"{number}: {found.message}"


def vector(name: str, values: list[float]) -> Operand:
    return Operand(name, np.array(values), "ours", parse("list", 1), np.float64(0))


def test_functions_under_jit_are_compared_at_each_call(monkeypatch: pytest.MonkeyPatch) -> None:
    """A replay that gives the first call's result is seen."""
    operands = (vector("a0", [0.0, 1.0, 0.0, 2.0]),)
    steps = (Step("t0", "t0 = a0 * 2", "multiply"),)
    case = jitted.Jitted(operands, steps, (Result("t0"),), calls=("same", "float32", "mapped"))
    other = replace(case, rounds=((np.array([3.0, 0.0, 0.0, 0.0]),),))
    other.check()

    def once(function):
        kept = []

        def called(**given):
            kept.append(kept[0] if kept else function(**given))
            return kept[0]

        return called

    monkeypatch.setattr(sa, "jit", once)
    with pytest.raises(Wrong):
        replace(other).check()


def test_functions_without_results_are_called() -> None:
    steps = (Step("t0", "t0 = a0 * 2", "multiply"),)
    jitted.Jitted((vector("a0", [0.0, 1.0]),), steps, (), calls=("same",)).check()


def test_histories_see_an_array_that_changes_with_another(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ("v1 = v0 * 1", "v0[1] = 5")
    case = histories.History((vector("v0", [0.0, 1.0, 2.0]),), lines, {"tier": "interpreted"})
    case.check()
    monkeypatch.setattr(sa.Array, "__mul__", lambda self, other: self)
    with pytest.raises(Wrong, match="element"):
        case.check()


def test_calls_with_other_starts_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """A replay that keeps the first call's starts is seen; what NumPy refuses has to be refused."""
    operands = (vector("a0", [0.0, 1.0, 0.0, 2.0, 3.0]),)
    lines = ("t0 = a0 * 2", "t1 = t0[s0:s0 + n0]", "t2 = t1[s1]")
    first = {"s0": 1, "s1": 0, "s2": 1, "n0": 3, "n1": 1}
    calls = (first, first | {"s0": 2}, first | {"s1": 3}, first | {"s1": 1})
    case = moving.Moving(operands, lines, calls, {"tier": "interpreted"})
    case.check()
    names: dict[str, object] = {"np": np}
    exec(replace(case, calls=calls[:2]).source(), names)
    np.testing.assert_array_equal(names["got"], names["want"])
    fewer = [one.lines for one in case.simpler() if isinstance(one, moving.Moving)]
    assert lines[:2] in fewer and lines[1:] not in fewer
    real = sa.Array.__getitem__
    monkeypatch.setattr(sa.Array, "__getitem__", lambda self, key: real(self, slice(1, 4)))
    with pytest.raises(Wrong, match="call 0"):
        case.check()


def test_varied_programs_are_right_and_differ() -> None:
    settings = Settings(seed=3, compiled=0.0, threads=0.0, steps=3)
    rng = np.random.default_rng(5)
    sources = set()
    for number in range(6):
        case = guide.varied(numbered(settings, number), rng)
        found = outcome(case)
        assert not found.failed, found.message
        sources |= {case.source(), numbered(settings, number).source()}
        assert isinstance(case, Program) or case.operations is not None
    assert len(sources) > 9


def test_arms_that_nothing_took_are_told_with_their_first_lines() -> None:
    whole = [*reach.unreached({})]
    assert len(whole) > 100
    name = "_scheduler/whole_sums.py"
    lines = {*range(1, 200)}
    assert any(one.startswith(name) for one in whole)
    assert not any(one.startswith(name) for one in reach.unreached({name: lines}))


def test_a_run_that_is_resumed_knows_the_lines_of_before() -> None:
    before = Tally(programs=2, reached={"_scheduler/plan.py": {3, 5}})
    after = Tally(programs=1, reached={"_scheduler/plan.py": {7}})
    after.add(Tally.of(json.loads(json.dumps(before.counts()))))
    assert (after.programs, after.reached) == (3, {"_scheduler/plan.py": {3, 5, 7}})


def test_lines_are_new_once() -> None:
    pytest.importorskip("coverage")
    own = numbered(Settings(seed=4, compiled=0.0, steps=2), 1)
    guided = guide.Guide()
    sa.clear_cache()
    try:
        outcome(own)
        assert guided.ran(own)
        assert not guided.reach.look()
    finally:
        guided.reach.stop()


def test_parts_that_are_shared_see_one_taken_for_another(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [
        line.format(turn=turn, place=place)
        for turn, place in enumerate((0, 0, 1))
        for line in (
            "c{turn} = np.cumsum(x0)",
            "s{turn} = c{turn}[{place}] * c{turn}",
            "looked_at(s{turn})",
        )
    ]
    options = {"tier": "interpreted"}
    given = Operand("x0", np.array([1.0, 0.0, 2.0]), "raw")
    case = sharing.Sharing((given,), tuple(lines), 2, "plain", options)
    sa.clear_cache()
    case.check()
    sa.clear_cache()
    monkeypatch.setattr(known_values, "_has_own", lambda node: False)
    with pytest.raises(Wrong, match="s2"):
        case.check()
    sa.clear_cache()  # of what was made so


@pytest.mark.parametrize("way", ["jit", "threads", "pieces", "eager"])
def test_parts_are_shared_in_each_way(way: str) -> None:
    lines = ("v0 = x0 @ x0", "v1 = v0 * x0", "v2 = v1 + v0", "v1 = np.clip(v1, -2, 2)", "v3 = v1")
    options = {"tier": "interpreted", **({"eager": True} if way == "eager" else {})}
    sharing.Sharing((vector("x0", [1.0, 0.0, 2.0]),), lines, 3, way, options).check()


def test_plans_for_many_elements_are_made_for_few() -> None:
    kept = split_sums.GAIN
    a = sa.asarray(np.eye(4), format="csr")
    with sa.options(tier="interpreted"):
        node = ((a - np.ones(4)) @ np.ones((4, 2)))._node
        with for_few():
            found = split_sums.split(node, lambda one: True)
            assert found is not None
        assert split_sums.split(node, lambda one: True) is None
    assert kept == split_sums.GAIN
