"""Pairs of matrices made to suit each format, of about as many stored elements as asked for.

Every pair is made by a generator of its own, seeded with 0. A run of equal elements counts as the
elements that it covers.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt
from typing import Any, TypeAlias

import numpy as np
import scipy.sparse as sp

COLUMNS = 1000  # of matrices whose rows have a structure each
SIDE = 4  # of tiles
LIST = 100  # elements of the list that matrices are multiplied with, at most

Random: TypeAlias = np.random.Generator
Pair: TypeAlias = tuple[Any, Any]


def pair(name: str, stored: int) -> Pair:
    """Return two matrices for a format: SciPy CSR arrays, or NumPy arrays of packed formats."""
    return MAKERS[name](stored, np.random.default_rng(0))


def vectors(columns: int) -> tuple[Any, Any]:
    """Return a dense vector, and one that is zero but for a tenth of it, `LIST` at most."""
    random = np.random.default_rng(1)
    dense = random.standard_normal(columns)
    sparse = np.zeros(columns)
    places = random.choice(columns, min(LIST, -(-columns // 10)), replace=False)
    sparse[places] = random.standard_normal(len(places))
    return dense, sparse


def _lists(stored: int, random: Random) -> Pair:
    """Twenty elements a row; the two matrices share about half their places."""
    return _halves(np.arange(stored // 20), stored // 20, stored, random)


def _few_rows(stored: int, random: Random) -> Pair:
    """As lists, but a random half of the rows of each is empty."""
    rows = stored // 10
    filled = [np.flatnonzero(random.random(rows) < 0.5) for _ in range(2)]
    return tuple(_halves(one, rows, stored, random)[0] for one in filled)


def _halves(filled: Any, rows: int, stored: int, random: Random) -> Pair:
    parts = [
        filled[random.integers(0, len(filled), stored // 2)] * COLUMNS
        + random.integers(0, COLUMNS, stored // 2)
        for _ in range(3)
    ]
    places = [np.unique(np.concatenate(both)) for both in (parts[:2], parts[1:])]
    shape = (rows, COLUMNS)
    return tuple(_at(one, random.standard_normal(len(one)), shape) for one in places)


def _bands(stored: int, random: Random) -> Pair:
    """A band a row, of 1 to 99 columns; the second's begins up to 25 columns off."""
    start, width = _band(stored // 50, random)
    moved = np.clip(start + random.integers(-25, 26, len(start)), 0, COLUMNS - width)
    return _drawn(start, width, random), _drawn(moved, width, random)


def _intervals(stored: int, random: Random) -> Pair:
    """As bands, with one value a row."""
    matrices = _bands(stored, random)
    for one in matrices:
        one.data = np.repeat(random.standard_normal(one.shape[0]), np.diff(one.indptr))
    return matrices


def _band(rows: int, random: Random) -> tuple[Any, Any]:
    width = random.integers(1, 100, rows)
    return random.integers(0, COLUMNS - width), width


def _drawn(start: Any, width: Any, random: Random) -> Any:
    """One stretch of elements a row."""
    rows = np.repeat(np.arange(len(start)), width)
    first = np.cumsum(width) - width
    columns = np.repeat(start - first, width) + np.arange(len(rows))
    values = random.standard_normal(len(rows))
    return _at(rows * COLUMNS + columns, values, (len(start), COLUMNS))


def _blocks(stored: int, random: Random) -> Pair:
    """Ten blocks a row, of 4 to 12 columns; the second's begin up to 4 columns later."""
    rows = stored // 80
    grid = np.arange(0, COLUMNS, 100) + random.integers(0, 80, (rows, 10))
    width = random.integers(4, 13, grid.shape)
    return tuple(
        _filled_blocks(grid + random.integers(0, most + 1, grid.shape), width, random)
        for most in (0, 4)
    )


def _filled_blocks(start: Any, width: Any, random: Random) -> Any:
    rows = len(start)
    flat = (np.arange(rows)[:, None] * COLUMNS + start).ravel()
    width = width.ravel()
    first = np.cumsum(width) - width
    places = np.repeat(flat - first, width) + np.arange(width.sum())
    return _at(places, random.standard_normal(len(places)), (rows, COLUMNS))


def _tiles(stored: int, random: Random) -> Pair:
    """Ten tiles of four by four in four rows; the two matrices share about half their places."""
    rows = stored // (10 * SIDE * SIDE)
    tiles = _halves(np.arange(rows), rows, stored // (SIDE * SIDE), random)
    matrices = tuple(_csr(sp.kron(one, np.ones((SIDE, SIDE)))) for one in tiles)
    for one in matrices:
        one.data = random.standard_normal(one.nnz)
    return matrices


def _points(stored: int, random: Random) -> Pair:
    """An element in nine of ten rows; the second's is at the same place in about half of them."""
    rows = np.flatnonzero(random.random(stored) < 0.9)
    first = random.integers(0, COLUMNS, len(rows))
    second = np.where(random.random(len(rows)) < 0.5, first, random.integers(0, COLUMNS, len(rows)))
    values = random.standard_normal((2, len(rows)))
    shape = (stored, COLUMNS)
    places = rows * COLUMNS
    return _at(places + first, values[0], shape), _at(places + second, values[1], shape)


def _ragged(stored: int, random: Random) -> Pair:
    """Rows of 0 to 100 elements."""
    rows = stored // 50
    lengths = random.integers(0, 101, (2, rows))
    return tuple(_drawn(np.zeros(rows, int), one, random)[:, :100] for one in lengths)


def _runs(stored: int, random: Random) -> Pair:
    """Runs of 1 to 20 columns."""
    return _run_values(stored, random, 1.0), _run_values(stored, random, 1.0)


def _spaced_runs(stored: int, random: Random) -> Pair:
    """Runs of 1 to 20 columns, about half of them of nothing."""
    return _run_values(2 * stored, random, 0.5), _run_values(2 * stored, random, 0.5)


def _run_values(stored: int, random: Random, share: float) -> Any:
    rows = stored // COLUMNS
    ends = np.cumsum(random.integers(1, 21, rows * COLUMNS // 8))
    run = np.searchsorted(ends, np.arange(rows * COLUMNS), side="right")
    values = random.standard_normal(len(ends)) * (random.random(len(ends)) < share)
    return values[run].reshape(rows, COLUMNS)


def _mixed(stored: int, random: Random) -> Pair:
    """Stretches of 1 to 20 columns, half of them runs and half of them any values."""
    return _stretches(stored, random), _stretches(stored, random)


def _stretches(stored: int, random: Random) -> Any:
    runs = _run_values(stored, random, 0.5)
    return np.where(runs == 0, random.standard_normal(runs.shape), runs)


def _marked(stored: int, random: Random) -> Pair:
    """Three of ten places, at random."""
    shape = (stored * 10 // 3 // COLUMNS, COLUMNS)
    return tuple(random.standard_normal(shape) * (random.random(shape) < 0.3) for _ in range(2))


def _upper(stored: int, random: Random) -> Pair:
    """All of the triangle."""
    n = isqrt(2 * stored)
    return np.triu(random.standard_normal((n, n))), np.triu(random.standard_normal((n, n)))


def _lower(stored: int, random: Random) -> Pair:
    """All of the triangle."""
    a, b = _upper(stored, random)
    return a.T, b.T


def _mirrored(stored: int, random: Random) -> Pair:
    """A symmetric matrix without zeros."""
    a, b = _upper(stored, random)
    return a + a.T, b + b.T


def _diagonals(stored: int, random: Random) -> Pair:
    """Five diagonals, of which the two matrices share three."""
    n = stored // 5
    offsets = (-100, -1, 0, 1, 100), (-100, -2, 0, 2, 100)
    return tuple(
        _csr(sp.diags_array([random.standard_normal(n - abs(k)) for k in one], offsets=one))
        for one in offsets
    )


def _at(places: Any, values: Any, shape: tuple[int, int]) -> Any:
    """A CSR array of ascending places in C order."""
    rows, columns = np.divmod(places, shape[1])
    return _csr(sp.coo_array((values, (rows, columns)), shape))


def _csr(matrix: Any) -> Any:
    csr = sp.csr_array(matrix)
    csr.sort_indices()
    csr.indptr, csr.indices = csr.indptr.astype(np.int64), csr.indices.astype(np.int64)
    return csr


MAKERS: dict[str, Callable[[int, Random], Pair]] = {
    "csr": _lists,
    "dcsr": _few_rows,
    "coo": _lists,
    "hash": _lists,
    "band": _bands,
    "vbl": _blocks,
    "bsr": _tiles,
    "point": _points,
    "interval": _intervals,
    "ragged": _ragged,
    "rle": _runs,
    "sparse-rle": _spaced_runs,
    "packbits": _mixed,
    "bitmap": _marked,
    "triu": _upper,
    "tril": _lower,
    "symmetric": _mirrored,
    "dia": _diagonals,
    "constant": lambda stored, random: (np.full((1, 1), 3.5), np.full((1, 1), -0.5)),
}
