"""By hand, for formats of contiguous elements: bands, blocks, ragged rows, triangles, symmetry.

Each kernel takes the result, the numbers of rows and columns, the buffers of the matrix, and those
of the other operand.
"""

from __future__ import annotations

from typing import Any

from benchmarks.handwritten import inline_sum, jit_sum, u


@inline_sum
def dot(av: Any, a: int, bv: Any, b: int, count: int) -> float:
    """Return the product of `count` elements from `a` and from `b` on."""
    total = 0.0
    for k in range(count):
        total += av[u(a + k)] * bv[u(b + k)]
    return total


@inline_sum
def reached(idx: Any, key: int, lo: int, hi: int) -> int:
    """Return the first position in [lo, hi) whose entry is at least the key, or hi."""
    while lo < hi:
        middle = (lo + hi) >> 1
        if idx[u(middle)] < key:
            lo = middle + 1
        else:
            hi = middle
    return lo


@inline_sum
def inside(base: int, stop: int, av: Any, q: int, q_end: int, xi: Any, xv: Any) -> float:
    """Return the products of a list, from `q` on and up to index `stop`, with `av[base + i]`."""
    total = 0.0
    while q < q_end and xi[u(q)] < stop:
        total += av[u(base + xi[u(q)])] * xv[u(q)]
        q += 1
    return total


@jit_sum
def band_dense(y: Any, n: int, m: int, ofs: Any, start: Any, av: Any, x: Any) -> None:
    for i in range(n):
        first = ofs[u(i)]
        y[u(i)] = dot(av, first, x, start[u(i)], ofs[u(i + 1)] - first)


@jit_sum
def band_list(y: Any, n: int, m: int, ofs: Any, start: Any, av: Any, xi: Any, xv: Any) -> None:
    end = len(xi)
    for i in range(n):
        first, lo = ofs[u(i)], start[u(i)]
        q = reached(xi, lo, 0, end)
        y[u(i)] = inside(first - lo, lo + ofs[u(i + 1)] - first, av, q, end, xi, xv)


@jit_sum
def band_band(y: Any, n: int, m: int, ofs: Any, start: Any, av: Any, other: Any, begin: Any,
              bv: Any) -> None:  # fmt: skip
    for i in range(n):
        a, b, a_lo, b_lo = ofs[u(i)], other[u(i)], start[u(i)], begin[u(i)]
        lo = max(a_lo, b_lo)
        hi = min(a_lo + ofs[u(i + 1)] - a, b_lo + other[u(i + 1)] - b)
        y[u(i)] = dot(av, a - a_lo + lo, bv, b - b_lo + lo, hi - lo)


@jit_sum
def ragged_dense(y: Any, n: int, m: int, ofs: Any, av: Any, x: Any) -> None:
    for i in range(n):
        y[u(i)] = dot(av, ofs[u(i)], x, 0, ofs[u(i + 1)] - ofs[u(i)])


@jit_sum
def ragged_list(y: Any, n: int, m: int, ofs: Any, av: Any, xi: Any, xv: Any) -> None:
    for i in range(n):
        y[u(i)] = inside(ofs[u(i)], ofs[u(i + 1)] - ofs[u(i)], av, 0, len(xi), xi, xv)


@jit_sum
def ragged_ragged(y: Any, n: int, m: int, ofs: Any, av: Any, other: Any, bv: Any) -> None:
    for i in range(n):
        a, b = ofs[u(i)], other[u(i)]
        y[u(i)] = dot(av, a, bv, b, min(ofs[u(i + 1)] - a, other[u(i + 1)] - b))


@jit_sum
def vbl_dense(y: Any, n: int, m: int, ap: Any, stop: Any, ofs: Any, av: Any, x: Any) -> None:
    for i in range(n):
        total = 0.0
        for p in range(ap[u(i)], ap[u(i + 1)]):
            first, after = ofs[u(p)], ofs[u(p + 1)]
            total += dot(av, first, x, stop[u(p)] - (after - first), after - first)
        y[u(i)] = total


@jit_sum
def vbl_list(y: Any, n: int, m: int, ap: Any, stop: Any, ofs: Any, av: Any, xi: Any,
             xv: Any) -> None:  # fmt: skip
    end = len(xi)
    for i in range(n):
        total, q = 0.0, 0
        for p in range(ap[u(i)], ap[u(i + 1)]):
            hi = stop[u(p)]
            base = ofs[u(p + 1)] - hi
            lo = ofs[u(p)] - base
            while q < end and xi[u(q)] < lo:
                q += 1
            while q < end and xi[u(q)] < hi:
                total += av[u(base + xi[u(q)])] * xv[u(q)]
                q += 1
        y[u(i)] = total


@jit_sum
def vbl_vbl(y: Any, n: int, m: int, ap: Any, stop: Any, ofs: Any, av: Any, bp: Any, halt: Any,
            other: Any, bv: Any) -> None:  # fmt: skip
    for i in range(n):
        total = 0.0
        p, p_end, q, q_end = ap[u(i)], ap[u(i + 1)], bp[u(i)], bp[u(i + 1)]
        while p < p_end and q < q_end:
            a_hi, b_hi = stop[u(p)], halt[u(q)]
            a, b = ofs[u(p + 1)] - a_hi, other[u(q + 1)] - b_hi
            lo = max(ofs[u(p)] - a, other[u(q)] - b)
            total += dot(av, a + lo, bv, b + lo, min(a_hi, b_hi) - lo)
            p += a_hi <= b_hi
            q += b_hi <= a_hi
        y[u(i)] = total


@jit_sum
def triu_dense(y: Any, n: int, m: int, av: Any, x: Any) -> None:
    at = 0
    for i in range(n):
        y[u(i)] = dot(av, at, x, i, m - i)
        at += max(m - i, 0)


@jit_sum
def triu_list(y: Any, n: int, m: int, av: Any, xi: Any, xv: Any) -> None:
    at, q, end = 0, 0, len(xi)
    for i in range(n):
        while q < end and xi[u(q)] < i:
            q += 1
        total = 0.0
        for k in range(q, end):
            total += av[u(at - i + xi[u(k)])] * xv[u(k)]
        y[u(i)] = total
        at += max(m - i, 0)


@jit_sum
def triu_triu(y: Any, n: int, m: int, av: Any, bv: Any) -> None:
    at = 0
    for i in range(n):
        y[u(i)] = dot(av, at, bv, at, m - i)
        at += max(m - i, 0)


@jit_sum
def tril_dense(y: Any, n: int, m: int, av: Any, x: Any) -> None:
    at = 0
    for i in range(n):
        width = min(i + 1, m)
        y[u(i)] = dot(av, at, x, 0, width)
        at += width


@jit_sum
def tril_list(y: Any, n: int, m: int, av: Any, xi: Any, xv: Any) -> None:
    at, q, end = 0, 0, len(xi)
    for i in range(n):
        while q < end and xi[u(q)] <= i:
            q += 1
        total = 0.0
        for k in range(q):
            total += av[u(at + xi[u(k)])] * xv[u(k)]
        y[u(i)] = total
        at += min(i + 1, m)


@jit_sum
def tril_tril(y: Any, n: int, m: int, av: Any, bv: Any) -> None:
    at = 0
    for i in range(n):
        width = min(i + 1, m)
        y[u(i)] = dot(av, at, bv, at, width)
        at += width


@jit_sum
def symmetric_dense(y: Any, n: int, m: int, av: Any, x: Any) -> None:
    # Every element once: it stands for two, of which one goes into a row before.
    at = 0
    for i in range(n):
        total, xi = 0.0, x[u(i)]
        for j in range(i):
            element = av[u(at + j)]
            total += element * x[u(j)]
            y[u(j)] += element * xi
        y[u(i)] = total + av[u(at + i)] * xi
        at += i + 1


@jit_sum
def symmetric_list(y: Any, n: int, m: int, av: Any, xi: Any, xv: Any) -> None:
    # The part right of the diagonal is of rows further down, which add it to those above.
    at, q, end = 0, 0, len(xi)
    for i in range(n):
        while q < end and xi[u(q)] < i:
            q += 1
        total = 0.0
        for k in range(q):
            total += av[u(at + xi[u(k)])] * xv[u(k)]
        if q < end and xi[u(q)] == i:
            value = xv[u(q)]
            total += av[u(at + i)] * value
            for j in range(i):
                y[u(j)] += av[u(at + j)] * value
        y[u(i)] = total
        at += i + 1


@jit_sum
def symmetric_symmetric(y: Any, n: int, m: int, av: Any, bv: Any) -> None:
    at = 0
    for i in range(n):
        total = 0.0
        for j in range(i):
            product = av[u(at + j)] * bv[u(at + j)]
            total += product
            y[u(j)] += product
        y[u(i)] = total + av[u(at + i)] * bv[u(at + i)]
        at += i + 1


def bsr(side: int) -> tuple[Any, Any, Any]:
    """Return the kernels of a matrix of square tiles of a side that is known when they compile."""

    @inline_sum
    def columns(y: Any, i: int, at: int, av: Any, x: Any, j: int) -> None:
        for k in range(side):
            y[u(i + k)] += dot(av, at + k * side, x, j, side)

    @jit_sum
    def with_dense(y: Any, n: int, m: int, ap: Any, ai: Any, av: Any, x: Any) -> None:
        y[:] = 0.0
        for r in range(n // side):
            for p in range(ap[u(r)], ap[u(r + 1)]):
                columns(y, r * side, p * side * side, av, x, ai[u(p)] * side)

    @jit_sum
    def with_list(y: Any, n: int, m: int, ap: Any, ai: Any, av: Any, xi: Any, xv: Any) -> None:
        y[:] = 0.0
        end = len(xi)
        for r in range(n // side):
            q = 0
            for p in range(ap[u(r)], ap[u(r + 1)]):
                lo = ai[u(p)] * side
                while q < end and xi[u(q)] < lo:
                    q += 1
                while q < end and xi[u(q)] < lo + side:
                    for k in range(side):
                        at = (p * side + k) * side + xi[u(q)] - lo
                        y[u(r * side + k)] += av[u(at)] * xv[u(q)]
                    q += 1

    @jit_sum
    def with_bsr(y: Any, n: int, m: int, ap: Any, ai: Any, av: Any, bp: Any, bi: Any,
                 bv: Any) -> None:  # fmt: skip
        y[:] = 0.0
        size = side * side
        for r in range(n // side):
            p, p_end, q, q_end = ap[u(r)], ap[u(r + 1)], bp[u(r)], bp[u(r + 1)]
            while p < p_end and q < q_end:
                i, j = ai[u(p)], bi[u(q)]
                if i == j:
                    for k in range(side):
                        row = k * side
                        y[u(r * side + k)] += dot(av, p * size + row, bv, q * size + row, side)
                p += i <= j
                q += j <= i

    return with_dense, with_list, with_bsr
