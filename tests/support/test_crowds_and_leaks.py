"""Threads at the same arrays, and what is left of many calls."""

from __future__ import annotations

from pathlib import Path
from weakref import ref

import numpy as np
import pytest

import structarr as sa
from structarr._compiler.backend.disk import folder
from structarr._testing.crowds import crowded
from structarr._testing.leaks import NUMBERS, leaks, watched


def test_threads_at_the_same_arrays_get_what_numpy_has() -> None:
    assert crowded(6, 10) == []


def test_a_thread_that_changes_an_array_for_others_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sa.Array, "copy", lambda self: self)
    assert crowded(2, 40)


def test_nothing_is_left_of_calls_that_are_over() -> None:
    """A leak grows from each look to the next; modules are imported between some two of them."""
    told: list[str] = []
    with sa.options(tier="interpreted"):  # when kernels are compiled is a matter of time
        calls, numbers = watched(4200, 600.0, told.append, looks=6)
    assert calls == 4200
    grown = np.diff(numbers[2:], axis=0)
    objects, held = (grown[:, [*NUMBERS].index(name)] for name in ("objects", "held"))
    assert objects.min() <= 0
    assert held.min() <= 0


def test_what_calls_leave_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[object] = []
    compute = sa.Array.compute
    monkeypatch.setattr(sa.Array, "compute", lambda self: kept.append([[], []]) or compute(self))
    told: list[str] = []
    with sa.options(tier="interpreted"):
        _, numbers = watched(600, 600.0, told.append, looks=12)
    assert any("objects more at each look" in line for line in leaks(numbers, 50))
    assert "list" in told[-1]


def test_few_looks_tell_nothing() -> None:
    (told,) = leaks(np.zeros((9, len(NUMBERS)), np.int64), 1)
    assert "too few looks" in told


def test_what_grows_now_and_then_is_no_leak() -> None:
    """Memory of an allocator goes up and down, and modules are imported once."""
    numbers = np.zeros((40, len(NUMBERS)), np.int64)
    numbers[25:] += 1500
    numbers[:, [*NUMBERS].index("allocated")] += np.random.default_rng(1).integers(0, 9000, 40)
    assert leaks(numbers, 100) == []
    numbers += 20_000 * np.arange(40)[:, None]
    assert len(leaks(numbers, 100)) == len(NUMBERS)


def test_files_that_wait_to_be_written_are_written_when_tables_are_emptied(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("STRUCTARR_CACHE_DIR", str(tmp_path))

    class Plan:
        """What a file is made of."""

    plan = Plan()
    held = ref(plan)
    folder.later(lambda: "one.plan", lambda plan=plan: type(plan).__name__.encode())  # type: ignore[misc]
    del plan
    sa.clear_cache()
    assert held() is None
    assert folder.read("one.plan") == b"Plan"


def test_of_many_files_that_wait_the_oldest_is_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("STRUCTARR_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(folder, "MOST", 3)
    folder.flush()
    for number in range(5):
        folder.later(lambda number=number: f"{number}.plan", lambda: b"")  # type: ignore[misc]
    assert [folder.read(f"{number}.plan") for number in range(5)] == [b"", b"", None, None, None]
    folder.flush()
    assert folder.read("4.plan") == b""
