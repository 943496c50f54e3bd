"""Children that a kernel appends: what they hold before anything is added to them."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa

RNG = np.random.default_rng(5)
ROWS = np.where(RNG.random((6, 4)) < 0.5, RNG.integers(1, 9, (6, 4)), 0.0)
ROWS[2] = 0.0


@pytest.mark.usefixtures("as_shipped")
def test_rows_that_are_added_to_begin_at_the_start_of_the_sum() -> None:
    with sa.options(tier="interpreted"):
        found = sa.asarray(ROWS, format="dcsr") @ sa.asarray(np.ones((4, 3)))
        kernel = str(sa.explain(found).kernel)
    begins = kernel.index("fill_range(C_val, C0_n * j_n, (C0_n + 1) * j_n, 0.0)")
    assert begins < kernel.index("C_val[u(")
