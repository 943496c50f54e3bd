"""Operands: random CSR matrices that overlap by half, and real ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

ROW = 20  # stored entries a row of a random matrix


def halves(stored: int, seed: int = 0) -> tuple[Any, Any, Any]:
    """Return three random square CSR arrays; each shares about half its places with the next."""
    n = stored // ROW
    random = np.random.default_rng(seed)
    parts = [random.integers(0, n * n, stored // 2) for _ in range(4)]
    pairs = [np.concatenate(pair) for pair in zip(parts, parts[1:], strict=False)]
    return tuple(_matrix(places, n, random) for places in pairs)  # type: ignore[return-value]


def _matrix(places: Any, n: int, random: Any) -> Any:
    rows, columns = np.divmod(np.unique(places), n)
    return _csr(sp.coo_array((random.standard_normal(len(rows)), (rows, columns)), (n, n)))


def real(path: Path) -> tuple[Any, Any, Any]:
    """Return a stored matrix, the same with its columns moved on by one, and its transpose."""
    a = _csr(sp.load_npz(path).astype(np.float64))
    columns = (a.indices + 1) % a.shape[1]
    moved = sp.csr_array((a.data[::-1].copy(), columns, a.indptr), a.shape)
    return a, _csr(moved), _csr(a.T)


def _csr(matrix: Any) -> Any:
    csr = sp.csr_array(matrix)
    csr.sort_indices()
    csr.indices, csr.indptr = csr.indices.astype(np.int32), csr.indptr.astype(np.int32)
    return csr
