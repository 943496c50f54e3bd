"""Lists of diagonals side by side are merged before any kernel runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._compiler.looplets.stepper_merge import MOST

OFFSETS = ((-2, -1, 0, 1, 2), (0,), (-3, 0, 2), (-40, -7, 1, 35), ())
PAIRS = tuple((OFFSETS[k], OFFSETS[j]) for k, j in ((0, 3), (1, 2), (2, 0), (4, 2), (1, 1)))
SHAPES = ((9, 9), (40, 7), (7, 40), (1, 5))
TOGETHER: tuple[Callable[[Any, Any], Any], ...] = (
    lambda a, b: a + b,
    lambda a, b: a - b,
    lambda a, b: a * b,
    lambda a, b: a * 2.0 - b * a,
    lambda a, b: (a + b).sum(axis=1),
    lambda a, b: (a * b).sum(axis=0),
    lambda a, b: (a - b).sum(),
    lambda a, b: (a + b) @ np.arange(1.0, a.shape[1] + 1),
    lambda a, b: (a + b)[:, 2:] * 3.0,
    lambda a, b: a[1:, :] + b[:-1, :],
    lambda a, b: a[:, ::-1] + b[:, ::-1],
)


def _diagonals(
    shape: tuple[int, int], offsets: tuple[int, ...], seed: int, fill: float = 0.0
) -> tuple[Any, Any]:
    random = np.random.default_rng(seed)
    inside = [k for k in offsets if -shape[0] < k < shape[1]]
    places = sum((np.eye(*shape, k, dtype=bool) for k in inside), np.zeros(shape, bool))
    dense = np.where(places, random.integers(1, 9, shape).astype(float), 0.0)
    level = sa.formats.Diagonals(sa.formats.Element(), offsets)
    stored = sa.asarray(dense, format=sa.formats.Dense(level))
    return dense + fill, (stored + fill).compute()


@pytest.mark.parametrize("shape", SHAPES)
def test_values_are_those_of_dense_arrays(shape: tuple[int, int]) -> None:
    """Offsets before, within and beyond the matrix, of one diagonal, and of none."""
    with sa.options(tier="interpreted"):
        for left, right in PAIRS[:3] if shape == SHAPES[3] else PAIRS:
            (dense, a), (other, b) = _diagonals(shape, left, 0), _diagonals(shape, right, 1)
            for compute in TOGETHER:
                expected = compute(dense, other)
                np.testing.assert_array_equal(compute(a, b).todense(), expected)


def test_fills_other_than_zero_are_between_them() -> None:
    shape = (12, 9)
    with sa.options(tier="interpreted"):
        for left, right in PAIRS[:3]:
            dense, a = _diagonals(shape, left, 0, 1.0)
            other, b = _diagonals(shape, right, 1, 3.0)
            for compute in TOGETHER[:5]:
                expected = compute(dense, other)
                np.testing.assert_array_equal(compute(a, b).todense(), expected)


def test_three_lists_of_other_dtypes_are_merged() -> None:
    with sa.options(tier="interpreted"):
        for shape in SHAPES:
            dense, sparse = zip(*(_diagonals(shape, OFFSETS[k], k) for k in range(3)), strict=True)
            for kinds in (("int8", "float32", "float64"), ("complex64", "int64", "bool")):
                x, y, z = (one.astype(kind) for one, kind in zip(dense, kinds, strict=True))
                a, b, c = (one.astype(kind) for one, kind in zip(sparse, kinds, strict=True))
                np.testing.assert_array_equal((a + b * c).todense(), x + y * z)
                np.testing.assert_array_equal(np.maximum(a, b * c).todense(), np.maximum(x, y * z))


def test_what_is_at_the_pace_of_another_is_merged_with_a_third() -> None:
    """Of a sum of two the first has the pace of the third, by whose cursor it may be looked up."""
    (x, a), (y, b), (z, c) = (
        _diagonals((9, 9), offsets, seed)
        for seed, offsets in enumerate(((-3, -2, -1, 0, 1), (-3, -2, 1), (-1, 0, 1)))
    )
    with sa.options(tier="interpreted"):
        np.testing.assert_array_equal(((a + b) * c).todense(), (x + y) * z)
        np.testing.assert_array_equal(np.asarray((c * (b - a)).sum(axis=1)), (z * (y - x)).sum(1))


@pytest.mark.usefixtures("as_shipped")
def test_no_kernel_asks_which_diagonal_comes_first() -> None:
    _, a = _diagonals((60, 60), OFFSETS[0], 0)
    for offsets, loops in (((-7, 9), 3), ((0,), 3), ((0, 1, 8), 4), ((-1, 0, 1), 3), ((5,), 2)):
        _, b = _diagonals((60, 60), offsets, 1)
        text = str(sa.explain(a + b).kernel)
        assert "while" not in text
        assert text.count("    for i in range(") == loops
    alone = str(sa.explain(sa.eye(60) + sa.eye(60, k=3)).kernel)
    assert alone.count("    for i in range(") == 2


@pytest.mark.usefixtures("as_shipped")
def test_what_one_of_them_lacks_has_no_loop_in_a_product() -> None:
    _, a = _diagonals((60, 60), (-9, -1, 0, 7), 0)
    _, b = _diagonals((60, 60), (-1, 0, 3, 7), 1)
    text = str(sa.explain(a * b).kernel)
    assert text.count("    for i in range(") == 2
    assert "in range(1, 3):" in text


def test_many_segments_are_merged_by_the_kernel() -> None:
    offsets = tuple(range(-MOST, MOST, 2))
    dense, a = _diagonals((60, 60), offsets, 0)
    other, b = _diagonals((60, 60), tuple(k + 1 for k in offsets), 1)
    assert "while True" in str(sa.explain(a + b).kernel)
    np.testing.assert_array_equal((a + b).todense(), dense + other)


def test_a_list_beside_them_is_merged_by_the_kernel() -> None:
    dense, a = _diagonals((20, 20), OFFSETS[0], 0)
    other, b = _diagonals((20, 20), OFFSETS[2], 1)
    third = np.triu(np.arange(400.0).reshape(20, 20), 3) * (np.arange(400).reshape(20, 20) % 3 == 0)
    c = sa.asarray(third, format="csr")
    np.testing.assert_array_equal((a + b + c).todense(), dense + other + third)
    np.testing.assert_array_equal((c * (a + b)).todense(), third * (dense + other))
