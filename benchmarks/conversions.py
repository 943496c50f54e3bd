"""Conversions of matrices between rows, columns, coordinates, blocks and diagonals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

import structarr as sa
from benchmarks import matrices
from benchmarks.report import Row, row
from benchmarks.timing import Call, race
from structarr.formats import Dense, Element, Format, Tiles, parse

REAL = (("hb/bcsstk16.npz", 3), ("graphs/web-spam.npz", 0), ("hb/sherman1.npz", 0))
BAND = 7  # from one diagonal to the next
DIAGONALS = 21


@dataclass(frozen=True)
class Input:
    """A matrix, the names of the formats that suit it, and the side of its blocks."""

    name: str
    csr: Any
    formats: tuple[str, ...]
    side: int = 1


def run(data: Path, quick: bool) -> Iterator[Row]:
    """Yield the rows of all pairs of formats."""
    for given in _inputs(data, quick):
        for source, target in permutations(given.formats, 2):
            yield from compared(given, source, target, 0.2 if quick else 1.0)


def _inputs(data: Path, quick: bool) -> Iterator[Input]:
    for stored in (100_000,) if quick else (100_000, 1_000_000):
        size = f"{stored // 1000}k"
        yield Input(f"random-{size}", matrices.halves(stored)[0], ("csr", "csc", "coo"))
        yield Input(f"blocks-{size}", blocks(stored, 4), ("csr", "csc", "coo", "bsr"), 4)
        yield Input(f"diagonals-{size}", diagonals(stored), ("csr", "csc", "coo", "dia"))
    for name, side in REAL[:1] if quick else REAL:
        if (data / name).exists():
            csr = matrices.real(data / name)[0]
            extra = ("bsr",) if side else ("dia",) if "sherman" in name else ()
            yield Input(Path(name).stem, csr, ("csr", "csc", "coo", *extra), side)


def blocks(stored: int, side: int) -> Any:
    """Return a random CSR array of full blocks, five a row of blocks."""
    random = np.random.default_rng(0)
    count = stored // side**2
    n = count // 5
    rows, columns = np.divmod(np.unique(random.integers(0, n * n, count)), n)
    data = random.standard_normal((len(rows), side, side))
    ptr = np.searchsorted(rows, np.arange(n + 1))
    return _csr(sp.bsr_array((data, columns, ptr), shape=(n * side, n * side)))


def diagonals(stored: int) -> Any:
    """Return a CSR array of diagonals at equal distances around the main one."""
    n = stored // DIAGONALS
    offsets = BAND * np.arange(-(DIAGONALS // 2), DIAGONALS // 2 + 1)
    data = np.random.default_rng(0).standard_normal((DIAGONALS, n))
    return _csr(sp.dia_array((data, offsets), shape=(n, n)))


def _csr(matrix: Any) -> Any:
    csr = matrix.tocsr()
    csr.sort_indices()
    csr.indices, csr.indptr = csr.indices.astype(np.int32), csr.indptr.astype(np.int32)
    return csr


def compared(given: Input, source: str, target: str, seconds: float) -> Iterator[Row]:
    """Yield the row of a conversion; against SciPy twice where it leaves coordinates unsorted."""
    mine = sa.asarray(given.csr).asformat(_format(source, given.side))
    asked = _format(target, given.side)
    calls: dict[str, Call] = {"structarr": lambda: matrices.anew(mine).asformat(asked)}
    matrix = _scipy(given.csr, source, given.side)
    calls["scipy"] = lambda: _scipy(matrix, target, given.side)
    if target == "coo" and source == "csc":
        calls["scipy, sorted"] = lambda: matrix.tocsr().tocoo()
    with sa.options(tier="compiled"):
        ours = calls["structarr"]()
    wanted = {name: call() for name, call in calls.items() if name != "structarr"}
    times = race(calls, seconds)
    for peer, value in wanted.items():
        equal = ours.format == target and _equal(ours, value)
        case = f"{source}-{target} {given.name}"
        yield row(case, "structarr", times["structarr"], peer, times[peer], equal)


def _format(name: str, side: int) -> Format:
    if name == "bsr":
        return Format(Dense(Tiles(Element(), side, side)), (0, 1), "int32")
    return parse(name, 2, "int32")


def _scipy(matrix: Any, target: str, side: int) -> Any:
    convert: Callable[..., Any] = getattr(matrix, f"to{target}")
    return convert((side, side)) if target == "bsr" else convert()


def _equal(ours: Any, theirs: Any) -> bool:
    return bool(abs(ours.to_scipy("csr") - theirs.tocsr()).max() == 0)
