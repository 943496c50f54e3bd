"""Processes that write the same files at once, and such that are killed while they write."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from structarr._compiler.backend.disk import folder
from structarr._testing import races

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that fork")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STRUCTARR_CACHE_DIR", str(tmp_path))
    return tmp_path


def test_processes_that_race_read_what_one_wrote_whole(place: Path) -> None:
    assert races.raced(8, 6) == 0


def test_writers_that_are_killed_leave_nothing_torn(place: Path) -> None:
    kills, torn = races.killed(place)
    assert kills > 20
    assert torn == 0


def test_a_writer_that_writes_in_place_is_seen(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Contents without a digest that others see half written are wrong ones."""

    def read(name: str) -> bytes | None:
        found = folder.directory()
        assert found is not None
        return (found / name).read_bytes() if (found / name).exists() else None

    def write(name: str, content: bytes) -> None:
        found = folder.directory()
        assert found is not None
        (found / name).write_bytes(content)

    monkeypatch.setattr(folder, "read", read)
    monkeypatch.setattr(folder, "write", write)
    assert races.killed(place)[1] > 0
