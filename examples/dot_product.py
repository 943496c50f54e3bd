"""The dot product of a list and a band: Figure 1 of the paper.

The list is sought to where the band begins and left where it ends; in between, the band is looked
up at the list's entries. Nothing outside of the band is visited, and nothing in it that the list
does not store.
"""

from __future__ import annotations

import numpy as np

import structarr as sa


def main() -> None:
    a = np.array([0, 1.9, 0, 3.0, 0, 0, 2.7, 5.5, 0, 0])
    b = np.array([0, 0, 0, 3.7, 4.7, 9.2, 1.5, 8.7, 0, 0])
    A, B = sa.asarray(a, format="list"), sa.asarray(b, format="band")

    c = sa.loops("c += A[i] * B[i]", A=A, B=B)

    np.testing.assert_allclose(float(c), a @ b)
    print(f"dot product: a list of {A.nstored} times a band of {B.nstored} is {float(c):g}")


if __name__ == "__main__":
    main()
