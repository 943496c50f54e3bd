"""What we refuse of a public suite, and why: a plugin of pytest, which `run_suite` loads.

``refused/NAME.txt`` has a line ``# reason`` and below it the tests that it holds for, one a line,
as ``file.py::test[parameters]`` in which ``*`` stands for anything. Such a test has to fail: one
that passes is reported, so that no refusal outlives its reason. A test of which the outcome hangs
on chance has a ``?`` before it.
"""

from __future__ import annotations

import os
from collections import Counter
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

import pytest

LISTS = Path(__file__).parent / "refused"


class Refusal(NamedTuple):
    """Tests that fail, by a pattern of their names, and why."""

    pattern: str
    reason: str
    strict: bool


def refusals(name: str) -> list[Refusal]:
    """What is listed for a suite."""
    path = LISTS / f"{name}.txt"
    found, reason = [], ""
    for line in path.read_text().splitlines() if path.exists() else ():
        if line.startswith("# "):
            reason = line.removeprefix("# ")
        elif line:
            # Names of parameters have brackets, which are no sets of letters here.
            pattern = line.removeprefix("?").replace("[", "[[]")
            found.append(Refusal(pattern, reason, strict=not line.startswith("?")))
    return found


def pytest_collection_modifyitems(items: list[Any]) -> None:
    """Mark the tests that are refused."""
    listed = refusals(os.environ["STRUCTARR_SUITE"])
    unused = {refusal.pattern for refusal in listed}
    for item in items:
        name = item.nodeid.rpartition("/")[2]
        for refusal in listed:
            if fnmatchcase(name, refusal.pattern):
                unused.discard(refusal.pattern)
                item.add_marker(pytest.mark.xfail(reason=refusal.reason, strict=refusal.strict))
                break
    items[0].config.stash[UNUSED] = sorted(unused) if items else []


UNUSED = pytest.StashKey[list[str]]()


def pytest_terminal_summary(terminalreporter: Any, config: Any) -> None:
    """Print the counts, and the reasons with how many tests each has."""
    stats = terminalreporter.stats
    reasons = {refusal.reason for refusal in refusals(os.environ["STRUCTARR_SUITE"])}
    expected = stats.get("xfailed", [])
    refused = [report for report in expected if report.wasxfail in reasons]
    failed = len(stats.get("failed", [])) + len(stats.get("error", []))
    passed = len(stats.get("passed", [])) + len(stats.get("xpassed", []))
    for reason, count in Counter(report.wasxfail for report in refused).most_common():
        terminalreporter.write_line(f"{count:6} refused: {reason}")
    for pattern in config.stash.get(UNUSED, []):
        terminalreporter.write_line(f"       no test is named {pattern}")
    terminalreporter.write_line(
        f"{os.environ['STRUCTARR_SUITE']}: {passed} passed, {len(refused)} refused with a reason, "
        f"{failed} failed; {len(expected) - len(refused)} fail by the suite's own marks"
    )
