"""How many threads a call uses where no option says so."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from written_groups import of_groups

import structarr as sa
from structarr._execute import threads
from structarr._support import processors


@pytest.fixture(autouse=True)
def four_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processors, "available", lambda process: 4)
    monkeypatch.setattr(processors, "_is_in_pool", lambda: False)
    monkeypatch.setattr(processors, "_of_native_pools", lambda: sys.maxsize)


def test_the_main_thread_uses_all_and_others_one() -> None:
    assert threading.current_thread() is threading.main_thread()
    assert threads.allowed() == 4
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(threads.allowed).result() == 1
    with sa.options(threads=3):
        assert threads.allowed() == 3


def test_processes_of_pools_use_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(processors, "available", lambda process: 4)
    monkeypatch.setattr(multiprocessing.process, "parent_process", lambda: object())
    assert threads.allowed() == 1


def test_limits_of_libraries_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    threadpoolctl = pytest.importorskip("threadpoolctl")
    monkeypatch.undo()
    monkeypatch.setattr(processors, "available", lambda process: 4)
    monkeypatch.setattr(processors, "_is_in_pool", lambda: False)
    with threadpoolctl.threadpool_limits(1):
        assert threads.allowed() == 1


@pytest.mark.parametrize(
    ("files", "lines", "wanted"),
    [
        ({"cpu.max": "150000 100000"}, "0::/\n", [2]),
        ({"cpu.max": "max 100000"}, "0::/\n", []),
        ({"a/cpu.max": "100000 100000", "a/b/cpu.max": "max 100000"}, "0::/a/b\n", [1]),
        (
            {"cpu/cpu.cfs_quota_us": "300000", "cpu/cpu.cfs_period_us": "100000"},
            "4:memory:/x\n1:cpu:/\n",
            [3],
        ),
        ({"cpu/cpu.cfs_quota_us": "-1", "cpu/cpu.cfs_period_us": "100000"}, "1:cpu:/\n", []),
        ({}, "what is this\n", []),
    ],
)
def test_control_groups_are_heard(
    files: dict[str, str],
    lines: str,
    wanted: list[int],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    of_groups(files, lines, tmp_path, monkeypatch)
    assert list(processors.quotas()) == wanted


def test_the_environment_is_heard() -> None:
    code = "from structarr._support.processors import available; print(available(0))"
    environment = {
        **os.environ,
        "OMP_NUM_THREADS": "1",
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
    )
    assert done.stdout.strip() == "1"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks")
def test_a_forked_process_has_threads_of_its_own() -> None:
    assert list(threads.mapped(lambda k: k + 1, range(8))) == list(range(1, 9))
    child = os.fork()
    if not child:
        done = list(threads.mapped(lambda k: k + 1, range(8))) == list(range(1, 9))
        os._exit(0 if done else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_threads_of_callers_compute_at_once() -> None:
    a = sa.asarray(np.random.default_rng(0).random((300, 700)), format="csr")
    with sa.options(tier="interpreted"):
        wanted = np.asarray(a[:5].sum(axis=1))

    def one(number: int) -> np.ndarray:
        with sa.options(threads=2, tier="interpreted"):
            return np.asarray(a[:5].sum(axis=1))

    with ThreadPoolExecutor(3) as pool:
        for found in pool.map(one, range(6)):
            np.testing.assert_array_equal(found, wanted)
