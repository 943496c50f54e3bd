"""Columns of rows in another order: each row is sorted by itself, not the matrix twice."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._array import stored
from structarr._storage import gather
from structarr._storage.tensor import Tensor

RNG = np.random.default_rng(8)
DENSE = np.where(RNG.random((40, 90)) < 0.2, RNG.integers(1, 9, (40, 90)), 0)
DENSE[[0, 20, 39]] = 0
DENSE[7] = np.arange(90)  # a row that is sorted by another method than short ones
ORDER = RNG.permutation(90)
WANTED: dict[str, Any] = {
    "all": ORDER,
    "some": ORDER[:35],
    "reversed": np.arange(90)[::-1],
    "rotated": np.roll(np.arange(90), 4),
    "two": np.array([35, 12]),
}
DTYPES = ["float64", "int8", "complex128", "bool"]


@pytest.fixture(params=["interpreted", pytest.param("compiled", marks=pytest.mark.long)])
def tier(request: pytest.FixtureRequest) -> Any:
    with sa.options(tier=request.param):
        yield request.param


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", WANTED)
def test_each_row_is_sorted_by_itself(
    name: str, dtype: Any, tier: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted, dense = WANTED[name], DENSE.astype(dtype)
    rows, columns = (sa.asarray(dense, format=one).compute() for one in ("csr", "csc"))
    monkeypatch.setattr(gather, "relisted", None)
    found = rows[:, wanted].compute(), columns.T[:, wanted[wanted < 40]].compute()
    np.testing.assert_array_equal(found[0].todense(), dense[:, wanted])
    np.testing.assert_array_equal(found[1].todense(), dense.T[:, wanted[wanted < 40]])
    for one in found:
        tensor = stored(one)
        Tensor.checked(tensor.format, tensor.shape, tensor.fill, tensor.buffers)


@pytest.mark.parametrize("index", ["int32", "int64"])
def test_coordinates_keep_their_width(index: str, tier: str) -> None:
    fmt = sa.formats.Format(sa.formats.Dense(sa.formats.SparseList()), (0, 1), index)
    found = stored(sa.asarray(DENSE, format=fmt)[:, ORDER].compute())
    assert [one.dtype for one in found.buffers[:2]] == [np.dtype(index)] * 2


def test_columns_that_are_wanted_twice_and_long_rows(tier: str) -> None:
    twice = np.concatenate([ORDER, ORDER[:5]])
    array = sa.asarray(DENSE, format="csr")
    np.testing.assert_array_equal(array[:, twice].todense(), DENSE[:, twice])
    full = sa.asarray(np.arange(1, 181).reshape(2, 90), format="csr")
    np.testing.assert_array_equal(full[:, ORDER].todense(), full.todense()[:, ORDER])
    np.testing.assert_array_equal(array[:, -ORDER - 1].todense(), DENSE[:, -ORDER - 1])
