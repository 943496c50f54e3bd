"""Numbering the nodes of a structure anew, so that its matrix is a narrow band.

Cuthill and McKee's order comes from `sa.csgraph`; two subscripts apply it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from shared import matrix, picture

import structarr as sa


def width(a: sa.Array) -> int:
    """Return how far from the diagonal something is stored."""
    i, j = a.nonzero()
    return int(np.abs(np.asarray(i) - np.asarray(j)).max())


def main() -> None:
    a = matrix("hb/can_1054", np.float64)

    order = sa.csgraph.reverse_cuthill_mckee(a, symmetric_mode=True)
    b = a[order][:, order].compute()

    np.testing.assert_array_equal(b.todense(), a.todense()[np.ix_(order, order)])
    # Nodes of one degree come as the processor sorts them, so widths differ a little.
    assert width(b) < width(a) / 4
    picture(draw, a, b, size=(8, 3.6))


def draw(figure: Any, a: sa.Array, b: sa.Array) -> None:
    for panel, one, name in zip(figure.subplots(1, 2), (a, b), ("before", "after"), strict=True):
        sa.spy(one, panel)
        band = one.asformat("band").nbytes
        panel.set_title(f"{name}: up to {width(one)} off the diagonal, {band / 1e6:.1f} MB as band")


if __name__ == "__main__":
    main()
