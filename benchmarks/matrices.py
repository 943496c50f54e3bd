"""Operands: random CSR matrices that overlap by half, and real ones."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

import structarr as sa
from structarr._array import of_tensor, stored
from structarr._storage.tensor import Tensor

ROW = 20  # stored entries a row of a random matrix


def halves(stored: int, seed: int = 0) -> tuple[Any, Any, Any]:
    """Return three random square CSR arrays; each shares about half its places with the next."""
    n = stored // ROW
    random = np.random.default_rng(seed)
    parts = [random.integers(0, n * n, stored // 2) for _ in range(4)]
    pairs = [np.concatenate(pair) for pair in pairwise(parts)]
    return tuple(_matrix(places, (n, n), random) for places in pairs)


def _matrix(places: Any, shape: tuple[int, int], random: Any) -> Any:
    rows, columns = np.divmod(np.unique(places), shape[1])
    return _csr(sp.coo_array((random.standard_normal(len(rows)), (rows, columns)), shape))


def real(path: Path) -> tuple[Any, Any, Any]:
    """Return a stored matrix and two more: a random half of its entries stay, the others move."""
    a = _csr(sp.load_npz(path).astype(np.float64))
    random = np.random.default_rng(0)
    return a, _half_moved(a, random), _half_moved(a, random)


def _half_moved(matrix: Any, random: Any) -> Any:
    coo = matrix.tocoo()
    rows, columns = coo.coords
    moves = random.integers(0, 2, len(rows)) * random.integers(1, 8, len(rows))
    width = matrix.shape[1]
    places = np.unique(rows.astype(np.int64) * width + (columns + moves) % width)
    return _matrix(places, matrix.shape, random)


def _csr(matrix: Any) -> Any:
    csr = sp.csr_array(matrix)
    csr.sort_indices()
    csr.indices, csr.indptr = csr.indices.astype(np.int32), csr.indptr.astype(np.int32)
    return csr


def anew(array: sa.Array) -> sa.Array:
    """Return an array of the same buffers that remembers nothing of calls before."""
    one = stored(array)
    return of_tensor(Tensor(one.format, one.shape, one.dtype, one.fill, one.buffers))
