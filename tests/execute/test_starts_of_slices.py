"""Slices of slices and of sums, whose starts agree by chance in the first call and not again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import structarr as sa
from structarr._execute import replay_table
from structarr._lazy.composed_start import ComposedStart

W = np.arange(49.0).reshape(7, 7) % 5 - 2

Cut = Callable[[Any, int, int], Any]

CUTS: dict[str, Cut] = {
    "rows": lambda a, i, n: a[i : i + n],
    "rows from the end": lambda a, i, n: a[i + n : i : -1],
    "every other row": lambda a, i, n: a[i : i + 2 * n : 2],
}
EXPRESSIONS: dict[str, Callable[..., Any]] = {
    "product": lambda cut, again, a, b, i, j, k: again(cut(a, i, 20) @ W, j, 3) * b[k, 0],
    "product and slice": lambda cut, again, a, b, i, j, k: (
        again(cut(a, i, 20) @ W, j, 3).sum(axis=0) + b[k : k + 9].sum()
    ),
    "rows of a product": lambda cut, again, a, b, i, j, k: (
        (cut(a, i, 20) @ W)[j : j + 3] * b[k : k + 3, 1:2]
    ),
    "sums of rows": lambda cut, again, a, b, i, j, k: (
        cut(a, i, 20).sum(axis=1)[j : j + 3] + b[k : k + 3, 2]
    ),
    "scaled sums": lambda cut, again, a, b, i, j, k: (
        again(cut(a, i, 20) * (cut(b, i, 20) @ W).sum(axis=1)[:, None], j, 3) * b[k, 0]
    ),
    "one element of products side by side": lambda cut, again, a, b, i, j, k: np.concatenate(
        [(cut(a, i, 20) @ b[k])[j:]] * 2
    )[i],
    "one row of a product": lambda cut, again, a, b, i, j, k: (cut(a, i, 20) @ W)[j] - b[k] * b[i],
}


def operands(format: str) -> tuple[Any, Any, Any, Any]:
    random = np.random.default_rng(3)
    dense = [
        np.where(random.random((70, 7)) < 0.4, random.integers(-4, 5, (70, 7)), 0.0) for _ in "ab"
    ]
    return *dense, *[sa.asarray(one).asformat(format) for one in dense]


@pytest.mark.parametrize("format", ["csr", "dense", "rle", "bitmap", "coo"])
@pytest.mark.parametrize("name", EXPRESSIONS)
@settings(max_examples=6, deadline=None, derandomize=True, database=None)
@given(st.data())
def test_starts_that_agree_by_chance(name: str, format: str, data: st.DataObject) -> None:
    """A sum of two starts that equals a third one in the call that is planned."""
    function = EXPRESSIONS[name]
    x, y, a, b = operands(format)
    cut, again = [CUTS[data.draw(st.sampled_from(sorted(CUTS)))] for _ in "ab"]
    starts = st.integers(1, 5)
    first = data.draw(starts), data.draw(starts)
    calls = [
        (*first, sum(first)),
        *data.draw(st.lists(st.tuples(starts, starts, starts), min_size=1, max_size=3)),
    ]
    with pytest.MonkeyPatch.context() as patch, sa.options(tier="interpreted"):
        patch.setattr(replay_table, "_recorded", {})
        for i, j, k in calls:
            wanted = function(cut, again, x, y, i, j, k)
            found = np.asarray(function(cut, again, a, b, i, j, k))
            np.testing.assert_array_equal(found, wanted, f"{i}, {j}, {k}")


def test_equal_starts_are_composed_of_the_same() -> None:
    assert ComposedStart(2, 1, 3) == ComposedStart(2, 1, 3)
    assert len({ComposedStart(2, 1, 3), ComposedStart(3, 1, 2)}) == 2
    assert ComposedStart(2, 1, 3) != 5
    assert ComposedStart(2, 3, 4) + 0 == 14
