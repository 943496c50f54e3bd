"""Threads that plan the same expression at once take one plan."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, BrokenBarrierError
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._execute import program_choice
from structarr._testing.fuzz.pieces import in_pieces


def test_a_plan_that_another_thread_has_made_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a plan's program is cut into is found by the plan."""
    lower, both = program_choice.compile_program, Barrier(2)

    def lowered(*given: Any) -> Any:
        try:
            both.wait(2.0)
        except BrokenBarrierError:
            both.reset()
        return lower(*given)

    monkeypatch.setattr(program_choice, "compile_program", lowered)
    dense = np.tri(30) * np.arange(30)
    a = sa.asarray(dense, format="vbl")

    def made(_: int) -> Any:
        with sa.options(threads=1, tier="compiled"):
            return np.asarray((a * 3.0 + a[:, ::-1]).max(axis=1))

    sa.clear_cache()
    with in_pieces(), ThreadPoolExecutor(2) as pool:
        for found in pool.map(made, range(2)):
            np.testing.assert_array_equal(found, (dense * 3 + dense[:, ::-1]).max(axis=1))
