"""Dense arrays of formats whose elements are stored in runs, bands, blocks or tiles."""

from __future__ import annotations

from typing import Any

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


@pytest.mark.parametrize("name", ["csr", "csc", "coo", "dcsr", "bsr", "dia", "dense", "rle"])
@pytest.mark.parametrize(
    ("dtype", "tier"),
    [("float64", "compiled"), (">f4", "interpreted"), ("int8", "auto"), ("complex64", "auto")],
)
def test_what_is_computed_of_diagonals_is_read_without_lists(
    name: str, dtype: str, tier: Any
) -> None:
    values = np.array([0, np.nan, np.inf, -0.0, 3]) if "i" not in dtype else np.array([0, 1, 2, 3])
    data = np.resize(values, (12, 16)).astype(dtype)
    data[np.add.outer(np.arange(12), np.arange(16)) % 3 > 0] = 0
    a, x = sa.asarray(data, format=name), np.arange(1, 13).astype(dtype)
    x.flags.writeable = False
    with sa.options(tier=tier), np.errstate(invalid="ignore"):
        for k in (0, -2):
            diagonal, part = np.diagonal(data, k), x[: 12 + k]
            for call in (
                lambda d, x: d * x,
                lambda d, x: (d + d) * 2,
                lambda d, x: d + x,
                lambda d, x: d == 0,
                lambda d, x: d * d - d,
            ):
                wanted, lazy = call(diagonal, part), call(sa.diagonal(a, k), part)
                for _ in range(2):
                    found = np.asarray(lazy)
                    np.testing.assert_array_equal(found, wanted)
                    assert found.dtype == wanted.dtype.newbyteorder("=")
                assert lazy.format == call(sa.diagonal(a, k), part).compute().format


@pytest.mark.parametrize("dtype", ["float64", "float32", "int8", "bool", "complex128"])
@pytest.mark.parametrize("shape", [(0,), (1,), (9,), (3, 0), (1, 8), (5, 8)])
@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
def test_runs_are_written_to_where_they_are(dtype: str, shape: tuple[int, ...], tier: Any) -> None:
    values = np.array([0, np.inf, np.nan, 1] if dtype[0] in "fc" else [0, 1, 1, 0])
    data = np.resize(np.repeat(values, 3), shape).astype(dtype)
    a = sa.asarray(data, format="rle")
    with sa.options(tier=tier):
        for mine, theirs in ((a, data), (a.T, data.T)):
            found = mine.todense()
            np.testing.assert_array_equal(found, theirs)
            assert found.dtype == theirs.dtype
