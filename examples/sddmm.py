"""A product of dense matrices, only where a sparse one stores something (SDDMM).

The product is never formed: each stored entry of A costs one dot product, and the result is stored
like A.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import scipy.sparse as sp

import structarr as sa

DATA = Path(__file__).resolve().parent.parent / "data"


def main() -> None:
    rng = np.random.default_rng(4)
    matrix = sp.load_npz(DATA / "hb" / "arc130.npz")
    U, V = rng.random((130, 8)), rng.random((130, 8))

    C = sa.loops("C[i, j] += A[i, j] * U[i, k] * V[j, k]", A=matrix, U=U, V=V)

    np.testing.assert_allclose(C.todense(), matrix.toarray() * (U @ V.T))
    assert str(C.format) == "csr"
    assert C.nstored == matrix.nnz
    print(f"SDDMM: {C.nstored} dot products in place of {C.size}, as NumPy's product")


if __name__ == "__main__":
    main()
