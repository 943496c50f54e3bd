"""Categories as columns of truth values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64", "uint8", "uint64"])
def test_values(dtype: str) -> None:
    codes = np.array([2, 0, 1, 2], dtype)
    found = sa.one_hot(codes, 4)
    assert (found.dtype, found.nbytes) == (np.dtype(bool), 16)
    np.testing.assert_array_equal(found.todense(), np.eye(4, dtype=bool)[codes])


def test_rows_of_no_category() -> None:
    assert sa.one_hot([-1, 1], 2).tolist() == [[False, False], [False, True]]
    assert sa.one_hot([-1, -1], 0).shape == (2, 0)
    assert sa.one_hot([], 3).shape == (0, 3)


def test_memory() -> None:
    codes = np.array([0, 1], np.int32)
    ours = sa.one_hot(codes, 2)
    codes[0] = 1
    assert ours.tolist() == [[True, False], [False, True]]
    codes.setflags(write=False)
    assert np.shares_memory(sa.one_hot(codes, 2)._tensor.buffers[0], codes)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("codes", "error", "message"),
    [
        ([0, 3], ValueError, "the code of row 1 is 3: give one of 0 to 2"),
        ([0, -2], ValueError, "the code of row 1 is -2"),
        ([0.0, 1.0], TypeError, "codes of integers, not of float64"),
        ([[0, 1]], ValueError, r"codes of one axis, not of shape \(1, 2\)"),
    ],
)
def test_refused(codes: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        sa.one_hot(codes, 3)
