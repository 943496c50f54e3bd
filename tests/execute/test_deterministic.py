"""Results to the bit: for any threads and pieces, whatever ran before, and whatever is kept."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import structarr as sa
from structarr._compiler.backend.kernel import statistics
from structarr._testing.forcing import witnessed

TEXT = """
import hashlib
import numpy as np
import structarr as sa
rng = np.random.default_rng(3)
a = sa.asarray(np.where(rng.random((60, 50)) < 0.3, rng.random((60, 50)), 0.0), format="csr")
x = rng.random(50).astype("float32")
found = []
with sa.options(deterministic=True):
    for _ in range(3):
        means = a.astype("float32").mean(axis=0)
        for one in (a @ x, (a * a).sum(), a.T @ a, means, a @ (a.T @ (a @ x))):
            found.append(hashlib.sha256(np.ascontiguousarray(np.asarray(one)).tobytes()).hexdigest())
print(" ".join(found))
"""


def bits(folder: Path) -> list[str]:
    own = {**os.environ, "STRUCTARR_CACHE_DIR": str(folder)}
    run = subprocess.run(
        [sys.executable, "-c", TEXT], env=own, capture_output=True, text=True, check=False
    )
    assert not run.returncode, run.stderr
    return run.stdout.split()


def test_processes_agree_whatever_is_on_disk(tmp_path: Path) -> None:
    first = bits(tmp_path)
    again = bits(tmp_path)
    assert first == again
    assert first[:5] == first[5:10] == first[10:]


@pytest.mark.parametrize("pieces", [None, 2, 5])
def test_threads_and_pieces_agree_to_the_bit(pieces: int | None) -> None:
    rng = np.random.default_rng(4)
    a = sa.asarray(rng.random((40, 30)) * (rng.random((40, 30)) < 0.4), format="csr")
    found = set()
    for threads in (1, 2, 3):
        with sa.options(threads=threads, deterministic=True), witnessed(len_of, pieces=pieces):
            found.add((a @ rng_vector(30)).todense().tobytes())
    assert len(found) == 1


def len_of(call: object) -> None:
    """Witnesses nothing."""


def rng_vector(length: int) -> np.ndarray:
    return np.random.default_rng(5).random(length)


def test_deterministic_calls_are_compiled_at_once() -> None:
    a = sa.asarray(np.eye(7) * 0.3, format="dcsr")
    with sa.options(deterministic=True):
        before = statistics()["interpreted_calls"]
        (a * 3.25 + a).sum(axis=0).compute()
        assert statistics()["interpreted_calls"] == before
    with sa.options(deterministic=True, tier="interpreted"):
        (a * 3.25 - a).sum(axis=0).compute()
    assert statistics()["interpreted_calls"] > before


def test_history_changes_no_bits() -> None:
    rng = np.random.default_rng(6)
    a = sa.asarray(rng.random((50, 40)) * (rng.random((50, 40)) < 0.3), format="csr")
    b = sa.asarray(rng.random((40, 50)) * (rng.random((40, 50)) < 0.3), format="csr")
    x = rng.random(50)

    def compute() -> bytes:
        with sa.options(deterministic=True):
            return (a @ b @ (a @ (b @ x))).todense().tobytes()

    first = compute()
    for size in (3, 30):
        other = sa.asarray(np.ones((size, size)), format="csr")
        (other @ other @ other).compute()
    assert compute() == first
    sa.clear_cache()
    assert compute() == first
