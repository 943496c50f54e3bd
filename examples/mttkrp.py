"""A tensor times two matrices, row by row (MTTKRP), the kernel of tensor decompositions.

The tensor is stored as CSF, three lists one below the other. The sum over k is the same for all
j: it is made in a row `w` and then scaled once, which saves a product an entry.
"""

from __future__ import annotations

import numpy as np

import structarr as sa


@sa.kernel
def mttkrp(T, B, C):
    M = np.zeros((T.shape[0], B.shape[1]))
    for i in range(T.shape[0]):
        for j in range(T.shape[1]):
            w = np.zeros(B.shape[1])
            for k in range(T.shape[2]):
                for r in range(B.shape[1]):
                    w[r] += T[i, j, k] * C[k, r]
            for r in range(B.shape[1]):
                M[i, r] += w[r] * B[j, r]
    return M


def main() -> None:
    rng = np.random.default_rng(2)
    tensor = np.where(rng.random((12, 15, 20)) < 0.05, rng.random((12, 15, 20)), 0.0)
    B, C = rng.random((15, 4)), rng.random((20, 4))
    T = sa.asarray(tensor, format="csf")

    M = mttkrp(T, B, C)

    np.testing.assert_allclose(M.todense(), np.einsum("ijk,jr,kr->ir", tensor, B, C))
    print(f"MTTKRP: {T.nstored} of {T.size} entries are visited, as NumPy's einsum")


if __name__ == "__main__":
    main()
