"""Two threads beside two independent processes, each of which computes the same in one thread."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise
from math import inf
from multiprocessing import get_context
from multiprocessing.connection import Connection
from random import Random
from time import perf_counter
from typing import Any, Final

import numpy as np

import structarr as sa
from benchmarks import skewed
from benchmarks.report import Row, row
from structarr._array import stored
from structarr._execute.known_lengths import KnownLengths

COUNT: Final = 2
"""The threads, and the processes."""

LEAST: Final = 5
"""The turns that are taken at least."""

OPERATIONS: Final[dict[str, Callable[[Any, Any, Any, Any], sa.Array]]] = {
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
"""Operations on two matrices, a vector and a block of vectors."""


HAND: Final = "2 * values by hand"
"""NumPy's loop over the values, a part of which each thread has: what threads gain by themselves.

Where the machine's memory is shared with others, that is nothing at times.
"""


@dataclass(frozen=True)
class Ask:
    """What a process is asked to do with an operation: to compute it for some seconds."""

    name: str
    threads: int
    seconds: float


def rows(
    size: int,
    seconds: float,
    kinds: Sequence[str] = skewed.KINDS,
    format: str = "csr",
    names: Sequence[str] = (*OPERATIONS, HAND),
    anew: bool = False,
) -> Iterator[Row]:
    """
    Yield the time of operations by two threads, beside what two processes take for one.

    Parameters
    ----------
    size : int
        The stored entries of each matrix.
    seconds : float
        How long to go on with each kind of rows, all operations together.
    kinds : sequence of str
        The kinds of rows.
    format : str
        The format of the matrices.
    names : sequence of str
        The operations.
    anew : bool
        Whether nothing is known of what the same operands have stored before
        (`KnownLengths`), as in a first call.

    Notes
    -----
    Two processes compute the operation at the same time, so in the time of one call of each there
    are two: the peer's figure is half of it. A ratio of 1 is what two processes reach together,
    with all that they share of the machine. Two processes, two threads and one take turns, and the
    least time of each counts. The last rows are the geometric mean of the ratios and the least of
    them, but for those of loops by hand, and the load of the machine.
    """
    made = []
    for kind in kinds:
        with _workers(size, kind, format, anew) as workers:
            for name in names:
                made.append(_compared(workers, name, kind, seconds / len(names)))
                yield made[-1]
    ratios = np.array([one.ratio for one in made if not one.case.startswith(HAND)])
    mean, least = float(np.exp(np.log(ratios).mean())), float(ratios.min())
    yield Row("geometric mean", "2 threads", 1.0, "2 processes", mean, mean, True)
    yield Row("least", "2 threads", 1.0, "2 processes", least, least, True)
    yield row("load average", "load", os.getloadavg()[0], "processors", _processors(), True)


def _processors() -> float:
    return float(os.cpu_count() or 1)


def _compared(workers: Sequence[Connection], name: str, kind: str, seconds: float) -> Row:
    """The row of an operation."""
    first = workers[0]
    same = all(_asked([first], [name]))
    turn = max(seconds / 40, 0.01)
    ways: dict[str, Callable[[], float]] = {
        "processes": lambda: _together(workers, Ask(name, 1, turn)),
        "threads": lambda: _together([first], Ask(name, COUNT, turn)),
        "one": lambda: _together([first], Ask(name, 1, turn)),
    }
    best, order, end = dict.fromkeys(ways, inf), Random(0), perf_counter() + seconds
    for number in range(1000):
        if number >= LEAST and perf_counter() > end:
            break
        for way in order.sample(list(ways), len(ways)):
            best[way] = min(best[way], ways[way]())
    gain = f"gain {best['one'] / best['threads']:.2f}"
    return row(f"{name} {kind}", gain, best["threads"], "2 processes", best["processes"], same)


def _together(workers: Sequence[Connection], ask: Ask) -> float:
    """The seconds in which workers that begin at once compute one result among them all."""
    return 1 / sum([1 / spent for spent in _asked(workers, [ask] * len(workers))])


def _asked(workers: Sequence[Connection], asks: Sequence[Any]) -> list[Any]:
    """The answers of workers, all of which are asked before any is heard."""
    for worker, ask in zip(workers, asks, strict=True):
        worker.send(ask)
    found = [worker.recv() for worker in workers]
    for one in found:
        if isinstance(one, BaseException):
            raise one
    return found


@contextmanager
def _workers(size: int, kind: str, format: str, anew: bool) -> Iterator[list[Connection]]:
    """Processes that hold the same operands, each at the other end of a connection."""
    context = get_context("spawn")
    pipes = [context.Pipe() for _ in range(COUNT)]
    processes = [
        context.Process(target=_serve, args=(end, size, kind, format, anew), daemon=True)
        for _, end in pipes
    ]
    try:
        for one in processes:
            one.start()
        yield [own for own, _ in pipes]
    finally:
        for one in processes:
            one.kill()
            one.join()


def _serve(asked: Connection, size: int, kind: str, format: str, anew: bool) -> None:
    """Answer what is asked, until the process is ended."""
    if anew:
        KnownLengths.keep = lambda *_: None  # type: ignore[method-assign]
    lengths = skewed.lengths_of(kind, size)
    a, b = [skewed.of_lengths(lengths, seed).asformat(format).compute() for seed in (0, 1)]
    n = len(lengths)
    operands = a, b, sa.asarray(np.linspace(-1.0, 1.0, n)), np.ones((n, 4))
    while True:
        ask = asked.recv()
        try:
            answer: Any = _answer(ask, operands)
        except Exception as error:
            answer = error
        asked.send(answer)


def _answer(ask: Any, operands: tuple[Any, ...]) -> Any:
    """The seconds of a call; whether threads give the same bits, where no time is asked for."""
    if isinstance(ask, Ask):
        return _timed(partial(_computed, ask.name, ask.threads, operands), ask.seconds)
    one, several = [
        [buffer.tobytes() for buffer in stored(_computed(ask, threads, operands)).buffers]
        for threads in (1, COUNT)
    ]
    return one == several


def _computed(name: str, threads: int, operands: tuple[Any, ...]) -> sa.Array:
    if name == HAND:
        return _by_hand(stored(operands[0]).buffers[-1], threads)
    with sa.options(threads=threads, tier="compiled"):
        return OPERATIONS[name](*operands).compute()


def _by_hand(values: np.ndarray, threads: int) -> sa.Array:
    out, ends = _room(len(values)), np.arange(threads + 1) * len(values) // threads

    def work(lo: int, hi: int) -> None:
        np.multiply(values[lo:hi], 2.0, out=out[lo:hi])

    others = [_others().submit(work, *part) for part in pairwise(ends[1:])]
    work(0, ends[1])
    for one in others:
        one.result()
    return sa.asarray(out)


@cache
def _others() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(COUNT)


@cache
def _room(count: int) -> np.ndarray:
    return np.zeros(count)


def _timed(call: Callable[[], Any], seconds: float) -> float:
    """The mean seconds of a call, repeated for some seconds after a first one."""
    call()
    start, count = perf_counter(), 0
    while True:
        call()
        count += 1
        spent = perf_counter() - start
        if spent > seconds:
            return spent / count
