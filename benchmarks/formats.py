"""Reading every format: with a dense vector, with a list, and with a matrix of the same format."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import scipy.sparse as sp

import structarr as sa
from benchmarks import matrices, structures
from benchmarks.handwritten_formats import LISTED, OPERATIONS, kernels
from benchmarks.programs import computed
from benchmarks.report import Row, row
from benchmarks.timing import Call, parts, race

# Matrices of --data for the formats that they suit; coordinates are int32.
REAL: Final = {
    "csr": ("hb/bcsstk16.npz", "graphs/web-spam.npz"),
    "coo": ("hb/bcsstk16.npz",),
    "hash": ("hb/bcsstk16.npz",),
    "vbl": ("hb/bcsstk16.npz", "matrices/Bai_mhd4800b.npz"),
    "band": ("matrices/Bai_mhd4800b.npz",),
    "dia": ("hb/sherman1.npz",),
    "symmetric": ("hb/bcsstk14.npz",),
}
VALUES: Final = 1_000_000  # the extents of constant matrices


def run(data: Path, quick: bool) -> Iterator[Row]:
    """Yield the rows of all formats."""
    for name in structures.MAKERS:
        yield from made(name, 100_000 if quick else 1_000_000, 0.1 if quick else 0.6)
        if not quick:
            yield from _real(name, data)


def made(name: str, stored: int, seconds: float) -> Iterator[Row]:
    """Yield the rows of a format's own matrices."""
    yield from _rows(name, name, structures.pair(name, stored), seconds)


def _real(name: str, data: Path) -> Iterator[Row]:
    for file in REAL.get(name, ()):
        if (data / file).exists():
            a, moved, _ = matrices.real(data / file)
            b = a * 0.5 if name in ("symmetric", "dia") else moved  # which still has the structure
            yield from _rows(name, f"{name} {Path(file).stem}", (a, b), 0.6)


def _rows(name: str, case: str, pair: structures.Pair, seconds: float) -> Iterator[Row]:
    a, b = (stored(one, name) for one in pair)
    for operation in OPERATIONS:
        other = _other(operation, pair, b)
        make, wanted = _expression(operation, a, other), _wanted(operation, pair, other)
        calls = parts(partial(computed, make))
        right = _equal(np.asarray(calls["whole call"]()), wanted)
        checked = {}
        for peer, kernel in kernels(name, operation).items():
            calls[peer], result = _by_hand(name, kernel, a, other)
            calls[peer]()
            checked[peer] = right and _equal(result(), wanted)
        times = race(calls, seconds)
        for peer, verdict in checked.items():
            for variant in ("kernel", "whole call"):
                label = f"{case} {operation}"
                yield row(label, variant, times[variant], peer, times[peer], verdict)


def stored(matrix: Any, name: str) -> Any:
    """Return a matrix in a format, with coordinates as wide as its own."""
    if name == "constant":
        return sa.full((VALUES, VALUES), matrix[0, 0]).compute()
    index = str(matrix.indices.dtype) if sp.issparse(matrix) else "int64"
    return sa.asarray(matrix).asformat(sa.formats.parse(name, 2, index))


def _other(operation: str, pair: structures.Pair, b: Any) -> Any:
    if operation == "self":
        return b
    dense, sparse = structures.vectors(b.shape[1])
    return sa.asarray(dense) if operation == "dense" else sa.asarray(sparse, format="list")


def _expression(operation: str, a: Any, other: Any) -> Callable[[], sa.Array]:
    if operation == "self":
        return lambda: (a * other).sum(axis=1)
    return lambda: a @ other


def _wanted(operation: str, pair: structures.Pair, other: Any) -> Any:
    a, b = pair
    if a.shape == (1, 1):  # the same everywhere
        factor = VALUES * b[0, 0] if operation == "self" else np.asarray(other).sum()
        return np.full(VALUES, a[0, 0] * factor)
    if operation == "self":
        return np.asarray((a * b).sum(axis=1)).ravel()
    return a @ np.asarray(other)


def _by_hand(name: str, kernel: Any, a: Any, other: Any) -> tuple[Call, Callable[[], Any]]:
    """The call of a kernel, and what turns what it wrote into a vector."""
    n, m = a.shape
    y = np.zeros(n)
    args = (n, m, *_buffers(a), *_buffers(other))
    if name == "constant":
        return partial(kernel, y, *args), lambda: np.full(n, y[0])
    if name not in LISTED:
        return partial(kernel, y, *args), lambda: y
    rows = np.zeros(n, np.int64)
    call = partial(kernel, rows, y, *args)
    return call, lambda: _scattered(rows, y, call())


def _scattered(rows: Any, y: Any, count: int) -> Any:
    whole = np.zeros(len(y))
    whole[rows[:count]] = y[:count]
    return whole


def _buffers(array: Any) -> tuple[Any, ...]:
    """What a kernel by hand needs of an array's buffers: no pointers of the one root fiber."""
    tensor = array._tensor
    if array.format == "constant":
        return (float(tensor.buffers[0][0]),)
    return tuple(
        buffer
        for depth, level in enumerate(tensor.format.levels)
        for key, buffer in zip(level.buffers, tensor.level_buffers[depth], strict=True)
        if key != "table" and (depth or key != "ptr")
    )


def _equal(result: Any, wanted: Any) -> bool:
    # Sums may cancel: what is left is as exact as the terms are.
    scale = float(np.abs(wanted).max(initial=1.0))
    return bool(np.allclose(result, wanted, rtol=1e-9, atol=1e-9 * scale))
