"""Taking from arrays without elements: places are looked at where NumPy looks at them."""

from typing import Any

import numpy as np
import pytest

import structarr as sa


@pytest.mark.parametrize("format", ["dense", "csr", "coo"])
@pytest.mark.parametrize(
    ("shape", "places", "axis", "mode"),
    [
        ((0, 0), [1, 0, -2], 0, "clip"),
        ((0, 3), [7], 1, "raise"),
        ((0, 0), [[1, 2]], 1, "raise"),
        ((3, 0), [2, 0], 0, "raise"),
        ((0, 3), [], 0, "raise"),
        ((3, 0), [7], 0, "raise"),
        ((0, 0), [1], 0, "raise"),
        ((0, 3), [1], 0, "clip"),
    ],
)
def test_take(format: str, shape: tuple[int, ...], places: Any, axis: int, mode: Any) -> None:
    dense, places = np.zeros(shape), np.array(places, int)
    try:
        want = np.take(dense, places, axis, mode=mode)
    except IndexError:
        with pytest.raises(IndexError):
            np.take(sa.asarray(dense, format=format), places, axis, mode=mode)
        return
    got = np.take(sa.asarray(dense, format=format), places, axis, mode=mode)
    assert (got.shape, got.dtype) == (want.shape, want.dtype)


def test_places_that_wrap_where_none_is_looked_at() -> None:
    array = sa.asarray(np.zeros((0, 3, 0)))
    got = np.take(array, [8, -1, -5], axis=2, mode="wrap")
    assert got.shape == np.take(np.zeros((0, 3, 0)), [8, -1, -5], axis=2, mode="wrap").shape
