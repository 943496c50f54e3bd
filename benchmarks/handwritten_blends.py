"""By hand, for blends of two images of bytes into a third: runs, lists that leave paper out, all.

Each kernel takes the result's buffers, the numbers of rows and columns, the weights, and the
buffers of the two images.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.handwritten import inline_sum, jit, u


@inline_sum
def _byte(value: float) -> Any:
    return np.uint8(np.rint(value))


@jit
def runs(ap: Any, stop: Any, av: Any, n: int, m: int, alpha: float, beta: float, bp: Any,
         b_stop: Any, bv: Any, cp: Any, c_stop: Any, cv: Any) -> int:  # fmt: skip
    """Blend two images of runs into a third; equal neighbours become one run."""
    o = 0
    for i in range(n):
        p, q = bp[u(i)], cp[u(i)]
        b, c = b_stop[u(p)], c_stop[u(q)]
        x, y = alpha * bv[u(p)], beta * cv[u(q)]
        held = _byte(x + y)
        while True:
            here = b
            if b < c:
                p += 1
                b, x = b_stop[u(p)], alpha * bv[u(p)]
            elif c < b:
                here = c
                q += 1
                c, y = c_stop[u(q)], beta * cv[u(q)]
            else:
                if b >= m:
                    break
                p += 1
                q += 1
                b, x = b_stop[u(p)], alpha * bv[u(p)]
                c, y = c_stop[u(q)], beta * cv[u(q)]
            value = _byte(x + y)
            if value != held:
                stop[u(o)], av[u(o)] = here, held
                o += 1
                held = value
        stop[u(o)], av[u(o)] = m, held
        o += 1
        ap[u(i + 1)] = o
    return o


@jit
def runs_stepped(ap: Any, stop: Any, av: Any, n: int, m: int, alpha: float, beta: float, bp: Any,
                 b_stop: Any, bv: Any, cp: Any, c_stop: Any, cv: Any) -> int:  # fmt: skip
    """Blend by steps without branches: each stores, and moves on where the value changed."""
    o = 0
    for i in range(n):
        p, q = bp[u(i)], cp[u(i)]
        held = _byte(alpha * bv[u(p)] + beta * cv[u(q)])
        here = 0
        while here < m:
            b, c = b_stop[u(p)], c_stop[u(q)]
            value = _byte(alpha * bv[u(p)] + beta * cv[u(q)])
            # A run ends where the next value differs.
            stop[u(o)], av[u(o)] = here, held
            o += value != held
            held, here = value, min(b, c)
            p += b <= c
            q += c <= b
        stop[u(o)], av[u(o)] = m, held
        o += 1
        ap[u(i + 1)] = o
    return o


@jit
def lists(ap: Any, ai: Any, av: Any, n: int, m: int, alpha: float, beta: float, bp: Any, bi: Any,
          bv: Any, cp: Any, ci: Any, cv: Any, b_fill: float, c_fill: float) -> int:  # fmt: skip
    """Blend what either image stores; what an image leaves out has its fill."""
    o = 0
    for i in range(n):
        p, p_end, q, q_end = bp[u(i)], bp[u(i + 1)], cp[u(i)], cp[u(i + 1)]
        while p < p_end and q < q_end:
            b, c = bi[u(p)], ci[u(q)]
            x = bv[u(p)] if b <= c else b_fill
            y = cv[u(q)] if c <= b else c_fill
            ai[u(o)] = min(b, c)
            av[u(o)] = _byte(alpha * x + beta * y)
            o += 1
            p += b <= c
            q += c <= b
        while p < p_end:
            ai[u(o)], av[u(o)] = bi[u(p)], _byte(alpha * bv[u(p)] + beta * c_fill)
            o += 1
            p += 1
        while q < q_end:
            ai[u(o)], av[u(o)] = ci[u(q)], _byte(alpha * b_fill + beta * cv[u(q)])
            o += 1
            q += 1
        ap[u(i + 1)] = o
    return o


@jit
def dense(av: Any, n: int, m: int, alpha: float, beta: float, bv: Any, cv: Any) -> None:
    """Blend all pixels."""
    for p in range(n * m):
        av[u(p)] = _byte(alpha * bv[u(p)] + beta * cv[u(p)])
