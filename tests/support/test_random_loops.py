"""Random programs of loops: made again from their numbers, right, told when wrong, made small."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._execute.program_choice import Call
from structarr._storage.dense import from_dense
from structarr._testing.forcing import witnessed
from structarr._testing.fuzz.case import Case, Refused, Settings, Wrong
from structarr._testing.fuzz.loops.case import Loops, OfFunction, OneLine
from structarr._testing.fuzz.loops.plain import results_of
from structarr._testing.fuzz.loops.program import generate, random_function
from structarr._testing.fuzz.loops.semirings import OfSemiring
from structarr._testing.fuzz.outcome import outcome
from structarr._testing.fuzz.shrink import shrunk
from structarr._testing.oracle.beside import Beside


def made(number: int) -> Loops:
    settings = Settings(number=number, compiled=0.0)
    case = generate(np.random.default_rng([0, number]), settings)
    assert isinstance(case, Loops)
    return case


def test_a_number_makes_the_same_program_again() -> None:
    assert [made(k).source() for k in range(20)] == [made(k).source() for k in range(20)]


def test_there_are_programs_of_all_kinds() -> None:
    kinds = {type(made(k)) for k in range(60)}
    assert kinds == {OfFunction, OneLine, OfSemiring}


@pytest.mark.parametrize("number", range(5))
def test_the_text_of_a_program_runs_by_itself(number: int) -> None:
    case = made(number)
    try:
        case.check()
    except Refused:
        return
    names: dict[str, Any] = {}
    with np.errstate(all="ignore"):
        exec(case.source(), names)
    want = names["want"]
    if want.dtype != object:  # of a semiring, where nothing is added up
        np.testing.assert_allclose(names["got"], want)


def test_a_kernel_that_is_wrong_is_told() -> None:
    calls: list[Call] = []
    with sa.options(tier="interpreted"), witnessed(calls.append):
        a = sa.asarray([[1.0, 0.0], [0.0, 3.0]], format="csr").compute()
        calls.clear()
        (a * 2 + a).compute()
    Beside()(calls[-1])
    for wrong in ([[3.0, 0.0], [0.0, 8.0]], [[3.0, 0.0, 0.0], [0.0, 9.0, 0.0]]):
        bad = calls[-1]._replace(results=(from_dense(np.array(wrong)),))
        with pytest.raises(AssertionError, match="kernel of this program gives"):
            Beside()(bad)


def functions() -> Iterator[OfFunction]:
    for seed in range(200):
        case = random_function(np.random.default_rng(seed), False)
        if isinstance(case, OfFunction):
            yield case


def test_what_fails_is_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Down to the lines that it takes, and their operands."""

    def check(case: OfFunction) -> None:
        case._wanted()
        if "max(" in case.text:
            raise Wrong("too much")

    case: Case = next(one for one in functions() if one.text.count("max(") and len(one.text) > 500)
    monkeypatch.setattr(OfFunction, "check", check)
    small = shrunk(case, outcome(case), seconds=20.0)
    assert isinstance(small, OfFunction)
    assert "max(" in small.text and len(small.text.splitlines()) <= 5
    assert len(small.arguments) <= 1


def test_what_is_left_is_still_a_program() -> None:
    case = next(functions())
    for one in case.simpler():
        assert isinstance(one, OfFunction)
        compile(one.text, "program", "exec")


def test_booleans_are_counted_as_numpy_sums_them() -> None:
    text = """
def program(x, y):
    total = False
    for i in range(len(x)):
        total += x[i] != 0
        y[0] += x[i] != 0
    return total, y
"""
    total, kept = results_of(text, {"x": np.array([1, 0, 2]), "y": np.zeros(1, bool)})
    assert total == 2 and kept.dtype == bool and kept.tolist() == [True]
