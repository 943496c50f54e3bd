"""The scripts of the gallery run, check their results and draw their pictures."""

import runpy
import sys

import pytest
from documented import ROOT

SCRIPTS = sorted(
    path for path in (ROOT / "examples" / "gallery").glob("*.py") if path.stem != "shared"
)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_script_draws_its_picture(path, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(path.parent))
    monkeypatch.setattr(sys, "argv", [str(path), str(tmp_path / "picture.png")])
    runpy.run_path(str(path), run_name="__main__")
    assert (tmp_path / "picture.png").stat().st_size > 10_000
