"""STRUCTARR_DEBUG shows every stage of whatever runs, on stderr."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

import structarr as sa
from structarr._compiler.ir.expr import Lit
from structarr._scheduler import pipeline

PROGRAM = """
import numpy as np
import structarr as sa

a = sa.asarray(np.eye(4)).asformat("csr").compute()
with sa.options(tier="interpreted"):
    print(float((a * np.arange(16.0).reshape(4, 4)).sum()))
"""
SHOWS = {
    "cin": "C[] += A[i, j] * B[i, j]",
    "looplets": " = Lookup(body=",
    "kernel": "def kernel(",
    "call": "takes C_val: float64[], written",
}


def stderr_of(stages: str) -> str:
    environment = {**os.environ, "STRUCTARR_DEBUG": stages}
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, check=True, text=True
    )
    assert run.stdout == "30.0\n"  # what a program prints stays apart
    return run.stderr


@pytest.mark.parametrize("stages", ["cin,looplets,kernel,call", "cin,call", "looplets,kernel", ""])
def test_each_stage_that_is_asked_for_is_shown(stages: str) -> None:
    shown = stderr_of(stages)
    for stage, text in SHOWS.items():
        assert (text in shown) == (stage in stages), (stage, shown)


def test_a_stage_is_shown_where_it_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(pipeline, "debug", "cin".__eq__)
    pipeline.show("looplets", Lit("int64", 5))
    pipeline.show("cin", Lit("int64", 7))
    assert capsys.readouterr().err == "7\n"


def test_nothing_is_shown_that_is_not_asked_for(capfd: pytest.CaptureFixture[str]) -> None:
    sa.clear_cache()
    told = sa.explain(sa.asarray(np.eye(3), format="csr") @ np.ones(3))
    assert [step.partition(" lowers:")[0] for step in told.steps[:2]] == ["Accept", "Stepper"]
    assert capfd.readouterr() == ("", "")
