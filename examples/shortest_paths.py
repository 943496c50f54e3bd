"""Bellman and Ford's shortest paths in the min-plus semiring.

No edge is a distance of infinity, which is the fill value of the graph. A round improves on `d` by
one more edge, until nothing gets shorter.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

import structarr as sa


def distances(A: sa.Array, source: int) -> np.ndarray:
    """Return the length of the shortest way from a node to each other."""
    d = np.full(A.shape[0], np.inf)
    d[source] = 0.0
    for _ in range(A.shape[0]):
        shorter = sa.loops("e[j] <<min>>= d[i] + A[i, j]", d=d, A=A, out=d).todense()
        if np.array_equal(shorter, d):
            return d
        d = shorter
    raise ValueError("there is a cycle of negative length")


def main() -> None:
    roads = sp.random_array((80, 80), density=0.05, rng=3, format="csr")
    height = np.linspace(0.0, 0.3, 80)  # what is climbed costs, what is descended is regained
    rows, columns = roads.nonzero()
    roads.data += height[columns] - height[rows]

    d = distances(sa.with_fill(roads, np.inf), 0)

    np.testing.assert_allclose(d, sp.csgraph.bellman_ford(roads, indices=0))
    print(f"shortest paths: {np.isfinite(d).sum()} of {len(d)} nodes are reached, as by SciPy")


if __name__ == "__main__":
    main()
