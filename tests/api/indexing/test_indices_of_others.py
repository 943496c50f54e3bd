"""Indices that are neither integers nor NumPy's or our arrays: columns of frames, ranges, ..."""

import array
from collections import deque
from typing import Any

import numpy as np
import pytest

import structarr as sa


class Column:
    """As a column of a frame: no sequence, but NumPy makes an array of it."""

    def __init__(self, values: Any) -> None:
        self.values = np.asarray(values)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self.values if dtype is None else self.values.astype(dtype)


DENSE = np.arange(30.0).reshape(6, 5)

KEYS = [
    *(range(3), range(0), deque([1, 2]), array.array("q", [1, 2]), memoryview(np.array([4, 1]))),
    *(Column([2, 0]), Column([True, False] * 3), Column(DENSE > 7), Column([[1, 2], [0, 5]])),
    *((Column([1, 3]), slice(1, 3)), (slice(None), range(2)), (range(2), Column([3, 4]))),
]


@pytest.mark.parametrize("number", range(len(KEYS)))
@pytest.mark.parametrize("format", ["csr", "dense", "coo", "rle"])
def test_they_are_read_as_numpy_reads_them(number: int, format: str) -> None:
    key: Any = KEYS[number]
    a, dense = sa.asarray(DENSE, format=format), DENSE.copy()
    with sa.options(tier="interpreted"):
        np.testing.assert_array_equal(np.asarray(a[key]), dense[key])
        a[key] = dense[key] = -1.0
        np.testing.assert_array_equal(a.todense(), dense)


@pytest.mark.parametrize(
    "key", ["x", b"x", 1.5, {1}, {"a": 1}, object(), Column([1.5]), Column(["x"])]
)
def test_others_are_refused(key: Any) -> None:
    a = sa.asarray(DENSE, format="csr")
    with pytest.raises(IndexError):
        DENSE[key]
    with pytest.raises(IndexError, match="valid indices, not"):
        a[key]
    with pytest.raises(IndexError, match="valid indices, not"):
        a[key] = 1.0
