"""By hand, for formats of lists: CSR, DCSR, COO.

Each kernel takes the result, the numbers of rows and columns, the buffers of the matrix, and those
of the other operand. Two lists merge by two pointers: with a three-way branch, and without.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.handwritten import inline_sum, jit_sum, u


@inline_sum
def gathered(p: int, p_end: int, ai: Any, av: Any, x: Any) -> float:
    """Return the sum of a row's elements times those of a dense vector."""
    total = 0.0
    for k in range(p, p_end):
        total += av[u(k)] * x[u(ai[u(k)])]
    return total


@inline_sum
def merged(p: int, p_end: int, ai: Any, av: Any, q: int, q_end: int, bi: Any, bv: Any) -> float:
    """Return the sum of two lists' products, by a three-way branch."""
    total = 0.0
    if p < p_end and q < q_end:
        x, y = ai[u(p)], bi[u(q)]
        while True:
            if x < y:
                p += 1
                if p >= p_end:
                    break
                x = ai[u(p)]
            elif y < x:
                q += 1
                if q >= q_end:
                    break
                y = bi[u(q)]
            else:
                total += av[u(p)] * bv[u(q)]
                p += 1
                q += 1
                if p >= p_end or q >= q_end:
                    break
                x, y = ai[u(p)], bi[u(q)]
    return total


@inline_sum
def stepped(p: int, p_end: int, ai: Any, av: Any, q: int, q_end: int, bi: Any, bv: Any) -> float:
    """Return the sum of two lists' products, a branch only where they match."""
    total = 0.0
    while p < p_end and q < q_end:
        x, y = ai[u(p)], bi[u(q)]
        if x == y:
            total += av[u(p)] * bv[u(q)]
        p += x <= y
        q += y <= x
    return total


@inline_sum
def following(idx: Any, q: int, q_end: int) -> int:
    """Return where the coordinate at `q` ends to be repeated."""
    at = idx[u(q)]
    q += 1
    while q < q_end and idx[u(q)] == at:
        q += 1
    return q


@jit_sum
def csr_dense(y: Any, n: int, m: int, ap: Any, ai: Any, av: Any, x: Any) -> None:
    for i in range(n):
        y[u(i)] = gathered(ap[u(i)], ap[u(i + 1)], ai, av, x)


def csr_pairs(merge: Any) -> tuple[Any, Any]:
    """Return the kernels of a CSR matrix with a list and with a CSR matrix."""

    @jit_sum
    def with_list(y: Any, n: int, m: int, ap: Any, ai: Any, av: Any, xi: Any, xv: Any) -> None:
        for i in range(n):
            y[u(i)] = merge(ap[u(i)], ap[u(i + 1)], ai, av, 0, len(xi), xi, xv)

    @jit_sum
    def with_csr(y: Any, n: int, m: int, ap: Any, ai: Any, av: Any, bp: Any, bi: Any,
                 bv: Any) -> None:  # fmt: skip
        for i in range(n):
            q, q_end = bp[u(i)], bp[u(i + 1)]
            y[u(i)] = merge(ap[u(i)], ap[u(i + 1)], ai, av, q, q_end, bi, bv)

    return with_list, with_csr


@jit_sum
def csr_scattered(y: Any, n: int, m: int, ap: Any, ai: Any, av: Any, xi: Any, xv: Any) -> None:
    """Multiply with a list by way of a dense vector of all columns, which no merge can equal."""
    x = np.zeros(m)
    for k in range(len(xi)):
        x[u(xi[u(k)])] = xv[u(k)]
    csr_dense(y, n, m, ap, ai, av, x)


@jit_sum
def dcsr_dense(rows: Any, y: Any, n: int, m: int, ar: Any, ap: Any, ai: Any, av: Any,
               x: Any) -> int:  # fmt: skip
    for r in range(len(ar)):
        rows[u(r)] = ar[u(r)]
        y[u(r)] = gathered(ap[u(r)], ap[u(r + 1)], ai, av, x)
    return len(ar)


def dcsr_pairs(merge: Any) -> tuple[Any, Any]:
    """Return the kernels of a DCSR matrix with a list and with a DCSR matrix."""

    @jit_sum
    def with_list(rows: Any, y: Any, n: int, m: int, ar: Any, ap: Any, ai: Any, av: Any, xi: Any,
                  xv: Any) -> int:  # fmt: skip
        for r in range(len(ar)):
            rows[u(r)] = ar[u(r)]
            y[u(r)] = merge(ap[u(r)], ap[u(r + 1)], ai, av, 0, len(xi), xi, xv)
        return len(ar)

    @jit_sum
    def with_dcsr(rows: Any, y: Any, n: int, m: int, ar: Any, ap: Any, ai: Any, av: Any, br: Any,
                  bp: Any, bi: Any, bv: Any) -> int:  # fmt: skip
        r, s, o = 0, 0, 0
        while r < len(ar) and s < len(br):
            i, k = ar[u(r)], br[u(s)]
            if i == k:
                q, q_end = bp[u(s)], bp[u(s + 1)]
                rows[u(o)] = i
                y[u(o)] = merge(ap[u(r)], ap[u(r + 1)], ai, av, q, q_end, bi, bv)
                o += 1
            r += i <= k
            s += k <= i
        return o

    return with_list, with_dcsr


@jit_sum
def coo_dense(rows: Any, y: Any, n: int, m: int, ar: Any, ai: Any, av: Any, x: Any) -> int:
    # One pass: what a row's end is, is seen on the way.
    o, p, end = 0, 0, len(ar)
    while p < end:
        i, total = ar[u(p)], 0.0
        while p < end and ar[u(p)] == i:
            total += av[u(p)] * x[u(ai[u(p)])]
            p += 1
        rows[u(o)] = i
        y[u(o)] = total
        o += 1
    return o


def coo_pairs(merge: Any) -> tuple[Any, Any]:
    """Return the kernels of a COO matrix with a list and with a COO matrix."""

    @jit_sum
    def with_list(rows: Any, y: Any, n: int, m: int, ar: Any, ai: Any, av: Any, xi: Any,
                  xv: Any) -> int:  # fmt: skip
        o, p, end = 0, 0, len(ar)
        while p < end:
            p_end = following(ar, p, end)
            rows[u(o)] = ar[u(p)]
            y[u(o)] = merge(p, p_end, ai, av, 0, len(xi), xi, xv)
            o += 1
            p = p_end
        return o

    @jit_sum
    def with_coo(rows: Any, y: Any, n: int, m: int, ar: Any, ai: Any, av: Any, br: Any, bi: Any,
                 bv: Any) -> int:  # fmt: skip
        o, p, q, end, b_end = 0, 0, 0, len(ar), len(br)
        while p < end and q < b_end:
            i, k = ar[u(p)], br[u(q)]
            if i < k:
                p = following(ar, p, end)
            elif k < i:
                q = following(br, q, b_end)
            else:
                p_end, q_end = following(ar, p, end), following(br, q, b_end)
                rows[u(o)] = i
                y[u(o)] = merge(p, p_end, ai, av, q, q_end, bi, bv)
                o += 1
                p, q = p_end, q_end
        return o

    return with_list, with_coo
