"""Integers that leave their dtype wrap around as NumPy's do, in both tiers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa

PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "one more is less": lambda x: x + 1 > x,
    "one less is more": lambda x: x - 1 < x,
    "its own negative": lambda x: -x == x,
    "an absolute value below zero": lambda x: np.abs(x) < 0,
    "a square below zero": lambda x: x * x < 0,
    "doubled and halved": lambda x: (x + x) >> 1,
    "tripled and divided": lambda x: (x * 3) // 3,
    "differences": lambda x: np.subtract.outer(x, x) > 0,
    "a sum and its third": lambda x: (x.sum() * 3) // 3,
    "a product of vectors": lambda x: (x @ x) // 2,
    "a hash": lambda x: ((x << 5) ^ (x >> 2)) * 31 + 7,
    "powers": lambda x: (x**3) // 3,
    "scans": lambda x: np.cumsum(x) // 2,
}


@pytest.mark.parametrize(
    ("tier", "format"), [("compiled", "dense"), ("compiled", "list"), ("interpreted", "rle")]
)
@pytest.mark.parametrize("program", PROGRAMS)
def test_integers_wrap_around(program: str, format: str, tier: str) -> None:
    for dtype in ("int64", "int8"):
        info = np.iinfo(dtype)
        data = np.array([info.max, info.min, 5, 0, info.max // 2 + 1, info.min + 1], dtype)
        with sa.options(tier=tier), np.errstate(over="ignore"):
            found = np.asarray(PROGRAMS[program](sa.asarray(data, format=format)))
            expected = PROGRAMS[program](data)
        np.testing.assert_array_equal(found, expected, dtype)


@pytest.mark.parametrize("format", ["csf", "dense", "hash", "coo"])
def test_sums_of_a_fill_wrap_around(format: str) -> None:
    most = np.iinfo(np.int64).max
    data = np.full((2, 3, 4), most)
    data[0] = [[3, 1, 4, 4], [1, 5, 1, -1], [most, most, 3, 4]]
    with sa.options(tier="compiled"):
        found = sa.asarray(data, fill_value=most).asformat(format).sum(axis=-1)
        np.testing.assert_array_equal(found, data.sum(axis=-1))
