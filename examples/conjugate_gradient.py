"""The method of conjugate gradients: one step under `jit`, repeated until the residual is small.

The step is traced once. Each iteration checks its arguments and calls the kernels, of which the
product with the matrix takes most of the time.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

import structarr as sa


@sa.jit
def step(A: Any, x: Any, r: Any, p: Any, rr: Any) -> tuple[Any, ...]:
    """Return the next solution, residual and direction, and the residual's square."""
    Ap = A @ p
    alpha = rr / (p @ Ap)
    x, r = x + alpha * p, r - alpha * Ap
    square = r @ r
    return x, r, r + (square / rr) * p, square


def solve(A: sa.Array, b: np.ndarray, tolerance: float = 1e-8) -> tuple[sa.Array, int]:
    """Return the solution of ``A @ x == b``, and the number of steps to it."""
    x, r, p, rr = np.zeros_like(b), b, b, b @ b
    for count in range(1, 10 * len(b)):
        x, r, p, rr = step(A, x, r, p, rr)
        if float(rr) <= tolerance**2 * (b @ b):
            return x, count
    raise ValueError("the residual does not become small")


def main() -> None:
    n = 10
    second = sp.diags_array([-1.0, 2.0, -1.0], offsets=[-1, 0, 1], shape=(n, n))
    matrix = sp.csr_array(sp.kron(second, sp.eye_array(n)) + sp.kron(sp.eye_array(n), second))
    b = np.random.default_rng(7).random(n * n)

    x, count = solve(sa.asarray(matrix), b)

    np.testing.assert_allclose(np.asarray(x), sp.linalg.spsolve(matrix.tocsc(), b), rtol=1e-6)
    print(f"conjugate gradients: {n * n} unknowns in {count} steps, as SciPy's direct solver")


if __name__ == "__main__":
    main()
