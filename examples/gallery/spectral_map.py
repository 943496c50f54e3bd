"""A map of a ship from its graph alone: two eigenvectors of the Laplacian are coordinates.

The Laplacian is a dense diagonal minus a list; SciPy's eigensolver asks for products with it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.collections import LineCollection
from scipy.sparse.linalg import eigsh
from shared import FIRST, INK, matrix, picture

import structarr as sa


def main() -> None:
    links = matrix("hb/dwt_2680", np.float64)
    g = links - sa.diag(links.diagonal())  # no node is its own neighbour
    laplacian = sa.diag(g.sum(axis=1)) - g

    start = np.random.default_rng(0).random(g.shape[0])
    values, vectors = eigsh(laplacian.to_scipy(), k=6, sigma=-1e-3, v0=start)

    products = np.asarray(laplacian @ vectors)
    np.testing.assert_allclose(products, vectors * values, atol=1e-8)
    picture(draw, g, vectors[:, [1, 5]], values, size=(9, 3.2))


def draw(figure: Any, g: sa.Array, places: Any, values: Any) -> None:
    left, right = figure.subplots(1, 2, width_ratios=(1, 2))
    sa.spy(g, left)
    left.set_title(f"{g.shape[0]:,} nodes, {g.nnz // 2:,} edges")
    ends = np.stack(g.nonzero(), axis=1)
    lines = LineCollection(places[ends], colors=INK, linewidths=0.3, alpha=0.5)
    right.add_collection(lines)
    right.plot(*places.T, ".", color=FIRST, markersize=1)
    right.set(xticks=[], yticks=[], title=f"eigenvectors of {values[1]:.2g} and {values[5]:.2g}")


if __name__ == "__main__":
    main()
