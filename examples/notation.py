"""Every construct of the notation, each in a small program: Figure 4 of the paper.

========================= ============================================================
the paper                 here
========================= ============================================================
forall, with an extent    ``for i in range(a, b)``, or a free index and ``extents=``
``=``, ``+=``, ``*=``     the same
``<<min>>=``              the same in strings, and ``y[i] = min(y[i], x)`` everywhere
``i::gallop``             ``gallop(i)``
``$value``                the name of an argument, or of a value around the function
where                     a name that inner loops make and that is read after them
multi                     several statements in a loop
sieve, pass               ``if``, ``pass``
========================= ============================================================
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.sparse as sp

import structarr as sa

SCALE = 2.5


@sa.operator(identity=0, commutative=True, associative=True)
def hypotenuse(a, b):
    return (a * a + b * b) ** 0.5


@sa.kernel
def variances(A):
    """Where: `total` and `squares` are made for each row. Multi: both by one pass over it."""
    m, n = A.shape
    result = np.zeros(m)
    for i in range(m):
        total = 0.0
        squares = 0.0
        for j in range(n):
            total += A[i, j]
            squares += A[i, j] ** 2
        result[i] = squares / n - (total / n) ** 2
    return result


@sa.kernel
def split(A):
    """Multi: two results. Sieve: the comparisons bound the loops; they are not tested. Pass."""
    below = np.zeros(A.shape)
    above = np.zeros(A.shape)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            if j < i:
                below[i, j] = A[i, j]
            elif j > i:
                above[i, j] = A[i, j]
            else:
                pass
    return below, above


@sa.kernel
def inner_part(x):
    """Explicit extents, and an escaped value."""
    y = np.zeros(len(x))
    for i in range(1, len(x) - 1):
        y[i] = SCALE * x[i]
    return y


def programs(A: sa.Array, a: np.ndarray, x: np.ndarray) -> Iterator[tuple[str, Any, Any]]:
    """Yield what each construct is called, what it gives, and what NumPy gives."""
    yield "=", sa.loops("y[i] = x[i] ** 2 + 1", x=x), x**2 + 1
    yield "+=", sa.loops("y[i] += A[i, j]", A=A), a.sum(axis=1)
    yield "*=", sa.loops("p *= A[i, j] + 1", A=A), (a + 1).prod()
    yield "<<op>>=", sa.loops("y[i] <<max>>= A[i, j]", A=A), a.max(axis=1)
    yield "an update", sa.loops("y[i] = max(y[i], A[i, j])", A=A), a.max(axis=1)
    norm = sa.loops("y[i] <<norm>>= A[i, j]", A=A, norm=hypotenuse)
    yield "an operator of one's own", norm, np.linalg.norm(a, axis=1)
    yield "protocols", sa.loops("y[i] += A[i, walk(j)] * x[locate(j)]", A=A, x=x), a @ x
    yield "any index", sa.loops("y[i] = x[2*i + 1] - x[-1]", x=x, extents={"i": 3}), x[1::2] - x[-1]
    yield "an extent", inner_part(x), np.pad(SCALE * x[1:-1], 1)
    yield "where", variances(A), a.var(axis=1)
    below, above = split(A)
    yield "multi, sieve and pass", below, np.tril(a, -1)
    yield "a second result", above, np.triu(a, 1)


def main() -> None:
    x = np.array([3.0, 1.0, 4.0, 1.0, 5.0, 9.0])
    matrix = sp.random_array((5, 6), density=0.4, rng=1, format="csr")

    names = []
    for name, found, expected in programs(sa.asarray(matrix), matrix.toarray(), x):
        np.testing.assert_allclose(found.todense(), expected, err_msg=name, atol=1e-12)
        names.append(name)

    print(f"notation: {len(names)} programs agree with NumPy: {', '.join(names)}")


if __name__ == "__main__":
    main()
