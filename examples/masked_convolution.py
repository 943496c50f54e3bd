"""A convolution in two dimensions, where a sparse grid stores something: section 9.3 of the paper.

For each point, the stored points in the 11 x 11 window around it are weighted and summed; each row
of the window is sought by bisection. Outside of the grid are zeros. The filter runs over all of its
own extent, so only the grid's index may be out of bounds.
"""

from __future__ import annotations

import numpy as np
import scipy.signal

import structarr as sa


def main() -> None:
    rng = np.random.default_rng(9)
    grid = np.where(rng.random((40, 50)) < 0.02, rng.random((40, 50)), 0.0)
    weights = rng.random((11, 11))
    A = sa.asarray(grid, format="csr")

    C = sa.loops(
        "C[i, k] += (A[i, k] != 0)"
        " * coalesce(A[permit(i + j - 5), permit(k + l - 5)], 0) * F[j, l]",
        A=A,
        F=weights,
    )

    expected = (grid != 0) * scipy.signal.correlate2d(grid, weights, mode="same")
    np.testing.assert_allclose(C.todense(), expected)
    assert str(C.format) == "csr"
    assert C.nstored == A.nstored
    print(f"masked convolution: {C.nstored} of {C.size} elements are computed, as SciPy's")


if __name__ == "__main__":
    main()
