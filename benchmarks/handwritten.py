"""The yardstick: what one would write by hand in Numba for CSR, with every trick we know.

Subscripts are unsigned (no wraparound of negative indices), sums may be reassociated, results are
allocated once at their upper bound and trimmed: to a slice, or to a copy where the slice would keep
more than half of its memory for nothing.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

u = np.uintp
jit = numba.njit(error_model="numpy", nogil=True, boundscheck=False)
jit_sum = numba.njit(error_model="numpy", nogil=True, boundscheck=False, fastmath={"reassoc"})
inline_sum = numba.njit(
    error_model="numpy", boundscheck=False, fastmath={"reassoc"}, forceinline=True
)

CSR = tuple[Any, Any, Any]  # ptr, idx, val
KEEP = 1.5


@jit
def _multiply(n: int, ap: Any, ai: Any, av: Any, bp: Any, bi: Any, bv: Any, cp: Any, ci: Any,
              cv: Any) -> int:  # fmt: skip
    # Branchless: matches are frequent and unpredictable. Every step stores, into a place that
    # the next one overwrites unless the indices were equal.
    o = 0
    for i in range(n):
        p, p_end = ap[u(i)], ap[u(i + 1)]
        q, q_end = bp[u(i)], bp[u(i + 1)]
        while p < p_end and q < q_end:
            x, y = ai[u(p)], bi[u(q)]
            ci[u(o)] = x
            cv[u(o)] = av[u(p)] * bv[u(q)]
            o += x == y
            p += x <= y
            q += y <= x
        cp[u(i + 1)] = o
    return o


@jit
def _multiply_branching(n: int, ap: Any, ai: Any, av: Any, bp: Any, bi: Any, bv: Any, cp: Any,
                        ci: Any, cv: Any) -> int:  # fmt: skip
    # Where the order of the indices can be foreseen: a branch guessed right costs nothing.
    o = 0
    for i in range(n):
        p, p_end = ap[u(i)], ap[u(i + 1)]
        q, q_end = bp[u(i)], bp[u(i + 1)]
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
                    ci[u(o)] = x
                    cv[u(o)] = av[u(p)] * bv[u(q)]
                    o += 1
                    p += 1
                    q += 1
                    if p >= p_end or q >= q_end:
                        break
                    x, y = ai[u(p)], bi[u(q)]
        cp[u(i + 1)] = o
    return o


@jit
def _add(n: int, ap: Any, ai: Any, av: Any, bp: Any, bi: Any, bv: Any, cp: Any, ci: Any,
         cv: Any) -> int:  # fmt: skip
    # Branchless while both last; then the rest of the one that is left.
    o = 0
    for i in range(n):
        p, p_end = ap[u(i)], ap[u(i + 1)]
        q, q_end = bp[u(i)], bp[u(i + 1)]
        while p < p_end and q < q_end:
            x, y = ai[u(p)], bi[u(q)]
            s, t = av[u(p)], bv[u(q)]
            ci[u(o)] = x if x <= y else y
            cv[u(o)] = (s if x <= y else 0.0) + (t if y <= x else 0.0)
            o += 1
            p += x <= y
            q += y <= x
        while p < p_end:
            ci[u(o)] = ai[u(p)]
            cv[u(o)] = av[u(p)]
            o += 1
            p += 1
        while q < q_end:
            ci[u(o)] = bi[u(q)]
            cv[u(o)] = bv[u(q)]
            o += 1
            q += 1
        cp[u(i + 1)] = o
    return o


@jit
def _add_branching(n: int, ap: Any, ai: Any, av: Any, bp: Any, bi: Any, bv: Any, cp: Any,
                   ci: Any, cv: Any) -> int:  # fmt: skip
    o = 0
    for i in range(n):
        p, p_end = ap[u(i)], ap[u(i + 1)]
        q, q_end = bp[u(i)], bp[u(i + 1)]
        if p < p_end and q < q_end:
            x, y = ai[u(p)], bi[u(q)]
            while True:
                if x < y:
                    ci[u(o)] = x
                    cv[u(o)] = av[u(p)]
                    o += 1
                    p += 1
                    if p >= p_end:
                        break
                    x = ai[u(p)]
                elif y < x:
                    ci[u(o)] = y
                    cv[u(o)] = bv[u(q)]
                    o += 1
                    q += 1
                    if q >= q_end:
                        break
                    y = bi[u(q)]
                else:
                    ci[u(o)] = x
                    cv[u(o)] = av[u(p)] + bv[u(q)]
                    o += 1
                    p += 1
                    q += 1
                    if p >= p_end or q >= q_end:
                        break
                    x, y = ai[u(p)], bi[u(q)]
        while p < p_end:
            ci[u(o)] = ai[u(p)]
            cv[u(o)] = av[u(p)]
            o += 1
            p += 1
        while q < q_end:
            ci[u(o)] = bi[u(q)]
            cv[u(o)] = bv[u(q)]
            o += 1
            q += 1
        cp[u(i + 1)] = o
    return o


@jit_sum
def _sum_rows(n: int, ap: Any, av: Any, y: Any) -> None:
    for i in range(n):
        total = 0.0
        for p in range(ap[u(i)], ap[u(i + 1)]):
            total += av[u(p)]
        y[u(i)] = total


@jit
def _sum_columns(ai: Any, av: Any, y: Any) -> None:
    for p in range(len(av)):
        y[u(ai[u(p)])] += av[u(p)]


@jit_sum
def _sum_all(av: Any) -> float:
    total = 0.0
    for p in range(len(av)):
        total += av[u(p)]
    return total


@jit_sum
def _matvec(n: int, ap: Any, ai: Any, av: Any, x: Any, y: Any) -> None:
    for i in range(n):
        total = 0.0
        for p in range(ap[u(i)], ap[u(i + 1)]):
            total += av[u(p)] * x[u(ai[u(p)])]
        y[u(i)] = total


@jit_sum
def _sum_of_product(n: int, ap: Any, ai: Any, av: Any, bp: Any, bi: Any, bv: Any) -> float:
    total = 0.0
    for i in range(n):
        p, p_end = ap[u(i)], ap[u(i + 1)]
        q, q_end = bp[u(i)], bp[u(i + 1)]
        while p < p_end and q < q_end:
            x, y = ai[u(p)], bi[u(q)]
            if x == y:
                total += av[u(p)] * bv[u(q)]
                p += 1
                q += 1
            else:
                before = x < y
                p += before
                q += 1 - before
    return total


def multiply(a: CSR, b: CSR) -> CSR:
    """Return `a * b`."""
    bound = min(len(a[1]), len(b[1])) + 1  # one to spare for the last store
    return _merged(_multiply, a, b, bound)


def multiply_branching(a: CSR, b: CSR) -> CSR:
    """Return `a * b`, by a three-way branch."""
    return _merged(_multiply_branching, a, b, min(len(a[1]), len(b[1])))


def add(a: CSR, b: CSR) -> CSR:
    """Return `a + b`."""
    return _merged(_add, a, b, len(a[1]) + len(b[1]))


def _merged(kernel: Any, a: CSR, b: CSR, bound: int) -> CSR:
    n = len(a[0]) - 1
    ptr, idx = np.zeros(n + 1, a[0].dtype), np.empty(bound, a[1].dtype)
    val = np.empty(bound, a[2].dtype)
    stored = kernel(n, *a, *b, ptr, idx, val)
    return ptr, _trim(idx, stored), _trim(val, stored)


def _trim(buffer: Any, size: int) -> Any:
    part = buffer[:size]
    return part if len(buffer) <= KEEP * size else part.copy()


def add_branching(a: CSR, b: CSR) -> CSR:
    """Return `a + b`, by a three-way branch."""
    return _merged(_add_branching, a, b, len(a[1]) + len(b[1]))


def sum_rows(a: CSR) -> Any:
    """Return `a.sum(axis=1)`."""
    y = np.empty(len(a[0]) - 1)
    _sum_rows(len(y), a[0], a[2], y)
    return y


def sum_columns(a: CSR, columns: int) -> Any:
    """Return `a.sum(axis=0)`."""
    y = np.zeros(columns)
    _sum_columns(a[1], a[2], y)
    return y


def sum_all(a: CSR) -> float:
    """Return `a.sum()`."""
    return float(_sum_all(a[2]))


def matvec(a: CSR, x: Any) -> Any:
    """Return `a @ x`."""
    y = np.empty(len(a[0]) - 1)
    _matvec(len(y), *a, x, y)
    return y


def chained(a: CSR, b: CSR, c: CSR) -> float:
    """Return `(a * b + c).sum()`, which is the sum of the product and the sum of `c`."""
    return float(_sum_of_product(len(a[0]) - 1, *a, *b) + _sum_all(c[2]))
