"""Ctrl-C leaves everything usable, whenever it comes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._array import stored
from structarr._compiler.backend import call as helpers
from structarr._execute import call_size
from structarr._execute.partition_split import Split
from structarr._execute.plan import Plan
from structarr._scheduler.operands import Operands
from structarr._support import uninterrupted

SCRIPT = """
import os, signal, sys, threading
import numpy as np
import scipy.sparse as sp
import structarr as sa

# A shell may have started all this in the background, where interrupts are ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
n = 30_000
matrix = sp.random_array((n, n), density=30 / n, format="csr", rng=np.random.default_rng(0))
a, threads = sa.asarray(matrix), int(sys.argv[2])
with sa.options(tier="compiled", threads=threads):
    interrupt = threading.Timer(float(sys.argv[1]), os.kill, (os.getpid(), signal.SIGINT))
    interrupt.start()
    try:
        for _ in range(200):
            (a @ a).compute()
        sys.exit("no interrupt came")
    except KeyboardInterrupt:
        pass
    total = float((a @ np.ones(n)).sum())
    product = (a @ a).compute()
assert abs(total - matrix.sum()) < 1e-6 * abs(total)
assert abs(product.to_scipy("csr") - matrix @ matrix).max() < 1e-9
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signal that one process may send")
@pytest.mark.parametrize(
    ("delay", "threads"),
    [
        (1.0, 2),
        pytest.param(0.1, 1, marks=pytest.mark.long),
        pytest.param(0.4, 2, marks=pytest.mark.long),
        pytest.param(2.5, 2, marks=pytest.mark.long),
    ],
)
def test_after_an_interrupt_all_is_as_before(delay: float, threads: int, tmp_path: Path) -> None:
    """During the import of Numba, a compilation, and kernels, on a cache of its own."""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "STRUCTARR_CACHE_DIR": str(tmp_path),
    }
    command = [sys.executable, "-c", SCRIPT, str(delay), str(threads)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signal that one process may send")
def test_a_long_call_that_is_not_cut_hears_interrupts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists of coordinates are summed by one kernel, which goes on while the caller is free."""
    a = sa.asarray(np.eye(50), format="coo")
    ends, begins = threading.Event(), threading.Event()
    called = Plan.__call__

    def slow(self: Plan, given: Any, shape: Any) -> Any:
        begins.set()
        assert ends.wait(60)
        return called(self, given, shape)

    def interrupt() -> None:
        begins.wait(60)
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(call_size, "LONG", 0.0)
    monkeypatch.setattr(call_size, "LARGE", -1)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with sa.options(threads=1):
            monkeypatch.setattr(Plan, "__call__", slow)
            thread = threading.Thread(target=interrupt)
            thread.start()
            with pytest.raises(KeyboardInterrupt):
                (a * 2).sum(axis=1).compute()
            assert not ends.is_set()
            ends.set()
            thread.join()
            np.testing.assert_array_equal(np.asarray((a * 2).sum(axis=1)), np.full(50, 2.0))
    finally:
        ends.set()
        signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signal that one process may send")
@pytest.mark.parametrize("name", ["a sort of NumPy's", "a helper of kernels"])
def test_long_work_outside_kernels_hears_interrupts(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python hears of nothing before the call of NumPy or of a helper is done."""
    a = sa.asarray(np.eye(50), format="csr")
    ends, begins = threading.Event(), threading.Event()
    workers: list[threading.Thread] = []

    def slow(*args: Any, **kwargs: Any) -> Any:
        workers.append(threading.current_thread())
        begins.set()
        assert ends.wait(60)

    def interrupt() -> None:
        begins.wait(60)
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(uninterrupted, "MANY", 0)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.MonkeyPatch.context() as patch:
            if name == "a sort of NumPy's":
                patch.setattr(np, "unique", slow)
                call: Callable[[], Any] = lambda: sa.unique_values(a)  # noqa: E731
            else:
                patch.setattr(helpers, "_kernel", lambda *_: slow)
                call = lambda: a.asformat("csc").compute()  # noqa: E731
            thread = threading.Thread(target=interrupt)
            thread.start()
            with pytest.raises(KeyboardInterrupt):
                call()
            assert not ends.is_set() and threading.main_thread() not in workers
            ends.set()
            thread.join()
        assert sa.unique_values(a).tolist() == [0, 1]
        np.testing.assert_array_equal(a.asformat("csc").todense(), np.eye(50))
    finally:
        ends.set()
        signal.signal(signal.SIGINT, before)


def test_long_calls_are_not_replayed_without_being_waited_for() -> None:
    rows, sums = Split(0, frozenset({0}), (None,)), Split(0, frozenset({0}), ("add",))
    large = Operands([stored(sa.asarray(np.ones(1 << 18)))], (), (), (1 << 18,), {})
    small = Operands([stored(sa.asarray(np.ones(9)))], (), (), (9,), {})
    assert call_size.is_plain(None, large, lambda: 0.05)
    assert not call_size.is_plain(None, large, lambda: 0.5)
    assert call_size.is_plain(None, small, lambda: 0.5)
    assert call_size.is_whole(rows, lambda: 0.05)
    assert not call_size.is_whole(rows, lambda: 0.5)
    assert not call_size.is_whole(sums, lambda: 0.05)
    assert not call_size.is_whole(None, lambda: 0.05)


def test_pieces_of_long_calls_are_not_put_together() -> None:
    rows, sums = Split(0, frozenset({0}), (None,)), Split(0, frozenset({0}), ("add",))
    assert 0 < call_size.together_of(rows, 0.001) <= call_size.together_of(rows, 0.05)
    assert not call_size.together_of(rows, 0.5)
    assert not call_size.together_of(sums, 0.05)
    assert not call_size.together_of(rows._replace(partial=True), 0.05)


def test_long_pieces_are_waited_for() -> None:
    """The thread that hears of interrupts does no piece that may last."""
    assert call_size.is_still(1.0, 8)
    assert not call_size.is_still(0.1, 8)
    assert call_size.is_still(10.0, 1000)  # a piece may take far longer than is expected
