"""The main job, as a newcomer runs it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture
def examples(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES))


def test_main_job(tmp_path):
    pytest.importorskip("matplotlib")
    command = [sys.executable, str(EXAMPLES / "main_job.py"), "--out", str(tmp_path)]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "STRUCTARR_CACHE_DIR": str(tmp_path / "cache"),
    }
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 of 4 right" in done.stdout
    assert done.stdout.count("| while True:") >= 3
    assert (tmp_path / "main_job.png").read_bytes().startswith(b"\x89PNG")


def test_main_loop_is_the_longest_innermost_one(examples):
    from kernels import main_loop

    source = "\n".join(
        [
            "def kernel(n):",
            "    for i in range(n):",
            "        a = i",
            "        while a:",
            "            a -= 1",
            "            b = a",
            "        for b in range(a):",
            "            pass",
            "    return a",
        ]
    )
    assert main_loop(source) == ["while a:", "    a -= 1", "    b = a"]


def test_main_loop_of_a_kernel_without_loops(examples):
    from kernels import main_loop

    assert main_loop("def kernel(a):\n    a[0] = 1") == ["def kernel(a):", "    a[0] = 1"]
