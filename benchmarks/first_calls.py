"""First calls of everyday expressions, each in a process of its own.

``python -m benchmarks.first_calls CASE ROWS`` makes three calls, and prints their seconds, the sum
of the result and what it should be, and whether Numba was imported, as JSON.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any, Final, NamedTuple

import numpy as np
import scipy.sparse as sp

import structarr as sa


class Operands(NamedTuple):
    """Sparse matrices, and vectors; ours or SciPy's and NumPy's."""

    A: Any
    B: Any
    C: Any
    x: Any


class Case(NamedTuple):
    """An expression of ours, and the same of SciPy."""

    ours: Callable[[Operands], Any]
    scipy: Callable[[Operands], Any]


def _same(expression: Callable[[Operands], Any]) -> Case:
    return Case(expression, expression)


def _var(o: Operands) -> Any:
    mean = o.A.mean(axis=0)
    return (o.A * o.A).mean(axis=0) - mean * mean


def _normalised(o: Operands) -> Any:
    return o.A * (1 / (o.A.sum(axis=1) + 1.0))[:, None]


CASES: Final = {
    "a @ x": _same(lambda o: o.A @ o.x),
    "a * b": _same(lambda o: o.A * o.B),
    "a + b": _same(lambda o: o.A + o.B),
    "a.T @ x": _same(lambda o: o.A.T @ o.x),
    "gram": _same(lambda o: o.C.T @ o.C),
    "sum(axis=0)": _same(lambda o: o.A.sum(axis=0)),
    "max(axis=1)": Case(lambda o: o.A.max(axis=1), lambda o: o.A.max(axis=1).toarray()),
    "var(axis=0)": Case(lambda o: o.A.var(axis=0), _var),
    "norm": Case(lambda o: np.sqrt((o.A * o.A).sum()), lambda o: np.sqrt((o.A * o.A).sum())),
    "expm1": Case(lambda o: np.expm1(o.A), lambda o: o.A.expm1()),
    "rows": _same(lambda o: o.A[3:50] * 2.0),
    "a > 0.5": Case(lambda o: (o.A > 0.5).sum(), lambda o: (o.A > 0.5).sum()),
    "page rank": _same(lambda o: 0.85 * (o.A @ o.x) + 0.15),
}
"""Everyday expressions by how they are called."""

ROWS: Final = (300, 5_000, 100_000)


def operands(rows: int) -> Operands:
    """Matrices of twenty entries a row, of five in fifty columns, and a vector."""
    rng = np.random.default_rng(0)
    square = [
        sp.random_array((rows, rows), density=min(1.0, 20 / rows), format="csr", rng=rng)
        for _ in range(2)
    ]
    narrow = sp.random_array((rows, 50), density=0.1, format="csr", rng=rng)
    return Operands(*square, narrow, rng.random(rows))


def _timed(case: Case, given: Operands) -> tuple[list[float], Any]:
    ours = Operands(*map(sa.asarray, given[:3]), given.x)
    seconds = []
    for _ in range(3):
        start = perf_counter()
        result = case.ours(ours)
        if hasattr(result, "compute"):
            result.compute()
        seconds.append(perf_counter() - start)
    return seconds, result


if __name__ == "__main__":
    name, rows = sys.argv[1:]
    given = operands(int(rows))
    seconds, result = _timed(CASES[name], given)
    numba = "numba" in sys.modules
    total, wanted = (float(one.sum()) for one in (result, CASES[name].scipy(given)))
    print(json.dumps({"seconds": seconds, "total": total, "wanted": wanted, "numba": numba}))
