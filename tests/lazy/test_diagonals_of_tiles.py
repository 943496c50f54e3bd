"""Diagonals of matrices in tiles: dense ones, and sums of them, are read tile by tile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._testing.forcing import witnessed
from structarr.formats import Dense, Tiles

RANDOM = np.random.default_rng(3)
DENSE = np.kron(RANDOM.random((4, 4)) < 0.5, np.ones((3, 3))) * RANDOM.integers(1, 9, (12, 12))
Y = RANDOM.integers(1, 5, 12).astype(float)


def in_tiles(height: int, width: int) -> Dense:
    return Dense(Tiles(height=height, width=width))


EXPRESSIONS: dict[str, Callable[[Any], Any]] = {
    "diagonal": lambda a: a.diagonal(),
    "of the transpose": lambda a: a.T.diagonal(),
    "of another": lambda a: a.diagonal() * 2.0 + Y,
    "of two": lambda a: a.diagonal() * a.T.diagonal(),
    "beside a dense one": lambda a: a.diagonal() * DENSE.diagonal(),
    "trace": lambda a: a.trace(),
    "trace of a product": lambda a: (a.diagonal() * Y).sum(),
    "largest": lambda a: a.diagonal().max(),
    "another one": lambda a: a.diagonal(1),
    "a part": lambda a: a[:7, :7].diagonal(),
    "columns": lambda a: (a.diagonal() + a).sum(axis=0),
}


@pytest.mark.parametrize("sides", [(3, 3), (2, 2), (2, 3), (1, 1)])
@pytest.mark.parametrize("name", EXPRESSIONS)
def test_values_are_numpys(name: str, sides: tuple[int, int]) -> None:
    of = EXPRESSIONS[name]
    with sa.options(tier="interpreted"):
        for _ in range(2):  # the second one is replayed
            a = sa.asarray(DENSE, format=in_tiles(*sides))
            np.testing.assert_array_equal(np.asarray(of(a)), of(DENSE))
            computed = of(a)
            np.testing.assert_array_equal(np.asarray(computed.compute()), of(DENSE))


def test_formats_are_those_of_lists() -> None:
    a = sa.asarray(DENSE, format="bsr")
    assert a.diagonal().compute().format == "list"
    assert a.diagonal().asformat("dense").compute().format == "dense"


def test_tiles_that_are_square_are_searched_once() -> None:
    calls: list[Any] = []
    a = sa.asarray(DENSE, format=in_tiles(3, 3))
    with sa.options(tier="interpreted"), witnessed(calls.append):
        np.asarray(a.diagonal())
    assert [[one.ndim for one in call.given.tensors] for call in calls] == [[4]]
