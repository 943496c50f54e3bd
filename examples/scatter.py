"""Gathering and scattering: section 5.2 of the paper.

An index may be any expression, so `B[f[i]]` reads B at random. The same is said with a loop over
all of B and a condition that holds once: `j == f[i]` is no test for each j, but a mask, and the
loop takes the one step where it holds. Under a condition like that B is read in order.
"""

from __future__ import annotations

import numpy as np

import structarr as sa


@sa.kernel
def gather_in_order(B, f):
    A = np.zeros(len(f))
    for i in range(len(f)):
        for j in range(len(B)):
            if j == f[i]:
                A[i] = B[j]
    return A


def main() -> None:
    rng = np.random.default_rng(5)
    b = np.where(rng.random(30) < 0.4, rng.random(30), 0.0)
    f = rng.integers(0, 30, 12)
    B = sa.asarray(b, format="list")

    at_random = sa.loops("A[i] = B[f[i]]", B=B, f=f)
    np.testing.assert_array_equal(at_random.todense(), b[f])

    in_order = gather_in_order(B, f)
    np.testing.assert_array_equal(in_order.todense(), b[f])

    scattered = sa.loops("A[f[i]] += B[i]", B=b[:12], f=f, out=np.zeros(30))
    expected = np.zeros(30)
    np.add.at(expected, f, b[:12])
    np.testing.assert_allclose(scattered.todense(), expected)

    print("scatter: B[f[i]], `if j == f[i]` and A[f[i]] += B[i] agree with NumPy's indexing")


if __name__ == "__main__":
    main()
