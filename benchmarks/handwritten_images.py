"""By hand, for images as rows: the distances between all pairs, by what each format stores.

Each kernel takes the result, the number of images and the buffers of the matrix. Squares are summed
first, as in the program: a distance takes one product of two rows then.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.handwritten import inline_sum, jit_sum, u
from benchmarks.handwritten_blocks import dot


@jit_sum
def dense_bytes(out: Any, images: Any) -> None:
    """Sum the squares of differences, in integers."""
    # Numba makes int64 of every sum and product; small integers fill more of a vector.
    n, m = images.shape
    for k in range(n):
        for i in range(n):
            total = np.int32(0)
            for p in range(m):
                difference = np.int16(images[u(k), u(p)]) - np.int16(images[u(i), u(p)])
                square = np.int32(np.int16(difference)) * np.int32(np.int16(difference))
                total = np.int32(total + np.int32(square))
            out[u(k), u(i)] = np.sqrt(np.float64(total))


@inline_sum
def _distance(squares: Any, k: int, i: int, product: float) -> float:
    return np.sqrt(squares[u(k)] + squares[u(i)] - 2.0 * product)


@jit_sum
def dense(out: Any, n: int, m: int, av: Any) -> None:
    """Multiply all pixels."""
    squares = np.empty(n)
    for k in range(n):
        squares[u(k)] = dot(av, k * m, av, k * m, m)
    for k in range(n):
        for i in range(n):
            out[u(k), u(i)] = _distance(squares, k, i, dot(av, k * m, av, i * m, m))


@jit_sum
def lists(out: Any, n: int, m: int, ap: Any, ai: Any, av: Any) -> None:
    """Merge lists of pixels."""
    squares = np.empty(n)
    for k in range(n):
        squares[u(k)] = dot(av, ap[u(k)], av, ap[u(k)], ap[u(k + 1)] - ap[u(k)])
    for k in range(n):
        for i in range(n):
            total = 0.0
            p, p_end, q, q_end = ap[u(k)], ap[u(k + 1)], ap[u(i)], ap[u(i + 1)]
            while p < p_end and q < q_end:
                a, b = ai[u(p)], ai[u(q)]
                if a == b:
                    total += av[u(p)] * av[u(q)]
                p += a <= b
                q += b <= a
            out[u(k), u(i)] = _distance(squares, k, i, total)


@jit_sum
def blocks(out: Any, n: int, m: int, ap: Any, stop: Any, ofs: Any, av: Any) -> None:
    """Multiply where two blocks overlap."""
    squares = np.empty(n)
    for k in range(n):
        first, last = ofs[u(ap[u(k)])], ofs[u(ap[u(k + 1)])]
        squares[u(k)] = dot(av, first, av, first, last - first)
    for k in range(n):
        for i in range(n):
            total = 0.0
            p, p_end, q, q_end = ap[u(k)], ap[u(k + 1)], ap[u(i)], ap[u(i + 1)]
            while p < p_end and q < q_end:
                a_hi, b_hi = stop[u(p)], stop[u(q)]
                # Where a block of the row would have position 0, if it went on to the left.
                a, b = ofs[u(p + 1)] - a_hi, ofs[u(q + 1)] - b_hi
                lo, hi = max(ofs[u(p)] - a, ofs[u(q)] - b), min(a_hi, b_hi)
                total += dot(av, a + lo, av, b + lo, hi - lo)
                p += a_hi <= b_hi
                q += b_hi <= a_hi
            out[u(k), u(i)] = _distance(squares, k, i, total)


@jit_sum
def runs(out: Any, n: int, m: int, ap: Any, stop: Any, av: Any) -> None:
    """Multiply run by run, each product as often as both last."""
    squares = np.empty(n)
    for k in range(n):
        total, here = 0.0, 0
        for p in range(ap[u(k)], ap[u(k + 1)]):
            total += av[u(p)] * av[u(p)] * (stop[u(p)] - here)
            here = stop[u(p)]
        squares[u(k)] = total
    for k in range(n):
        for i in range(n):
            total, here, p, q = 0.0, 0, ap[u(k)], ap[u(i)]
            while here < m:
                a_hi, b_hi = stop[u(p)], stop[u(q)]
                hi = min(a_hi, b_hi)
                total += av[u(p)] * av[u(q)] * (hi - here)
                here = hi
                p += a_hi <= b_hi
                q += b_hi <= a_hi
            out[u(k), u(i)] = _distance(squares, k, i, total)
