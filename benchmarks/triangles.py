"""Counting triangles of graphs: by merging, by galloping, by blocks, by look-ups."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import scipy.sparse as sp

import structarr as sa
from benchmarks import peers, taco
from benchmarks.contest import Way, contest, expression, program
from benchmarks.handwritten_lookups import triangles_bitmap, triangles_bytemap
from benchmarks.handwritten_merges import triangles_flags
from benchmarks.handwritten_programs import triangles_gallop, triangles_stepped, triangles_walk
from benchmarks.programs import Peer, buffers, values
from benchmarks.report import Row

# The graph is symmetric: its transpose, in whose rows A[k, i] would be read, is itself.
PROGRAMS: Final = {
    "walk": "c += A[i, j] and A[j, walk(k)] and A[i, walk(k)]",
    "gallop": "c += A[i, j] and A[j, gallop(k)] and A[i, gallop(k)]",
    "vbl": "c += A[i, j] and V[j, walk(k)] and V[i, walk(k)]",
    "bitmap": "c += A[i, j] and A[j, walk(k)] and B[i, locate(k)]",
}
BY_HAND: Final = {
    "walk": {"handwritten": triangles_walk, "hand, branchless": triangles_stepped},
    "gallop": {"handwritten": triangles_gallop},
}
QUICK: Final = ("web-edu", "web-spam")
WIDEST: Final = 8192  # nodes of a graph whose pairs fit into a bitmap
# Libraries that form the product: of so many multiplications at most.
SCIPY, PYDATA = 30_000_000, 5_000_000


def run(data: Path, quick: bool) -> Iterator[Row]:
    """Yield the rows of all graphs."""
    for path in sorted((data / "graphs").glob("*.npz")):
        if not quick or path.stem in QUICK:
            yield from counts(path.stem, sp.load_npz(path), 0.3 if quick else 1.0)


def counts(name: str, graph: Any, seconds: float) -> Iterator[Row]:
    """Yield the rows of a graph, whose directions and loops are dropped."""
    matrix = _simple(graph)
    ways = {f"{way} {name}": made for way, made in _ways(matrix)}
    yield from contest(ways, dict(_peers(name, matrix)), seconds)
    # Below the diagonal each triangle is found once, not six times; by whom we compare with too.
    lower = sp.csr_array(sp.tril(matrix))
    once = {f"lower {name}": _picked(_pattern(lower), "ij,jk,ik->")}
    yield from contest(once, dict(_lower_peers(lower)), seconds / 4)


def _ways(matrix: Any) -> Iterator[tuple[str, Way]]:
    nodes, edges = matrix.shape[0], _pattern(matrix)
    for name, kernels in BY_HAND.items():
        job = {"A": edges, "order": "ijk"}
        by_hand = {
            key: values(partial(kernel, nodes, *buffers(edges))) for key, kernel in kernels.items()
        }
        yield name, program(PROGRAMS[name], job, by_hand)
    index = str(matrix.indices.dtype)
    blocks = sa.asarray(matrix).asformat(sa.formats.parse("vbl", 2, index)).compute()
    yield "vbl", program(PROGRAMS["vbl"], {"A": edges, "V": blocks, "order": "ijk"}, {})
    if nodes <= WIDEST:
        pairs = _pattern(matrix, sa.formats.Bitmap)
        mask = buffers(pairs)[0]
        by_hand = {"handwritten": values(partial(triangles_bitmap, nodes, *buffers(edges), mask))}
        job = {"A": edges, "B": pairs, "order": "ijk"}
        yield "bitmap", program(PROGRAMS["bitmap"], job, by_hand)
    by_hand = {"handwritten": values(partial(triangles_bytemap, nodes, *buffers(edges)))}
    yield "picked", _picked(edges, "ij,jk,ki->", by_hand)


def _picked(edges: sa.Array, subscripts: str, by_hand: dict[str, Peer] | None = None) -> Way:
    """NumPy's einsum, which counts where a dtype says so: of truth values it would be `any`."""
    make = partial(np.einsum, subscripts, edges, edges, edges, dtype=np.int64)
    return expression(make, by_hand or {})


def _peers(name: str, matrix: Any) -> Iterator[tuple[str, Peer]]:
    edges = buffers(_pattern(matrix))
    yield "as TACO merges", values(partial(triangles_flags, matrix.shape[0], *edges))
    yield from taco.triangles(matrix.shape[0], edges).items()
    count = matrix.astype(np.int64)
    products = int((np.diff(matrix.indptr).astype(np.int64) ** 2).sum())
    if products <= SCIPY:
        yield "scipy", values(lambda: (count @ count).multiply(count).sum())
    else:
        peers.left_out(f"scipy on {name} ({products:.0e} products)", "raise triangles.SCIPY")
    if products <= PYDATA and (sparse := peers.library("sparse")):
        coo = sparse.COO.from_scipy_sparse(count)
        yield "pydata/sparse", values(lambda: ((coo @ coo) * coo).sum().todense())
    if graphblas := peers.graphblas():
        a = graphblas.io.from_scipy_sparse(count)
        yield "graphblas", values(partial(_masked, graphblas, a, a))


def _lower_peers(lower: Any) -> Iterator[tuple[str, Peer]]:
    merge = partial(triangles_flags, lower.shape[0], *buffers(_pattern(lower)))
    yield "as TACO merges", values(merge)
    if graphblas := peers.graphblas():
        a = graphblas.io.from_scipy_sparse(lower.astype(np.int64))
        yield "graphblas", values(partial(_masked, graphblas, a, a.T))


def _masked(graphblas: Any, a: Any, other: Any) -> Any:
    """GraphBLAS's product where there is an edge, summed."""
    product = graphblas.Matrix(graphblas.dtypes.INT64, *a.shape)
    product(a.S) << graphblas.semiring.plus_pair(a @ other)
    return product.reduce_scalar().value


def _pattern(matrix: Any, level: Any = sa.formats.SparseList) -> sa.Array:
    pattern = sa.formats.Dense(level(sa.formats.Pattern()))
    fmt = sa.formats.Format(pattern, (0, 1), str(matrix.indices.dtype))
    return sa.asarray(matrix).asformat(fmt).compute()


def _simple(graph: Any) -> Any:
    coo = sp.coo_array(graph)
    rows, columns = (np.concatenate(pair) for pair in (coo.coords, coo.coords[::-1]))
    apart = rows != columns
    values = np.ones(np.count_nonzero(apart), bool)
    csr = sp.csr_array((values, (rows[apart], columns[apart])), coo.shape)
    csr.sum_duplicates()
    return csr
