"""Properties that are computed at the first look, in several threads at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np

import structarr as sa
from structarr._execute.plan import Plan
from structarr._support.once import once


class _Asked:
    def __init__(self, both: Barrier) -> None:
        self.both, self.count = both, 0

    @once
    def value(self) -> int:
        """Some number."""
        self.count += 1
        self.both.wait(30)
        return self.count


def test_threads_that_ask_different_ones_wait_for_nobody() -> None:
    both = Barrier(2)
    asked = [_Asked(both), _Asked(both)]
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(lambda one: one.value, asked)) == [1, 1]
    assert [(one.value, one.count) for one in asked] == [(1, 1), (1, 1)]


def test_threads_that_ask_the_same_one_have_one_value() -> None:
    one = _Asked(Barrier(2))
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda _: one.value, range(2))
    assert first == second == one.value
    assert _Asked.value.__doc__ == "Some number."


def test_kernels_of_several_threads_run_at_once(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    @sa.kernel
    def doubled(a):  # type: ignore[no-untyped-def]
        found = np.zeros(a.shape[0])
        for i in range(a.shape[0]):
            found[i] = 2 * a[i]
        return found

    x = sa.asarray(np.arange(5.0))
    doubled(x)
    both, fill = Barrier(2), Plan.fill

    def filled(*given):  # type: ignore[no-untyped-def]
        both.wait(30)
        return fill(*given)

    monkeypatch.setattr(Plan, "fill", filled)
    with ThreadPoolExecutor(2) as pool:
        for found in pool.map(lambda _: np.asarray(doubled(x)), range(2)):
            np.testing.assert_array_equal(found, 2 * np.arange(5.0))
