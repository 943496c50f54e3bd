"""Elementwise expressions of arrays that store at the same places share their coordinates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import structarr as sa
from structarr._array import stored
from structarr._execute.planner import Planner

RNG = np.random.default_rng(5)
X = np.where(RNG.random((6, 8)) < 0.3, RNG.integers(-3, 4, (6, 8)), 0).astype(float)
FORMATS = ["csr", "csc", "dcsr", "coo", "vbl", "band", "ragged", "triu", "tril", "dia", "point"]


def _stored(format: str, dense: Any = X) -> sa.Array:
    square = np.pad(dense, ((0, 2), (0, 0)))
    shaped = {
        "triu": np.triu(square),
        "tril": np.tril(square),
        "point": square * (np.arange(8) == np.arange(8)[:, None] // 2),
    }.get(format, square)
    return sa.asarray(shaped, format=format)


def _share(one: sa.Array, other: sa.Array) -> bool:
    pairs = zip(stored(one).buffers[:-1], stored(other).buffers[:-1], strict=True)
    return all(a is b for a, b in pairs)


EXPRESSIONS: dict[str, Callable[[Any], Any]] = {
    "scaled": lambda a: a * 2.5,
    "raised": lambda a: a + 1.5,
    "folded": lambda a: np.abs(a) * a - a / 2,
    "squared": lambda a: a**2,
    "asked": lambda a: a > 0.5,
    "chosen": lambda a: np.where(a > 0, a, -1),
    "narrow": lambda a: a.astype(np.int8) * 3,
    "twice": lambda a: np.maximum(a * 3, a**2 + a),
}


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", EXPRESSIONS)
def test_values_and_fills_are_numpys(name: str, format: str, tier: str) -> None:
    a = _stored(format)
    with sa.options(tier=tier):
        for _ in range(2):  # the second time by its recipe
            found = EXPRESSIONS[name](a).compute()
            wanted = EXPRESSIONS[name](a.todense())
            assert found.dtype == wanted.dtype
            np.testing.assert_array_equal(found.todense(), wanted)


def test_coordinates_are_shared() -> None:
    a = _stored("csr")
    b = (a * 2).compute()
    assert _share(a, b)
    c = (a * b + np.sqrt(np.abs(b))).compute()
    assert _share(a, c)
    np.testing.assert_array_equal(
        c.todense(), a.todense() * b.todense() + np.sqrt(np.abs(b.todense()))
    )


def test_a_recipe_knows_whether_places_are_the_same() -> None:
    a = _stored("csr")
    for other in ((a * 2).compute(), _stored("csr", np.roll(X, 1, 1)), (a * 3).compute()):
        found = (a + other).compute()
        np.testing.assert_array_equal(found.todense(), a.todense() + other.todense())
        assert _share(a, found) is _share(a, other)


def test_scalars_of_a_recipe_make_the_fill() -> None:
    a = _stored("csr")
    for scalar in (1.5, 2.5, 3.5):
        found = (a - scalar).compute()
        assert found.fill_value == -scalar
        np.testing.assert_array_equal(found.todense(), a.todense() - scalar)


@pytest.mark.parametrize("format", FORMATS)
def test_a_recipe_holds_for_any_number_of_entries(format: str) -> None:
    for seed in range(12):
        random = np.random.default_rng(seed)
        dense = np.where(random.random((6, 8)) < 0.35, random.integers(1, 4, (6, 8)), 0) * 1.0
        a = _stored(format, dense)
        found = np.sqrt(a * 3) + a
        np.testing.assert_array_equal(found.todense(), np.sqrt(a.todense() * 3) + a.todense())


def test_it_is_a_recipe(monkeypatch: pytest.MonkeyPatch) -> None:
    a = _stored("csr")
    (a * 7.5).compute()
    monkeypatch.setattr(Planner, "value", None)  # which an expression like it does not need
    np.testing.assert_array_equal((a * 8.5).todense(), a.todense() * 8.5)


def test_assignment_leaves_what_shares_as_it_is() -> None:
    a = _stored("csr")
    b = (a * 2).compute()
    before = b.todense()
    a[0, 0], a[5] = 9, 0
    np.testing.assert_array_equal(b.todense(), before)


def test_who_writes_to_a_matrix_of_scipys_leaves_what_was_made_of_it() -> None:
    for size in (10, 20_000):  # small buffers are copied at once, large ones shared
        matrix = sp.eye_array(size, format="csr")
        a = sa.asarray(matrix)
        b = (a * 2).compute()
        c = (b + 1).compute()
        matrix.indices[:] = 0
        np.testing.assert_array_equal(b[3].todense(), 2 * (np.arange(size) == 3))
        assert _share(b, c) and _share(a, b)


def test_runs_are_merged_anew() -> None:
    runs = sa.asarray([[1.0, 1.0, -1.0, -1.0, 2.0]], format="rle")
    assert np.abs(runs).compute().nstored == 2


def test_diagonals_are_at_the_same_places_where_formats_agree() -> None:
    first, second = np.diag(RNG.random(5), 1) + np.eye(6), np.diag(RNG.random(5), 1) - np.eye(6)
    a, b = sa.asarray(first, format="dia"), sa.asarray(second, format="dia")
    for expression in (lambda x, y: x + 2 * y, lambda x, y: (x - y) ** 2, np.maximum):
        found = expression(a, b).compute()
        np.testing.assert_array_equal(found.todense(), expression(first, second))
        np.testing.assert_array_equal(found.todense(), expression(first, second))


@pytest.mark.parametrize("format", ["dia", "point"])
def test_children_outside_of_an_array_are_not_read(format: str) -> None:
    dense = np.diag([2.0, 3.0, 4.0, 5.0], 1)
    a = sa.asarray(dense, format=format)
    rows = sa.asarray(dense, format="csr")
    for expression in (lambda x: 1 / (x + 1), lambda x: x / x, lambda x: x * np.inf, np.sqrt):
        found, wanted = expression(a).compute(), expression(rows).todense()
        if format == "point":  # what diagonals store beside other elements is no structural zero
            np.testing.assert_array_equal(found.todense(), wanted)
        wanted = found.todense()
        np.testing.assert_array_equal(np.asarray(found.max(axis=0)), wanted.max(axis=0))
        np.testing.assert_array_equal(found.asformat("csr").todense(), wanted)
    scaled = (a * 3.0).compute()
    assert scaled.nnz == a.nnz and float(scaled.sum()) == 3 * dense.sum()
    assert np.array_equal(scaled.to_scipy().toarray(), dense * 3)
