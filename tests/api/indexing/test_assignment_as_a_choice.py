"""Assignment as a choice between new elements and old ones, in formats that are no lists."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa

N = 6
MASK = np.random.default_rng(5).random((N, N)) < 0.4
FORMATS = (
    *("csr", "csc", "dcsr", "bitmap", "band", "dia", "vbl", "rle", "sparse-rle", "packbits"),
    *("tril", "symmetric", "bsr", "hash", "dense", "constant", "ragged"),
)
KEYS: dict[str, tuple[Any, Any]] = {
    "a row": (3, 5.0),
    "a row by zero": (-1, 0.0),
    "a row by a vector": (3, np.arange(N) + 0.0),
    "rows, one twice": ([1, 3, 1], 2.0),
    "rows by a matrix": ([1, 3], np.ones((2, N))),
    "a column": ((slice(None), 2), np.nan),
    "a block": ((slice(1, 5), slice(2, 4)), np.arange(8.0).reshape(4, 2)),
    "steps": ((slice(0, 5, 2), slice(5, None, -3)), 4.0),
    "points, one twice": (([1, 2, 1], [3, 3, 3]), [1.0, 2.0, 3.0]),
    "all": (Ellipsis, 1.0),
    "a mask": (MASK, 3.0),
    "a mask by a vector": (MASK, np.arange(MASK.sum()) + 0.0),
    "a mask of ours": (sa.asarray(MASK, format="rle"), 0.0),
    "one": ((2, 3), 9.0),
    "with a new axis": ((None, 2), 1.0),
    "combinations": (np.ix_([0, 3], [5, 1]), 6.0),
    "rows of a mask": (np.array([True, False] * 3), 8.0),
    "nothing": ([], 3.0),
}


def matrix(name: str) -> np.ndarray:
    data = np.random.default_rng(3).integers(0, 3, (N, N)) + 0.0
    match name:
        case "band" | "dia" | "bsr":
            return np.triu(np.tril(data, 1), -1)
        case "tril" | "ragged":
            return np.tril(data)
        case "symmetric":
            return data + data.T
        case "constant":
            return np.full((N, N), 2.0)
    return data


def check(name: str) -> None:
    data = matrix(name)
    with sa.options(tier="interpreted"):
        whole = sa.asarray(data, format=name)
        for what, (key, value) in KEYS.items():
            a, expected = whole.copy(), data.copy()
            a[key] = value
            expected[np.asarray(key) if isinstance(key, sa.Array) else key] = value
            np.testing.assert_array_equal(a.todense(), expected, err_msg=what)
        np.testing.assert_array_equal(whole.todense(), data)


@pytest.mark.parametrize("name", ["csr", "rle", "bitmap", "band"])
def test_elements_are_numpys(name: str) -> None:
    check(name)


@pytest.mark.long
@pytest.mark.parametrize("name", FORMATS)
def test_they_are_so_in_every_format(name: str) -> None:
    check(name)


@pytest.mark.parametrize(
    ("key", "value", "error", "says"),
    [
        ([0, 6], 1.0, IndexError, "index 6 is out of bounds for axis 0 with size 6"),
        ((0, [1, -9]), 1.0, IndexError, "index -9 is out of bounds for axis 1 with size 6"),
        (np.ones((3, 6), bool), 1.0, IndexError, "along axis 0; size of axis is 6"),
        ([0, 1], np.ones((3, 6)), ValueError, "could not broadcast"),
        (MASK, np.ones(3), ValueError, "could not broadcast"),
        (([0, 1], [0, 1, 2]), 1.0, IndexError, "could not be broadcast"),
        ((0, 0), 1j, TypeError, "complex"),
    ],
)
def test_what_is_refused_changes_nothing(
    key: Any, value: Any, error: type[Exception], says: str
) -> None:
    for name in ("csr", "rle"):
        a = sa.asarray(matrix(name), format=name)
        with pytest.raises(error, match=says):
            a[key] = value
        np.testing.assert_array_equal(a.todense(), matrix(name))
