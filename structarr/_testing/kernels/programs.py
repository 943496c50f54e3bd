"""Programs of loops in the corpus: lines for `structarr.loops`, and functions for `kernel`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

# A program, and its operands by name.
LINES: Final = (
    ("y[i] += A[i, j] * x[j]", "A=csr, x=x"),
    ("y[i] += A[i, walk(j)] * x[gallop(j)]", "A=csr, x=spikes"),
    ("y[i] += A[i, gallop(j)] * x[walk(j)]", "A=csr, x=spikes"),
    ("y[i] += A[i, gallop(j)] * x[gallop(j)]", "A=vbl, x=spikes"),
    ("y[j] += A[i, j]", "A=csr"),
    ("B[i, j] = A[i, j] * 2", "A=csr, out='dcsr'"),
    ("C[i, j] += A[i, k] * B[k, j]", "A=csr, B=csr_b"),
    ("C[i, j] += A[i, k] * B[k, j]", "A=csr, B=csr_b, order='ijk'"),
    ("C[i, j] += M[i, j] * U[i, k] * V[k, j]", "M=csr, U=U, V=V"),
    ("M[i, r] += T[i, j, k] * B[j, r] * C[k, r]", "T=csf3, B=B, C=C"),
    ("y[i] <<max>>= A[i, j]", "A=csr"),
    ("y[i] = max(y[i], A[i, j])", "A=csr"),
    ("y[i] <<f>>= A[i, j]", "A=csr, f=hypotenuse"),
    ("y[i] = f(x[i], 2)", "x=list1, f=clipped"),
    ("p *= A[i, j] + 1", "A=csr"),
    ("s += A[i, j] * A[i, j]", "A=rle"),
    ("c += A[i, j] and A[j, k] and A[k, i]", "A=mask, order='ijk'"),
    ("c += A[i, j] and A[j, gallop(k)] and A[gallop(k), i]", "A=mask, order='ijk'"),
    ("e[j] <<min>>= d[i] + A[i, j]", "d=infs1, A=infs"),
    ("N[j] <<or>>= F[i] and A[i, j]", "F=few, A=mask"),
    ("y[i] = x[window(5, 30, i)]", "x=list1"),
    ("y[i] = x[2*i + 1]", "x=list1, extents={'i': 19}"),
    ("y[i] = x[len(x) - 1 - i]", "x=rle1, extents={'i': 40}"),
    ("y[i] = x[i + 3] - x[-1]", "x=band1, extents={'i': 30}"),
    ("y[i] += x[i + j] * f[j]", "x=list1, f=weights, extents={'i': 38}"),
    ("y[i] += coalesce(x[permit(i + j - 1)], 0) * f[j]", "x=list1, f=weights, extents={'i': 40}"),
    ("y[i] = x[edge(i - 1)]", "x=rle1, extents={'i': 42}"),
    ("y[i] = x[circular(i - 1)]", "x=list1, extents={'i': 42}"),
    ("y[i] = x[reflect(i - 2)]", "x=list1, extents={'i': 44}"),
    ("y[i] = x[symmetric(i - 2)]", "x=vbl1, extents={'i': 44}"),
    (
        "E[i, j] = min(coalesce(B[i, permit(j - 1)], 9), B[i, j], "
        "coalesce(B[i, permit(j + 1)], 9))",
        "B=rle",
    ),
    (
        "E[i, j] = min(coalesce(B[permit(i - 1), j], 9), B[i, j], "
        "coalesce(B[permit(i + 1), j], 9))",
        "B=rle",
    ),
    (
        "C[i, k] += (A[i, k] > 0) * coalesce(A[permit(i + j - 1), permit(k + l - 1)], 0) * F[j, l]",
        "A=csr, F=window",
    ),
    (
        "A[i, j] = uint8(round(alpha * B[i, j] + beta * C[i, j]))",
        "B=rle, C=rle_b, alpha=0.7, beta=0.3",
    ),
    ("C[i, j] = B[i, j] if i <= j else 0", "B=dense"),
    ("s += B[i, j] if i - 1 <= j <= i + 1 else 0", "B=csr"),
    ("s += B[i, j] * (i == j)", "B=csr"),
    ("y[i] = x[p[i]]", "x=x, p=places"),
    ("y[i] = x[p[i]]", "x=spikes, p=places"),
    ("y = np.zeros(24); y[p[i]] += z[i]", "p=places, z=x"),
    ("total[i] += A[i, j]; S[i, j] = A[i, j] / total[i]", "A=csr"),
    ("y[i] = i * i + a", "a=2, extents={'i': 24}"),
    ("C[i, j] = a[i] * b[j]", "a=spikes, b=few"),
    ("y[i, j] = B[j, i] - j", "B=bands_of_lists"),
)

# Operators of a user, by their names in the programs above.
OPERATORS: Final = {
    "hypotenuse": (
        "sa.operator(lambda a, b: (a * a + b * b) ** 0.5, name='hypotenuse', identity=0, "
        "commutative=True, associative=True)"
    ),
    "clipped": "sa.operator(lambda a, b: min(a * b, 6.0), name='clipped')",
}

MATMUL: Final = """
def matmul(A, B):
    C = np.zeros((A.shape[0], B.shape[1]))
    for i in range(A.shape[0]):
        row = np.zeros(B.shape[1])
        for k in range(A.shape[1]):
            for j in range(B.shape[1]):
                row[j] += A[i, k] * B[k, j]
        for j in range(B.shape[1]):
            C[i, j] = row[j]
    return C
"""
MTTKRP: Final = """
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
"""
DISTANCES: Final = """
def distances(A):
    images, pixels = A.shape
    R = np.zeros(images)
    for k in range(images):
        for ij in range(pixels):
            R[k] += A[k, ij] ** 2
    D = np.zeros((images, images))
    for k in range(images):
        for m in range(images):
            o = 0.0
            for ij in range(pixels):
                o += A[k, ij] * A[m, ij]
            D[k, m] = np.sqrt(R[k] + R[m] - 2 * o)
    return D
"""
VARIANCES: Final = """
def variances(A):
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
"""
SPLIT: Final = """
def split(A):
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
"""
SUMS: Final = """
def sums(A):
    rows = np.zeros(A.shape[0])
    columns = np.zeros(A.shape[1])
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            rows[i] += A[i, j]
            columns[j] += A[i, j]
    return rows, columns
"""
ABOVE: Final = """
def above(A, least):
    C = np.zeros(A.shape)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            if A[i, j] > least:
                C[i, j] = A[i, j]
    return C
"""
MIRRORED: Final = """
def mirrored(L, x):
    y = np.zeros(len(x))
    for i in range(len(x)):
        for j in range(i + 1):
            y[i] += L[i, j] * x[j]
            if j < i:
                y[j] += L[i, j] * x[i]
    return y
"""
GATHER: Final = """
def gather(B, f):
    A = np.zeros(len(f))
    for i in range(len(f)):
        for j in range(len(B)):
            if j == f[i]:
                A[i] = B[j]
    return A
"""
HISTOGRAM: Final = """
def histogram(image, mask):
    H = np.zeros(24, np.int64)
    for i in range(image.shape[0]):
        for j in range(image.shape[1]):
            if mask[i, j]:
                H[image[i, j]] += 1
    return H
"""
SPREAD: Final = """
def spread(A):
    y = np.zeros(A.shape[0])
    for i in range(A.shape[0]):
        high = 0.0
        low = 0.0
        for j in range(A.shape[1]):
            high = max(high, A[i, j])
            low = min(low, A[i, j])
        y[i] = high - low
    return y
"""
JOINED: Final = """
def joined(A, B):
    C = np.zeros(len(A) + len(B))
    for i in range(len(A) + len(B)):
        C[i] = coalesce(A[permit(i)], B[permit(offset(len(A), i))])
    return C
"""
ADVANCE: Final = """
def advance(reached, seen, level, depth):
    frontier = np.zeros(len(reached), bool)
    for j in range(len(reached)):
        if reached[j] and not seen[j]:
            frontier[j] = True
            level[j] = depth
    return frontier, level
"""

FUNCTIONS: Final = (
    (MATMUL, "f(csr, csr_b)"),
    (MATMUL, "f(csr, dense)"),
    (MATMUL, "f(rle, csr)"),
    (MTTKRP, "f(csf3, B, C)"),
    (DISTANCES, "f(vbl)"),
    (DISTANCES, "f(rle)"),
    (VARIANCES, "f(csr)"),
    (VARIANCES, "f(rle)"),
    (SPLIT, "f(csr)"),
    (SUMS, "f(csr)"),
    (SUMS, "f(csc)"),
    (ABOVE, "f(csr, 1.5)"),
    (MIRRORED, "f(tril, x)"),
    (MIRRORED, "f(csr, x)"),
    (GATHER, "f(spikes, places)"),
    (HISTOGRAM, "f(np.tile(places, (24, 1)), mask)"),
    (SPREAD, "f(csr)"),
    (SPREAD, "f(sparse_rle)"),
    (JOINED, "f(list1, list1_b)"),
    (JOINED, "f(rle1, list1)"),
    (ADVANCE, "f(mask[0], mask[1], np.zeros(24), 3)"),
)


def programs() -> Iterator[tuple[str, str]]:
    """Calls, and the source of the function that each calls if it is one."""
    for line, given in LINES:
        yield f"sa.loops({line!r}, {given})", ""
    for source, call in FUNCTIONS:
        yield call, source.lstrip()
