"""Operands of the operations of every day: matrices of five shapes, and what goes with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph
from scipy.sparse.linalg import norm

import structarr as sa

ROW = 10  # stored entries a row, in the mean
CELLS = 2_000_000  # of dense operands and results, at most
POINTS = 500

Shape = Callable[[int, np.random.Generator], Any]


def _even(stored: int, random: np.random.Generator) -> Any:
    n = max(stored // ROW, 20)
    return _matrix(random.integers(0, n, stored), random.integers(0, n, stored), n, random)


def _power(stored: int, random: np.random.Generator) -> Any:
    """Rows and columns of which a few have a large part of all entries."""
    n = max(stored // ROW, 20)
    order = random.permutation(n)
    rows = order[(n * random.random(stored) ** 2).astype(np.int64)]
    return _matrix(rows, (n * random.random(stored) ** 1.5).astype(np.int64), n, random)


def _banded(stored: int, random: np.random.Generator) -> Any:
    """Eleven diagonals next to each other."""
    n = 2 * max(stored // 22, 10)
    rows, offsets = np.divmod(np.arange(11 * n), 11)
    columns = rows + offsets - 5
    inside = (columns >= 0) & (columns < n)
    return _matrix(rows[inside], columns[inside], n, random)


def _hypersparse(stored: int, random: np.random.Generator) -> Any:
    """Five times as many rows as entries."""
    n = 5 * stored
    return _matrix(random.integers(0, n, stored), random.integers(0, n, stored), n, random)


def _column(stored: int, random: np.random.Generator) -> Any:
    """One column with an entry in each row."""
    n = max(stored // ROW, 20)
    rest = stored - n
    rows = np.concatenate((np.arange(n), random.integers(0, n, rest)))
    columns = np.concatenate((np.full(n, n // 3), random.integers(0, n, rest)))
    return _matrix(rows, columns, n, random)


SHAPES: Final[Mapping[str, Shape]] = {
    "even": _even,
    "power-law": _power,
    "banded": _banded,
    "hypersparse": _hypersparse,
    "column": _column,
}


def _matrix(rows: Any, columns: Any, n: int, random: np.random.Generator) -> Any:
    places = np.unique(rows.astype(np.int64) * n + columns)
    rows, columns = np.divmod(places, n)
    return sp.csr_array((random.standard_normal(len(places)), (rows, columns)), (n, n))


class Operands:
    """
    The operands of one matrix in one format of SciPy, by the names of `everyday_operations`.

    Parameters
    ----------
    sparse : mapping of str to csr_array
        The sparse operands.
    kind : str
        The format in which both sides have them.
    """

    def __init__(self, sparse: Mapping[str, Any], kind: str = "csr") -> None:
        self._csr = sparse
        self._kind = kind
        self._kept = {name: self._stored(name, one) for name, one in sparse.items()}
        self.dense = _dense(sparse, np.random.default_rng(1))
        self.dense["S"], self.dense["kind"] = self._kept["a"], kind
        self.stored = sparse["a"].nnz

    def _stored(self, name: str, matrix: Any) -> Any:
        kind = {"c": "csc" if self._kind == "csr" else "csr", "t": "csr"}.get(name, self._kind)
        return matrix.asformat(kind)

    def theirs(self, name: str) -> Any:
        """Return a new matrix of SciPy, which knows that it is sorted and has no duplicates."""
        made = self._kept[name].copy()
        if made.format in ("csr", "csc", "coo"):
            made.sum_duplicates()
        return made

    def ours(self, name: str) -> sa.Array:
        """Return a new array of ours of a new matrix of SciPy."""
        return sa.asarray(self.theirs(name)).compute()

    def names(self, ours: bool) -> dict[str, Any]:
        """Return what texts name beside the sparse operands."""
        return {**self.dense, "sa": sa} if ours else {**self.dense, **THEIRS}

    def terms(self, text: str) -> float:
        """Return how many products of entries an operation has whose text has a product of two."""
        left, right = ("g", "g") if "g @ g" in text else ("a", "b")
        first, second = self._csr[left], self._csr[right]
        if "b.T" in text:
            second = second.T.tocsr()
        return float(np.bincount(first.indices, minlength=first.shape[1]) @ np.diff(second.indptr))


def made(shape: str, stored: int, kind: str = "csr") -> Operands:
    """Return operands of about so many entries; half of the places of `b` are those of `a`."""
    random = np.random.default_rng(0)
    a, other = (SHAPES[shape](stored, random) for _ in range(2))
    half = [_sampled(one, random) for one in (a, other)]
    return Operands(family(a, (half[0] * 0.5 + half[1]).tocsr()), kind)


def family(a: Any, b: Any) -> dict[str, Any]:
    """Return the sparse operands of a pair of square matrices."""
    n, random = a.shape[0], np.random.default_rng(2)
    head = a[: max(2, min(n, CELLS // n))]
    few = sp.csr_array((np.ones(50), (random.integers(0, n, 50), np.arange(50))), (n, 50))
    chosen = random.choice(n, min(50, n), replace=False)
    t = sp.csr_array((np.ones(len(chosen)), (chosen, np.zeros_like(chosen))), (n, 1))
    mask = (b != 0).tocsr()
    found = {"a": a, "b": b, "c": b, "g": abs(a), "p": head, "mask": mask, "thin": few, "t": t}
    for one in found.values():
        one.sum_duplicates()
    return found


def _sampled(matrix: Any, random: np.random.Generator) -> Any:
    coo = matrix.tocoo()
    chosen = random.random(coo.nnz) < 0.5
    places = tuple(axis[chosen] for axis in coo.coords)
    return sp.csr_array((coo.data[chosen], places), matrix.shape)


def _dense(sparse: Mapping[str, Any], random: np.random.Generator) -> dict[str, Any]:
    a, p = sparse["a"], sparse["p"]
    n, wide = a.shape[0], max(1, min(16, 16 * CELLS // a.shape[0]))
    width, coo = max(1, n // 10), a.tocoo()
    shuffled = random.permutation(coo.nnz)
    low, places = n // 3, random.integers(0, coo.nnz, POINTS // 2)
    there = coo.coords[0][places] * np.int64(n) + coo.coords[1][places]
    points = np.unique(np.concatenate((there, random.integers(0, n * n, POINTS // 2))))
    return {
        "np": np,
        "n": n,
        "i": n // 2,
        "j": n // 3,
        "low": low,
        "high": low + min(200, n - low),
        "rows": np.sort(random.choice(n, width, replace=False)),
        "columns": np.sort(random.choice(n, width, replace=False)),
        "order": random.permutation(n),
        "picked": random.random(n) < 0.5,
        "places": np.arange(n),
        "ri": points // n,
        "ci": points % n,
        "some": random.standard_normal(len(points)),
        "I": coo.coords[0][shuffled],
        "J": coo.coords[1][shuffled],
        "V": coo.data[shuffled],
        "D": p.toarray(),
        "x": random.standard_normal(n),
        "y": random.random(n) + 0.5,
        "root": random.random(n),
        "mu": a.mean(axis=0),
        "Y": random.standard_normal((n, wide)),
        "Z": random.standard_normal((n, wide)),
        "W": random.standard_normal((wide, n)),
        "F": np.asfortranarray(random.standard_normal((n, wide))),
        "K": random.standard_normal((p.shape[0], 8)),
        "L": random.standard_normal((8, n)),
        "two": np.array([[1.0, 0.0], [0.5, 2.0]]),
    }


# ------------------------------------------------ what SciPy's users write for want of a method


def _mapped(matrix: Any, function: Callable[[Any], Any]) -> Any:
    """A copy whose stored values went through a function."""
    made = matrix.copy()
    made.data = function(made.data)
    return made


def _kept(matrix: Any, condition: Callable[[Any], Any]) -> Any:
    """A copy without the entries whose values miss a condition."""
    made = matrix.copy()
    made.data[~condition(made.data)] = 0
    made.eliminate_zeros()
    return made


def _scaled(matrix: Any, rows: Any = None, columns: Any = None) -> Any:
    """A copy with rows and columns times factors, in the way of scikit-learn."""
    if matrix.format not in ("csr", "csc"):
        raise TypeError(f"{matrix.format} has no rows or columns that lie together")
    made = matrix.copy()
    outer, inner = (rows, columns) if made.format == "csr" else (columns, rows)
    if inner is not None:
        made.data *= inner[made.indices]
    if outer is not None:
        made.data *= np.repeat(outer, np.diff(made.indptr))
    return made


def _summed(matrix: Any) -> Any:
    matrix.sum_duplicates()
    return matrix


def _sampled_product(matrix: Any, left: Any, right: Any, kind: str) -> Any:
    """A matrix times a product of dense ones, of which no more than its places is computed."""
    coo = matrix.tocoo()
    rows, columns = coo.coords
    values = coo.data * np.einsum("ek,ek->e", left[rows], right.T[columns])
    return sp.coo_array((values, (rows, columns)), matrix.shape).asformat(kind)


THEIRS: Final[Mapping[str, Any]] = {
    "sp": sp,
    "graphs": csgraph,
    "norm": norm,
    "mapped": _mapped,
    "kept": _kept,
    "scaled": _scaled,
    "summed": _summed,
    "sampled": _sampled_product,
}
