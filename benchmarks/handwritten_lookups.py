"""By hand, for `spmspv` and `triangles`: leaders, maps of bytes, and what scatters into them."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.handwritten import jit, jit_sum, u
from benchmarks.handwritten_blocks import vbl_dense
from benchmarks.handwritten_programs import gallop


@jit_sum
def spmspv_follow(y: Any, n: int, m: int, ap: Any, ai: Any, av: Any, xi: Any, xv: Any) -> None:
    """Multiply by a list, each of whose elements the rows leap to."""
    for i in range(n):
        total = 0.0
        p, p_end = ap[u(i)], ap[u(i + 1)]
        for q in range(len(xi)):
            b = xi[u(q)]
            p = gallop(ai, b, p, p_end)
            if p >= p_end:
                break
            if ai[u(p)] == b:
                total += av[u(p)] * xv[u(q)]
        y[u(i)] = total


@jit_sum
def vbl_lead(y: Any, n: int, m: int, ap: Any, stop: Any, ofs: Any, av: Any, xi: Any,
             xv: Any) -> None:  # fmt: skip
    """Multiply blocks by a list, which leaps to where each block begins."""
    end = len(xi)
    for i in range(n):
        total, q = 0.0, 0
        for p in range(ap[u(i)], ap[u(i + 1)]):
            hi = stop[u(p)]
            base = ofs[u(p + 1)] - hi
            q = gallop(xi, ofs[u(p)] - base, q, end)
            while q < end and xi[u(q)] < hi:
                total += av[u(base + xi[u(q)])] * xv[u(q)]
                q += 1
            if q >= end:
                break
        y[u(i)] = total


@jit_sum
def vbl_scattered(y: Any, n: int, m: int, ap: Any, stop: Any, ofs: Any, av: Any, xi: Any,
                  xv: Any) -> None:  # fmt: skip
    """Multiply blocks by a list by way of a dense vector of all columns."""
    x = np.zeros(m)
    for q in range(len(xi)):
        x[u(xi[u(q)])] = xv[u(q)]
    vbl_dense(y, n, m, ap, stop, ofs, av, x)


@jit_sum
def spmspv_bytemap(y: Any, n: int, m: int, ap: Any, ai: Any, av: Any, mask: Any, xv: Any) -> None:
    """Multiply by a vector that says of each place whether it is stored."""
    for i in range(n):
        total = 0.0
        for p in range(ap[u(i)], ap[u(i + 1)]):
            j = ai[u(p)]
            if mask[u(j)]:
                total += av[u(p)] * xv[u(j)]
        y[u(i)] = total


@jit_sum
def spmspv_columns(y: Any, n: int, m: int, ap: Any, ai: Any, av: Any, xi: Any, xv: Any) -> None:
    """Multiply a matrix stored by columns, of which the list names those that count."""
    y[:] = 0.0
    for q in range(len(xi)):
        for p in range(ap[u(xi[u(q)])], ap[u(xi[u(q)] + 1)]):
            y[u(ai[u(p)])] += av[u(p)] * xv[u(q)]


@jit
def triangles_bytemap(n: int, ap: Any, ai: Any) -> int:
    """Count the closed walks of three edges; a row is scattered into a map of bytes."""
    count = 0
    mark = np.zeros(n, np.uint8)
    for i in range(n):
        for p in range(ap[u(i)], ap[u(i + 1)]):
            mark[u(ai[u(p)])] = 1
        for e in range(ap[u(i)], ap[u(i + 1)]):
            j = ai[u(e)]
            for q in range(ap[u(j)], ap[u(j + 1)]):
                count += mark[u(ai[u(q)])]
        for p in range(ap[u(i)], ap[u(i + 1)]):
            mark[u(ai[u(p)])] = 0
    return count


@jit
def triangles_bitmap(n: int, ap: Any, ai: Any, mask: Any) -> int:
    """Count the closed walks of three edges, the last looked up in a map of the whole graph."""
    count = 0
    for i in range(n):
        for e in range(ap[u(i)], ap[u(i + 1)]):
            j = ai[u(e)]
            for q in range(ap[u(j)], ap[u(j + 1)]):
                count += mask[u(i * n + ai[u(q)])]
    return count
