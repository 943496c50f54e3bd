"""The friendship paradox: most hosts have fewer links than the hosts that they are linked with.

Lists of neighbours are rows of unlike lengths, stored as such (`ragged`), and index an array.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from shared import FIRST, PALE, SECOND, matrix, picture

import structarr as sa


def main() -> None:
    links = matrix("graphs/web-spam").to_scipy()
    degree = np.diff(links.indptr)
    rows = np.repeat(np.arange(len(degree)), degree)
    place = np.arange(links.nnz) - links.indptr[rows]
    shape = (len(degree), degree.max())

    neighbours = sa.from_coordinates((rows, place), degree[links.indices], shape, format="ragged")
    mean = np.asarray(neighbours.sum(axis=1)) / np.maximum(degree, 1)
    highest = np.asarray(neighbours.max(axis=1))

    np.testing.assert_allclose(mean * degree, links.astype(float) @ degree)
    assert neighbours.nstored == links.nnz
    picture(draw, neighbours, degree, mean, highest, size=(9, 3))


def draw(figure: Any, neighbours: sa.Array, degree: Any, mean: Any, highest: Any) -> None:
    left, right = figure.subplots(1, 2, width_ratios=(1, 1.6))
    sa.spy(neighbours[:400, :120], left)
    left.set(aspect="auto", title="some lists of neighbours: ragged")
    linked = degree > 0
    more = (mean > degree)[linked].mean()
    right.loglog(degree[linked], highest[linked], ".", color=PALE, markersize=3, label="highest")
    right.loglog(degree[linked], mean[linked], ".", color=FIRST, markersize=3, label="mean")
    right.loglog([1, degree.max()], [1, degree.max()], color=SECOND)
    right.set(xlabel="links of a host", title=f"links of its neighbours: more, for {more:.0%}")
    right.legend(loc="lower right")


if __name__ == "__main__":
    main()
