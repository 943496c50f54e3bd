"""Results that are written in regions, beside others in one loop."""

from __future__ import annotations

import numpy as np

import structarr as sa
from structarr.formats import SparseBand, SparsePoint


def test_regions_beside_elements() -> None:
    """A result that is written in regions, and one that is not, in one loop."""
    text = """
def program(x, b):
    y = np.zeros((3, 1), np.int64)
    v = np.zeros(len(x), np.int64)
    for j in range(1):
        v[j] += b[1, 1]
        if j >= 0:
            y[j, 0] += 1
    return y, v
"""
    with sa.options(tier="interpreted"):
        y, v = sa.kernel(text)(x=np.zeros(4, int), b=np.full((2, 2), 5))
        assert np.asarray(y).tolist() == [[1], [0], [0]]
        assert np.asarray(v).tolist() == [5, 0, 0, 0]
        band = sa.asarray(np.zeros((0, 0))).asformat(SparseBand(SparsePoint()))
        greatest = np.fmax(band, band)
        for one in sa.compute(greatest, greatest.sum(axis=1)):
            assert one.size == 0
