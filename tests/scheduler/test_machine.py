"""Times of the machine: measured ones are read where they are of this processor and likely."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import structarr as sa
from structarr import _calibrate
from structarr.__main__ import main
from structarr._scheduler import machine
from structarr._scheduler.machine import Times


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(machine, "directory", lambda: tmp_path)
    machine._read.cache_clear()
    yield tmp_path
    machine._read.cache_clear()


def test_measured_times_are_kept(folder: Path) -> None:
    assert machine.times() == Times()
    machine.keep(Times(follow=0.7))
    assert machine.times() == Times(follow=0.7)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", '{"processor": "another", "follow": 0.5}', '{"follow": 0.5}'],
)
def test_what_is_of_another_processor_or_damaged_is_ignored(folder: Path, text: str) -> None:
    (folder / machine.FILE).write_text(text)
    assert machine.times() == Times()


def test_unlikely_times_are_defaults(folder: Path) -> None:
    told = {"processor": machine.processor(), "follow": 0.7, "enter": -1, "call": 1e12}
    (folder / machine.FILE).write_text(json.dumps({**told, "move": "fast", "copy": float("nan")}))
    assert machine.times() == Times(follow=0.7)


def test_without_a_folder_times_are_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "directory", lambda: None)
    assert machine.times() == Times()
    with pytest.raises(OSError, match="STRUCTARR_CACHE_DIR"):
        machine.keep(Times())


def test_calibrate_prints_and_keeps_times(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(_calibrate, "_measured", lambda seconds: iter([("follow", 2 * seconds)]))
    assert main(["calibrate", "--seconds", "0.25"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split() == ["follow", f"{Times().follow:.3g}", "0.5"]
    assert machine.times().follow == 0.5


def test_each_time_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_calibrate, "ENTRIES", 1024)
    monkeypatch.setattr(_calibrate, "COLUMNS", 300)
    with sa.options(tier="interpreted"):
        found = dict(_calibrate._measured(0.0))
    assert {*found} == {*Times._fields}
    assert all(np.isfinite(one) for one in found.values())


@pytest.mark.parametrize(("told", "name"), [("a processor", "a processor"), ("", "a machine")])
def test_a_processor_without_a_name_is_told_by_its_machine(
    monkeypatch: pytest.MonkeyPatch, told: str, name: str
) -> None:
    monkeypatch.setattr(machine.Path, "read_text", lambda self: "")
    monkeypatch.setattr(machine.platform, "processor", lambda: told)
    monkeypatch.setattr(machine.platform, "machine", lambda: "a machine")
    assert machine.processor() == name
