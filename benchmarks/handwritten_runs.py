"""By hand, for formats of runs: intervals, run lists, PackBits, constants.

Each kernel takes the result, the numbers of rows and columns, the buffers of the matrix, and those
of the other operand. Two run lists merge with one branch less than there are ways to go on.
"""

from __future__ import annotations

from typing import Any

from benchmarks.handwritten import inline_sum, jit_sum, u
from benchmarks.handwritten_blocks import dot, reached


@inline_sum
def added(x: Any, lo: int, hi: int) -> float:
    """Return the sum of `x[lo:hi]`."""
    total = 0.0
    for j in range(lo, hi):
        total += x[u(j)]
    return total


@jit_sum
def interval_dense(y: Any, n: int, m: int, start: Any, stop: Any, av: Any, x: Any) -> None:
    for i in range(n):
        y[u(i)] = av[u(i)] * added(x, start[u(i)], stop[u(i)])


@jit_sum
def interval_list(y: Any, n: int, m: int, start: Any, stop: Any, av: Any, xi: Any,
                  xv: Any) -> None:  # fmt: skip
    for i in range(n):
        q, hi, total = reached(xi, start[u(i)], 0, len(xi)), stop[u(i)], 0.0
        while q < len(xi) and xi[u(q)] < hi:
            total += xv[u(q)]
            q += 1
        y[u(i)] = av[u(i)] * total


@jit_sum
def interval_interval(y: Any, n: int, m: int, start: Any, stop: Any, av: Any, begin: Any,
                      halt: Any, bv: Any) -> None:  # fmt: skip
    for i in range(n):
        width = min(stop[u(i)], halt[u(i)]) - max(start[u(i)], begin[u(i)])
        y[u(i)] = av[u(i)] * bv[u(i)] * max(width, 0)


@jit_sum
def rle_dense(y: Any, n: int, m: int, ap: Any, stop: Any, av: Any, x: Any) -> None:
    for i in range(n):
        total, here = 0.0, 0
        for p in range(ap[u(i)], ap[u(i + 1)]):
            total += av[u(p)] * added(x, here, stop[u(p)])
            here = stop[u(p)]
        y[u(i)] = total


@jit_sum
def rle_list(y: Any, n: int, m: int, ap: Any, stop: Any, av: Any, xi: Any, xv: Any) -> None:
    for i in range(n):
        total, p = 0.0, ap[u(i)]
        for q in range(len(xi)):
            j = xi[u(q)]
            while stop[u(p)] <= j:
                p += 1
            total += av[u(p)] * xv[u(q)]
        y[u(i)] = total


@jit_sum
def rle_rle(y: Any, n: int, m: int, ap: Any, stop: Any, av: Any, bp: Any, halt: Any,
            bv: Any) -> None:  # fmt: skip
    for i in range(n):
        total, here, p, q = 0.0, 0, ap[u(i)], bp[u(i)]
        while here < m:
            a_hi, b_hi = stop[u(p)], halt[u(q)]
            hi = min(a_hi, b_hi)
            total += av[u(p)] * bv[u(q)] * (hi - here)
            here = hi
            p += a_hi <= b_hi
            q += b_hi <= a_hi
        y[u(i)] = total


@jit_sum
def sparse_rle_dense(y: Any, n: int, m: int, ap: Any, start: Any, stop: Any, av: Any,
                     x: Any) -> None:  # fmt: skip
    for i in range(n):
        total = 0.0
        for p in range(ap[u(i)], ap[u(i + 1)]):
            total += av[u(p)] * added(x, start[u(p)], stop[u(p)])
        y[u(i)] = total


@jit_sum
def sparse_rle_list(y: Any, n: int, m: int, ap: Any, start: Any, stop: Any, av: Any, xi: Any,
                    xv: Any) -> None:  # fmt: skip
    end = len(xi)
    for i in range(n):
        total, q = 0.0, 0
        for p in range(ap[u(i)], ap[u(i + 1)]):
            lo, hi, value = start[u(p)], stop[u(p)], av[u(p)]
            while q < end and xi[u(q)] < lo:
                q += 1
            while q < end and xi[u(q)] < hi:
                total += value * xv[u(q)]
                q += 1
        y[u(i)] = total


@jit_sum
def sparse_rle_sparse_rle(y: Any, n: int, m: int, ap: Any, start: Any, stop: Any, av: Any, bp: Any,
                          begin: Any, halt: Any, bv: Any) -> None:  # fmt: skip
    for i in range(n):
        total = 0.0
        p, p_end, q, q_end = ap[u(i)], ap[u(i + 1)], bp[u(i)], bp[u(i + 1)]
        while p < p_end and q < q_end:
            a_hi, b_hi = stop[u(p)], halt[u(q)]
            width = min(a_hi, b_hi) - max(start[u(p)], begin[u(q)])
            total += av[u(p)] * bv[u(q)] * max(width, 0)
            p += a_hi <= b_hi
            q += b_hi <= a_hi
        y[u(i)] = total


@jit_sum
def packbits_dense(y: Any, n: int, m: int, ap: Any, stop: Any, ofs: Any, av: Any,
                   x: Any) -> None:  # fmt: skip
    for i in range(n):
        total, here = 0.0, 0
        for p in range(ap[u(i)], ap[u(i + 1)]):
            hi, first = stop[u(p)], ofs[u(p)]
            if ofs[u(p + 1)] - first == 1:
                total += av[u(first)] * added(x, here, hi)
            else:
                total += dot(av, first, x, here, hi - here)
            here = hi
        y[u(i)] = total


@jit_sum
def packbits_list(y: Any, n: int, m: int, ap: Any, stop: Any, ofs: Any, av: Any, xi: Any,
                  xv: Any) -> None:  # fmt: skip
    for i in range(n):
        total, p = 0.0, ap[u(i)]
        for q in range(len(xi)):
            j = xi[u(q)]
            while stop[u(p)] <= j:
                p += 1
            first, after = ofs[u(p)], ofs[u(p + 1)]
            at = first if after - first == 1 else after - stop[u(p)] + j
            total += av[u(at)] * xv[u(q)]
        y[u(i)] = total


@jit_sum
def packbits_packbits(y: Any, n: int, m: int, ap: Any, stop: Any, ofs: Any, av: Any, bp: Any,
                      halt: Any, other: Any, bv: Any) -> None:  # fmt: skip
    for i in range(n):
        total, here, p, q = 0.0, 0, ap[u(i)], bp[u(i)]
        while here < m:
            a_hi, b_hi, a, b = stop[u(p)], halt[u(q)], ofs[u(p)], other[u(q)]
            a_run, b_run = ofs[u(p + 1)] - a == 1, other[u(q + 1)] - b == 1
            hi = min(a_hi, b_hi)
            a_at, b_at = ofs[u(p + 1)] - a_hi + here, other[u(q + 1)] - b_hi + here
            if a_run and b_run:
                total += av[u(a)] * bv[u(b)] * (hi - here)
            elif a_run:
                total += av[u(a)] * added(bv, b_at, b_at + hi - here)
            elif b_run:
                total += bv[u(b)] * added(av, a_at, a_at + hi - here)
            else:
                total += dot(av, a_at, bv, b_at, hi - here)
            here = hi
            p += a_hi <= b_hi
            q += b_hi <= a_hi
        y[u(i)] = total


@jit_sum
def constant_dense(y: Any, n: int, m: int, value: float, x: Any) -> None:
    y[0] = value * added(x, 0, m)


@jit_sum
def constant_list(y: Any, n: int, m: int, value: float, xi: Any, xv: Any) -> None:
    y[0] = value * added(xv, 0, len(xi))


@jit_sum
def constant_constant(y: Any, n: int, m: int, value: float, other: float) -> None:
    y[0] = value * other * m
