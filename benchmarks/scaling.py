"""How time and memory grow with what is stored, what threads make of it, and what files cost."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import structarr as sa
from benchmarks import balance, growth, two_threads
from benchmarks.report import Row, row
from benchmarks.timing import race

SIZES = (10**4, 10**5, 10**6, 10**7, 10**8, 10**9)


def run(data: Path, quick: bool) -> Iterator[Row]:
    """Yield the balance of pieces of `data`, growth, threads beside processes, mapped files."""
    yield from balance.rows(data, quick)
    yield from growth.rows(SIZES[:3] if quick else SIZES, 1.0 if quick else 10.0)
    yield from two_threads.rows(10**5 if quick else 10**7, 0.5 if quick else 60.0)
    for size in SIZES[1:3] if quick else SIZES[3:5]:
        yield from mapped(size, 0.5 if quick else 20.0)


def _computed(name: str, operands: tuple[Any, ...]) -> Any:
    return growth.CASES[name].make(*operands).compute()


def mapped(size: int, seconds: float) -> Iterator[Row]:
    """Yield the time of calls on a mapped file, beside that on the same array in memory."""
    a, b = (growth.random(size, seed) for seed in (0, 1))
    x = sa.asarray(np.linspace(-1.0, 1.0, a.shape[1]))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.npz"
        sa.save(path, a)
        opened = race({"load": lambda: sa.load(path, mmap=True)}, seconds / 4)["load"]
        read = race({"load": lambda: sa.load(path)}, seconds / 4)["load"]
        yield row(f"load {size:.0e}", "mmap=True", opened, "in memory", read, True)
        file = sa.load(path, mmap=True)
        for name in growth.CASES:
            calls = {
                "file": partial(_computed, name, (file, b, x)),
                "memory": partial(_computed, name, (a, b, x)),
            }
            same = bool(
                np.array_equal(*[np.asarray(call()._tensor.buffers[-1]) for call in calls.values()])
            )
            times = race(calls, seconds / len(growth.CASES))
            yield row(
                f"{name} {size:.0e}", "mmap=True", times["file"], "in memory", times["memory"], same
            )
        del file
