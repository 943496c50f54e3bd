"""Concatenation, convolution and slices by modified indices: section 8 of the paper.

`permit(i)` is an index that may be out of bounds; what it reads there is `missing`, which
`coalesce` replaces. `offset(d, i)` is `i - d`, and `window(a, b, i)` is `a + i`. Each bends the
looplets of what it indexes, so that sparse arrays stay sparse: a concatenation of lists is a list.
"""

from __future__ import annotations

import numpy as np

import structarr as sa
from structarr import coalesce, offset, permit


@sa.kernel
def concatenate(A, B):
    C = np.zeros(len(A) + len(B))
    for i in range(len(A) + len(B)):
        C[i] = coalesce(A[permit(i)], B[permit(offset(len(A), i))])
    return C


@sa.kernel
def convolve(A, F):
    B = np.zeros(len(A))
    for i in range(len(A)):
        for j in range(len(F)):
            B[i] += coalesce(A[permit(offset(1 - i, j))], 0) * coalesce(F[permit(j)], 0)
    return B


def main() -> None:
    a = np.array([0, 1.9, 0, 3.0, 0, 0, 2.7, 5.5, 0, 0])
    b = np.array([0, 0, 0, 3.7, 4.7, 9.2, 1.5, 8.7, 0, 0])
    f = np.array([1.0, -2.0, 4.0])
    A, B = sa.asarray(a, format="list"), sa.asarray(b, format="list")

    joined = concatenate(A, B)
    np.testing.assert_array_equal(joined.todense(), np.concatenate([a, b]))
    assert str(joined.format) == "list"
    assert joined.nstored == A.nstored + B.nstored

    smooth = convolve(A, f)
    np.testing.assert_allclose(smooth.todense(), np.convolve(a, f[::-1], mode="same"))

    part = sa.loops("S[k] = A[window(3, 8, k)]", A=A)
    np.testing.assert_array_equal(part.todense(), a[3:8])
    assert str(part.format) == "list"

    print(f"index modifiers: a concatenation and a slice of lists are lists, of {joined.nstored} "
          f"and {part.nstored} entries")  # fmt: skip


if __name__ == "__main__":
    main()
