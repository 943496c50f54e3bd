"""Loops over adjacent fibers are one loop over all children, where these read no fiber's place."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa


@pytest.mark.parametrize("scaled", [False, True])
def test_a_maximum_goes_over_all_children_at_once(scaled: bool) -> None:
    """Whether a fiber lacks any is asked in a loop of its own, if that lets the others be one."""
    dense = np.eye(6, 7) - 3 * np.eye(6, 7, 1)
    array = sa.asarray(dense, format="csr")
    greatest = (array * np.arange(6.0)[:, None]).max() if scaled else array.max()
    kernel = sa.explain(greatest).kernel
    depths = [line.index("for ") // 4 for line in kernel.splitlines() if "for " in line]
    assert depths == ([1, 2] if scaled else [1, 1])
    assert float(greatest) == (dense * np.arange(6)[:, None] if scaled else dense).max()
