"""The operands of regret: what the names in its spellings stand for, beside a real matrix.

Places of entries are real; values are drawn, as real ones range over so many magnitudes that a
difference of two is noise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import scipy.sparse as sp

import structarr as sa
from benchmarks.matrices import _csr, _half_moved, anew

RANK, NARROW, DEPTH, SIDE = 16, 8, 40, 256

# Five shapes: an irregular net; a tall matrix with a heavy column; blocks; a graph with hubs; and
# bands, of which a dense array would be too large.
SHAPES: Mapping[str, str] = {
    "1138_bus": "hb/1138_bus.npz",
    "well1850": "hb/well1850.npz",
    "bcsstk14": "hb/bcsstk14.npz",
    "web-edu": "graphs/web-edu.npz",
    "mhd4800b": "matrices/Bai_mhd4800b.npz",
}
QUICK = ("1138_bus", "well1850")


def read(path: Path) -> Any:
    """A stored matrix with other values."""
    a = _csr(sp.load_npz(path).astype(np.float64))
    return sp.csr_array((_values(a.nnz, 0), a.indices, a.indptr), a.shape)


class Family:
    """
    All operands beside one matrix, each made when it is first asked for.

    Parameters
    ----------
    matrix : scipy.sparse.csr_array
        What `A` stands for.
    side, depth : int
        The lengths of the tensor's axes: two, and the last.
    """

    def __init__(self, matrix: Any, side: int = SIDE, depth: int = DEPTH) -> None:
        self.matrix = matrix
        self.side, self.depth = side, depth
        self._known: dict[str, Any] = {}

    def plain(self, names: frozenset[str]) -> dict[str, Any]:
        """Operands of SciPy and NumPy, of which nothing is remembered but the buffers."""
        return {name: _anew(self._made(name)) for name in names}

    def ours(self, names: frozenset[str]) -> dict[str, Any]:
        """Operands of this library where SciPy has a class of its own, and of NumPy else."""
        return {name: _anew(self._made(name, ours=True)) for name in names}

    def dense(self, names: frozenset[str]) -> dict[str, Any]:
        """Operands of NumPy alone."""
        return {name: _dense(self._made(name, ours=True)) for name in names}

    def _made(self, name: str, ours: bool = False) -> Any:
        key = f"{name} of ours" if ours else name
        if key not in self._known:
            self._known[key] = self._in_format(name) if ours else self._made_plain(name)
        return self._known[key]

    def _made_plain(self, name: str) -> Any:
        base, _, format = name.partition("_")
        if not format:
            return _MAKERS[name](self)
        whole = self._made(base)
        return whole.asformat(format) if format in ("csc", "coo") else whole

    def _in_format(self, name: str) -> Any:
        base, _, format = name.partition("_")
        found = self._made(base)
        if isinstance(found, SimpleNamespace):  # a tensor
            return sa.from_coordinates(found.coords, found.data, found.shape, format="csf")
        if base == "I":
            return sa.eye(self.matrix.shape[0 if format else 1])
        if base == "q":
            return sa.asarray(found, format="list")
        if not sp.issparse(found):
            return sa.asarray(found) if format else found
        return sa.asarray(found) if not format else sa.asarray(found).asformat(format).compute()

    @cached_property
    def tensor(self) -> SimpleNamespace:
        """A tensor of three axes, whose places are those of the matrix, folded."""
        rows, columns = self.matrix.tocoo().coords
        shape = (self.side, self.side, self.depth)
        last = 7 * rows.astype(np.int64) + columns
        places = [axis % length for axis, length in zip((rows, columns, last), shape, strict=True)]
        at = np.ravel_multi_index(places, shape)
        coords = np.unravel_index(np.unique(at), shape)
        return SimpleNamespace(coords=coords, data=_values(len(coords[0]), 4), shape=shape)

    @cached_property
    def graph(self) -> Any:
        """The graph without loops and directions that has an edge for each entry."""
        both = self.matrix + self.matrix.T
        both.data[:] = 1.0
        both.setdiag(0.0)
        both.eliminate_zeros()
        return _csr(both)

    @cached_property
    def chain(self) -> Any:
        """The random walk along the entries: columns sum to one, or are empty."""
        parts = abs(self.matrix)
        sums = parts.sum(axis=0)
        parts.data /= sums[parts.indices]
        return _csr(parts)


def _values(count: int, seed: int) -> Any:
    return np.random.default_rng(seed).standard_normal(count)


def _dense_of(axis: int | str, *tail: int, seed: int, positive: bool = False) -> Any:
    """A maker of arrays as long as an axis of the matrix, or of the tensor."""

    def make(family: Family) -> Any:
        length = getattr(family, axis) if isinstance(axis, str) else family.matrix.shape[axis]
        shape = (length, *tail)
        drawn = np.random.default_rng(seed).standard_normal(shape)
        return np.abs(drawn) + 0.1 if positive else drawn

    return make


def _moved(seed: int) -> Callable[[Family], Any]:
    return lambda family: _half_moved(family.matrix, np.random.default_rng(seed))


def _few(family: Family) -> Any:
    """A vector of which nine tenths are zero."""
    random = np.random.default_rng(9)
    n = family.matrix.shape[1]
    return random.standard_normal(n) * (random.random(n) < 0.1)


_MAKERS: Mapping[str, Callable[[Family], Any]] = {
    "A": lambda family: family.matrix,
    "B": _moved(1),
    "C": _moved(2),
    "N": lambda family: abs(family.matrix),
    "G": lambda family: family.graph,
    "P": lambda family: family.chain,
    "T": lambda family: family.tensor,
    "q": _few,
    "d": lambda family: (family.chain.sum(axis=0) == 0).astype(float),
    "m": lambda family: family.matrix.shape[0],
    "n": lambda family: family.matrix.shape[1],
    "l": lambda family: 0.5,
    "I": lambda family: None,  # for this library alone: the identity, of columns or (`I_m`) of rows
    "side": lambda family: family.side,
    "depth": lambda family: family.depth,
    "u": _dense_of(0, seed=10),
    "v": _dense_of(0, seed=11),
    "x": _dense_of(1, seed=12),
    "w": _dense_of(1, seed=13),
    "mu": _dense_of(1, seed=14),
    "s": _dense_of(1, seed=15, positive=True),
    "U": _dense_of(0, RANK, seed=16),
    "V": _dense_of(0, RANK, seed=17),
    "Y": _dense_of(1, RANK, seed=18),
    "Z": _dense_of(1, RANK, seed=19),
    "K": _dense_of(0, NARROW, seed=20),
    "L": lambda family: np.ascontiguousarray(_dense_of(1, NARROW, seed=21)(family).T),
    "D": lambda family: np.random.default_rng(22).standard_normal((RANK, RANK)),
    "Up": _dense_of(0, RANK, seed=23, positive=True),
    "Yp": _dense_of(1, RANK, seed=24, positive=True),
    "vp": _dense_of(0, seed=25, positive=True),
    "xp": _dense_of(1, seed=26, positive=True),
    "xx": lambda family: _values(2 * family.matrix.shape[1], 27),
    "ti": _dense_of("side", seed=28),
    "tj": _dense_of("side", seed=29),
    "e": _dense_of("depth", seed=30),
    "TI": _dense_of("side", RANK, seed=31),
    "TJ": _dense_of("side", RANK, seed=32),
    "E": _dense_of("depth", RANK, seed=33),
}


def _anew(operand: Any) -> Any:
    """An operand of the same buffers that remembers nothing."""
    if isinstance(operand, sa.Array):
        return anew(operand)
    return copy(operand) if sp.issparse(operand) else operand


def _dense(operand: Any) -> Any:
    return operand.todense() if isinstance(operand, sa.Array) else operand
