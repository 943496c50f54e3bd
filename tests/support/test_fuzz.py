"""The fuzzer: its corpus, a few programs, and that it finds, shrinks and replays what is wrong."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._array import FUNCTIONS
from structarr._support import buffer_pool
from structarr._testing.fuzz import corpus, driver
from structarr._testing.fuzz.case import Settings, Wrong
from structarr._testing.fuzz.compare import same
from structarr._testing.fuzz.expressions import STEPS
from structarr._testing.fuzz.families import numbered
from structarr._testing.fuzz.memory import dirtied
from structarr._testing.fuzz.operands import random_operand, spelled
from structarr._testing.fuzz.outcome import outcome
from structarr._testing.fuzz.program import Program
from structarr._testing.fuzz.shrink import shrunk
from structarr._testing.fuzz.snippet import Snippet
from structarr._testing.fuzz.step import Result, Step
from structarr._testing.fuzz.worker import Task
from structarr.testing.__main__ import main

FEW = Settings(seed=2, families=("numpy",), compiled=0.0, steps=3)

DRAWN = Settings(seed=3, families=("numpy",))


@pytest.mark.parametrize("entry", corpus.entries(), ids=lambda entry: entry.name)
def test_past_finds(entry: Snippet) -> None:
    entry.check()


def check(settings: Settings, start: int, stop: int) -> None:
    for number in range(start, stop):
        result = outcome(numbered(settings, number))
        assert not result.failed, f"{settings.seed}:{number} {result.message}"


@pytest.mark.parametrize("block", range(4))
def test_programs_of_a_seed(block: int) -> None:
    check(FEW, block * 8, block * 8 + 8)


@pytest.mark.long
@pytest.mark.parametrize("block", range(40))
def test_programs_at_length(block: int) -> None:
    check(Settings(seed=5), block * 50, block * 50 + 50)


def test_a_number_gives_the_same_program_again() -> None:
    numbers = range(40)
    once = [numbered(FEW, number).source() for number in numbers]
    assert once == [numbered(FEW, number).source() for number in reversed(numbers)][::-1]
    assert len({*once}) > 35


def test_sources_run_by_themselves() -> None:
    for number in range(12):
        case = numbered(FEW, number)
        assert isinstance(case, Program)
        if any(one.format is not None for one in case.results) or outcome(case).kind != "right":
            continue
        names: dict[str, Any] = {"print": lambda value: None}
        with np.errstate(all="ignore"):
            exec(case.source(), names)
        assert names["got"].shape == names["want"].shape


def test_every_kind_of_step_is_drawn() -> None:
    drawn = {op for number in range(400) for op in numbered(DRAWN, number).operations}
    assert {*STEPS} <= drawn


def wrong_program() -> Program:
    """A program of several steps, of which one flips."""
    rng = np.random.default_rng(0)
    operands = tuple(random_operand(rng, f"a{k}", (4, 3), dtype="float64") for k in range(2))
    steps = (
        Step("t0", "t0 = a0 + a1", "binary"),
        Step("t1", "t1 = np.flip(t0, 0)", "flip"),
        Step("t2", "t2 = t1 * 2", "binary"),
        Step("t3", "t3 = np.sum(t2, axis=1)", "reduce"),
    )
    return Program(operands, steps, (Result("t3"),), {"tier": "interpreted"})


def test_a_wrong_operator_is_found_and_shrunk(monkeypatch: pytest.MonkeyPatch) -> None:
    assert outcome(wrong_program()).kind == "right"
    monkeypatch.setitem(FUNCTIONS, np.flip, lambda array, axis=None: array + 0)
    found = outcome(wrong_program())
    assert found.group == "wrong: binary flip reduce"
    small = shrunk(wrong_program(), found)
    assert isinstance(small, Program)
    assert [step.op for step in small.steps] == ["flip"]
    assert sum(one.data.size for one in small.operands) <= 6
    assert outcome(small).failed
    with pytest.raises(Wrong):
        Snippet("small", small.source().replace("print(", "str(")).check()


def test_an_internal_error_is_grouped_by_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(array: Any, axis: Any = None) -> Any:
        return sa.concat(array.nothing)

    monkeypatch.setitem(FUNCTIONS, np.flip, broken)
    assert outcome(wrong_program()).group.startswith("AttributeError at ")


def test_what_numpy_refuses_has_to_be_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    program = wrong_program()
    bad = Program(program.operands, (Step("t0", "t0 = np.flip(a0, 7)", "flip"),), (), {})
    assert outcome(bad).kind == "right"
    monkeypatch.setitem(FUNCTIONS, np.flip, lambda array, axis=None: array)
    assert outcome(bad).group == "wrong: flip"


@pytest.mark.parametrize(
    ("got", "want"),
    [
        (np.array([1, 2]), np.array([1, 3])),
        (np.array([1.0]), np.array([1.0 + 1e-15])),
        (np.array([np.nan]), np.array([0.0])),
        (np.array([1], np.int32), np.array([1])),
        (np.zeros(2), np.zeros((2, 1))),
    ],
)
def test_differences_count(got: Any, want: Any) -> None:
    with pytest.raises(Wrong):
        same(got, want, twins=lambda: [want, want])


def test_sums_may_round_otherwise_and_no_more() -> None:
    want = np.array([1.0])
    same(want + 1e-15, want, twins=lambda: [want + 4e-16])
    with pytest.raises(Wrong):
        same(want + 1e-12, want, twins=lambda: [want + 4e-16])


def test_elements_are_spelled_as_they_are() -> None:
    rng = np.random.default_rng(1)
    names = {"np": np, "nan": np.nan, "inf": np.inf, "put": put}
    for _ in range(60):
        data = random_operand(rng, "a0", (3, 40) if rng.random() < 0.3 else (2, 3), odd=True).data
        again = eval(spelled(data), names)
        assert (again.dtype, again.shape, again.tobytes()) == (
            data.dtype,
            data.shape,
            np.ascontiguousarray(data).tobytes(),
        )


def put(array: Any, places: Any, values: Any) -> Any:
    np.put(array, places, values)
    return array


PLANTED = """
import os
from structarr._testing.fuzz.case import Case, Refused, Wrong

class Planted(Case):
    def __init__(self, number):
        self.number = number
    operations = ("planted",)
    def source(self):
        return f"planted({self.number})"
    def check(self):
        if self.number == 3:
            os._exit(7)
        if self.number in (5, 6):
            raise Wrong("planted")
        if self.number == 7:
            raise Refused("planted 7")
        while self.number == 10:
            pass
    def simpler(self):
        if self.number == 6:
            yield Planted(5)

def generate(rng, settings):
    return Planted(settings.number)
"""


def test_a_run_survives_crashes_and_is_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "planted_family.py").write_text(PLANTED, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    out, log = tmp_path / "found", tmp_path / "log"
    words = ["fuzz", "--no-corpus", "--families", "planted_family", "--out", str(out)]
    assert main([*words, "--log", str(log), "--programs", "10"]) == 1
    said = capsys.readouterr().out
    assert "10 programs, 9 operations, 1 refused, 3 failed in 2 groups" in said
    assert "planted(5)" in said and "exit code 7" in said and "--replay 0:3" in said
    assert len([*out.glob("*.py")]) == 2
    assert main([*words, "--log", str(log), "--programs", "10"]) == 1
    assert main([*words, "--replay", "0:4"]) == 0
    assert main([*words, "--replay", "0:5"]) == 1


def test_buffers_that_are_not_written_show() -> None:
    with dirtied():
        assert buffer_pool.empty(3, np.dtype("float32")).tolist() == [99.0] * 3
        large = buffer_pool.empty(buffer_pool.LEAST, np.dtype("int64"))
        assert (large == 99).all()


def test_what_is_stuck_says_where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "stuck_family.py").write_text(PLANTED, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    settings = Settings(families=("stuck_family",))
    one = driver._started(str(tmp_path))
    try:
        one.give(Task(settings, 9, 11, shrinking=0, limit=0, grace=0.1))
        while one.clock[0] < 10 or not driver._stuck(one):
            time.sleep(0.05)
        (find,), rest = driver._died(one)[0].finds, driver._died(one)[1]
    finally:
        one.end()
    assert find.number == 10
    assert find.group.startswith("crash: stuck")
    assert "stuck_family.py" in find.message
    assert [(task.start, task.stop) for task in rest] == [(9, 10)]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no file tells of work")
def test_work_of_a_process_is_told() -> None:
    begun, own = driver.worked(os.getpid()), time.process_time()
    while time.process_time() < own + 0.2:
        pass
    assert 0.1 < driver.worked(os.getpid()) - begun <= time.process_time() - own + 0.1


def test_words_that_are_not_understood(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fuzz", "--families", "nothing"]) == 2
    assert main([]) == 2
    assert "fuzz" in capsys.readouterr().err
