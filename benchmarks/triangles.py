"""Counting triangles of graphs, by merging and by galloping."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np
import scipy.sparse as sp

import structarr as sa
from benchmarks.expressions import picked
from benchmarks.handwritten_merges import triangles_flags
from benchmarks.handwritten_programs import triangles_gallop, triangles_stepped, triangles_walk
from benchmarks.programs import buffers, compared, values
from benchmarks.report import Row

# The graph is symmetric: its transpose, in whose rows A[k, i] would be read, is itself.
PROGRAMS: Final = {
    "walk": "c += A[i, j] and A[j, walk(k)] and A[i, walk(k)]",
    "gallop": "c += A[i, j] and A[j, gallop(k)] and A[i, gallop(k)]",
}
BY_HAND: Final = {
    "walk": {"handwritten": triangles_walk, "hand, branchless": triangles_stepped},
    "gallop": {"handwritten": triangles_gallop},
}
QUICK: Final = ("web-edu", "web-spam")


def run(data: Path, quick: bool) -> Iterator[Row]:
    """Yield the rows of all graphs."""
    for file in sorted((data / "graphs").glob("*.npz")):
        if not quick or file.stem in QUICK:
            yield from counts(file.stem, sp.load_npz(file), 0.2 if quick else 1.0)


def counts(name: str, graph: Any, seconds: float) -> Iterator[Row]:
    """Yield the rows of a graph, whose directions and loops are dropped."""
    matrix = _simple(graph)
    index = str(matrix.indices.dtype)
    pattern = sa.formats.Dense(sa.formats.SparseList(sa.formats.Pattern()))
    edges = sa.asarray(matrix).asformat(sa.formats.Format(pattern, (0, 1), index))
    count = matrix.astype(np.int64)
    for strategy, program in PROGRAMS.items():
        peers = {
            name: values(partial(kernel, matrix.shape[0], *buffers(edges)))
            for name, kernel in BY_HAND[strategy].items()
        }
        peers["scipy"] = values(lambda: (count @ count).multiply(count).sum())
        job = {"A": edges, "order": "ijk"}
        yield from compared(f"{strategy} {name}", program, [job], peers, seconds)
    found = {
        "as TACO merges": partial(triangles_flags, matrix.shape[0], *buffers(edges)),
        "scipy": lambda: (count @ count).multiply(count).sum(),
        **_graphblas(count),
    }
    ones = edges.astype(np.int64)
    make = partial(sa.einsum, "ij,jk,ki->", ones, ones, ones)
    yield from picked(f"picked {name}", make, found, seconds)


def _graphblas(count: Any) -> dict[str, Any]:
    """GraphBLAS's masked product, where it is installed."""
    if not find_spec("graphblas"):
        return {}
    import graphblas as gb

    matrix = gb.io.from_scipy_sparse(count)

    def masked() -> Any:
        product = gb.Matrix(gb.dtypes.INT64, *matrix.shape)
        product(matrix.S) << gb.semiring.plus_pair(matrix @ matrix)
        return product.reduce_scalar().value

    return {"graphblas": masked}


def _simple(graph: Any) -> Any:
    coo = sp.coo_array(graph)
    rows, columns = (np.concatenate(pair) for pair in (coo.coords, coo.coords[::-1]))
    apart = rows != columns
    values = np.ones(np.count_nonzero(apart), bool)
    csr = sp.csr_array((values, (rows[apart], columns[apart])), coo.shape)
    csr.sum_duplicates()
    return csr
