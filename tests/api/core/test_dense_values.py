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


@pytest.mark.parametrize("name", ["csr", "csc", "coo", "dcsr", "bsr", "dia", "dense", "rle"])
@pytest.mark.parametrize("dtype", ["float64", "int8", "bool", "complex64"])
def test_diagonals_are_read_without_lists(name: str, dtype: str) -> None:
    values = np.array([0, np.nan, np.inf, -0.0, 3] if dtype[0] in "fc" else [0, 1, 2, 0, 3])
    data = np.resize(values, (12, 16)).astype(dtype)
    data[np.add.outer(np.arange(12), np.arange(16)) % 3 > 0] = 0
    a = sa.asarray(data, format=name)
    with sa.options(tier="interpreted"):
        for k in (0, 2, -12):
            for mine, theirs in ((a, data), (a.T, data.T)):
                wanted = np.diagonal(theirs, k)
                lazy = sa.diagonal(mine, k)
                for _ in range(2):
                    found = np.asarray(lazy)
                    np.testing.assert_array_equal(found, wanted)
                    assert found.dtype == wanted.dtype
                    assert found.tobytes() == np.asarray(sa.diagonal(mine, k).compute()).tobytes()
                np.testing.assert_array_equal((lazy + lazy).todense(), wanted + wanted)
                assert lazy.format == sa.diagonal(mine, k).compute().format


def test_diagonals_of_other_fills_are_read_without_lists() -> None:
    a = sa.with_fill(sa.asarray(np.diag([0.0, 2.0, 0.0]), format="csr"), np.nan)
    np.testing.assert_array_equal(np.asarray(a.diagonal()), [np.nan, 2.0, np.nan])
    np.testing.assert_array_equal(np.asarray(sa.diagonal(a, 1)), [np.nan, np.nan])
    np.testing.assert_array_equal(np.asarray(a[:0, :0].diagonal()), [])
