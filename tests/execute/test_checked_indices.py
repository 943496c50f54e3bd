"""Kernels under `STRUCTARR_DEBUG=check`, in a process of their own: no index leaves its buffer."""

from __future__ import annotations

import os
import subprocess
import sys

TEXT = """
import numpy as np
import structarr as sa
from structarr._compiler.backend.kernel import of_text
from structarr._compiler.backend.params import Param
from structarr._compiler.backend.python.interpret import Interpreted

params = (Param("float64", True, True), Param("int64", False, False, True))
text = "def kernel(x, n):\\n    x[u(n)] = 1.0\\n"
for function in (of_text(text, params).compile(), Interpreted(text, params)):
    for place in (2, 3, -1):
        try:
            function(np.zeros(3), place)
            print(place)
        except (IndexError, AssertionError) as error:
            print(type(error).__name__)
a = sa.asarray(np.eye(4), format="csr")
for tier in ("compiled", "interpreted"):
    with sa.options(tier=tier):
        print(np.asarray((a * 2).sum(axis=0)).tolist())
"""


def test_indices_are_checked_in_both_tiers() -> None:
    own = {**os.environ, "STRUCTARR_DEBUG": "check"}
    run = subprocess.run(
        [sys.executable, "-c", TEXT], env=own, capture_output=True, text=True, check=False
    )
    assert not run.returncode, run.stderr
    refused = ["2", "IndexError", "IndexError"], ["2", "IndexError", "AssertionError"]
    sums = ["[2.0, 2.0, 2.0, 2.0]"] * 2
    assert run.stdout.splitlines() == [*refused[0], *refused[1], *sums]
