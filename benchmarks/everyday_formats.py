"""Operations of every day through our other formats, beside NumPy on the dense array."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final

import numpy as np
import scipy.sparse as sp

import structarr as sa
from benchmarks import structures
from benchmarks.everyday_checks import fault
from benchmarks.everyday_operands import Operands, family
from benchmarks.everyday_operations import Operation, operations, structured
from benchmarks.everyday_timing import Contender, race, warmed
from benchmarks.report import Row, row
from structarr.errors import StructarrError

SCIPYS: Final = ("csr", "coo", "bsr", "dia", "constant")
"""Formats that SciPy has, and one that has no buffers to speak of."""

SIDE: Final = 1000  # of the square matrices, at most
FEW: Final = ("symmetric", "band")


def run(quick: bool) -> Iterator[Row]:
    """Yield the rows of every format: those of a few operations in two formats if `quick`."""
    for name in FEW if quick else structures.MAKERS:
        if name not in SCIPYS:
            stored = 20_000 if quick else 1_000_000
            every = operations(few=quick) + structured(few=quick)
            yield from compared(name, stored, every, 0.03 if quick else 0.3)


def compared(name: str, stored: int, chosen: list[Operation], seconds: float) -> Iterator[Row]:
    """Yield the rows of some operations in a format."""
    operands = _Dense(name, stored)
    for operation in chosen:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            yield from _rows(f"{name} {operation.ours.text}", operation, operands, seconds)


class _Dense:
    """The operands of a format's own matrices: ours in that format, NumPy's dense."""

    def __init__(self, name: str, stored: int) -> None:
        pair = [_square(one) for one in structures.pair(name, stored)]
        self._format = name
        sparse = family(*(sp.csr_array(one) for one in pair))
        self._plain = {key: one.toarray() for key, one in sparse.items()}
        self.dense = {**Operands(sparse).dense, "S": self._plain["a"]}
        self._formats = {key: self._fitting(key) for key in self._plain}

    def _fitting(self, key: str) -> str:
        """The format, if it holds the operand; else CSR."""
        try:
            sa.asarray(self._plain[key], format=self._format).compute()
        except (StructarrError, ValueError):
            return "csr"
        return "csr" if key in ("c", "thin", "t") else self._format

    def theirs(self, key: str) -> Any:
        return self._plain[key].copy()

    def ours(self, key: str) -> sa.Array:
        return sa.asarray(self._plain[key], format=self._formats[key]).compute()

    def names(self, namespace: Any) -> Mapping[str, Any]:
        return {**self.dense, "sa": namespace}


def _square(matrix: Any) -> Any:
    side = min(SIDE, *matrix.shape) // 2 * 2
    return matrix[:side, :side]


def _rows(case: str, operation: Operation, operands: _Dense, seconds: float) -> Iterator[Row]:
    spelling = operation.ours
    makers = [[partial(side, name) for name in spelling.operands]
              for side in (operands.ours, operands.theirs)]  # fmt: skip
    ours, theirs = (
        Contender(spelling.function(operands.names(space)), partial(_made, each))
        for space, each in zip((sa, np), makers, strict=True)
    )
    try:
        wanted = theirs.call(*theirs.make())
    except (AttributeError, TypeError, KeyError):  # NumPy has no such function
        return
    if isinstance(wanted, sa.Array):
        return
    mine = Contender(partial(_computed, ours.call), ours.make)
    try:
        result = warmed(mine)
    except Exception as error:
        yield Row(case, f"refused: {type(error).__name__}", 0.0, "numpy", theirs.once(), 0.0, False)
        print(f"{case}: {type(error).__name__}: {str(error)[:200]}", file=sys.stderr)
        return
    reason = fault(result, wanted)
    times = race({"ours": mine, "numpy": theirs}, seconds)
    variant = f"anew, {reason}" if reason else "anew"
    yield row(case, variant, times["ours"], "numpy", times["numpy"], not reason)


def _made(makers: list[Any]) -> tuple[Any, ...]:
    return tuple(make() for make in makers)


def _computed(function: Any, *operands: Any) -> Any:
    result = function(*operands)
    if isinstance(result, tuple):
        return tuple(one.compute() if isinstance(one, sa.Array) else one for one in result)
    return result.compute() if isinstance(result, sa.Array) else result
