"""The main job, as a newcomer runs it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def test_main_job(tmp_path):
    command = [sys.executable, str(EXAMPLES / "main_job.py"), "--out", str(tmp_path)]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "STRUCTARR_CACHE_DIR": str(tmp_path / "cache"),
    }
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 of 4 right" in done.stdout
    assert done.stdout.count("| while True:") >= 3
    assert (tmp_path / "main_job.png").read_bytes().startswith(b"\x89PNG")
