"""Products with running results have room for all that the other factor stores."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa

SINGLE = np.zeros((5, 6))
SINGLE[3, 1] = 1.0
MOST = np.where(np.random.default_rng(0).random((5, 6)) < 0.9, 2.0, 0.0)
SCANS: dict[str, Any] = {
    "sums": lambda a, axis: np.cumsum(a, axis=axis),
    "extremes": lambda a, axis: np.maximum.accumulate(a, axis=axis),
    "of a product": lambda a, axis: np.cumsum(2 * a * a, axis=axis),
}


@pytest.mark.parametrize("other", ["csr", "dcsr", "vbl"])
@pytest.mark.parametrize("format", ["coo", "dcsr", "csf", "csc", "vbl"])
@pytest.mark.parametrize("scan", SCANS)
def test_a_scan_stores_more_than_what_it_scans(scan: str, format: str, other: str) -> None:
    a, b = sa.asarray(SINGLE, format=format), sa.asarray(MOST, format=other)
    with sa.options(tier="interpreted"):
        for axis in (0, 1):
            found = SCANS[scan](a, axis) * b
            np.testing.assert_array_equal(found.todense(), SCANS[scan](SINGLE, axis) * MOST)


@pytest.mark.parametrize("format", ["coo", "dcsr", "csf"])
def test_programs_multiply_running_sums(format: str) -> None:
    program = """
for i in range(5):
    t = 0.0
    for j in range(6):
        t += a[i, j]
        c[i, j] = t * b[i, j]
"""
    a, b = sa.asarray(SINGLE, format=format), sa.asarray(MOST, format="csr")
    with sa.options(tier="interpreted"):
        found = sa.loops(program, a=a, b=b, out="dcsr")
        np.testing.assert_array_equal(found.todense(), np.cumsum(SINGLE, axis=1) * MOST)
