"""How many of the neighbours of a host are neighbours of each other: counting triangles.

``(g @ g) * g`` is computed where ``g`` has an edge alone, and summed as it is computed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from shared import FIRST, SECOND, matrix, picture

import structarr as sa


def main() -> None:
    g = matrix("graphs/web-spam", np.float64)

    degree = np.asarray(g.sum(axis=1))
    triangles = np.asarray(((g @ g) * g).sum(axis=1)) / 2
    pairs = degree * (degree - 1) / 2
    share = np.divide(triangles, pairs, where=pairs > 0, out=np.zeros_like(pairs))

    assert triangles.sum() / 3 == 129017  # as data/README.md says
    picture(draw, g, degree, share, size=(9, 3))


def draw(figure: Any, g: sa.Array, degree: Any, share: Any) -> None:
    left, middle, right = figure.subplots(1, 3)
    sa.spy(g, left)
    left.set_title(f"{g.shape[0]:,} hosts, {g.nnz // 2:,} edges")
    middle.semilogx(degree, share, ".", color=FIRST, markersize=2, alpha=0.4)
    middle.set(xlabel="neighbours of a host", title="share of pairs of them that are linked")
    right.hist(share[degree > 1], bins=40, color=SECOND)
    right.set(xlabel="that share", title="hosts")


if __name__ == "__main__":
    main()
