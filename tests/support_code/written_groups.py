"""Control groups written to a folder, in the place of the system's."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from structarr._support import control_groups


def of_groups(
    files: Mapping[str, str], lines: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Let the process be of groups that files and the lines of ``/proc/self/cgroup`` tell of."""
    for name, content in files.items():
        (folder / "groups" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "groups" / name).write_text(content)
    (folder / "groups").mkdir(exist_ok=True)
    (folder / "own").write_text(lines)
    monkeypatch.setattr(control_groups, "GROUPS", str(folder / "groups"))
    monkeypatch.setattr(control_groups, "OWN", str(folder / "own"))
