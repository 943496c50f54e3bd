"""Breadth-first search in the or-and semiring; the frontier is a list.

A step follows the edges out of the frontier alone: `F[i] and A[i, j]` visits the rows that F
stores. What it reaches is again a list, from which `advance` takes the nodes not seen before.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import scipy.sparse as sp

import structarr as sa

DATA = Path(__file__).resolve().parent.parent / "data"


@sa.kernel
def advance(reached, seen, level, depth):
    frontier = np.zeros(len(reached), bool)
    for j in range(len(reached)):
        if reached[j] and not seen[j]:
            frontier[j] = True
            level[j] = depth
    return frontier, level


def search(A: sa.Array, source: int) -> np.ndarray:
    """Return the number of steps from a node to each other, -1 where there is no way."""
    n = A.shape[0]
    level = np.full(n, -1)
    level[source] = depth = 0
    frontier = sa.from_coordinates(([source],), [True], (n,), format="list")
    while frontier.nstored:
        depth += 1
        reached = sa.loops("N[j] <<or>>= F[i] and A[i, j]", F=frontier, A=A)
        frontier, level = advance(reached, level >= 0, level, depth)
        assert str(frontier.format) == "list"
        level = level.todense()
    return level


def main() -> None:
    graph = sp.load_npz(DATA / "graphs" / "web-edu.npz")

    level = search(sa.asarray(graph), 0)

    steps = sp.csgraph.shortest_path(graph, unweighted=True, indices=0)
    np.testing.assert_array_equal(level, np.where(np.isinf(steps), -1, steps))
    print(f"breadth-first search: {np.sum(level >= 0)} nodes within {level.max()} steps, as SciPy")


if __name__ == "__main__":
    main()
