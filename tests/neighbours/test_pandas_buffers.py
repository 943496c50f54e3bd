"""Columns of pandas whose buffers are not as kernels take them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas
import pytest

import structarr as sa

X = np.arange(1.0, 5.0)


def shifted(array: np.ndarray) -> np.ndarray:
    """The elements one byte further than an address at which they may lie."""
    memory = np.empty(array.nbytes + 1 + array.itemsize, np.uint8)
    start = (1 - memory.ctypes.data) % array.itemsize
    held = memory[start : start + array.nbytes].view(array.dtype)
    held[...] = array
    return held


DEFECTS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "shifted": shifted,
    "swapped": lambda array: array.astype(array.dtype.newbyteorder()),
    "backward": lambda array: array[::-1].copy()[::-1],
    "strided": lambda array: np.repeat(array, 2)[::2],
}


@pytest.mark.parametrize("defect", DEFECTS)
def test_frames_and_series(defect: str) -> None:
    make = DEFECTS[defect]
    with sa.options(tier="interpreted"):
        sparse = pandas.arrays.SparseArray(X, fill_value=0)
        frame = pandas.DataFrame({"a": make(X), "b": sparse})
        np.testing.assert_array_equal(np.asarray(sa.asarray(frame) * 2), np.stack([2 * X] * 2, 1))
        series = pandas.Series(make(np.array([3, 1, 2])), copy=False)
        np.testing.assert_array_equal(np.asarray(sa.asarray(series) * 2), [6, 2, 4])
