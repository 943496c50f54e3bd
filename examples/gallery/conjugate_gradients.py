"""Solving for the loads of a structure by conjugate gradients, with and without scaling.

A step is traced once by `jit`; each iteration is then a few kernels and no expressions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from shared import FIRST, SECOND, matrix, picture

import structarr as sa


@sa.jit
def step(a: Any, scale: Any, x: Any, r: Any, p: Any, rz: Any) -> tuple[Any, ...]:
    """Return the next solution, residual, direction and their product."""
    ap = a @ p
    alpha = rz / (p @ ap)
    x, r = x + alpha * p, r - alpha * ap
    z = scale * r
    new = r @ z
    return x, r, z + (new / rz) * p, new


def solve(a: sa.Array, b: Any, scale: Any) -> tuple[Any, list[float]]:
    """Return the solution and the norms of the residuals on the way."""
    x, r, p = np.zeros_like(b), b, scale * b
    rz, norms = b @ p, [1.0]
    while norms[-1] > 1e-8 and len(norms) < 3000:
        x, r, p, rz = step(a, scale, x, r, p, rz)
        norms.append(float(np.linalg.norm(r) / np.linalg.norm(b)))
    return np.asarray(x), norms


def main() -> None:
    a = matrix("hb/bcsstk09")
    b = np.random.default_rng(0).random(a.shape[0])

    plain = solve(a, b, np.ones_like(b))
    scaled = solve(a, b, 1 / np.asarray(a.diagonal()))

    np.testing.assert_allclose(np.asarray(a @ scaled[0]), b, atol=1e-5)
    picture(draw, a, plain[1], scaled[1])


def draw(figure: Any, a: sa.Array, plain: list[float], scaled: list[float]) -> None:
    left, right = figure.subplots(1, 2, width_ratios=(1, 1.8))
    sa.spy(a, left)
    right.semilogy(plain, color=FIRST, label="as it is")
    right.semilogy(scaled, color=SECOND, label="scaled by the diagonal")
    right.set(xlabel="iteration", title="residual")
    right.legend()


if __name__ == "__main__":
    main()
