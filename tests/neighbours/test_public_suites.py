"""Public suites of other libraries on our arrays: all passes but what is listed with its reason."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

SHIMS = Path(__file__).parent / "shims"
sys.path.insert(0, str(SHIMS))
from refusals import LISTS, refusals  # noqa: E402  (found by the line above)
from run_suite import SUITES  # noqa: E402

sys.path.remove(str(SHIMS))  # where another `sparse` is

EXPECTED = {name: refusals(name) for name in SUITES}
"""What fails in each suite, and why."""

LEAST = {"pydata": 5000, "scipy": 550, "xarray": 90}
"""How many tests of each pass at least, lest one that is not found passes."""


@pytest.mark.long
@pytest.mark.parametrize("name", EXPECTED)
def test_suite(name: str) -> None:
    pytest.importorskip(SUITES[name].package)
    command = [sys.executable, str(SHIMS / "run_suite.py"), name, "--tb=no"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    counts = re.search(rf"^{name}: (\d+) passed, .* 0 failed", found.stdout, flags=re.MULTILINE)
    assert counts is not None and found.returncode == 0, found.stdout[-4000:]
    assert int(counts[1]) >= LEAST[name]


@pytest.mark.parametrize("name", EXPECTED)
def test_what_is_refused_has_a_reason(name: str) -> None:
    assert (LISTS / f"{name}.txt").exists()
    assert all(len(refusal.reason) > 20 for refusal in EXPECTED[name])
    patterns = [refusal.pattern for refusal in EXPECTED[name]]
    assert len(patterns) == len(set(patterns))
