"""SciPy's solvers on an array that is stored by runs, and on an expression that is never formed.

The diagonal matrix of conductances has long stretches of one value. A solver applies what it is
given, so that neither the matrix nor its sum with a multiple of the identity becomes a list.
"""

from __future__ import annotations

import numpy as np

import structarr as sa
from structarr.linalg import aslinearoperator, cg, eigsh


def rod(count: int) -> sa.Array:
    """Return the stiffness of a rod of two materials, as a few diagonals."""
    stiff = np.where(np.arange(count + 1) < count // 3, 1.0, 4.0)
    return sa.diags([stiff[:-1] + stiff[1:], -stiff[1:-1], -stiff[1:-1]], [0, 1, -1])


def main() -> None:
    """Solve, shift, and look for the slowest vibration."""
    matrix, load = rod(400), np.ones(400)
    x, failed = cg(matrix, load, rtol=1e-10, maxiter=4000)
    assert not failed
    assert np.allclose(sa.linalg.spsolve(matrix, load), x)
    shifted = aslinearoperator(matrix) + aslinearoperator(sa.eye(400))
    y, failed = cg(shifted, load, rtol=1e-10)
    assert not failed and np.allclose((matrix + sa.eye(400)) @ y, load)
    largest = eigsh(matrix, 1, v0=load, return_eigenvectors=False)[0]
    assert np.isclose(largest, np.linalg.eigvalsh(matrix.todense())[-1])
    print(
        f"format {matrix.format}: greatest displacement {x.max():.1f}, stiffest mode {largest:.2f}"
    )


if __name__ == "__main__":
    main()
