"""Rows that have all of their diagonals have a loop of their own, without searches."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._compiler.ir.conditions import lt
from structarr._compiler.ir.expr import INDEX, Buffer, Helper, Lit
from structarr._compiler.ir.kernel import Break, For, If, Set, Store
from structarr._compiler.ir.variables import Var
from structarr._compiler.kernel_passes.whole_rows import split_whole_rows

SHAPES = ((9, 9), (4, 11), (12, 3), (1, 5), (5, 1), (3, 3))
OFFSETS = ((-1, 0, 1, 2, 3, 4), (-4, -2, -1, 0, 2, 5), (1, 2, 3, 4, 5, 6), (-8, -6, -5, -4, -2, -1))


def _diagonals(shape: tuple[int, int], offsets: tuple[int, ...]) -> Any:
    dense = np.zeros(shape)
    random = np.random.default_rng(1)
    for offset in offsets:
        for i in range(max(-offset, 0), min(shape[0], shape[1] - offset)):
            dense[i, i + offset] = random.integers(1, 9)
    level = sa.formats.Diagonals(sa.formats.Element(), offsets)
    return dense, sa.asarray(dense, format=sa.formats.Dense(level))


def _text(lazy: Any) -> str:
    return str(sa.explain(lazy).kernel)


@pytest.mark.parametrize("offsets", OFFSETS)
@pytest.mark.parametrize("shape", SHAPES)
def test_all_rows_are_read_once(shape: tuple[int, int], offsets: tuple[int, ...]) -> None:
    dense, a = _diagonals(shape, offsets)
    other, b = _diagonals(shape, OFFSETS[0])
    x = np.arange(1.0, shape[1] + 1)
    for start in range(shape[0]):
        np.testing.assert_array_equal(np.asarray(a[start:].sum(axis=1)), dense[start:].sum(axis=1))
    assert float(a.sum()) == dense.sum()
    np.testing.assert_array_equal(np.asarray(a @ x), dense @ x)
    np.testing.assert_array_equal(np.asarray(a.sum(axis=0)), dense.sum(axis=0))
    np.testing.assert_array_equal((a * x).todense(), dense * x)
    np.testing.assert_array_equal((a * x + b).todense(), dense * x + other)
    assert float((a * b).sum()) == (dense * other).sum()
    assert bool((a > 8).any()) == bool((dense > 8).any())
    np.testing.assert_array_equal(np.asarray(a[::-1].sum(axis=1)), dense[::-1].sum(axis=1))


def test_whole_rows_are_searched_for_nothing() -> None:
    """Where what a row lacks is asked for, which is how many diagonals it has."""
    for offsets in OFFSETS:
        _, a = _diagonals((9, 9), offsets)
        before, *whole, after = _text((a > 7).any()).split("for i in ")[1:]
        assert "search" in before and "search" in after and "search" not in "".join(whole)


def test_loops_that_are_left_early_stay_whole() -> None:
    """A loop that is left for good is not gone on with by the next one."""
    i, q, end = (Var(INDEX, name) for name in ("i", "q", "end"))
    offset, n = Buffer("offset", INDEX, True), Lit(INDEX, 5)
    first = Set(q, Helper(INDEX, "search", (offset, 0 - i, Lit(INDEX, 0), Lit(INDEX, 3))))
    last = Set(end, Helper(INDEX, "search_back", (offset, n - i, q, Lit(INDEX, 3))))
    each = For(q, q, end, (Store(Buffer("val", INDEX), q, i),))
    left = If(((lt(q, end), (Break(),)),))
    for body, loops in (((first, last, each), 3), ((first, last, each, left), 1)):
        block = split_whole_rows((For(i, Lit(INDEX, 0), n, body),))
        assert sum(isinstance(line, For) for line in block) == loops


@pytest.mark.usefixtures("as_shipped")
def test_rows_that_whole_rows_lead_to_are_whole() -> None:
    """Of more than 64 diagonals, so that the product is a list."""
    dense, a = _diagonals((120, 120), tuple(range(9)))
    other, b = _diagonals((120, 120), tuple(range(-36, 45, 9)))
    before, *whole, after = _text(a @ b).split("for i in ")[1:]
    assert before.count("search(") == after.count("search(") == 2
    assert "search" not in "".join(whole)
    np.testing.assert_array_equal((a @ b).todense(), dense @ other)


def test_where_searches_do_not_matter_there_is_one_loop() -> None:
    """Rows that are merged with others go on by branches; dense rows take all the time."""
    _, a = _diagonals((9, 9), OFFSETS[0])
    c = sa.asarray(np.eye(9), format="csr")
    assert "i_whole" not in _text((a * c).sum(axis=1))
    assert "i_whole" not in _text(a @ np.ones((9, 3)))
