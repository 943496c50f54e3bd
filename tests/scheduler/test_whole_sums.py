"""Reductions over all elements as those of the stored values, with what the fill adds."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa
from structarr._scheduler.whole_sums import whole_of

DTYPES = ("bool", "uint8", "int8", "uint64", "int64", "float32", "float64")


def bounds(dtype: str) -> tuple[float | int, float | int]:
    """The least and the largest number of a dtype."""
    if np.dtype(dtype).kind == "f":
        return -np.inf, np.inf
    return (0, 1) if dtype == "bool" else (np.iinfo(dtype).min, np.iinfo(dtype).max)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["min", "max", "sum", "prod", "all", "any"])
@pytest.mark.parametrize("form", ["coo", "dcsr"])
def test_fills_at_the_bounds_of_a_dtype_count_once(dtype: str, name: str, form: str) -> None:
    """An extreme of integers begins with their bound, which an infinity converted is not."""
    for fill in (0, 1, *bounds(dtype)):
        plain = np.full((2, 3), fill, dtype)
        for stored in (False, True):
            if stored:
                plain[1, 1] = 1
            with np.errstate(all="ignore"), sa.options(tier="interpreted"):
                array = sa.asarray(plain, format=form, fill_value=plain.dtype.type(fill))
                got, want = np.asarray(getattr(np, name)(array)), getattr(np, name)(plain)
            assert got.dtype == want.dtype
            assert np.array_equal(got, want, equal_nan=got.dtype.kind == "f"), (fill, stored)


@pytest.mark.parametrize("name", ["sum", "max", "min", "prod", "any", "all"])
@pytest.mark.parametrize("format", ["csr", "csc"])
def test_rows_most_of_which_are_empty(name: str, format: str) -> None:
    places = np.array([3, 700, 1999])
    dense = np.zeros((2000, 6))
    dense[places, [0, 5, 2]] = -1.5, 2.0, 4.0
    a = sa.asarray(dense if format == "csr" else dense.T, format=format)
    np.testing.assert_array_equal(getattr(a, name)(), getattr(dense, name)())
    np.testing.assert_array_equal(getattr(a * a, name)(), getattr(dense * dense, name)())


@pytest.mark.filterwarnings("ignore:invalid value")
@pytest.mark.parametrize("dtype", ["int8", "int64", "uint8"])
@pytest.mark.parametrize("fill", [np.nan, np.inf, 300.0, 2.5])
@pytest.mark.parametrize("ufunc", [np.multiply, np.add, np.minimum, np.maximum])
def test_fills_are_reduced_in_the_dtype_that_is_asked_for(
    ufunc: np.ufunc, fill: float, dtype: str
) -> None:
    data = np.full((3, 4), fill)
    data[1, 2], data[0, 0] = 1, 7
    a = sa.asarray(data, fill_value=fill).asformat("coo")
    found = ufunc.reduce(a, axis=None, dtype=dtype)
    assert np.asarray(found) == ufunc.reduce(data, axis=None, dtype=dtype)


def test_what_is_not_stored_leaves_the_result_as_it_is_or_is_found_in_it() -> None:
    zeros = sa.asarray(np.eye(4), format="coo")
    ones = sa.asarray(np.eye(4) + 1.0, format="coo", fill_value=1.0)
    sums = [whole_of(one._node) for one in (zeros.sum(), ones.max(), ones.sum())]
    assert [one is None for one in sums] == [False, False, True]
    assert sums[1] is not None and sums[1].fill == ("maximum", 1.0)
