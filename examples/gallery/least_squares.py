"""Fitting more measurements than unknowns, by conjugate gradients on the normal equations.

``a.T @ (a @ x)`` reads the matrix as it is stored, twice; ``a.T @ a`` is never formed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from shared import FIRST, SECOND, matrix, picture

import structarr as sa


@sa.jit
def step(a: Any, x: Any, r: Any, p: Any, gamma: Any) -> tuple[Any, ...]:
    """Return the next solution, residual, direction, and the square of the gradient."""
    q = a @ p
    alpha = gamma / (q @ q)
    x, r = x + alpha * p, r - alpha * q
    s = a.T @ r
    new = s @ s
    return x, r, s + (new / gamma) * p, new


def main() -> None:
    a = matrix("hb/well1850")
    truth = np.sin(np.arange(a.shape[1]) / 40)
    b = np.asarray(a @ truth) + 0.01 * np.random.default_rng(0).standard_normal(a.shape[0])

    x, r = np.zeros(a.shape[1]), b
    p = np.asarray(a.T @ b)
    gamma, gradients = p @ p, [1.0]
    while gradients[-1] > 1e-10 and len(gradients) < 3000:
        x, r, p, gamma = step(a, x, r, p, gamma)
        gradients.append(float(gamma) ** 0.5 / np.linalg.norm(a.T @ b))

    found = np.asarray(x)
    best = np.linalg.lstsq(a.todense(), b)[0]
    np.testing.assert_allclose(found, best, atol=1e-5)
    picture(draw, a, gradients, found, truth, size=(9, 3))


def draw(figure: Any, a: sa.Array, gradients: list[float], found: Any, truth: Any) -> None:
    left, middle, right = figure.subplots(1, 3, width_ratios=(0.7, 1, 1.3))
    sa.spy(a, left)
    left.set(aspect="auto", title=f"{a.shape}")
    middle.semilogy(gradients, color=FIRST)
    middle.set(xlabel="iteration", title="norm of the gradient")
    right.plot(found, ".", color=FIRST, markersize=2, label="found")
    right.plot(truth, color=SECOND, label="truth")
    right.set(xlabel="unknown", title=f"from {a.shape[0]:,} noisy measurements")
    right.legend()


if __name__ == "__main__":
    main()
