"""Calls of functions under `jit`, beside the same expressions untraced and Numba by hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numba
import numpy as np
import scipy.sparse as sp

import structarr as sa
from benchmarks.report import Row, row
from benchmarks.timing import Call, race

OURS = "structarr"
UNTRACED, NUMBA = "untraced", "Numba by hand"


def rows(seconds: float) -> Iterator[Row]:
    """Yield the rows of calls, and of the examples on grids of several sizes."""
    yield from _calls(seconds)
    for side in (30, 100, 300):
        second = sp.diags_array([-1.0, 2.0, -1.0], offsets=[-1, 0, 1], shape=(side, side))
        eye = sp.eye_array(side)
        grid = sp.csr_array(sp.kron(second, eye) + sp.kron(eye, second))
        yield from _conjugate_gradients(grid, seconds)
        yield from _page_rank(sp.csr_array(abs(grid) / 8), seconds)


def _calls(seconds: float) -> Iterator[Row]:
    a = sa.asarray(sp.random_array((300, 300), density=0.01, format="csr", rng=1))
    x, y = np.ones(300), sa.asarray(np.arange(300.0))
    cases: dict[str, tuple[Any, tuple[Any, ...]]] = {
        "0.85 * (A @ x) + 0.15": (lambda a, x: 0.85 * (a @ x) + 0.15, (a, y)),
        "the same, NumPy's x": (lambda a, x: 0.85 * (a @ x) + 0.15, (a, x)),
        "x + y * z": (lambda x, y, z: x + y * z, (y, y * 2, y * 3)),
    }
    for name, (function, args) in cases.items():
        traced = sa.jit(function)
        calls: dict[str, Call] = {
            OURS: lambda traced=traced, args=args: traced(*args),
            UNTRACED: lambda function=function, args=args: function(*args).compute(),
        }
        yield from _raced(f"jit {name}", calls, UNTRACED, seconds)


def _conjugate_gradients(matrix: Any, seconds: float) -> Iterator[Row]:
    right = np.random.default_rng(0).random(matrix.shape[0])
    square = float(right @ right)
    ours = [sa.asarray(one) for one in (right * 0, right, right.copy())]
    given, parts = sa.asarray(matrix), (matrix.indptr, matrix.indices, matrix.data)
    calls: dict[str, Call] = {
        OURS: lambda: _step(given, *ours, square)[2],
        NUMBA: lambda: _step_by_hand(*parts, right * 0, right, right, square)[2],
    }
    yield from _raced(f"jit CG step, {len(right)}", calls, NUMBA, seconds)


def _page_rank(links: Any, seconds: float) -> Iterator[Row]:
    rank = np.random.default_rng(0).random(links.shape[0])
    ours, given = sa.asarray(rank), sa.asarray(links)
    parts = links.indptr, links.indices, links.data
    calls: dict[str, Call] = {
        OURS: lambda: _ranked(given, ours, 0.85),
        NUMBA: lambda: _ranked_by_hand(*parts, rank, 0.85),
    }
    yield from _raced(f"jit PageRank x10, {len(rank)}", calls, NUMBA, seconds)


def _raced(name: str, calls: dict[str, Call], peer: str, seconds: float) -> Iterator[Row]:
    with sa.options(tier="compiled"):
        found = [np.asarray(call()) for call in calls.values() for _ in range(2)]
    same = all(np.allclose(found[0], one) for one in found)
    times = race(calls, seconds)
    yield row(name, OURS, times[OURS], peer, times[peer], same)


@sa.jit
def _step(A: Any, x: Any, r: Any, p: Any, rr: Any) -> Any:
    Ap = A @ p
    alpha = rr / (p @ Ap)
    x, r = x + alpha * p, r - alpha * Ap
    square = r @ r
    return x, r, r + (square / rr) * p, square


@sa.jit
def _ranked(links: Any, rank: Any, damping: float) -> Any:
    for _ in range(10):
        rank = damping * (links @ rank) + (1 - damping) / rank.shape[0]
    return rank


@numba.njit
def _step_by_hand(ptr: Any, idx: Any, val: Any, x: Any, r: Any, p: Any, rr: float) -> Any:
    n, pAp, square = len(x), 0.0, 0.0
    Ap, next_x, next_r, next_p = np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    for i in range(n):
        total = 0.0
        for q in range(ptr[i], ptr[i + 1]):
            total += val[q] * p[idx[q]]
        Ap[i] = total
        pAp += p[i] * total
    for i in range(n):
        next_x[i] = x[i] + rr / pAp * p[i]
        next_r[i] = r[i] - rr / pAp * Ap[i]
        square += next_r[i] * next_r[i]
    for i in range(n):
        next_p[i] = next_r[i] + square / rr * p[i]
    return next_x, next_r, next_p, square


@numba.njit
def _ranked_by_hand(ptr: Any, idx: Any, val: Any, rank: Any, damping: float) -> Any:
    n = len(rank)
    for _ in range(10):
        after = np.empty(n)
        for i in range(n):
            total = 0.0
            for q in range(ptr[i], ptr[i + 1]):
                total += val[q] * rank[idx[q]]
            after[i] = damping * total + (1 - damping) / n
        rank = after
    return rank
