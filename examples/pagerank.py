"""PageRank: ten steps of the power method in one function under `jit`.

The loop over arrays is written in Python and traced as it runs. The memory of each rank but the
last is free for the next one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

import structarr as sa


@sa.jit
def ten_steps(links: Any, rank: Any, damping: float) -> tuple[Any, Any]:
    """Return the rank after ten more steps, and how much the last of them changed."""
    before = rank
    for _ in range(10):
        before = rank
        rank = damping * (links @ rank) + (1 - damping) / rank.shape[0]
    return rank, np.abs(rank - before).sum()


def ranks(links: sa.Array, damping: float = 0.85, tolerance: float = 1e-10) -> sa.Array:
    """Return the share of visits of each page, of links whose columns add up to one."""
    rank: Any = np.full(links.shape[0], 1 / links.shape[0])
    change = np.inf
    while change > tolerance:
        rank, last = ten_steps(links, rank, damping)
        change = float(last)
    return rank


def main() -> None:
    n = 200
    graph = sp.random_array((n, n), density=0.03, rng=5, format="csr") + sp.eye_array(n)
    links = sp.csr_array(graph / graph.sum(axis=0))

    rank = np.asarray(ranks(sa.asarray(links)))

    wanted = np.linalg.solve(np.eye(n) - 0.85 * links.toarray(), np.full(n, 0.15 / n))
    np.testing.assert_allclose(rank, wanted, rtol=1e-7)
    print(f"PageRank: {n} pages, of which number {rank.argmax()} is visited most, as by NumPy")


if __name__ == "__main__":
    main()
