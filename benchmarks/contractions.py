"""Products that take a schedule: of sparse matrices, masked, in chains, of tensors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

import structarr as sa
from benchmarks import matrices
from benchmarks.expressions import picked
from benchmarks.handwritten_merges import mttkrp
from benchmarks.report import Row
from benchmarks.timing import Call

Make = Callable[[], sa.Array]

REAL = ("hb/bcsstk16.npz", "graphs/web-spam.npz")
WIDTH = 64  # columns of the dense factors


def run(data: Path, quick: bool) -> Iterator[Row]:
    """Yield the rows of all cases."""
    seconds = 0.3 if quick else 2.0
    for name, matrix in _inputs(data, quick):
        yield from products(name, matrix, seconds)
    yield from tensors(20_000 if quick else 400_000, seconds)


def products(name: str, matrix: Any, seconds: float) -> Iterator[Row]:
    """Yield the rows of a matrix."""
    for case, make, peers in _cases(matrix):
        yield from picked(f"{case} {name}", make, peers, seconds)


def _inputs(data: Path, quick: bool) -> Iterator[tuple[str, Any]]:
    yield "random", matrices.halves(20_000 if quick else 200_000)[0]
    for name in REAL[:1] if quick else REAL:
        if (data / name).exists():
            yield Path(name).stem, matrices.real(data / name)[0]


def _cases(matrix: Any) -> Iterator[tuple[str, Make, dict[str, Call]]]:
    a, random = sa.asarray(matrix), np.random.default_rng(0)
    n = matrix.shape[0]
    x = random.standard_normal(n)
    u, v = (random.standard_normal((n, WIDTH)) for _ in range(2))
    vector, left, right = map(sa.asarray, (x, u, v))
    rows, columns = matrix.tocoo().coords

    def in_order() -> Any:
        product = matrix @ matrix
        product.sort_indices()
        return product

    def masked() -> Any:
        return (matrix @ matrix).multiply(matrix)

    def unfused() -> Any:
        return matrix.multiply(u @ v.T) if n < 10_000 else by_entry()

    def by_entry() -> Any:
        values = np.einsum("qk,qk->q", u[rows], v[columns]) * matrix.data
        return sp.csr_array((values, matrix.indices, matrix.indptr), matrix.shape)

    yield "a @ a", lambda: a @ a, {"scipy, sorted": in_order, "scipy": lambda: matrix @ matrix}
    yield "a @ a @ x", lambda: a @ a @ vector, {"scipy": lambda: (matrix @ matrix) @ x}
    yield "(a @ a).sum()", lambda: (a @ a).sum(), {"scipy": lambda: (matrix @ matrix).sum()}
    yield "(a @ a) * a", lambda: (a @ a) * a, {"scipy": masked}
    yield "(u @ v.T) * a", lambda: (left @ right.T) * a, {"scipy": unfused, "by entry": by_entry}
    yield "a @ v", lambda: a @ right, {"scipy": lambda: matrix @ v}
    yield "a.T @ x", lambda: a.T @ vector, {"scipy": lambda: matrix.T @ x}


def tensors(stored: int, seconds: float) -> Iterator[Row]:
    """Yield the rows of a tensor times two matrices, over two of its axes."""
    n, rank, random = 1000, 32, np.random.default_rng(0)
    places = np.unique(random.integers(0, n**3, stored))
    coords = np.unravel_index(places, (n, n, n))
    values = random.standard_normal(len(places))
    t = sa.from_coordinates(coords, values, (n, n, n), format="csf").asformat(_fibers())
    b, c = (random.standard_normal((n, rank)) for _ in range(2))
    p1, i1, p2, i2, val = t.compute()._tensor.buffers  # type: ignore[union-attr]
    y = np.empty(n * rank)
    hand = partial(mttkrp, y, n, rank, p1, i1, p2, i2, val, b.ravel(), c.ravel())

    def by_hand() -> Any:
        hand()
        return y.reshape(n, rank)

    arrays = (t, sa.asarray(b), sa.asarray(c))
    yield from picked(
        "MTTKRP", lambda: sa.einsum("ijk,jr,kr->ir", *arrays), {"handwritten": by_hand}, seconds
    )


def _fibers() -> Any:
    lists = sa.formats.SparseList(sa.formats.SparseList(sa.formats.Element()))
    return sa.formats.Format(sa.formats.Dense(lists), (0, 1, 2))
