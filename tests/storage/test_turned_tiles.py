"""Matrices in tiles, stored in the other order of their axes."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import structarr as sa
from structarr._array import of_tensor, stored
from structarr._execute.compute import reordered

RNG = np.random.default_rng(2)


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
@pytest.mark.parametrize("dtype", ["float64", "complex64", "bool", "int16"])
@pytest.mark.parametrize("block", [(2, 3), (4, 1), (1, 1), (4, 6)])
def test_tiles_are_moved_and_transposed(block: tuple[int, int], dtype: str, tier: str) -> None:
    dense = np.where(RNG.random((8, 12)) < 0.15, RNG.integers(1, 9, (8, 12)), 0).astype(dtype)
    a = sa.asarray(sp.bsr_array(dense, blocksize=block))
    with sa.options(tier=tier):
        turned = reordered(stored(a), (1, 0))
        assert turned.format.order == (1, 0)
        assert turned.format.levels[1].sides == block[::-1]
        back = reordered(turned, (0, 1))
        for one in (turned, back):
            np.testing.assert_array_equal(of_tensor(one).todense(), dense)
