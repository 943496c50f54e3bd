"""Diagonals of two matrices that are where the other has them are gone along by one cursor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import structarr as sa

PAIRS = (
    ((-1, 0, 1), (-1, 0, 1)),  # the same
    ((0, 1), (-1, 0, 1, 2)),  # some of the other's, next to each other
    ((-3, 0), (-3, -1, 0)),  # with one between them
    ((-1, 0, 1), (0, 1, 2)),  # some the same
    ((0,), (-1, 0, 1)),
    ((-3, -2), (-3, -2, 1)),
)
CASES: tuple[Callable[..., Any], ...] = (
    lambda a, b: (a * b).sum(axis=1),
    lambda a, b: (a * b).sum(axis=0),
    lambda a, b: (a * b).sum(),
    lambda a, b: (a[1:] * b[1:]).sum(axis=1),
    lambda a, b: (a[:-1] * b[1:]).sum(axis=1),
    lambda a, b: (a[:, ::-1] * b[:, ::-1]).sum(axis=1),
    lambda a, b: (a[:, ::2] * b[:, ::2]).sum(axis=1),
    lambda a, b: ((a != 0) & (b != 0)).any(axis=1),
    lambda a, b: (a * b + a).sum(axis=1),
    lambda a, b: (a * b * a).max(axis=1),
    lambda a, b: (a.T * b.T).sum(axis=1),
)


def _pair(shape: tuple[int, int], offsets: tuple[tuple[int, ...], ...]) -> list[Any]:
    random = np.random.default_rng(0)
    return [
        sp.dia_array((random.integers(1, 5, (len(one), shape[1])) * 1.0, one), shape=shape)
        for one in offsets
    ]


@pytest.mark.parametrize("shape", [(7, 7), (9, 4), (4, 9), (1, 5)])
@pytest.mark.parametrize("offsets", PAIRS)
def test_products_of_diagonals_are_those_of_dense_arrays(
    shape: tuple[int, int], offsets: tuple[tuple[int, ...], ...]
) -> None:
    matrices = _pair(shape, offsets)
    dense = [one.toarray() for one in matrices]
    with sa.options(tier="interpreted"):
        for function in CASES:
            found = function(*map(sa.asarray, matrices))
            np.testing.assert_allclose(np.asarray(found), function(*dense))


@pytest.mark.parametrize("offsets", PAIRS[:2])
def test_a_loop_goes_by_the_diagonals_of_one_alone(offsets: tuple[tuple[int, ...], ...]) -> None:
    a, b = map(sa.asarray, _pair((7, 7), offsets))
    source = sa.explain((a * b).sum(axis=1)).source()
    assert ("for a_q in " in source) != ("for b_q in " in source)
