"""Ctrl-C leaves everything usable, whenever it comes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import os, signal, sys, threading
import numpy as np
import scipy.sparse as sp
import structarr as sa

# A shell may have started all this in the background, where interrupts are ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
n = 30_000
matrix = sp.random_array((n, n), density=30 / n, format="csr", rng=np.random.default_rng(0))
a, threads = sa.asarray(matrix), int(sys.argv[2])
with sa.options(tier="compiled", threads=threads):
    interrupt = threading.Timer(float(sys.argv[1]), os.kill, (os.getpid(), signal.SIGINT))
    interrupt.start()
    try:
        for _ in range(200):
            (a @ a).compute()
        sys.exit("no interrupt came")
    except KeyboardInterrupt:
        pass
    total = float((a @ np.ones(n)).sum())
    product = (a @ a).compute()
assert abs(total - matrix.sum()) < 1e-6 * abs(total)
assert abs(product.to_scipy("csr") - matrix @ matrix).max() < 1e-9
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signal that one process may send")
@pytest.mark.parametrize(
    ("delay", "threads"),
    [
        (1.0, 2),
        pytest.param(0.1, 1, marks=pytest.mark.long),
        pytest.param(0.4, 2, marks=pytest.mark.long),
        pytest.param(2.5, 2, marks=pytest.mark.long),
    ],
)
def test_after_an_interrupt_all_is_as_before(delay: float, threads: int, tmp_path: Path) -> None:
    """During the import of Numba, a compilation, and kernels, on a cache of its own."""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "STRUCTARR_CACHE_DIR": str(tmp_path),
    }
    command = [sys.executable, "-c", SCRIPT, str(delay), str(threads)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
