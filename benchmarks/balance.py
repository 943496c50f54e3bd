"""The balance of pieces of calls, from counts: nothing is timed, and nothing is computed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

import structarr as sa
from benchmarks.report import Row, row
from structarr._execute.executor import Executor
from structarr._execute.partition import parts_of
from structarr._execute.partition_cuts import cuts_of
from structarr._execute.partition_split import Split
from structarr._execute.steps import last_call
from structarr._scheduler.operands import Operands

PIECES = 16, 64, 256
OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "a @ x": lambda a, x: a @ x,
    "x @ a": lambda a, x: x @ a,
    "(a * a[::-1]).sum(axis=1)": lambda a, x: (a * a[::-1].compute()).sum(axis=1),
    "a * a[::-1]": lambda a, x: a * a[::-1].compute(),
}


def rows(data: Path, quick: bool) -> Iterator[Row]:
    """Yield the steps of the longest piece of each graph and matrix, beside those of equal ones.

    A ratio of 1 is perfect balance. A step is a row, or a stored element of an operand.
    """
    paths = [*sorted((data / "graphs").glob("*.npz")), *sorted((data / "matrices").glob("*.npz"))]
    for path in paths[:2] if quick else paths:
        matrix = sp.load_npz(path).tocsr().astype(np.float64)
        a, x = sa.asarray(matrix), sa.asarray(np.ones(matrix.shape[1]))
        y = sa.asarray(np.ones(matrix.shape[0]))
        for name, make in OPERATIONS.items():
            found = _called(make(a, y if name == "x @ a" else x))
            for count in PIECES if found else ():
                steps = _steps(*found, count)
                label = f"{path.stem} {name}"
                mean = sum(steps) / count
                yield row(label, f"{count} steps", max(steps), "equal", mean, True)


def _called(array: sa.Array) -> tuple[Split, Operands] | None:
    """How the call that computes an array is cut, and its operands."""
    call = last_call(Executor().planner.plan(array._node))
    return None if call is None or call.pick.split is None else (call.pick.split, call.given)


def _steps(split: Split, given: Operands, count: int) -> list[int]:
    """The steps of each piece."""
    return [
        sum([_steps_of(split, part) for part in parts_of(split, given, piece)])
        for piece in pairwise(cuts_of(split, given, count, count))
    ]


def _steps_of(split: Split, given: Operands) -> int:
    cut = [given.tensors[number] for number in split.numbers]
    stored = sum([one.nstored for one in cut if not one.format.is_dense])
    return given.extents[split.length] + stored
