"""Calls at lengths that no call had before, as documents and batches have, beside SciPy's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from statistics import median
from time import perf_counter
from typing import Any, Final

import numpy as np
import scipy.sparse as sp

import structarr as sa
from benchmarks.report import Row, row

FIRST, COLUMNS, DENSITY = 130, 400, 0.02
"""The rows of the first matrix, and the columns of all; their counts are of one magnitude."""

CALLS: Final[dict[str, tuple[Callable[..., Any], Callable[..., Any]]]] = {
    "a @ x": (lambda a, x, y: np.asarray(a @ x), lambda a, x, y: a @ x),
    "a @ x + y": (lambda a, x, y: np.asarray(a @ x + y), lambda a, x, y: a @ x + y),
    "a.T @ y": (lambda a, x, y: np.asarray(a.T @ y), lambda a, x, y: a.T @ y),
    "a * 2": (lambda a, x, y: (a * 2).compute(), lambda a, x, y: a * 2),
    "a.sum(axis=0)": (lambda a, x, y: np.asarray(a.sum(axis=0)), lambda a, x, y: a.sum(axis=0)),
    "a[3:-3] @ x": (lambda a, x, y: np.asarray(a[3:-3] @ x), lambda a, x, y: a[3:-3] @ x),
    "a[:9]": (lambda a, x, y: a[:9].compute(), lambda a, x, y: a[:9]),
}


def rows(quick: bool) -> Iterator[Row]:
    """Yield the median of calls at lengths that are new, and of the same calls again."""
    known, new = (20, 40) if quick else (20, 100)
    traced = sa.jit(lambda a, x, y: a @ x + y)
    under_jit = lambda a, x, y: np.asarray(traced(a, x, y)), CALLS["a @ x + y"][1]
    for name, (ours, theirs) in {**CALLS, "jit a @ x + y": under_jit}.items():
        operands = [_operands(FIRST + k) for k in range(known + new)]
        with sa.options(tier="compiled", threads=1):
            for made, _ in operands[:known]:
                ours(*made)
            for variant in ("at new lengths", "again"):
                pairs = [_pair(ours, theirs, *one) for one in operands[known:]]
                mine, peer, same = zip(*pairs, strict=True)
                yield row(name, variant, median(mine), "scipy", median(peer), all(same))


def _operands(length: int) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    random = np.random.default_rng(length)
    matrix = sp.random_array((length, COLUMNS), density=DENSITY, format="csr", rng=random)
    vectors = random.random(COLUMNS), random.random(length)
    return (sa.asarray(matrix).compute(), *vectors), (matrix, *vectors)


def _pair(
    ours: Callable[..., Any], theirs: Callable[..., Any], own: Any, peers: Any
) -> tuple[float, float, bool]:
    """The seconds of a call of each, and whether the results agree."""
    start = perf_counter()
    result = ours(*own)
    middle = perf_counter()
    wanted = theirs(*peers)
    end = perf_counter()
    return middle - start, end - middle, np.allclose(_dense(result), _dense(wanted))


def _dense(result: Any) -> Any:
    return result.todense() if hasattr(result, "todense") else result
