"""What a probe gets, as arrays of each library that is compared."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import scipy.sparse as sp

_RNG = np.random.default_rng(26)
ROWS, COLUMNS = 20, 8


def _matrix(rows: int, columns: int, share: float) -> Any:
    there = _RNG.random((rows, columns)) < share
    return np.where(there, np.round(_RNG.random((rows, columns)) * 8 + 1), 0.0)


def _symmetric() -> Any:
    steps = _matrix(COLUMNS, COLUMNS, 0.2)
    return steps @ steps.T + np.eye(COLUMNS) * 5


DENSE: dict[str, Any] = {
    "A": _matrix(ROWS, COLUMNS, 0.4),
    "S": _symmetric(),
    "G": _matrix(COLUMNS, COLUMNS, 0.4) * (1 - np.eye(COLUMNS)),
    "L": np.tril(_matrix(COLUMNS, COLUMNS, 0.4)) + np.eye(COLUMNS) * 9,
    "u": _matrix(1, 30, 0.4)[0],
    "T": _matrix(4, 30, 0.3).reshape(4, 5, 6),
    "B": _RNG.random((16, 18)) < 0.4,
    "I": (_RNG.random((16, 18)) < 0.4) * _RNG.integers(1, 255, (16, 18)).astype(np.uint8),
    "N": (_matrix(ROWS, COLUMNS, 0.4)).astype(np.int64),
}
"""Matrices, positive definite, of a graph, triangular; a vector, a cube, images, whole numbers."""

PLAIN: dict[str, Any] = {
    "v": _RNG.random(COLUMNS),
    "w": _RNG.random(ROWS),
    "y": _RNG.integers(0, 2, ROWS),
    "X": _RNG.random((COLUMNS, 3)),
    "D": _RNG.random((ROWS, COLUMNS)),
}
"""NumPy's arrays, which all libraries get: vectors of columns and of rows, labels, matrices."""


def _ours(dense: Any) -> Any:
    import structarr as sa

    format = {1: "list", 2: "csr"}.get(dense.ndim, "coo")
    return sa.asarray(dense, format=format)  # type: ignore[call-overload]


def _pydata(dense: Any) -> Any:
    import sparse

    return sparse.COO.from_numpy(dense)


def _scipy(dense: Any) -> Any:
    return sp.csr_array(dense) if dense.ndim == 2 else sp.coo_array(dense)


MAKERS: dict[str, Callable[[Any], Any]] = {
    "structarr": _ours,
    "pydata/sparse": _pydata,
    "scipy.sparse": _scipy,
}


def given(make: Callable[[Any], Any]) -> Any:
    """All of it, in one library's arrays; new ones, as a probe may write to them."""
    made = {name: make(dense.copy()) for name, dense in DENSE.items()}
    return SimpleNamespace(**made, **{name: plain.copy() for name, plain in PLAIN.items()})


def dense() -> Any:
    """All of it, in NumPy's arrays."""
    return given(lambda one: one)
