"""How time and memory grow with what is stored, and what two threads make of it."""

from __future__ import annotations

import os
import tracemalloc
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import structarr as sa
from benchmarks import balance, matrices
from benchmarks.handwritten import jit
from benchmarks.report import Row, row
from benchmarks.timing import Call, race
from structarr._array import of_tensor
from structarr._storage.tensor import Tensor

SIZES = (10**4, 10**5, 10**6, 10**7, 10**8)
ROW = 20  # stored entries a row
EXPRESSIONS: dict[str, Callable[[Any, Any, Any], sa.Array]] = {
    "a @ x": lambda a, b, x: a @ x,
    "a * b": lambda a, b, x: a * b,
    "a + b": lambda a, b, x: a + b,
    "(a * b).sum()": lambda a, b, x: (a * b).sum(),
}


def run(data: Path, quick: bool) -> Iterator[Row]:
    """Yield the balance of pieces of what is in `data`, rows of all sizes, those of threads."""
    yield from balance.rows(data, quick)
    sizes = SIZES[:3] if quick else SIZES
    yield from growth(sizes, 0.2 if quick else 2.0)
    yield from threads(10**6 if quick else 10**7, 0.5 if quick else 5.0)


def growth(sizes: tuple[int, ...], seconds: float) -> Iterator[Row]:
    """
    Yield time against a linear continuation of the size before, and memory likewise.

    A ratio of 1 is linear growth, above 1 less. The peer's figure is the last size's times the
    growth in size; in the rows of memory seconds stand for bytes.
    """
    before: dict[str, tuple[int, float, float]] = {}
    for size in sizes:
        operands = _operands(size)
        for name, make in EXPRESSIONS.items():
            call = partial(_computed, make, operands)
            with sa.options(tier="compiled"):
                call()
                spent = race({name: call}, seconds / len(EXPRESSIONS))[name]
                used = _peak(call)
            if name in before:
                smaller, time, memory = before[name]
                factor = size / smaller
                label = f"{name} {size:.0e}"
                yield row(label, "time", spent, "linear", time * factor, True)
                yield row(label, "bytes", used, "linear", memory * factor, True)
            before[name] = size, spent, used


def _operands(size: int) -> tuple[Any, Any, Any]:
    a, b = (_random(size, seed) for seed in (0, 1))
    return a, b, sa.asarray(np.linspace(-1.0, 1.0, a.shape[1]))


def _random(size: int, seed: int) -> sa.Array:
    """A square matrix of rows of the same length, made without sorting it as a whole."""
    n, random = size // ROW, np.random.default_rng(seed)
    width = n // ROW
    columns = random.integers(0, width, (n, ROW), dtype=np.int32)
    columns += np.arange(ROW, dtype=np.int32) * width
    pointers = np.arange(0, size + 1, ROW, dtype=np.int32)
    values = random.standard_normal(size)
    parts = (pointers, columns.reshape(-1), values)
    fmt = sa.formats.parse("csr", 2, "int32")
    return of_tensor(Tensor(fmt, (n, n), values.dtype, np.float64(0), parts))


def _computed(make: Callable[..., sa.Array], operands: tuple[Any, Any, Any]) -> Any:
    return make(*operands).compute()


def _peak(call: Call) -> float:
    """The bytes that a call allocates at most, its result included."""
    tracemalloc.start()
    try:
        call()
        return float(tracemalloc.get_traced_memory()[1])
    finally:
        tracemalloc.stop()


def threads(size: int, seconds: float) -> Iterator[Row]:
    """
    Yield the time of two threads, beside one thread's divided by what two busy loops gain.

    A ratio of 1 is the machine's own speed-up; 0.85 is the target.
    """
    count = min(2, os.cpu_count() or 1)
    own = _machine(count, seconds)
    a, b, x = _operands(size)
    c = matrices.halves(max(size // 10, 10_000))[0]
    smaller = sa.asarray(c)
    cases: dict[str, Callable[[], sa.Array]] = {
        name: partial(make, a, b, x) for name, make in EXPRESSIONS.items()
    }
    cases["a @ a"] = lambda: smaller @ smaller
    for name, make in cases.items():
        calls = {str(k): partial(_with_threads, make, k) for k in (1, count)}
        results = [call() for call in calls.values()]
        same = bool(np.array_equal(*[one._tensor.buffers[-1] for one in results]))
        times = race(calls, seconds)
        label, ideal = f"{name} {count} threads", times["1"] / own
        yield row(label, f"gain {own:.2f}", times[str(count)], "busy loops", ideal, same)


def _with_threads(make: Callable[[], sa.Array], count: int) -> sa.Array:
    with sa.options(threads=count, tier="compiled"):
        return make().compute()


def _machine(count: int, seconds: float) -> float:
    """How much faster independent loops are side by side than one after the other."""
    turns = 20_000_000
    _busy(turns)
    with ThreadPoolExecutor(count) as pool:
        calls: dict[str, Call] = {
            "one": lambda: [_busy(turns) for _ in range(count)],
            "all": lambda: list(pool.map(_busy, [turns] * count)),
        }
        times = race(calls, seconds)
    return times["one"] / times["all"]


@jit
def _busy(turns: int) -> float:
    total = 0.0
    for i in range(turns):
        total += (i ^ 3) * 0.5
    return total
