"""By hand, for formats whose elements have known places: points, diagonals, bitmaps.

Each kernel takes the result, the numbers of rows and columns, the buffers of the matrix, and those
of the other operand.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.handwritten import inline_sum, jit_sum, u


@jit_sum
def point_dense(y: Any, n: int, m: int, ai: Any, av: Any, x: Any) -> None:
    for i in range(n):
        j = ai[u(i)]
        y[u(i)] = av[u(i)] * x[u(j)] if j >= 0 else 0.0


@jit_sum
def point_list(y: Any, n: int, m: int, ai: Any, av: Any, xi: Any, xv: Any) -> None:
    # Points come in any order: each is sought by halving.
    for i in range(n):
        j, lo, hi = ai[u(i)], 0, len(xi)
        while lo < hi:
            middle = (lo + hi) >> 1
            below = xi[u(middle)] < j
            lo = middle + 1 if below else lo
            hi = hi if below else middle
        y[u(i)] = av[u(i)] * xv[u(lo)] if lo < len(xi) and xi[u(lo)] == j else 0.0


@jit_sum
def point_point(y: Any, n: int, m: int, ai: Any, av: Any, bi: Any, bv: Any) -> None:
    for i in range(n):
        j = ai[u(i)]
        product = av[u(i)] * bv[u(i)]
        y[u(i)] = product if j >= 0 and j == bi[u(i)] else 0.0


@inline_sum
def uncut(offset: Any, n: int, m: int) -> tuple[int, int]:
    """Return the first and past the last row in which every diagonal is inside the matrix."""
    if len(offset) == 0:
        return 0, 0
    first = min(max(-offset[0], 0), n)
    return first, max(min(m - offset[len(offset) - 1], n), first)


@jit_sum
def dia_dense(y: Any, n: int, m: int, offset: Any, av: Any, x: Any) -> None:
    count = len(offset)
    first, last = uncut(offset, n, m)
    for i in range(n):
        total = 0.0
        if first <= i < last:
            for q in range(count):
                total += av[u(i * count + q)] * x[u(i + offset[u(q)])]
        else:
            for q in range(count):
                j = i + offset[u(q)]
                if 0 <= j < m:
                    total += av[u(i * count + q)] * x[u(j)]
        y[u(i)] = total


@jit_sum
def dia_list(y: Any, n: int, m: int, offset: Any, av: Any, xi: Any, xv: Any) -> None:
    # Every element of the list meets each diagonal once: no search, no merge.
    count = len(offset)
    for i in range(n):
        y[u(i)] = 0.0
    for k in range(len(xi)):
        for q in range(count):
            i = xi[u(k)] - offset[u(q)]
            if 0 <= i < n:
                y[u(i)] += av[u(i * count + q)] * xv[u(k)]


@jit_sum
def dia_dia(y: Any, n: int, m: int, offset: Any, av: Any, other: Any, bv: Any) -> None:
    # The diagonals that both have are the same in every row: they are sought once.
    count, width = len(offset), len(other)
    pairs = np.empty((min(count, width), 2), np.int64)
    both, p, q = 0, 0, 0
    while p < count and q < width:
        d, e = offset[u(p)], other[u(q)]
        if d == e:
            pairs[u(both), 0], pairs[u(both), 1] = p, q
            both += 1
        p += d <= e
        q += e <= d
    first, last = uncut(offset, n, m)
    for i in range(n):
        total = 0.0
        for k in range(both):
            p, q = pairs[u(k), 0], pairs[u(k), 1]
            if first <= i < last or 0 <= i + offset[u(p)] < m:
                total += av[u(i * count + p)] * bv[u(i * width + q)]
        y[u(i)] = total


@jit_sum
def bitmap_dense(y: Any, n: int, m: int, mask: Any, av: Any, x: Any) -> None:
    for i in range(n):
        total = 0.0
        for j in range(m):
            product = av[u(i * m + j)] * x[u(j)]
            total += product if mask[u(i * m + j)] else 0.0
        y[u(i)] = total


@jit_sum
def bitmap_list(y: Any, n: int, m: int, mask: Any, av: Any, xi: Any, xv: Any) -> None:
    for i in range(n):
        total = 0.0
        for k in range(len(xi)):
            at = i * m + xi[u(k)]
            product = av[u(at)] * xv[u(k)]
            total += product if mask[u(at)] else 0.0
        y[u(i)] = total


@jit_sum
def bitmap_bitmap(y: Any, n: int, m: int, mask: Any, av: Any, other: Any, bv: Any) -> None:
    for i in range(n):
        total = 0.0
        for k in range(i * m, (i + 1) * m):
            product = av[u(k)] * bv[u(k)]
            total += product if mask[u(k)] & other[u(k)] else 0.0
        y[u(i)] = total
