"""Products of matrices with sparse vectors, by merging, by galloping and by blocks."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import scipy.sparse as sp

import structarr as sa
from benchmarks import matrices
from benchmarks.expressions import picked
from benchmarks.handwritten_blocks import vbl_list
from benchmarks.handwritten_lists import csr_pairs, stepped
from benchmarks.handwritten_merges import spmspv_flags
from benchmarks.handwritten_programs import spmspv_gallop, spmspv_lead, spmspv_walk
from benchmarks.programs import Peer, buffers, compared
from benchmarks.report import Row

PROGRAMS: Final = {
    "walk": "y[i] += A[i, walk(j)] * x[walk(j)]",
    "gallop": "y[i] += A[i, gallop(j)] * x[gallop(j)]",
    "lead": "y[i] += A[i, gallop(j)] * x[walk(j)]",
    "vbl": "y[i] += A[i, walk(j)] * x[walk(j)]",
}
BY_HAND: Final = {
    "walk": {"handwritten": spmspv_walk, "hand, branchless": csr_pairs(stepped)[0]},
    "gallop": {"handwritten": spmspv_gallop},
    "lead": {"handwritten": spmspv_lead},
    "vbl": {"handwritten": vbl_list},
}
LEAST = 1000  # stored elements of a matrix
QUICK: Final = ("bcsstk09", "west1505")


def run(data: Path, quick: bool) -> Iterator[Row]:
    """Yield the rows of all Harwell-Boeing matrices."""
    for file in sorted((data / "hb").glob("*.npz")):
        if quick and file.stem not in QUICK:
            continue
        matrix = matrices.real(file)[0]
        if matrix.nnz >= LEAST and matrix.dtype == np.float64:
            yield from products(file.stem, matrix, 0.1 if quick else 0.3)


def products(name: str, matrix: Any, seconds: float) -> Iterator[Row]:
    """Yield the rows of a matrix: with a vector of a tenth of the columns, and of ten."""
    csr = sa.asarray(matrix)
    stored = {"vbl": csr.asformat(sa.formats.parse("vbl", 2, str(matrix.indices.dtype)))}
    columns = matrix.shape[1]
    for label, count in (("10%", columns // 10), ("10", min(10, columns))):
        x = _vector(columns, count)
        for strategy, program in PROGRAMS.items():
            job = {"A": stored.get(strategy, csr), "x": sa.asarray(x, format="list")}
            yield from compared(
                f"{strategy} {label} {name}",
                program,
                [job],
                dict(_peers(strategy, matrix, x, job)),
                seconds,
            )
        yield from _picked(f"picked {label} {name}", matrix, x, seconds)


def _picked(case: str, matrix: Any, x: Any, seconds: float) -> Iterator[Row]:
    """Yield the rows of plain `a @ x`, beside the merge that TACO would write."""
    for order in ("csr", "csc"):
        a, list_ = sa.asarray(matrix.asformat(order)), sa.asarray(x, format="list")
        y = np.zeros(matrix.shape[0])
        csr = sa.asarray(matrix)
        merge = partial(spmspv_flags, y, *matrix.shape, *buffers(csr), *buffers(list_))

        def merged(merge: Any = merge, y: Any = y) -> Any:
            merge()
            return y

        column = sp.csc_array(x[:, None])
        peers = {"as TACO merges": merged, "scipy": lambda column=column: matrix @ column}
        make = partial(operator.matmul, a, list_)
        label = case if order == "csr" else case.replace("picked", "picked csc")
        yield from picked(label, make, peers, seconds)


def _vector(columns: int, count: int) -> Any:
    random = np.random.default_rng(0)
    x = np.zeros(columns)
    x[random.choice(columns, count, replace=False)] = random.standard_normal(count)
    return x


def _peers(strategy: str, matrix: Any, x: Any, job: Any) -> Iterator[tuple[str, Peer]]:
    for name, kernel in BY_HAND[strategy].items():
        y = np.zeros(matrix.shape[0])
        args = (y, *matrix.shape, *buffers(job["A"]), *buffers(job["x"]))
        yield name, Peer(partial(kernel, *args), partial(list, [y]))
    column = sp.csr_array(x[:, None])
    yield "scipy", Peer(lambda: matrix @ column, lambda: [matrix @ x])
