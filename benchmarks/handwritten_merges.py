"""By hand, as TACO merges: each step takes the least coordinate and advances who stands at it."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.handwritten import jit, jit_sum, u


@jit_sum
def spmspv_flags(y: Any, n: int, m: int, ap: Any, ai: Any, av: Any, xi: Any, xv: Any) -> None:
    """Multiply a matrix by a list."""
    end = len(xi)
    for i in range(n):
        total = 0.0
        p, p_end, q = ap[u(i)], ap[u(i + 1)], 0
        while p < p_end and q < end:
            a, b = ai[u(p)], xi[u(q)]
            j = min(a, b)
            if a == j and b == j:
                total += av[u(p)] * xv[u(q)]
            p += a == j
            q += b == j
        y[u(i)] = total


@jit
def triangles_flags(n: int, ap: Any, ai: Any) -> int:
    """Count the closed walks of three edges."""
    count = 0
    for i in range(n):
        for e in range(ap[u(i)], ap[u(i + 1)]):
            j = ai[u(e)]
            p, p_end = ap[u(i)], ap[u(i + 1)]
            q, q_end = ap[u(j)], ap[u(j + 1)]
            while p < p_end and q < q_end:
                a, b = ai[u(p)], ai[u(q)]
                k = min(a, b)
                count += (a == k) & (b == k)
                p += a == k
                q += b == k
    return count


@jit_sum
def mttkrp(
    y: Any, n: int, r: int, p1: Any, i1: Any, p2: Any, i2: Any, val: Any, b: Any, c: Any
) -> None:
    """Multiply a tensor of lists of lists by two matrices, the inner product of a fiber first."""
    row = np.empty(r)
    for i in range(n):
        for s in range(r):
            y[u(i * r + s)] = 0.0
        for p in range(p1[u(i)], p1[u(i + 1)]):
            j = i1[u(p)]
            for s in range(r):
                row[u(s)] = 0.0
            for q in range(p2[u(p)], p2[u(p + 1)]):
                k = i2[u(q)]
                value = val[u(q)]
                for s in range(r):
                    row[u(s)] += value * c[u(k * r + s)]
            for s in range(r):
                y[u(i * r + s)] += row[u(s)] * b[u(j * r + s)]
