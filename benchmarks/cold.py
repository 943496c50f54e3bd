"""A process of its own: ``python -m benchmarks.cold LIBRARY CASE STORED`` times its first result.

Prints the seconds and the sum of the result as JSON.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks import matrices

Convert = Callable[[Any], Any]


def _structarr() -> Convert:
    import structarr as sa

    return lambda matrix: sa.asarray(matrix)


def _scipy() -> Convert:
    return lambda matrix: matrix


def _pydata() -> Convert:
    import sparse

    return lambda matrix: sparse.COO.from_scipy_sparse(matrix)


LIBRARIES = {"structarr": _structarr, "scipy": _scipy, "pydata/sparse": _pydata}


def _multiply(a: Any, b: Any) -> Any:
    # For SciPy too: its arrays multiply elementwise.
    return a * b


def _add(a: Any, b: Any) -> Any:
    return a + b


def _sum(a: Any, b: Any) -> Any:
    return a.sum(axis=0)


def _matvec(a: Any, b: Any) -> Any:
    return a @ np.ones(a.shape[1])


CASES = {"multiply": _multiply, "add": _add, "sum-axis0": _sum, "matvec": _matvec}


def _first(library: str, case: str, stored: int) -> tuple[float, float]:
    matrices_ = matrices.halves(stored)[:2]
    convert = LIBRARIES[library]()
    a, b = [convert(one) for one in matrices_]
    start = perf_counter()
    result = CASES[case](a, b)
    if hasattr(result, "compute"):
        result.compute()
    seconds = perf_counter() - start
    return seconds, float(result.sum())


if __name__ == "__main__":
    name, case, stored = sys.argv[1:]
    seconds, total = _first(name, case, int(stored))
    print(json.dumps({"seconds": seconds, "total": total}))
