"""The balance of pieces of calls, from counts: nothing is timed, and nothing is computed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

import structarr as sa
from benchmarks.report import Row, row
from structarr._execute.divided_rows import Span, operands_of, spans
from structarr._execute.executor import Executor
from structarr._execute.inner_cuts import Columns
from structarr._execute.partition import parts_of
from structarr._execute.partition_cuts import cuts_of
from structarr._execute.partition_spans import Cuts
from structarr._execute.partition_split import LISTS, Split
from structarr._execute.partition_work import steps_along
from structarr._execute.steps import last_call
from structarr._scheduler.operands import Operands

PIECES = 16, 64, 256
OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "a @ x": lambda a, x: a @ x,
    "x @ a": lambda a, x: x @ a,
    "(a * a[::-1]).sum(axis=1)": lambda a, x: (a * a[::-1].compute()).sum(axis=1),
    "a * a[::-1]": lambda a, x: a * a[::-1].compute(),
    "a.max(axis=1)": lambda a, x: a.max(axis=1),
    "a.max(axis=0)": lambda a, x: a.max(axis=0),
    "a @ a.T": lambda a, x: a @ a.T.compute(),
}
FORMATS = "csr", "coo", "dcsr", "vbl", "sparse-rle"


def rows(data: Path, quick: bool) -> Iterator[Row]:
    """Yield the steps of the longest piece of each graph and matrix, beside those of equal ones.

    A ratio of 1 is perfect balance. A step is a row, or a stored element of an operand. What is in
    one piece has a ratio of one over the number of pieces.
    """
    paths = [*sorted((data / "graphs").glob("*.npz")), *sorted((data / "matrices").glob("*.npz"))]
    for path in paths[:2] if quick else paths:
        matrix = sp.load_npz(path).tocsr().astype(np.float64)
        x, y = [sa.asarray(np.ones(n)) for n in reversed(matrix.shape)]
        for format in FORMATS:
            a = sa.asarray(matrix).asformat(format).compute()
            for name, make in OPERATIONS.items():
                found = _called(make(a, y if name == "x @ a" else x))
                label = f"{path.stem} {format} {name}"
                for count in PIECES:
                    steps = _steps(*found, count) if found else [float(a.nstored)]
                    mean = sum(steps) / count
                    yield row(label, f"{count} steps", max(steps), "equal", mean, True)


def _called(array: sa.Array) -> tuple[Split, Operands] | None:
    """How the call that computes an array is cut, and its operands."""
    call = last_call(Executor().planner.plan(array._node))
    return None if call is None or call.pick.split is None else (call.pick.split, call.given)


def _steps(split: Split, given: Operands, count: int) -> list[float]:
    """The steps of each piece."""
    cuts = Cuts(split, cuts_of(split, given, count, count))
    if split.partial or cuts.has_columns:
        return [
            sum([_of_span(split, given, span) for span in spans(split, given, *piece)])
            for piece in cuts.pieces
        ]
    return [
        sum([_of_operands(split, part) for part in parts_of(cuts, given, piece)])
        for piece in cuts.pieces
    ]


def _of_span(split: Split, given: Operands, span: Span) -> float:
    """The steps of rows, or of a row between two columns."""
    begin, end = span.begin.row, span.end.row
    if span.columns is not None:
        inner = [given.tensors[number] for number in sorted(split.inner)]
        if split.length == LISTS:
            at = span.begin.at or (0,) * len(inner)
            heads = [one.level_buffers[0][1][k:][:1] for one, k in zip(inner, at, strict=True)]
            begin = int(min(np.concatenate(heads)))
        columns = Columns(inner, begin, begin + 1)
        return 1 + columns.before(span.columns[1]) - columns.before(span.columns[0])
    if not split.partial:
        return _of_operands(split, operands_of(split, given, span))
    ends = np.array([begin, end])
    works = [steps_along(given.tensors[number])(ends) for number in sorted(split.numbers)]
    return float(sum([one[1] - one[0] for one in (ends, *works)]))


def _of_operands(split: Split, given: Operands) -> float:
    """The steps of a call on some operands."""
    cut = [given.tensors[number] for number in sorted(split.numbers)]
    if split.length == LISTS:
        rows = sum([one.counts[0] for one in cut if not one.format.root.starts_group])
    else:
        rows = given.extents[split.length]
    return rows + sum([one.nstored for one in cut if not one.format.is_dense])
