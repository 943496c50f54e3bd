"""Single elements assigned in formats without entries of their own: a choice, in one kernel."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa

FORMATS = ("rle", "sparse-rle", "packbits", "vbl", "band", "ragged", "bitmap", "interval", "triu")


def matrix(dtype: str) -> np.ndarray:
    x = np.zeros((8, 8))
    x[2, 3:6], x[5, 6:] = 2, 3
    return x.astype(dtype)


@pytest.mark.parametrize("dtype", ["bool", "uint8", "float64", "complex64"])
@pytest.mark.parametrize("name", FORMATS)
def test_points_and_rows_at_places(name: str, dtype: str) -> None:
    for fill in (0, 1):
        x = np.triu(matrix(dtype)) if name == "triu" else matrix(dtype) + np.dtype(dtype).type(fill)
        if name == "triu" and fill:
            continue  # its lower half is its fill
        a = sa.asarray(x, format=name, fill_value=fill)
        # The last one of equal places stays, and one is set to the fill.
        for key, value in (
            (([3, 2, 3, 2], [3, 4, 3, 4]), [1, 0, 3, fill]),
            (([7, 0], [0, 7]), 2),
            (([2, 5],), [[1], [0]]),
            ((slice(1, 7, 2), [1, 2, 4]), np.arange(9).reshape(3, 3)),
        ):
            given = np.asarray(value).astype(dtype)
            b, y = a.copy(), x.copy()
            b[key], y[key] = given, given
            assert b.dtype == y.dtype
            np.testing.assert_array_equal(b.todense(), y)
            np.testing.assert_array_equal(a.todense(), x)


def test_what_is_stored_is_not_listed() -> None:
    x = np.zeros((400, 4000))
    x[:, 100:3900] = 2.0
    a = sa.asarray(x, format="rle").compute()
    with sa.options(densify_limit=100_000):
        a[[3, 5], [7, 9]] = 1.0
        assert str(a.format) == "rle" and a.nstored < 1300
        assert a[3, 7] == 1 and a[5, 9] == 1 and a.sum() == x.sum() + 2


def test_numbers_of_rows_are_still_checked() -> None:
    a = sa.asarray(np.ones((3, 4)), format="rle")
    with pytest.raises(ValueError, match="could not broadcast"):
        a[[0, 1], [1, 2]] = [1.0, 2.0, 3.0]
    with pytest.raises(IndexError):
        a[[0, 3], [1, 2]] = 1.0
    assert a.sum() == 12
