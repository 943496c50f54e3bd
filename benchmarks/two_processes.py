"""Two threads beside two independent processes, each of which computes the same in one thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import structarr as sa
from benchmarks import skewed
from benchmarks.report import Row, row

COUNT: Final = 2
"""The threads, and the processes."""

TURN: Final = 0.05
"""The seconds for which something is repeated in a turn, at least."""

LEAST: Final = 3
"""The turns that are taken at least."""

OPERATIONS: Final[dict[str, Callable[[Any, Any, Any, Any], Any]]] = {
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


def rows(size: int, seconds: float) -> Iterator[Row]:
    """
    Yield the time of each operation by two threads, beside what two processes take for one.

    Two processes compute the operation at the same time, so in the time of one call of each there
    are two: the peer's figure is half of it. A ratio of 1 is what two processes reach together,
    with all that they share of the machine. Threads, processes and one thread take turns, and the
    least of each counts. The last rows are the geometric mean and the least ratio; the least is
    followed by the machine's load, as other work takes from both.
    """
    ratios = []
    with _workers(size) as workers:
        for kind in skewed.KINDS:
            same = [one.asks("make", kind) for one in workers]
            for name in OPERATIONS:
                same = workers[0].asks("same", name)
                together, alone = _times(workers, name, seconds / len(OPERATIONS))
                made = row(
                    f"{name} {kind}", f"gain {alone / together[0]:.2f}", *_pair(together), same
                )
                ratios.append(made.ratio)
                yield made
