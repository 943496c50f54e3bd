"""Interpreted programs over runs that take long are stopped, and made anew compiled."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np
import pytest
from stopped_calls import Stop, stopping

import structarr as sa
from structarr._compiler.backend.kernel import Kernel
from structarr._compiler.backend.python.target import PYTHON
from structarr._compiler.backend.python.turns import turned

TIMES = 40


@sa.kernel
def often(rows: Any, totals: Any, times: int) -> None:
    """Far more steps than runs; `turns` is a name as any other."""
    for i in range(rows.shape[0]):
        for start, stop, _value in sa.runs(rows[i]):
            for k in range(start, stop):
                turns = 0
                while turns < times:
                    totals[i, k] += 1
                    turns += 1


@sa.kernel
def copied(rows: Any, totals: Any, times: int) -> Any:
    """The same with a result of runs, and calls of a function."""
    found = sa.zeros(rows.shape, dtype=np.int64)
    for i in range(rows.shape[0]):
        for start, stop, value in sa.runs(rows[i]):
            for _k in range(times):
                _add(totals, i, stop - start)
            found[i, start:stop] = value + 1
    return found


def _add(totals: Any, i: Any, n: Any) -> None:
    for k in range(n):
        totals[i, k] += 1


@sa.kernel
def counted(rows: Any, times: int) -> Any:
    """The same without anything that is written."""
    count = 0
    for i in range(rows.shape[0]):
        for start, stop, _value in sa.runs(rows[i]):
            for _k in range((stop - start) * times):
                count += 1
    return count


@pytest.fixture
def stop(monkeypatch: pytest.MonkeyPatch) -> Stop:
    """Calls that are stopped, of kernels over runs."""

    def build(one: Kernel, made: list[str]) -> Any:
        if one.source.startswith("def over_runs"):  # others may be compiled behind
            made.append(one.source)
        return PYTHON.build_text(one.source, one.params)  # which nothing stops

    return stopping(monkeypatch, build)


def page() -> tuple[Any, Any]:
    values = np.zeros((6, 60), np.int64)
    values[:, 3:50] = 2
    values[4] = 0
    with sa.options(tier="interpreted"):
        return sa.asarray(values, format="sparse-rle").compute(), values


@pytest.mark.parametrize("looks", [1, 2, 100, 1000])
def test_elements_are_written_once(looks: int, stop: Stop) -> None:
    rows, values = page()
    before = np.arange(360).reshape(6, 60)
    totals = before.copy()
    made = stop(looks)
    with sa.options(tier="auto"):
        run = sa.kernel(often.py_func)
        for k in range(1, 4):
            run(rows, totals, TIMES)
            np.testing.assert_array_equal(totals, before + k * TIMES * (values != 0))
    assert len(made) == 1


@pytest.mark.parametrize("looks", [1, 2, 100, 1000])
def test_results_begin_anew(looks: int, stop: Stop) -> None:
    rows, values = page()
    totals = np.zeros((6, 60), np.int64)
    made = stop(looks)
    with sa.options(tier="auto"):
        run = sa.kernel(copied.py_func)
        for k in range(1, 4):
            found = run(rows, totals, TIMES)
            with sa.options(tier="interpreted"):
                np.testing.assert_array_equal(found.todense(), np.where(values, values + 1, 0))
            assert totals.sum() == k * TIMES * 5 * 47
    assert len(made) == 1


def test_numbers_are_counted_anew(stop: Stop) -> None:
    rows, values = page()
    made = stop(5)
    with sa.options(tier="auto"):
        assert sa.kernel(counted.py_func)(rows, TIMES) == TIMES * np.count_nonzero(values)
    assert len(made) == 1


@pytest.mark.parametrize("program", [often, counted])
def test_a_repeated_call_is_stopped(program: Any, stop: Stop) -> None:
    """Calls that were short before, and have a function of their own."""
    rows, values = page()
    args = (np.zeros((6, 60), np.int64),) if program is often else ()
    made = stop(10**9)
    run = sa.kernel(program.py_func)
    with sa.options(tier="auto"):
        for _ in range(4):
            run(rows, *args, 0)
        assert not made
    made = stop(100)
    with sa.options(tier="auto"):
        found = run(rows, *args, TIMES)
    wanted = TIMES * (values != 0)
    np.testing.assert_array_equal(args[0] if args else found, wanted if args else wanted.sum())
    assert len(made) == 1


def test_names_of_turns_are_free() -> None:
    text = "def f(turns):\n    for turn in range(turns):\n        g(turn)\ndef g(n):\n    return n"
    assert ast.unparse(turned(text)).split("\n") == [
        "def f(turns_, turns):",
        "    for turn, turn_ in zip(range(turns), turns_):",
        "        g(turns_, turn)",
        "",
        "def g(turns_, n):",
        "    return n",
    ]
