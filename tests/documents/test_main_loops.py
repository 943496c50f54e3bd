"""The loop of a kernel that the main job shows."""

from __future__ import annotations

from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture
def examples(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES))


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
