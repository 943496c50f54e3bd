"""By hand, for programs of loops: intersections that gallop, triangles, masked convolution.

Each reads the buffers that the compiled kernel reads, and writes into what it is given.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.handwritten import inline_sum, jit, jit_sum, u
from benchmarks.handwritten_blocks import reached


@inline_sum
def gallop(idx: Any, key: int, at: int, end: int) -> int:
    """Return the first position in [at, end) whose entry is at least the key, or end.

    Strides double from `at` on; what the last one jumped over is halved.
    """
    if at >= end or idx[u(at)] >= key:
        return at
    stride = 1
    while at + stride < end and idx[u(at + stride)] < key:
        at += stride
        stride += stride
    return reached(idx, key, at + 1, min(at + stride, end))


@jit_sum
def spmspv_walk(y: Any, n: int, m: int, ap: Any, ai: Any, av: Any, xi: Any, xv: Any) -> None:
    """Multiply by a list, by merging."""
    end = len(xi)
    for i in range(n):
        total = 0.0
        p, p_end, q = ap[u(i)], ap[u(i + 1)], 0
        if p < p_end and q < end:
            a, b = np.int64(ai[u(p)]), np.int64(xi[u(q)])
            while True:
                if a < b:
                    p += 1
                    if p >= p_end:
                        break
                    a = np.int64(ai[u(p)])
                elif b < a:
                    q += 1
                    if q >= end:
                        break
                    b = np.int64(xi[u(q)])
                else:
                    total += av[u(p)] * xv[u(q)]
                    p += 1
                    q += 1
                    if p >= p_end or q >= end:
                        break
                    a, b = np.int64(ai[u(p)]), np.int64(xi[u(q)])
        y[u(i)] = total


@jit_sum
def spmspv_gallop(y: Any, n: int, m: int, ap: Any, ai: Any, av: Any, xi: Any, xv: Any) -> None:
    """Multiply by a list; either list leaps to where the other one is."""
    end = len(xi)
    for i in range(n):
        total = 0.0
        p, p_end, q = ap[u(i)], ap[u(i + 1)], 0
        while p < p_end and q < end:
            a, b = ai[u(p)], xi[u(q)]
            if a < b:
                p = gallop(ai, b, p, p_end)
            elif b < a:
                q = gallop(xi, a, q, end)
            else:
                total += av[u(p)] * xv[u(q)]
                p += 1
                q += 1
        y[u(i)] = total


@jit_sum
def spmspv_lead(y: Any, n: int, m: int, ap: Any, ai: Any, av: Any, xi: Any, xv: Any) -> None:
    """Multiply by a list, which leaps to each element of the matrix."""
    end = len(xi)
    for i in range(n):
        total, q = 0.0, 0
        for p in range(ap[u(i)], ap[u(i + 1)]):
            a = ai[u(p)]
            q = gallop(xi, a, q, end)
            if q >= end:
                break
            if xi[u(q)] == a:
                total += av[u(p)] * xv[u(q)]
        y[u(i)] = total


@jit
def triangles_walk(n: int, ap: Any, ai: Any) -> int:
    """Count the closed walks of three edges, by merging."""
    count = 0
    for i in range(n):
        for e in range(ap[u(i)], ap[u(i + 1)]):
            j = ai[u(e)]
            p, p_end = ap[u(i)], ap[u(i + 1)]
            q, q_end = ap[u(j)], ap[u(j + 1)]
            if p < p_end and q < q_end:
                a, b = ai[u(p)], ai[u(q)]
                while True:
                    if a < b:
                        p += 1
                        if p >= p_end:
                            break
                        a = ai[u(p)]
                    elif b < a:
                        q += 1
                        if q >= q_end:
                            break
                        b = ai[u(q)]
                    else:
                        count += 1
                        p += 1
                        q += 1
                        if p >= p_end or q >= q_end:
                            break
                        a, b = ai[u(p)], ai[u(q)]
    return count


@jit
def triangles_stepped(n: int, ap: Any, ai: Any) -> int:
    """Count the closed walks of three edges, by merging without branches."""
    count = 0
    for i in range(n):
        for e in range(ap[u(i)], ap[u(i + 1)]):
            j = ai[u(e)]
            p, p_end = ap[u(i)], ap[u(i + 1)]
            q, q_end = ap[u(j)], ap[u(j + 1)]
            while p < p_end and q < q_end:
                a, b = ai[u(p)], ai[u(q)]
                count += a == b
                p += a <= b
                q += b <= a
    return count


@jit
def triangles_gallop(n: int, ap: Any, ai: Any) -> int:
    """Count the closed walks of three edges; either list leaps to where the other one is."""
    count = 0
    for i in range(n):
        for e in range(ap[u(i)], ap[u(i + 1)]):
            j = ai[u(e)]
            p, p_end = ap[u(i)], ap[u(i + 1)]
            q, q_end = ap[u(j)], ap[u(j + 1)]
            while p < p_end and q < q_end:
                a, b = ai[u(p)], ai[u(q)]
                if a < b:
                    p = gallop(ai, b, p, p_end)
                elif b < a:
                    q = gallop(ai, a, q, q_end)
                else:
                    count += 1
                    p += 1
                    q += 1
    return count


@jit_sum
def convolve(cp: Any, ci: Any, cv: Any, shape: Any, ap: Any, ai: Any, av: Any, f: Any,
             side: int) -> int:  # fmt: skip
    """Sum what a square window finds around each element: a search in each row, then a walk."""
    n, _ = shape
    half = side // 2
    o = 0
    for i in range(n):
        for p in range(ap[u(i)], ap[u(i + 1)]):
            k = ai[u(p)]
            total = 0.0
            for row in range(max(i - half, 0), min(i + half + 1, n)):
                base = (row - i + half) * side + half - k
                q, q_end = reached(ai, k - half, ap[u(row)], ap[u(row + 1)]), ap[u(row + 1)]
                while q < q_end and ai[u(q)] <= k + half:
                    total += av[u(q)] * f[u(base + ai[u(q)])]
                    q += 1
            cv[u(o)] = total
            ci[u(o)] = k
            o += 1
        cp[u(i + 1)] = o
    return o


@jit_sum
def convolve_cursors(cp: Any, ci: Any, cv: Any, shape: Any, ap: Any, ai: Any, av: Any, f: Any,
                     side: int) -> int:  # fmt: skip
    """Sum the same, but that each row's cursor goes on from where the last window began."""
    n, _ = shape
    half = side // 2
    begun = np.empty(side, np.int64)
    o = 0
    for i in range(n):
        first, last = max(i - half, 0), min(i + half + 1, n)
        for row in range(first, last):
            begun[u(row - first)] = ap[u(row)]
        for p in range(ap[u(i)], ap[u(i + 1)]):
            k = ai[u(p)]
            total = 0.0
            for row in range(first, last):
                base = (row - i + half) * side + half - k
                q, q_end = begun[u(row - first)], ap[u(row + 1)]
                while q < q_end and ai[u(q)] < k - half:
                    q += 1
                begun[u(row - first)] = q
                while q < q_end and ai[u(q)] <= k + half:
                    total += av[u(q)] * f[u(base + ai[u(q)])]
                    q += 1
            cv[u(o)] = total
            ci[u(o)] = k
            o += 1
        cp[u(i + 1)] = o
    return o
