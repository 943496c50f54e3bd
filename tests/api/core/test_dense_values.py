"""Dense arrays of formats whose elements are stored in runs, bands, blocks or tiles."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa

N = 130  # so many that a kernel writes them


@pytest.mark.parametrize("name", ["rle", "packbits", "symmetric", "bitmap", "tril", "band"])
def test_they_are_fresh_and_writable(name: str) -> None:
    data = np.repeat(np.arange(N * N // 10) % 5, 10).reshape(N, N) + 0.0
    data = data + data.T if name == "symmetric" else np.tril(data) if name == "tril" else data
    a = sa.asarray(data, format=name)
    for mine, theirs in ((a, data), (a.T, data.T)):
        found = mine.todense()
        np.testing.assert_array_equal(found, theirs)
        assert found.flags.writeable and found.flags.c_contiguous
        found[:] = 7
        np.testing.assert_array_equal(np.asarray(mine), theirs)
    shape = N // 2, 2 * N
    np.testing.assert_array_equal(a.reshape(shape).todense(), data.reshape(shape))
    assert a.reshape(shape).dtype == data.dtype
