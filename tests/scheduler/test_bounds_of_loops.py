"""Bounds of loops as numbers, of which prices are made."""

from __future__ import annotations

import pytest

from structarr._compiler.ir.expr import INDEX, Index, Lit, add, scale
from structarr._scheduler.loop_bounds import number


def test_bounds_that_depend_on_loops_around_are_in_their_middle() -> None:
    i, j = Index("i"), Index("j")
    middle = {i: 4.5}
    assert number(i, None, (), middle) == 4.5  # type: ignore[arg-type]
    assert number(j, None, (), middle) == 0  # type: ignore[arg-type]
    bound = add(scale(i, 2), Lit(INDEX, 3))
    assert number(bound, None, (), middle) == pytest.approx(12)  # type: ignore[arg-type]
