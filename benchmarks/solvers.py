"""Whole programs of plain NumPy, as solvers, time steps and fits are: first and later runs.

Each is one function, which SciPy's arrays and ours are given in turn. Kernels take a few
microseconds of each step: what is measured is the Python around them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import exp, log
from pathlib import Path
from statistics import fmean
from time import perf_counter
from typing import Any, Final

import numpy as np
import scipy.sparse as sp

import structarr as sa
from benchmarks.report import Row, row
from benchmarks.timing import race

STEPS: Final = 60
"""The turns of each loop."""

Program = Callable[[Any, Any], Any]


def run(data: Path, quick: bool) -> Iterator[Row]:
    """Yield the rows of each program, and the geometric mean of all."""
    ratios = []
    for program, (matrix, vector) in _cases(quick):
        for one in compared(program, matrix, vector, 0.1 if quick else 1.0):
            if one.variant == "later":
                ratios.append(log(one.ratio))
            yield one
    yield row(f"mean of {len(ratios)}", "later", 1.0, "scipy", exp(fmean(ratios)), True)


def compared(program: Program, matrix: Any, vector: Any, seconds: float) -> Iterator[Row]:
    """Yield the rows of a program: its first run, its second, and those after them."""
    ours, wanted = sa.asarray(matrix), program(matrix, vector)
    times = []
    for _ in range(2):
        start = perf_counter()
        found = program(ours, vector)
        times.append(perf_counter() - start)
    program(ours, vector)
    best = race(
        {"ours": lambda: program(ours, vector), "scipy": lambda: program(matrix, vector)}, seconds
    )
    close = np.allclose(found, wanted, rtol=1e-6, atol=1e-9 * np.abs(wanted).max())
    for variant, mine in zip(("first", "second", "later"), (*times, best["ours"]), strict=True):
        yield row(program.__name__, variant, mine, "scipy", best["scipy"], bool(close))


def _cases(quick: bool) -> Iterator[tuple[Program, tuple[Any, Any]]]:
    side = 20 if quick else 63
    step = sp.diags_array([-1.0, 2.0, -1.0], offsets=[-1, 0, 1], shape=(side, side))
    one = sp.eye_array(side)
    grid = sp.csr_array(sp.kron(one, step) + sp.kron(step, one))
    rng = np.random.default_rng(0)
    b = rng.random(side**2)
    graph = sp.random_array((side**2, side**2), density=0.002, rng=rng, format="csr")
    graph.data[:] = 1.0
    frame = sp.random_array((3 * side**2 // 4, 8 * side), density=0.02, rng=rng, format="csr")
    y = rng.random(frame.shape[0])
    for operands, programs in (
        ((grid, b), (conjugate_gradients, preconditioned, lanczos, heat, runge_kutta, jacobi)),
        ((grid, b), (power_iteration,)),
        ((graph, b), (page_rank, breadth_first, hits, katz)),
        ((frame, y), (descent, lasso, logistic)),
    ):
        for program in programs:
            yield program, operands


def conjugate_gradients(a: Any, b: Any) -> Any:
    """The solution of ``a @ x = b``, of a symmetric matrix."""
    x = b * 0
    r = b - a @ x
    p, rr = r, r @ r
    for _ in range(STEPS):
        q = a @ p
        alpha = rr / (p @ q)
        x, r = x + alpha * p, r - alpha * q
        new = r @ r
        if np.sqrt(new) < 1e-300:
            break
        p, rr = r + (new / rr) * p, new
    return np.asarray(x)


def preconditioned(a: Any, b: Any) -> Any:
    """The same, preconditioned by the diagonal."""
    d = np.asarray(a.diagonal())
    x = b * 0
    r = b - a @ x
    z = r / d
    p, rz = z, r @ z
    for _ in range(STEPS):
        q = a @ p
        alpha = rz / (p @ q)
        x, r = x + alpha * p, r - alpha * q
        if np.linalg.norm(r) < 1e-300:
            break
        z = r / d
        new = r @ z
        p, rz = z + (new / rz) * p, new
    return np.asarray(x)


def lanczos(a: Any, b: Any) -> Any:
    """The diagonal of a small matrix with the greatest eigenvalues."""
    q = b / np.linalg.norm(b)
    old, alphas = q * 0, []
    beta: Any = 0.0
    for _ in range(STEPS // 4):  # after more the vectors are not orthogonal any more
        w = a @ q - beta * old
        alpha = w @ q
        w = w - alpha * q
        beta = np.linalg.norm(w)
        old, q = q, w / beta
        alphas.append(float(alpha))
    return np.asarray(alphas)


def heat(a: Any, u: Any) -> Any:
    """Heat after explicit steps of Euler's."""
    for _ in range(STEPS):
        u = u - 0.1 * (a @ u)
    return np.asarray(u)


def runge_kutta(a: Any, u: Any) -> Any:
    """Heat after steps of the fourth order."""
    h = 0.05
    for _ in range(STEPS):
        k = -(a @ u)
        l = -(a @ (u + h / 2 * k))  # noqa: E741
        m = -(a @ (u + h / 2 * l))
        n = -(a @ (u + h * m))
        u = u + h / 6 * (k + 2 * l + 2 * m + n)
    return np.asarray(u)


def jacobi(a: Any, b: Any) -> Any:
    """The solution of ``a @ x = b`` after steps along the diagonal."""
    d, x = np.asarray(a.diagonal()), b * 0
    for _ in range(STEPS):
        r = b - a @ x
        x = x + 0.8 * r / d
        if np.linalg.norm(r) < 1e-300:
            break
    return np.asarray(x)


def power_iteration(a: Any, v: Any) -> Any:
    """The vector of the greatest eigenvalue."""
    for _ in range(STEPS):
        w = a @ v
        v = w / np.linalg.norm(w)
    return np.asarray(v)


def page_rank(a: Any, x: Any) -> Any:
    """The ranks of a graph's pages."""
    x = x / x.sum()
    for _ in range(STEPS):
        new = 0.85 * (a @ x) + 0.15 / a.shape[0]
        new = new / new.sum()
        if np.abs(new - x).sum() < 1e-300:
            break
        x = new
    return np.asarray(x)


def breadth_first(a: Any, b: Any) -> Any:
    """The nodes that can be reached from the first one."""
    front = np.zeros(a.shape[0])
    front[0] = 1
    seen = front
    for _ in range(STEPS):
        front = ((a.T @ front) > 0) * (seen == 0) * 1.0
        seen = seen + front
        if front.sum() == 0:
            break
    return np.asarray(seen)


def hits(a: Any, h: Any) -> Any:
    """Hubs of a graph."""
    for _ in range(STEPS):
        x = a.T @ h
        x = x / np.linalg.norm(x)
        h = a @ x
        h = h / np.linalg.norm(h)
    return np.asarray(h)


def katz(a: Any, b: Any) -> Any:
    """Katz centrality."""
    x = np.ones(a.shape[0])
    for _ in range(STEPS):
        x = 0.01 * (a @ x) + 1
    return np.asarray(x)


def descent(a: Any, y: Any) -> Any:
    """Least squares by steps along the gradient."""
    w = np.zeros(a.shape[1])
    for _ in range(STEPS):
        r = a @ w - y
        w = w - 0.004 * (a.T @ r)
        if r @ r < 1e-300:
            break
    return np.asarray(w)


def lasso(a: Any, y: Any) -> Any:
    """The lasso by soft thresholds."""
    w = np.zeros(a.shape[1])
    for _ in range(STEPS):
        z = w - 0.005 * (a.T @ (a @ w - y))
        w = np.sign(z) * np.maximum(np.abs(z) - 0.001, 0)
    return np.asarray(w)


def logistic(a: Any, y: Any) -> Any:
    """Logistic regression by steps along the gradient."""
    w, t = np.zeros(a.shape[1]), (y > 0.5) * 1.0
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-(a @ w)))
        w = w - 0.5 * (a.T @ (p - t) / len(y) + 0.01 * w)
    return np.asarray(w)
