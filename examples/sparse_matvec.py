"""A sparse matrix times a sparse vector, by four strategies: section 9.1 of the paper (SpMSpV).

The program is always the same; the protocols on its inner index say who leads. *Walking*, a row
and the vector are merged. A *galloping* row is followed entry by entry, and the vector is sought;
where both gallop, each skips to the other's next entry. In the format `vbl` a row is a list of
blocks, so that the vector meets each block once and not each of its entries.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import scipy.sparse as sp

import structarr as sa

DATA = Path(__file__).resolve().parent.parent / "data"

STRATEGIES = {
    "both walk": ("csr", "y[i] += A[i, walk(j)] * x[walk(j)]"),
    "A leads": ("csr", "y[i] += A[i, gallop(j)] * x[walk(j)]"),
    "x leads": ("csr", "y[i] += A[i, walk(j)] * x[gallop(j)]"),
    "both gallop": ("csr", "y[i] += A[i, gallop(j)] * x[gallop(j)]"),
    "blocks": ("vbl", "y[i] += A[i, j] * x[j]"),
}


def main() -> None:
    matrix = sp.load_npz(DATA / "hb" / "bcsstk04.npz")
    vector = np.zeros(matrix.shape[1])
    vector[::13] = np.arange(1, len(vector[::13]) + 1)
    x = sa.asarray(vector, format="list")

    for format, program in STRATEGIES.values():
        y = sa.loops(program, A=sa.asarray(matrix, format=format), x=x)
        np.testing.assert_allclose(y.todense(), matrix @ vector)

    print(f"sparse matrix times sparse vector: {', '.join(STRATEGIES)} agree with SciPy")


if __name__ == "__main__":
    main()
