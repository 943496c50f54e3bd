"""How time and memory grow with what is stored, what threads make of it, and what files cost."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import log
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import scipy.sparse as sp

import structarr as sa
from benchmarks import balance, two_threads
from benchmarks.report import Row, row
from benchmarks.skewed import ROW
from benchmarks.timing import Call, race
from structarr._array import of_tensor, stored
from structarr._storage.tensor import Tensor
from structarr._support.memory_account import free_all

SIZES = (10**4, 10**5, 10**6, 10**7, 10**8)
EXPRESSIONS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "a @ x": lambda a, b, x: a @ x,
    "a * b": lambda a, b, x: a * b,
    "a + b": lambda a, b, x: a + b,
    "(a * b).sum()": lambda a, b, x: (a * b).sum(),
}
"""Expressions that SciPy's arrays have, too."""


def run(data: Path, quick: bool) -> Iterator[Row]:
    """Yield the balance of pieces of `data`, growth, threads beside processes, mapped files."""
    yield from balance.rows(data, quick)
    sizes = SIZES[:3] if quick else SIZES
    yield from growth(sizes, 0.2 if quick else 2.0)
    yield from two_threads.rows(10**5 if quick else 10**7, 0.5 if quick else 60.0)
    yield from mapped(10**6 if quick else 10**8, 0.5 if quick else 20.0)


def growth(sizes: tuple[int, ...], seconds: float) -> Iterator[Row]:
    """
    Yield time against a linear continuation of the size before, and memory likewise.

    A ratio of 1 is linear growth, above 1 less. The peer's figure is the last size's times the
    growth in size; in the rows of memory seconds stand for bytes: of the operands, and of all
    that a call has at a time whose pools are empty. The rows of slopes have the exponents of the
    time of a call, by one thread, and of SciPy's in the same turns: beyond a cache that a vector
    fitted in, both grow more than linearly.
    """
    before: dict[str, tuple[int, float, float, float, float]] = {}
    for size in sizes:
        operands = _operands(size)
        peers = (operands[0].to_scipy(), operands[1].to_scipy(), np.asarray(operands[2]))
        for name, make in EXPRESSIONS.items():
            calls = {
                "threads": partial(_computed, make, operands),
                "one": partial(_by_one_thread, make, operands),
                "SciPy": partial(make, *peers),
            }
            with sa.options(tier="compiled"):
                same = bool(
                    np.allclose(*[_sums(call()) for call in (calls["one"], calls["SciPy"])])
                )
                calls["threads"]()
                times = race(calls, seconds / len(EXPRESSIONS))
                used = _nbytes(operands) + _peak(calls["threads"])
            if name in before:
                smaller, time, memory, *both = before[name]
                factor = size / smaller
                label = f"{name} {size:.0e}"
                yield row(label, "time", times["threads"], "linear", time * factor, same)
                yield row(label, "bytes", used, "linear", memory * factor, same)
                slopes = [
                    log(times[who] / past) / log(factor)
                    for who, past in zip(("one", "SciPy"), both, strict=True)
                ]
                yield row(label, "slope", slopes[0], "SciPy", slopes[1], same)
            before[name] = size, times["threads"], used, times["one"], times["SciPy"]


def _by_one_thread(make: Callable[..., Any], operands: tuple[Any, ...]) -> Any:
    with sa.options(threads=1):
        return _computed(make, operands)


def _sums(result: Any) -> list[float]:
    """How many values a result has, and their sum: large results are not compared one by one."""
    if isinstance(result, sa.Array):
        result = stored(result).buffers[-1]
    values = result.data if sp.issparse(result) else np.asarray(result)
    return [float(values.size), float(values.sum())]


def _nbytes(operands: Sequence[sa.Array]) -> int:
    return sum([buffer.nbytes for one in operands for buffer in stored(one).buffers])


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
    """The bytes that a call has at most, its result included: its pools are empty before."""
    free_all()
    tracemalloc.start()
    try:
        call()
        return float(tracemalloc.get_traced_memory()[1])
    finally:
        tracemalloc.stop()


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
