"""Interpreted calls that leave the interpreter to the compilation behind them."""

from __future__ import annotations

import threading
from time import perf_counter

import numpy as np
import pytest

import structarr as sa
from structarr._compiler.backend import behind, compile_time, kernel


def test_it_ends_with_what_is_done_behind() -> None:
    begun, go_on = threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        go_on.wait()

    behind.settle()
    behind.later(work)
    begun.wait()
    behind.give_way(0.001)  # which goes on
    threading.Timer(0.05, go_on.set).start()
    start = perf_counter()
    behind.give_way(60.0)
    assert perf_counter() - start < 50
    behind.settle()
    behind.give_way(60.0)  # for nothing


def test_interpreted_calls_wait_no_longer_than_they_took(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float] = []
    monkeypatch.setattr(behind, "give_way", asked.append)
    monkeypatch.setattr(behind, "later", lambda work: None)
    monkeypatch.setattr(compile_time, "to_compile", lambda lines, numba: 1e9)
    a = sa.asarray(np.eye(7) * np.arange(7.0), format="csr")
    with sa.options(tier="auto"):
        for _ in range(3):
            (a + 2 * a - a.T).compute()
    assert asked
    assert all(0 <= one <= kernel.WAIT for one in asked)
    asked.clear()
    with sa.options(tier="interpreted"):
        (a + 3 * a - a.T * a).compute()
    assert not asked
