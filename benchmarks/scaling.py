"""How time and memory grow with what is stored, what threads make of it, and what files cost."""

from __future__ import annotations

import os
import tracemalloc
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import structarr as sa
from benchmarks import balance
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
    yield from threads(10**6 if quick else 10**7, 0.5 if quick else 60.0)
    yield from mapped(10**6 if quick else 10**8, 0.5 if quick else 20.0)


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

    A ratio of 1 is the machine's own speed-up; 0.9 is the target, for rows of equal lengths, of
    lengths that follow a power law, and for one full row among short ones.
    """
    count = min(2, os.cpu_count() or 1)
    own = _machine(count, seconds)
    for kind, lengths in _row_lengths(size).items():
        a, b = (_of_lengths(lengths, seed) for seed in (0, 1))
        x, block = np.linspace(-1.0, 1.0, a.shape[1]), np.ones((a.shape[1], 4))
        for name, make in THREADED.items():
            calls = {
                str(k): partial(_with_threads, partial(make, a, b, x, block), k) for k in (1, count)
            }
            results = [call() for call in calls.values()]
            same = bool(np.array_equal(*[one._tensor.buffers[-1] for one in results]))
            times = race(calls, seconds / len(THREADED))
            label, ideal = f"{name} {kind}", times["1"] / own
            yield row(label, f"gain {own:.2f}", times[str(count)], "busy loops", ideal, same)


THREADED: dict[str, Callable[[Any, Any, Any, Any], sa.Array]] = {
    "a @ x": lambda a, b, x, y: a @ x,
    "x @ a": lambda a, b, x, y: x @ a,
    "a.T @ x": lambda a, b, x, y: a.T @ x,
    "a @ y": lambda a, b, x, y: a @ y,
    "a.T @ y": lambda a, b, x, y: a.T @ y,
    "a.sum()": lambda a, b, x, y: a.sum(),
    "a.sum(axis=0)": lambda a, b, x, y: a.sum(axis=0),
    "a.sum(axis=1)": lambda a, b, x, y: a.sum(axis=1),
    "a.max(axis=1)": lambda a, b, x, y: a.max(axis=1),
    "(a * b).sum()": lambda a, b, x, y: (a * b).sum(),
    "(a * b).sum(axis=1)": lambda a, b, x, y: (a * b).sum(axis=1),
    "(a + b).sum(axis=1)": lambda a, b, x, y: (a + b).sum(axis=1),
    "2 * a": lambda a, b, x, y: 2 * a,
    "a * x": lambda a, b, x, y: a * x,
    "a * x[:, None]": lambda a, b, x, y: a * x[:, None],
    "a * b": lambda a, b, x, y: a * b,
    "a + b": lambda a, b, x, y: a + b,
    "a @ b[:, :9]": lambda a, b, x, y: a @ b[:, :9],
    "where(a > b)": lambda a, b, x, y: sa.where(a > b, a, b),
    "(a * a) @ x": lambda a, b, x, y: (a * a) @ x,
}


def _row_lengths(size: int) -> dict[str, np.ndarray]:
    """The lengths of the rows of square matrices of about so many entries."""
    n = size // ROW
    power = np.random.default_rng(0).pareto(1.1, n) + 0.1
    one = np.full(n, ROW // 2)
    one[n // 3] = n
    return {
        "even": np.full(n, ROW),
        "power law": np.clip(power * (size / power.sum()), 1, n // 2).astype(np.int64),
        "one row": one,
    }


def _of_lengths(lengths: np.ndarray, seed: int) -> sa.Array:
    """A square matrix of rows of some lengths, whose columns are spread evenly."""
    n, random = len(lengths), np.random.default_rng(seed)
    pointers = np.concatenate([[0], np.cumsum(lengths)])
    place = np.arange(pointers[-1]) - np.repeat(pointers[:-1], lengths)
    width = np.repeat(n / lengths, lengths)
    columns = np.floor(place * width + random.random(len(place)) * (width - 1)).astype(np.int32)
    values = random.standard_normal(len(columns))
    fmt = sa.formats.parse("csr", 2, "int32")
    parts = (pointers.astype(np.int32), columns, values)
    return of_tensor(Tensor.checked(fmt, (n, n), 0.0, parts))


def mapped(size: int, seconds: float) -> Iterator[Row]:
    """Yield the time of calls on a mapped file, beside that on the same array in memory."""
    a, b, x = _operands(size)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.npz"
        sa.save(path, a)
        opened = race({"load": lambda: sa.load(path, mmap=True)}, seconds / 4)["load"]
        read = race({"load": lambda: sa.load(path)}, seconds / 4)["load"]
        yield row(f"load {size:.0e}", "mmap=True", opened, "in memory", read, True)
        file = sa.load(path, mmap=True)
        for name, make in EXPRESSIONS.items():
            calls = {
                "file": partial(_computed, make, (file, b, x)),
                "memory": partial(_computed, make, (a, b, x)),
            }
            same = bool(
                np.array_equal(*[np.asarray(call()._tensor.buffers[-1]) for call in calls.values()])
            )
            times = race(calls, seconds / 4)
            yield row(
                f"{name} {size:.0e}", "mmap=True", times["file"], "in memory", times["memory"], same
            )
        del file


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
