"""``python -m structarr.testing leaks``: small programs called again and again, and what is left.

Between two looks, each after the tables are emptied and garbage is collected, the memory of the
process and the objects of Python may not grow.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np

import structarr as sa
from structarr._support import memory_account

SHARE: Final = 0.25  # of all calls, after which the first look is taken
OBJECTS: Final = 2000  # more objects than at the first look are a leak
MEBIBYTES: Final = 24.0  # more memory, too


def main(words: Sequence[str]) -> int:
    """Run the command, and return the status: 1 if memory or objects grew."""
    parser = argparse.ArgumentParser(
        prog="python -m structarr.testing leaks",
        description="Call small programs again and again, and see what is left of them.",
    )
    parser.add_argument("--calls", type=int, default=1_000_000, help="how many (1000000)")
    parser.add_argument("--minutes", type=float, default=60.0, help="end after so long (60)")
    given = parser.parse_args(words)
    calls, grown = grows(given.calls, 60 * given.minutes)
    objects, mebibytes, held = grown
    print(
        f"{calls} calls: {objects} objects, {mebibytes:.1f} MiB and {held} bytes of results more "
        f"than after the first {SHARE:.0%}"
    )
    return int(objects > OBJECTS or mebibytes > MEBIBYTES or held > 0)


def grows(calls: int, seconds: float) -> tuple[int, tuple[int, float, int]]:
    """Call programs; return how many calls there were, and by what objects and memory grew."""
    end, done = time.monotonic() + seconds, 0
    first: tuple[int, float, int] | None = None
    with TemporaryDirectory() as folder, np.errstate(all="ignore"):
        programs = [*_programs(Path(folder))]
        for done, call in enumerate(itertools.cycle(programs)):
            if done >= calls or (done % 1024 == 0 and time.monotonic() > end):
                break
            if first is None and done >= SHARE * calls:
                first = _look()
            call()
    last = _look()
    start = last if first is None else first
    return done, (last[0] - start[0], last[1] - start[1], last[2] - start[2])


def _look() -> tuple[int, float, int]:
    """Objects, MiB of the process, and bytes that results and pools hold."""
    sa.clear_cache()
    gc.collect()
    return len(gc.get_objects()), _resident(), memory_account.held()


def _resident() -> float:
    path = Path("/proc/self/statm")
    if not path.exists():
        return 0.0
    import resource

    return int(path.read_text().split()[1]) * resource.getpagesize() / (1 << 20)


def _programs(folder: Path) -> Iterator[Callable[[], Any]]:
    """Calls of all kinds: warm ones, ones that are refused, replays, files, assignments."""
    rng = np.random.default_rng(0)
    dense = np.where(rng.random((9, 9)) < 0.4, rng.random((9, 9)), 0.0)
    a, r = sa.asarray(dense, format="csr"), sa.asarray(dense, format="rle")
    x = rng.random(9)
    path = folder / "array.npz"
    sa.save(path, a)
    numbers = itertools.count()

    @sa.jit
    def step(m: Any, v: Any, rate: float) -> Any:
        return rate * (m @ v) + 1.0

    def refused() -> None:
        try:
            sa.add(a, np.ones(4))
        except ValueError:
            return

    def assigned() -> Any:
        b = a.copy()
        b[2, 3] = float(next(numbers))
        return b.sum().compute()

    warm: list[Callable[[], Any]] = [
        lambda: np.asarray(a @ x),
        lambda: (a * r).sum(axis=0).compute(),
        lambda: float((a * float(next(numbers))).sum()),
        lambda: step(a, x, float(next(numbers))),
        lambda: (a + sa.asarray(dense)).compute(),
        refused,
    ]
    for _ in range(20):
        yield from warm
    yield assigned
    yield lambda: sa.load(path, mmap=True).sum().compute()
    yield lambda: sa.loops("y[i] += A[i, j] * x[j]", A=a, x=x)
    yield lambda: repr(a[1:])
