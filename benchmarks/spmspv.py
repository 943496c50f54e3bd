"""Products of matrices with sparse vectors: by merging, by galloping, by blocks, by look-ups."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import scipy.sparse as sp

import structarr as sa
from benchmarks import matrices, peers, taco
from benchmarks.contest import Way, contest, expression, program
from benchmarks.handwritten_blocks import band_list, symmetric_list, vbl_list
from benchmarks.handwritten_lists import csr_pairs, csr_scattered, stepped
from benchmarks.handwritten_lookups import (
    spmspv_bytemap,
    spmspv_columns,
    spmspv_follow,
    vbl_lead,
    vbl_scattered,
)
from benchmarks.handwritten_merges import spmspv_flags
from benchmarks.handwritten_programs import spmspv_gallop, spmspv_lead, spmspv_walk
from benchmarks.programs import Peer, buffers, values
from benchmarks.report import Row

# In `lead` the matrix leads, and the list leaps to what it stores; in `follow` the list leads.
PROGRAMS: Final = {
    "walk": "y[i] += A[i, walk(j)] * x[walk(j)]",
    "gallop": "y[i] += A[i, gallop(j)] * x[gallop(j)]",
    "lead": "y[i] += A[i, gallop(j)] * x[walk(j)]",
    "follow": "y[i] += A[i, walk(j)] * x[gallop(j)]",
}
BY_HAND: Final = {
    "walk": {"handwritten": spmspv_walk, "hand, branchless": csr_pairs(stepped)[0]},
    "gallop": {"handwritten": spmspv_gallop},
    "lead": {"handwritten": spmspv_lead},
    "follow": {"handwritten": spmspv_follow},
}
LEAST: Final = 1000  # stored elements of a matrix
QUICK: Final = ("bcsstk09", "west1505")
WIDEST: Final = 4  # a band may hold so many elements for each one of the matrix
FULL: Final = 0.1  # a packed triangle is for matrices that are filled to this part


def run(data: Path, quick: bool) -> Iterator[Row]:
    """Yield the rows of all Harwell-Boeing matrices."""
    for path in sorted((data / "hb").glob("*.npz")):
        if quick and path.stem not in QUICK:
            continue
        matrix = matrices.real(path)[0]
        if matrix.nnz >= LEAST and matrix.dtype == np.float64:
            yield from products(path.stem, matrix, 0.1 if quick else 0.3)


def products(name: str, matrix: Any, seconds: float) -> Iterator[Row]:
    """Yield the rows of a matrix: with a vector of a tenth of the columns, and of ten."""
    columns = matrix.shape[1]
    for label, count in (("10%", columns // 10), ("10", min(10, columns))):
        x = _vector(columns, count)
        ways = {f"{way} {label} {name}": made for way, made in _ways(matrix, x)}
        yield from contest(ways, dict(_peers(matrix, x)), seconds)


def _ways(matrix: Any, x: Any) -> Iterator[tuple[str, Way]]:
    """Ours: each strategy by name, formats that suit the matrix, and plain `a @ x`."""
    row = partial(_by_row, matrix.shape)
    csr, vbl, columns = (_stored(matrix, name) for name in ("csr", "vbl", "csc"))
    listed, mapped = sa.asarray(x, format="list"), sa.asarray(x, format="bitmap")
    for name, text in PROGRAMS.items():
        yield name, program(text, {"A": csr, "x": listed}, row(BY_HAND[name], csr, listed))
    for name, strategy, kernel in (("vbl", "walk", vbl_list), ("vbl lead", "lead", vbl_lead)):
        job = {"A": vbl, "x": listed}
        yield name, program(PROGRAMS[strategy], job, row({"handwritten": kernel}, vbl, listed))
    by_hand = row({"handwritten": spmspv_bytemap}, csr, mapped)
    yield "bytemap", program(PROGRAMS["walk"], {"A": csr, "x": mapped}, by_hand)
    for name, kernel in _suiting(matrix):
        stored = _stored(matrix, name)
        product = partial(operator.matmul, stored, listed)
        yield name, expression(product, row({"handwritten": kernel}, stored, listed))
    for name, stored, kernel in (
        ("picked", csr, csr_scattered),
        ("picked csc", columns, spmspv_columns),
        ("picked vbl", vbl, vbl_scattered),
    ):
        product = partial(operator.matmul, stored, listed)
        yield name, expression(product, row({"handwritten": kernel}, stored, listed))


def _suiting(matrix: Any) -> Iterator[tuple[str, Callable[..., None]]]:
    """Formats that store little more than the matrix does, with their kernels by hand."""
    first, last = matrix.indptr[:-1], matrix.indptr[1:]
    some = first < last
    widths = matrix.indices[last[some] - 1] - matrix.indices[first[some]] + 1
    if widths.sum(dtype=np.int64) <= WIDEST * matrix.nnz:
        yield "band", band_list
    square = matrix.shape[0] == matrix.shape[1]
    if square and matrix.nnz >= FULL * matrix.shape[0] ** 2 and (matrix != matrix.T).nnz == 0:
        yield "symmetric", symmetric_list


def _stored(matrix: Any, name: str) -> sa.Array:
    order = sa.asarray(matrix.tocsc() if name == "csc" else matrix)
    return order.asformat(sa.formats.parse(name, 2, str(matrix.indices.dtype))).compute()


def _vector(columns: int, count: int) -> Any:
    random = np.random.default_rng(0)
    x = np.zeros(columns)
    x[random.choice(columns, count, replace=False)] = random.standard_normal(count)
    return x


def _by_row(
    shape: tuple[int, int], kernels: Mapping[str, Callable[..., None]], a: sa.Array, x: sa.Array
) -> dict[str, Peer]:
    """The kernels by hand, which write into a vector that they are given."""
    found = {}
    for name, kernel in kernels.items():
        y = np.zeros(shape[0])
        call = partial(kernel, y, *shape, *buffers(a), *buffers(x))
        found[name] = Peer(call, partial(list, [y]))
    return found


def _peers(matrix: Any, x: Any) -> Iterator[tuple[str, Peer]]:
    csr, listed = _stored(matrix, "csr"), sa.asarray(x, format="list")
    yield from _by_row(matrix.shape, {"as TACO merges": spmspv_flags}, csr, listed).items()
    yield from taco.product(matrix.shape[0], buffers(csr), buffers(listed)).items()
    column = sp.csr_array(x[:, None])
    yield "scipy", Peer(lambda: matrix @ column, lambda: [(matrix @ column).toarray().ravel()])
    yield "scipy, dense x", values(lambda: matrix @ x)
    if sparse := peers.library("sparse"):
        coo, coords = sparse.COO.from_scipy_sparse(matrix), sparse.COO.from_numpy(x)
        yield "pydata/sparse", Peer(lambda: coo @ coords, lambda: [(coo @ coords).todense()])
    if graphblas := peers.graphblas():
        places = np.flatnonzero(x)
        vector = graphblas.Vector.from_coo(places, x[places], size=len(x))
        for name, order in (("graphblas", "csr"), ("graphblas, csc", "csc")):
            a = graphblas.io.from_scipy_sparse(matrix.asformat(order))
            yield name, Peer(partial(_product, a, vector), partial(_as_dense, a, vector))


def _product(a: Any, vector: Any) -> Any:
    return a.mxv(vector).new()


def _as_dense(a: Any, vector: Any) -> list[Any]:
    return [_product(a, vector).to_dense(0.0)]
