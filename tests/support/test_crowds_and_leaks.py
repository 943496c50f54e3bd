"""Threads at the same arrays, and what is left of many calls."""

from __future__ import annotations

import pytest

import structarr as sa
from structarr._testing.crowds import crowded
from structarr._testing.leaks import MEBIBYTES, OBJECTS, grows


def test_threads_at_the_same_arrays_get_what_numpy_has() -> None:
    assert crowded(6, 10) == []


def test_a_thread_that_changes_an_array_for_others_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sa.Array, "copy", lambda self: self)
    assert crowded(2, 40)


def test_nothing_is_left_of_calls_that_are_over(monkeypatch: pytest.MonkeyPatch) -> None:
    calls, (objects, mebibytes, held) = grows(1200, 60.0)
    assert calls == 1200
    assert objects < OBJECTS
    assert mebibytes < MEBIBYTES
    assert held <= 0
    kept = []
    compute = sa.Array.compute
    monkeypatch.setattr(sa.Array, "compute", lambda self: kept.append([[], []]) or compute(self))
    assert grows(4000, 60.0)[1][0] > OBJECTS
