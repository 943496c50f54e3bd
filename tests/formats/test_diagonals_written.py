"""Diagonals as kernels write them: neighbours by arithmetic, others by a search."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa

RNG = np.random.default_rng(3)
OFFSETS = {
    "neighbours": (-1, 0, 1),
    "above": (1, 2, 3),
    "below": (-4, -3),
    "apart": (-3, 0, 2),
    "one": (2,),
    "a gap": (0, 1, 3),
}
EXPRESSIONS: dict[str, Callable[..., Any]] = {
    "of columns": lambda a, b, x, y: a * x,
    "of rows": lambda a, b, x, y: a * y[:, None],
    "of other diagonals": lambda a, b, x, y: a + b,
    "of a transpose": lambda a, b, x, y: a.T * y,
    "raised": lambda a, b, x, y: a * x + 1.0,
}


def diagonals(offsets: tuple[int, ...], shape: tuple[int, int]) -> Any:
    return sum(np.eye(*shape, k) * RNG.integers(1, 9, shape) for k in offsets)


@pytest.mark.parametrize("shape", [(6, 6), (4, 7), (7, 4)])
@pytest.mark.parametrize("name", OFFSETS)
def test_elements_are_where_they_belong(name: str, shape: tuple[int, int]) -> None:
    dense = diagonals(OFFSETS[name], shape), diagonals((-1, 1), shape)
    vectors = RNG.random(shape[1]), RNG.random(shape[0])
    with sa.options(tier="interpreted"):
        a, b = (sa.asarray(one, format="dia") for one in dense)
        for expression in EXPRESSIONS.values():
            found, wanted = expression(a, b, *vectors), expression(*dense, *vectors)
            assert "dia" in str(found.format).lower()
            np.testing.assert_array_equal(found.todense(), wanted)
