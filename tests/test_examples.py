"""Each example runs, checks itself and prints its line."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

import structarr as sa

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
MAIN_JOB = {"job", "kernels", "main_job", "picture"}  # tests/unit/test_main_job.py runs it
PROGRAMS = sorted(path.stem for path in EXAMPLES.glob("*.py") if path.stem not in MAIN_JOB)


@pytest.mark.parametrize("name", PROGRAMS)
def test_example(name, capsys, monkeypatch):
    spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    with sa.options(tier="interpreted"):
        module.main()
    assert capsys.readouterr().out.count("\n") == 1


def test_there_are_examples():
    assert len(PROGRAMS) >= 15
