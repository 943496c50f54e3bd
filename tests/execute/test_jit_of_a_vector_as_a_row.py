"""Under `jit`, a sum of a vector that is read as a row, within an expression that is used twice."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa

VALUES = [np.array([3.0, -2, -3, 3, 0, 1]), np.array([-4.0, 0, 0, 3, 1, 4])]


@pytest.mark.parametrize("format", ["list", "dense"])
def test_each_call_has_its_own_sum(format):
    """That sum is one number, which is another at each call."""

    def squares(a):
        row = a[None]
        row = row - row.sum(axis=1)[:, None]
        return (row * row).sum(axis=1)

    traced = sa.jit(squares)
    with sa.options(tier="interpreted"):
        found = [traced(sa.asarray(x, format=format)).todense() for x in VALUES]
    np.testing.assert_allclose(found, [squares(x) for x in VALUES])
