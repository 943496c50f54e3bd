"""Sums of rows of which most store nothing go along their entries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import structarr as sa
from structarr._execute.rows_by_entries import LONG
from structarr._storage.as_rows import BY_ENTRIES

N = LONG + 100


def matrix(layout: str, stored: int = 900, dtype: str = "float64", index: str = "int64") -> Any:
    random = np.random.default_rng(stored)
    places = np.unique(random.integers(0, N * N, stored))
    places = np.union1d(places, [5 * N + 5, 5 * N + 6, 7 * N + 7][: stored and 3])
    values = random.integers(-9, 9, len(places)).astype(dtype)
    made = sp.csr_array((values, np.divmod(places, N)), (N, N)).asformat(layout)
    made.indices, made.indptr = made.indices.astype(index), made.indptr.astype(index)
    return made


def vectors(dtype: str = "float64") -> tuple[Any, Any]:
    random = np.random.default_rng(7)
    x, y = random.integers(-9, 9, (2, N)).astype(dtype)
    return x, y


SUMS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "a @ x": lambda a, x, y: a @ x,
    "y @ a": lambda a, x, y: y @ a,
    "a.T @ y": lambda a, x, y: a.T @ y,
    "a @ x + y": lambda a, x, y: a @ x + y,
    "a.T @ (a @ x)": lambda a, x, y: a.T @ (a @ x),
    "y @ a @ x": lambda a, x, y: y @ a @ x,
    "((y - a @ x) ** 2).sum()": lambda a, x, y: ((y - a @ x) ** 2).sum(),
    "a.diagonal()": lambda a, x, y: a.diagonal(),
    "a.trace()": lambda a, x, y: a.trace(),
}


@pytest.mark.parametrize("layout", ["csr", "csc"])
@pytest.mark.parametrize("text", SUMS)
def test_sums_of_empty_rows_are_those_of_rows(text: str, layout: str) -> None:
    a, (x, y) = matrix(layout), vectors()
    found = SUMS[text](sa.asarray(a), sa.asarray(x), sa.asarray(y))
    np.testing.assert_array_equal(np.asarray(found), SUMS[text](a, x, y))


@pytest.mark.parametrize("dtype", ["float32", "complex128", "int16"])
@pytest.mark.parametrize("index", ["int32", "int64"])
def test_other_dtypes_are_kept(dtype: str, index: str) -> None:
    a, (x, _) = matrix("csr", dtype=dtype, index=index), vectors(dtype)
    found = sa.asarray(a) @ sa.asarray(x)
    assert found.dtype == dtype
    np.testing.assert_array_equal(np.asarray(found), a @ x)


def test_nothing_stored_sums_to_zero() -> None:
    a, (x, _) = matrix("csr", stored=0), vectors()
    assert not np.asarray(sa.asarray(a) @ sa.asarray(x)).any()


@pytest.mark.parametrize("layout", ["csr", "csc"])
def test_the_format_is_that_of_a_loop_over_rows(layout: str) -> None:
    """Fewer rows of the same structure are not read along their entries."""
    x, small = vectors()[0], sa.asarray(matrix(layout)[:50, :50])
    a = sa.asarray(matrix(layout))
    assert (a @ x).format == (small @ x[:50]).format == "dense"
    assert a.diagonal().format == small.diagonal().format


def test_rows_are_read_so_where_most_are_empty() -> None:
    x = sa.asarray(vectors()[0])
    few, many = sa.asarray(matrix("csr")).compute(), sa.asarray(matrix("csr", 2 * N)).compute()
    for one in (few, many):
        (one @ x).compute()
    assert (BY_ENTRIES, None) in few._tensor.memo
    assert (BY_ENTRIES, None) not in many._tensor.memo
