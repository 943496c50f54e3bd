"""PageRank of a web graph: which pages would a visitor who follows links at random be on?

The matrix of transitions is never made: links are divided by their number as they are read.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from shared import FIRST, matrix, picture

import structarr as sa


@sa.jit
def step(links: Any, degree: Any, rank: Any) -> tuple[Any, Any]:
    """Return the ranks after one more click, and how much they changed."""
    new = 0.85 * ((links / degree) @ rank) + 0.15 / rank.shape[0]
    return new, np.abs(new - rank).sum()


def main() -> None:
    links = matrix("graphs/web-edu", np.float64)
    degree = np.asarray(links.sum(axis=0))
    rank: Any = np.full(len(degree), 1 / len(degree))
    changes = [1.0]
    while changes[-1] > 1e-10:
        rank, change = step(links, degree, rank)
        changes.append(float(change))

    rank = np.asarray(rank)
    slow = sp.csr_array(links.to_scipy() / degree)
    np.testing.assert_allclose(rank, 0.85 * slow @ rank + 0.15 / len(rank), atol=1e-9)
    picture(draw, links, degree, rank, changes, size=(9, 3))


def draw(figure: Any, links: sa.Array, degree: Any, rank: Any, changes: list[float]) -> None:
    left, middle, right = figure.subplots(1, 3)
    sa.spy(links, left)
    left.set_title(f"{len(rank):,} pages, {links.nnz:,} links")
    middle.semilogy(changes[1:], ".-", color=FIRST)
    middle.set(xlabel="step", title="change of all ranks together")
    right.loglog(degree, rank, ".", color=FIRST, markersize=3, alpha=0.4)
    right.set(xlabel="links to a page", title="its rank")


if __name__ == "__main__":
    main()
