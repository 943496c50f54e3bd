"""Sums in a loop whose result accepts runs: a run counts as often as it is long."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa

DATA = np.array([1.0, 1, 1, 2, 2, 3, 3, 0, 0])


@pytest.mark.parametrize("name", ["rle", "sparse-rle", "packbits", "interval", "list"])
def test_each_turn_of_a_run_is_added(name: str) -> None:
    def both(A):
        C = np.zeros(A.shape[0])
        s = 0.0
        p = 1.0
        for i in range(A.shape[0]):
            C[i] = 2 * A[i]
            s += A[i]
            if A[i] > 1:
                p *= A[i]
        return C, s, p

    data = np.where(DATA == 1, 1.0, 0) if name == "interval" else DATA
    with sa.options(tier="interpreted"):
        found = sa.kernel(both)(sa.asarray(data, format=name))
        for mine, theirs in zip(found, both(data), strict=True):
            np.testing.assert_array_equal(mine, theirs)


def test_what_each_turn_overwrites_is_written_once_for_a_run() -> None:
    def both(A):
        C = np.zeros(A.shape[0])
        s = 0.0
        for i in range(A.shape[0]):
            C[i] = 2 * A[i]
            s = A[i] + 1
        return C, s

    a = sa.asarray(DATA, format="rle")
    for mine, theirs in zip(sa.kernel(both)(a), both(DATA), strict=True):
        np.testing.assert_array_equal(mine, theirs)
    lines = sa.explain(sa.kernel(both), a).kernel.splitlines()
    assert len([line for line in lines if "= a_v + 1.0" in line]) == 1, lines
