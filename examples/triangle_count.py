"""The triangles of a graph, walking and galloping: section 9.2 of the paper.

For each edge (i, j), the neighbours k of j are intersected with those of i. The last access runs
over the matrix against its order of storage, so a transposed copy of it is read in its place.
"""

from __future__ import annotations

from pathlib import Path

import scipy.sparse as sp

import structarr as sa

DATA = Path(__file__).resolve().parent.parent / "data"


def main() -> None:
    graph = sp.load_npz(DATA / "graphs" / "web-edu.npz")
    A = sa.asarray(graph)

    walking = sa.loops("c += A[i, j] and A[j, k] and A[k, i]", A=A, order="ijk")
    galloping = sa.loops("c += A[i, j] and A[j, gallop(k)] and A[gallop(k), i]", A=A, order="ijk")

    counts = graph.astype(int)
    closed = (counts @ counts).multiply(counts).sum()
    assert int(walking) == int(galloping) == closed
    print(f"triangle count: {int(walking) // 6} triangles, each met six times, as SciPy")


if __name__ == "__main__":
    main()
