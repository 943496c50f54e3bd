"""The probes of other libraries: ours succeed more often than any peer's, and misses are listed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROBES = Path(__file__).parent / "probes"


@pytest.mark.long
def test_more_succeed_than_of_any_peer_and_each_miss_is_explained() -> None:
    command = [sys.executable, str(PROBES / "run_probes.py")]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout[-4000:] + found.stderr[-4000:]
    words = next(line for line in found.stdout.splitlines() if line.startswith("all ")).split()
    count, ours, *peers = map(int, words[1:])
    assert count >= 250 and ours > max(peers)


def test_each_reason_has_probes() -> None:
    lines = (PROBES / "missed.txt").read_text().splitlines()
    listed = [line for line in lines if line and not line.startswith("#")]
    assert len(listed) == len(set(listed))
    assert all(": " in line for line in listed)


def test_a_graph_library_probe_is_counted() -> None:
    """The command runs, on the smallest library."""
    pytest.importorskip("networkx")
    command = [sys.executable, str(PROBES / "run_probes.py"), "networkx"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout + found.stderr
    assert "NOT LISTED" not in found.stdout and "miss  networkx" in found.stdout
