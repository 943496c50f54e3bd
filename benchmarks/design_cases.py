"""Design matrices to measure on: those of tabmat's own benchmark, generated, and real tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import scipy.sparse as sp

import structarr as sa
from benchmarks import peers

Block = Any  # an ndarray, a sparse matrix, or Codes


@dataclass(frozen=True)
class Codes:
    """A column of categories: the number of each row's, and how many there are."""

    values: Any
    count: int


@dataclass(frozen=True)
class Table:
    """Blocks of columns, side by side."""

    name: str
    blocks: tuple[Block, ...]

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        first = self.blocks[0]
        rows = len(first.values) if isinstance(first, Codes) else first.shape[0]
        return rows, sum(map(_width, self.blocks))

    def ours(self) -> sa.Array:
        """Return the blocks as one array, made anew."""
        parts = [_stored(block) for block in self.blocks]
        return parts[0] if len(parts) == 1 else sa.concatenate(parts, axis=1)

    def scipy(self) -> Any:
        """Return all columns as one sparse matrix."""
        return sp.hstack([_as_scipy(block) for block in self.blocks], format="csr")

    def tabmat(self, module: Any) -> Any:
        """Return tabmat's matrix of the blocks."""
        parts = [_as_tabmat(block, module) for block in self.blocks]
        return parts[0] if len(parts) == 1 else module.SplitMatrix(parts)


def _width(block: Block) -> int:
    return block.count if isinstance(block, Codes) else int(block.shape[1])


def _stored(block: Block) -> sa.Array:
    if not isinstance(block, Codes):
        return sa.asarray(block)
    return sa.one_hot(block.values, block.count)


def _as_scipy(block: Block) -> Any:
    if not isinstance(block, Codes):
        return sp.csr_array(block)
    rows = len(block.values)
    return sp.csr_array(
        (np.ones(rows), block.values, np.arange(rows + 1)), shape=(rows, block.count)
    )


def _as_tabmat(block: Block, module: Any) -> Any:
    if isinstance(block, Codes):
        return module.CategoricalMatrix(block.values, np.arange(block.count))
    return module.SparseMatrix(block) if sp.issparse(block) else module.DenseMatrix(block)


def generated(share: float) -> Iterator[Table]:
    """Yield the matrices of tabmat's benchmark, with a share of their rows."""
    for name, (rows, make) in _GENERATED.items():
        yield Table(name, make(np.random.default_rng(0), max(100, int(rows * share))))


def _codes(random: Any, rows: int, count: int) -> Codes:
    return Codes(random.integers(0, count, rows).astype(np.int32), count)


def _dense(random: Any, rows: int) -> tuple[Block, ...]:
    return (random.random((rows, 10)),)


def _sparse(columns: int) -> Callable[[Any, int], tuple[Block, ...]]:
    return lambda random, rows: (
        sp.random_array((rows, columns), density=0.01, format="csc", rng=random),
    )


def _categories(*counts: int, dense: int = 0) -> Callable[[Any, int], tuple[Block, ...]]:
    def make(random: Any, rows: int) -> tuple[Block, ...]:
        found: list[Block] = [_codes(random, rows, count) for count in counts]
        return (*found, *([random.random((rows, dense))] if dense else []))

    return make


_GENERATED: Final = {
    "dense": (4_000_000, _dense),
    "sparse": (400_000, _sparse(100)),
    "sparse_narrow": (3_000_000, _sparse(3)),
    "sparse_wide": (40_000, _sparse(10_000)),
    "one_cat": (1_000_000, _categories(100_000)),
    "two_cat": (1_000_000, _categories(1_000, 1_000)),
    "dense_cat": (3_000_000, _categories(1_000, 1_000, dense=5)),
    "dense_smallcat": (3_000_000, _categories(10, 1_000, dense=5)),
}


def real(data: Path) -> Iterator[Table]:
    """Yield real tables: mushrooms by their features, which are categories, and words of news."""
    mushrooms = peers.file(data / "other" / "agaricus_onehot.npz")
    if mushrooms is not None:
        yield Table("mushrooms", tuple(_decoded(sp.load_npz(mushrooms))))
    words = peers.file(data / "other" / "rcv1_tfidf.npz")
    if words is not None:
        yield Table("rcv1", (sp.load_npz(words).tocsc().astype(np.float64),))


def _decoded(matrix: Any) -> Iterator[Codes]:
    """Neighbouring columns of which each row has at most one, as the categories that they were."""
    held = matrix.toarray() != 0
    start = 0
    while start < held.shape[1]:
        taken, stop = held[:, start].copy(), start + 1
        while stop < held.shape[1] and not (taken & held[:, stop]).any():
            taken |= held[:, stop]
            stop += 1
        values = np.where(taken, held[:, start:stop].argmax(axis=1), -1).astype(np.int32)
        yield Codes(values, stop - start)
        start = stop
