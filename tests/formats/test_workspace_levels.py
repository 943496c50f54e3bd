"""Reductions into rows that are collected at random before they are written."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa


@pytest.mark.parametrize("formats", [("csf", "csf"), ("csf", "list"), ("list", "list")])
def test_a_union_of_lists_is_reduced_into_a_row(formats: tuple[str, str]) -> None:
    """Two lists merged into a workspace add to it; they don't overwrite it."""
    rng = np.random.default_rng(0)
    dense = [np.where(rng.random((3, 4, 5)) < 0.5, rng.integers(1, 4, (3, 4, 5)), 0) for _ in "ab"]
    a, b = (sa.asarray(d, format=f) for d, f in zip(dense, formats, strict=True))
    np.testing.assert_array_equal(
        np.asarray((a + b).sum(axis=1)), (dense[0] + dense[1]).sum(axis=1)
    )
    np.testing.assert_array_equal(
        np.asarray((a * b).sum(axis=1)), (dense[0] * dense[1]).sum(axis=1)
    )
