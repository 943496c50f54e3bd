"""Expressions whose arrays have other lengths than those of which they were planned."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._execute import general_replay, planner, replay_table

EXPRESSIONS: dict[str, Callable[..., Any]] = {
    "product": lambda a, b, x, y: a @ x,
    "with a sum": lambda a, b, x, y: 0.5 * (a @ x) + y,
    "from the left": lambda a, b, x, y: y @ a,
    "elementwise": lambda a, b, x, y: a * b + a,
    "scaled": lambda a, b, x, y: a * 2.5,
    "rows": lambda a, b, x, y: a * y[:, None],
    "columns": lambda a, b, x, y: a * x,
    "dense": lambda a, b, x, y: np.sqrt(abs(y))[:, None] + y[:, None] * x,
    "dense plane": lambda a, b, x, y: (y[:, None] * x) * a + 1.0,
    "sum of rows": lambda a, b, x, y: a.sum(axis=1),
    "sum": lambda a, b, x, y: (a * b).sum(),
    "gram": lambda a, b, x, y: a.T @ b,
    "gram by a vector": lambda a, b, x, y: a.T @ (b @ x),
    "quadratic form": lambda a, b, x, y: y @ a @ x,
    "split": lambda a, b, x, y: (a - x) @ (x + 1.0),
    "mean": lambda a, b, x, y: (a + 1.0).sum(axis=0) / max(len(y), 1),
    "rows at places": lambda a, b, x, y: a[np.arange(len(y))[::-1].copy()] @ x,
    "cumulative": lambda a, b, x, y: np.cumsum(y) + y,
    "joined": lambda a, b, x, y: np.concatenate([x, y]) * 2.0,
    "reshaped": lambda a, b, x, y: (a + b).reshape(-1) * 2.0,
    "slice": lambda a, b, x, y: a[: len(y) // 2] @ x,
    "rows from a start": lambda a, b, x, y: a[1:-1] @ x,
    "every other row": lambda a, b, x, y: a[::2] * y[::2, None],
    "columns of rows": lambda a, b, x, y: (a[1:, 2:5] * 2.0).sum(axis=0),
    "slice of slices": lambda a, b, x, y: a[2:][1:-1].sum(axis=0) + b[:3].sum(axis=0),
    "slice of a product": lambda a, b, x, y: (a @ b.T)[1:3] + y,
    "slice of a slice's product": lambda a, b, x, y: (a[1:] @ x)[1:] * y[2:],
    "differences": lambda a, b, x, y: (x[1:] - x[:-1]) * (a[:, 1:] - b[:, :-1]),
    "backwards": lambda a, b, x, y: a[::-1, ::-1] * x + b,
    "last row": lambda a, b, x, y: a[-1:] * x + a[len(y) // 2 :][:1],
    "spread": lambda a, b, x, y: np.broadcast_to(x, (len(y), len(x))) * a,
    "transposed": lambda a, b, x, y: a.T + b.T,
}
SHAPES = [(5, 7), (6, 7), (6, 6), (7, 5), (4, 4), (1, 7), (5, 1), (0, 5), (5, 0), (12, 7), (3, 4)]
SHAPES += [(2, 6), (4, 3), (9, 30)]


def operands(shape: tuple[int, int], format: str, seed: int) -> list[Any]:
    random = np.random.default_rng(seed)
    dense = [np.where(random.random(shape) < 0.4, random.integers(-4, 5, shape), 0.0) for _ in "ab"]
    vectors = [random.integers(-3, 4, n).astype(float) for n in shape[::-1]]
    return [*dense, *vectors]


@pytest.mark.parametrize("format", ["csr", "csc", "dense", "coo", "rle", "bitmap"])
@pytest.mark.parametrize("name", EXPRESSIONS)
def test_values_at_each_length(name: str, format: str) -> None:
    """The same kernels at lengths that are equal, one, or zero, and at those that are not."""
    sa.clear_cache()
    function = EXPRESSIONS[name]
    with sa.options(tier="interpreted"):
        for seed, shape in enumerate([*SHAPES, *SHAPES]):
            a, b, x, y = operands(shape, format, seed)
            wanted = function(a, b, x, y)
            ours = [sa.asarray(one, format=format) for one in (a, b)]
            found = function(*ours, sa.asarray(x), y)
            np.testing.assert_allclose(np.asarray(found), wanted, atol=1e-12)
            assert found.shape == np.shape(wanted)


@pytest.mark.parametrize(
    "name",
    [
        *["product", "with a sum", "from the left", "scaled", "rows", "columns", "dense"],
        *["sum of rows", "slice", "rows from a start", "every other row", "columns of rows"],
        "differences",
    ],
)
def test_other_lengths_are_not_planned_for(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sa.clear_cache()
    function, random = EXPRESSIONS[name], np.random.default_rng(0)
    with sa.options(tier="interpreted"):
        for n in range(33, 60):
            a = np.zeros((n, 70))
            a[np.arange(33), random.integers(0, 70, 33)] = 1.5  # counts of one magnitude
            x, y = np.ones(70), np.arange(float(n))
            b = a[::-1].copy()
            found = function(sa.asarray(a, format="csr"), sa.asarray(b, format="csr"), x, y)
            np.testing.assert_allclose(np.asarray(found), function(a, b, x, y))
            if n == 34:  # from then on
                monkeypatch.setattr(planner.Planner, "_planned", None)


def test_what_is_used_often_is_planned(monkeypatch: pytest.MonkeyPatch) -> None:
    sa.clear_cache()
    with sa.options(tier="interpreted"):
        for n, times in ((8, 1), (9, general_replay.OFTEN + 1)):
            a, x = sa.asarray(np.eye(n), format="csr"), np.arange(float(n))
            for _ in range(times):
                np.testing.assert_array_equal(np.asarray(a @ x), x)
    fixed = [key for key in replay_table._recorded if type(key[1]) is int]
    assert len(fixed) == 2


def test_a_result_that_does_not_fit_is_refused_as_ever() -> None:
    messages = []
    for first in (False, True):
        with sa.options(densify_limit=2**12):
            for n in (20, 200)[first:]:
                a = sa.asarray(np.ones((n, 1)))
                try:
                    np.asarray((a @ a.T) + 1.0)
                except sa.errors.DensificationError as error:
                    messages.append(str(error))
    assert len(messages) == 2 and messages[0] == messages[1]


@pytest.mark.parametrize("shapes", list(product([(2, 6), (3, 4)], [(3, 4), (2, 6), (12, 1)])))
def test_lengths_that_are_equal_by_chance(shapes: Any) -> None:
    """A flattened array may be as long as another array's axis, and no longer the next time."""
    sa.clear_cache()
    with sa.options(tier="interpreted"):
        for (rows, columns), length in zip(shapes, (12, 13), strict=True):
            p, z = np.arange(float(rows * columns)).reshape(rows, columns), np.ones(length)
            found = (sa.asarray(p) * 2.0 + 1.0).sum() * (sa.asarray(z) + 1.0)
            np.testing.assert_allclose(np.asarray(found), (p * 2.0 + 1.0).sum() * (z + 1.0))


@pytest.mark.parametrize(
    "function",
    [
        lambda a, x: (a - x).T @ (a - x),
        lambda a, x: (a - x) @ (a - x).T,
        lambda a, x: (a + 1.0).sum(axis=0),
    ],
)
def test_numbers_that_count_elements_are_those_of_the_call(function: Any) -> None:
    """What is multiplied out counts the elements along the axes that it sums over."""
    sa.clear_cache()
    x = np.arange(70.0) / 70
    for n in range(33, 38):
        a = np.zeros((n, 70))
        a[np.arange(33), np.arange(33) * 2] = 1.5  # counts of one magnitude
        found = function(sa.asarray(a, format="csr"), x)
        np.testing.assert_allclose(np.asarray(found), function(a, x), atol=1e-12)
