"""Through how many stations of the power grid of the United States is the longest way?

Ways are products in the semiring of minima and sums: no edge is infinity, which is not stored.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from shared import FIRST, SECOND, matrix, picture

import structarr as sa


def main() -> None:
    grid = sa.with_fill(matrix("hb/bcspwr10", np.float64), np.inf)  # an edge costs 1

    start = np.full(grid.shape[0], np.inf)
    start[0] = 0.0
    far, reached = sa.asarray(start), [1]
    while len(reached) < 2 or reached[-1] > reached[-2]:
        far = sa.minimum(far, sa.matmul(far, grid, semiring=sa.semirings.min_plus)).compute()
        reached.append(int(np.isfinite(far).sum()))

    steps = np.asarray(far)
    np.testing.assert_array_equal(steps, sa.csgraph.shortest_path(grid, indices=0, unweighted=True))
    picture(draw, grid, steps, reached, size=(9, 3))


def draw(figure: Any, grid: sa.Array, steps: Any, reached: list[int]) -> None:
    left, middle, right = figure.subplots(1, 3)
    sa.spy(grid, left)
    left.set_title(f"{grid.shape[0]:,} stations, fill {grid.fill_value}")
    middle.plot(reached, color=FIRST)
    middle.set(xlabel="products", title="stations that are reached")
    right.hist(steps, bins=np.arange(steps.max() + 2) - 0.5, color=SECOND)
    right.set(xlabel=f"lines from station 0, {int(steps.max())} at most", title="stations")


if __name__ == "__main__":
    main()
