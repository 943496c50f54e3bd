"""Kernels under `STRUCTARR_DEBUG=check`, in processes of their own: no index leaves its buffer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from structarr._compiler.backend.llvm.module import translated
from structarr._compiler.backend.params import Param

SCRIPT = Path(__file__).parents[1] / "support_code" / "checked_kernels.py"

PARAMS = (Param("float64", True, True), Param("int64", False, False, True))
TEXT = "def kernel(x, n):\n    x[u(n)] = 1.0\n    vector_exp(x, 0, n)\n"

COMPILED = f"""
from structarr._compiler.backend.kernel import of_text, statistics
from structarr._compiler.backend.params import Param
of_text({TEXT!r}, {PARAMS!r}).compile()
print(statistics()["compiled"], statistics()["loaded"])
"""


def printed(stages: str, *command: str, **more: str) -> str:
    """What a process prints under some debugging switches."""
    own = {**os.environ, "STRUCTARR_DEBUG": stages, **more}
    run = subprocess.run(
        [sys.executable, *command], env=own, capture_output=True, text=True, check=False
    )
    assert not run.returncode, run.stderr
    return run.stdout


@pytest.fixture(scope="module")
def found() -> Any:
    return json.loads(printed("check", str(SCRIPT)))


def refused(index: int, length: int = 3) -> str:
    return f"a kernel indexes a buffer of {length} elements at {index}"


FAR = 1 << 40
EVERY = ["done", refused(3), refused(-1), refused(FAR), refused(-FAR)]
UPWARD = ["done", refused(3), "done", refused(FAR), "done"]

BY_HAND = {
    **dict.fromkeys(("read", "write", "update", "without a mark", "in a choice"), EVERY),
    **dict.fromkeys(("in a helper", "in a search", "in a function"), EVERY),
    **dict.fromkeys(("a stretch", "own memory"), EVERY),
    "in a condition": [*EVERY[:3], "done", EVERY[4]],  # which has looked at the place before
    "in a loop": ["done", refused(3), "done"],
    "downward": ["done", "done", refused(-1)],
    "a copy": UPWARD,
    "beside a stretch": ["done", refused(3), "done", refused(FAR, 512), "done"],
    "words": ["done", *[refused(at - 2, 1) for at in (3, -1, FAR, -FAR)]],
    "interpreted": [
        "done",
        "index 3 is out of bounds for axis 0 with size 3",
        "a kernel indexes a buffer at -1, before its beginning",
    ],
}


@pytest.mark.parametrize("name", BY_HAND)
def test_kernels_end_before_they_leave_a_buffer(name: str, found: Any) -> None:
    assert found["by hand"].pop(name) == BY_HAND[name]


BY_FORMAT = {
    "a column beyond, read": refused(28, 12),
    "a column beyond, written": refused(7),
    "a column before, read": refused(-36, 12),
    "a column before, written": refused(-9),
    "a pointer beyond": refused(3),
    "in pieces": refused(28, 12),
    "with a function of a user": "index is out of bounds",  # Numba's words
    "sound": "done",
}


@pytest.mark.parametrize("name", BY_FORMAT)
def test_buffers_that_nobody_checked_are_not_followed(name: str, found: Any) -> None:
    assert found["by format"][name] == BY_FORMAT[name]


def test_kernels_are_kept_apart_from_those_that_check_nothing(tmp_path: Path) -> None:
    own = {"STRUCTARR_CACHE_DIR": str(tmp_path)}
    for outcome in ("1 0", "0 1"):  # compiled, then loaded
        for stages in ("check", ""):
            assert printed(stages, "-c", COMPILED, **own).split() == outcome.split()


@pytest.mark.unchecked("each place is looked at")
def test_checks_are_written_where_they_are_asked_for_alone() -> None:
    assert "outside" not in translated("k", TEXT, PARAMS)
