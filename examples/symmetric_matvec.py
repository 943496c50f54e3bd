"""A symmetric matrix times a vector, of which one half is read.

Each entry left of the diagonal is used twice, for its own row and for the row that mirrors it. The
condition `j < i` ends the loop's first part; the diagonal is the second.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import scipy.sparse as sp

import structarr as sa

DATA = Path(__file__).resolve().parent.parent / "data"


@sa.kernel
def times(L, x):
    y = np.zeros(len(x))
    for i in range(len(x)):
        for j in range(i + 1):
            y[i] += L[i, j] * x[j]
            if j < i:
                y[j] += L[i, j] * x[i]
    return y


def main() -> None:
    matrix = sp.load_npz(DATA / "hb" / "nos2.npz")
    x = np.linspace(-1.0, 1.0, matrix.shape[1])
    lower = sp.tril(matrix, format="csr")

    y = times(lower, x)

    np.testing.assert_allclose(y.todense(), matrix @ x, rtol=1e-9, atol=1e-3)
    print(f"symmetric times vector: {lower.nnz} of {matrix.nnz} entries are read, as SciPy")


if __name__ == "__main__":
    main()
