"""Elements read at places: accesses of kernels, products with selections, or computed first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._execute.expression_key import key_of
from structarr._execute.replay_table import recorded
from structarr._scheduler.counts import Taken
from structarr._scheduler.takes import selected
from structarr._testing.counted_calls import counting
from structarr.formats import Dense, Format, SparseList

RNG = np.random.default_rng(0)
A, B = (RNG.integers(-2, 3, (9, 7)) * (RNG.random((9, 7)) < 0.4) * 1.0 for _ in range(2))
X, Y, W = RNG.random(7), RNG.random(9), RNG.random((7, 3))
ROWS, COLUMNS = np.array([3, 1, 8, 1, 0]), np.array([6, 0, 2, 6])
MANY, MASK = np.arange(30) % 9, Y < 0.5
VIEWS: dict[str, Callable[[Any, Any], Any]] = {
    "rows": lambda a, b: a[ROWS],
    "rows by vector": lambda a, b: a[ROWS] @ X,
    "rows by matrix": lambda a, b: a[ROWS] @ W,
    "rows by lists": lambda a, b: a[ROWS] @ b.T,
    "by rows": lambda a, b: Y[:5] @ a[ROWS],
    "sums of rows": lambda a, b: a[ROWS].sum(axis=0),
    "sum of masked": lambda a, b: a[MASK].sum(),
    "masked and scaled": lambda a, b: a[MASK] * Y[MASK][:, None],
    "two at places": lambda a, b: (a[ROWS] * b[ROWS]).sum() + (a[ROWS] + b[ROWS[::-1]]),
    "greatest of rows": lambda a, b: a[ROWS].max(axis=1),
    "many rows": lambda a, b: a[MANY] @ X,
    "sums of many": lambda a, b: a[MANY].sum(axis=0),
    "columns": lambda a, b: a[:, COLUMNS],
    "columns by vector": lambda a, b: a[:, COLUMNS] @ X[:4],
    "columns by matrix": lambda a, b: a[:, COLUMNS] @ W[:4],
    "by columns": lambda a, b: Y @ a[:, COLUMNS],
    "sums of columns": lambda a, b: a[:, COLUMNS].sum(axis=1) * a[:, COLUMNS].sum(axis=1),
    "greatest of columns": lambda a, b: a[:, COLUMNS].max(axis=1),
    "both": lambda a, b: a[np.ix_(ROWS, COLUMNS)],
    "both by vector": lambda a, b: a[np.ix_(ROWS, COLUMNS)] @ X[:4],
    "of an expression": lambda a, b: (a * 2 + b)[ROWS] @ X,
    "of a broadcast": lambda a, b: (a * Y[:, None] + X)[ROWS],
    "of a product": lambda a, b: (a @ b.T)[ROWS],
    "of sums": lambda a, b: (a @ X)[ROWS] * a[ROWS].sum(axis=1),
    "of sums in columns": lambda a, b: (a.T @ b)[ROWS[1:2], :] @ X,
    "transposed": lambda a, b: a[ROWS].T @ b[ROWS],
    "beside itself": lambda a, b: a[ROWS] @ a[ROWS].T,
    "a slice": lambda a, b: a[ROWS][1:5:2, 2:],
    "from behind": lambda a, b: a[ROWS][::-1] * 2,
    "one element": lambda a, b: a[ROWS][1, 2],
    "a column": lambda a, b: a[ROWS][:, 2] * 1.5,
    "again": lambda a, b: a[ROWS][np.array([4, 4, 0])] @ X,
    "one row for all": lambda a, b: a[ROWS[:1]] * b,
    "joined": lambda a, b: np.concatenate([a[ROWS], b])[2:],
    "cut rows": lambda a, b: a[ROWS, 2:6] @ X[:4],
    "chosen": lambda a, b: np.where(a[ROWS] > 0, b[ROWS], 3.0),
    "mask of a product": lambda a, b: np.tanh(W @ W.T) * a[np.array([2, 1, 0, 8, 4, 4, 3])],
    "centred": lambda a, b: (a[ROWS] - X) @ W,
    "whole numbers": lambda a, b: (a[:, COLUMNS] > 0).sum(axis=1),
    "truth": lambda a, b: (a > 0)[ROWS].any(axis=0),
}


def _same(view: Callable[[Any, Any], Any], name: str, *arrays: Any) -> None:
    want = view(A, B)
    for _ in range(2):  # computed, then replayed
        got = np.asarray(view(*arrays))
        assert got.dtype == want.dtype, name
        np.testing.assert_allclose(got, want, err_msg=name, atol=1e-12)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("format", ["csr", "csc", "rle", "dcsr", "bitmap", "vbl"])
@pytest.mark.parametrize("name", VIEWS)
def test_elements_at_places_are_numpys(name: str, format: str) -> None:
    with sa.options(tier="interpreted"):
        _same(VIEWS[name], name, *(sa.asarray(one, format=format) for one in (A, B)))


def test_rows_are_read_where_they_are() -> None:
    a = sa.asarray(A, format="csr")
    with sa.options(tier="interpreted"):
        assert sa.explain(a[ROWS] @ X).cin.endswith("C[i] += A[B[i], j] * D[j]")
        assert sa.explain((a[ROWS] * a[ROWS[::-1]]).sum()).cin.endswith("A[B[i], j] * D[E[i], j]")
        assert str((a[ROWS] * Y[:5, None]).format) == "csr"
    with counting() as calls:
        (a[ROWS] @ X).compute()
    assert [one.operations["multiply"] for one in calls] == [_terms(A[ROWS])]


def test_columns_are_read_by_what_they_meet() -> None:
    rng = np.random.default_rng(1)
    many = (rng.random((300, 200)) < 0.1) * 1.0
    a, columns = sa.asarray(many, format="csr"), rng.integers(0, 200, 150)
    with counting() as calls:
        a[:, columns].sum(axis=1).compute()
    counts, sums = calls
    assert counts.iterations == len(columns)
    assert sums.operations["multiply"] == _terms(many)


def _terms(dense: Any) -> int:
    """The terms of sums of rows: the last one of an even number is computed twice."""
    counts = np.count_nonzero(dense, axis=1)
    return int((counts + (counts > 0) * (counts % 2 == 0)).sum())


def test_many_rows_of_a_product_are_copies_of_few() -> None:
    few = (np.random.default_rng(1).random((50, 70)) < 0.4) * 1.0
    a, x = sa.asarray(few, format="csr"), np.ones(70)
    with counting() as calls:
        (a[np.arange(900) % 50] @ x).compute()
    assert sum(one.iterations for one in calls) <= np.count_nonzero(few) + 50 + 2 * 900


def test_elements_that_are_not_summed_are_not_selected() -> None:
    a = sa.asarray(A, format="csr")
    for factor in (a[MANY] * RNG.random(30)[:, None], a[:, MANY % 7] * RNG.random(30)):
        assert selected(factor._node, lambda node: True) is None
    assert selected((a[MANY] @ X)._node, lambda node: True) is not None


def test_what_is_not_read_does_not_count() -> None:
    odd = np.where(A == 0, 0.0, A)
    odd[3, 1], odd[4, 5] = np.inf, np.nan
    a = sa.asarray(odd, format="csr")
    rows, columns = np.arange(27) % 3, np.array([0, 2, 0])
    with sa.options(tier="interpreted"):
        for _ in range(2):
            np.testing.assert_allclose(a[:, columns] @ X[:3], odd[:, columns] @ X[:3])
            np.testing.assert_allclose(a[rows].sum(axis=0), odd[rows].sum(axis=0))
            np.testing.assert_allclose(a[:, COLUMNS].sum(axis=1), odd[:, COLUMNS].sum(axis=1))
            np.testing.assert_allclose((Y @ a[:, [0, 1]])[0], (Y @ odd[:, [0, 1]])[0])
        with sa.options(strict_ieee=True):
            np.testing.assert_allclose(a[ROWS] @ X, odd[ROWS] @ X)


def test_places_and_arrays_may_change_afterwards() -> None:
    a, rows, mask = sa.asarray(A, format="csr", copy=True), ROWS.copy(), MASK.copy()
    taken, masked = a[rows], np.compress(mask, a, axis=0)
    rows[:], mask[:], a[3, 2] = 5, True, 100.0
    np.testing.assert_array_equal(taken.todense(), A[ROWS])
    np.testing.assert_array_equal(masked.todense(), A[MASK])


@pytest.mark.parametrize("fill", [0.0, 1.0])
def test_results_have_the_format_and_fill_of_rows(fill: float) -> None:
    dense = A + fill
    a = sa.asarray(dense, format="csr", fill_value=fill)
    with sa.options(tier="interpreted"):
        for made, want in ((a[ROWS], dense[ROWS]), (a[ROWS] * 2.0, dense[ROWS] * 2.0)):
            np.testing.assert_array_equal(made.todense(), want)
            assert str(made.format) == "csr"
        np.testing.assert_allclose(a[:, COLUMNS] @ X[:4], dense[:, COLUMNS] @ X[:4])
        np.testing.assert_allclose(Y @ a[:, COLUMNS], Y @ dense[:, COLUMNS])


def test_places_are_checked_at_the_call() -> None:
    a = sa.asarray(A, format="csr")
    with pytest.raises(IndexError, match="index 9 is out of bounds for axis 0 with size 9"):
        a[[0, 9, 10]]
    with pytest.raises(IndexError, match="index -8 is out of bounds for axis 1 with size 7"):
        np.take(a, [0, -8], axis=1)
    with pytest.raises(IndexError, match="boolean index did not match"):
        a[:, np.ones(6, bool)]


def test_equal_expressions_are_replayed() -> None:
    a, b = (sa.asarray(one, format="csr") for one in (A, A * 2))
    for name in ("rows by vector", "columns by vector", "greatest of columns", "both by vector"):
        with sa.options(tier="interpreted"):
            first, then = VIEWS[name](a, a), VIEWS[name](b, b)
            assert key_of(first._node) == key_of(then._node)
            first.compute()
            assert recorded(key_of(then._node)) is not None, name
            np.testing.assert_allclose(then, VIEWS[name](A * 2, A * 2), err_msg=name)


def test_room_is_made_for_the_rows_that_are_read() -> None:
    a = sa.asarray(A, format="csr")
    with sa.options(tier="interpreted"):
        plan = sa.explain(a[ROWS] * 2.0).plan
    assert [*plan.compiled.results[0].bounds[1].every(Taken)] == [Taken(0, 1)]


def test_a_stored_mask_is_not_shared() -> None:
    mask = sa.asarray(MASK, format="list")
    a = sa.asarray(A, format="csr")
    taken = a[mask]
    places = taken._node.args[1].data.buffers[-1]
    assert not any(np.may_share_memory(places, one) for one in mask._tensor.buffers)
    np.testing.assert_array_equal(taken.todense(), A[MASK])


def test_one_value_stays_one() -> None:
    taken = sa.full((9, 7), 3.0)[ROWS]
    assert str(taken.format) == "constant"
    assert taken.shape == (5, 7)


SUMS: dict[str, Any] = {
    "columns": lambda a, places: a[:, places].sum(),
    "rows and columns": lambda a, places: a[places][:, places].sum(),
}


@pytest.mark.parametrize("name", SUMS)
def test_sums_over_places_read_each_entry_a_few_times(name: str) -> None:
    rng = np.random.default_rng(2)
    rows, columns = rng.integers(0, 3000, (2, 3000))
    dense = np.zeros((3000, 3000))
    dense[rows, columns] = 1.0
    a, places = sa.asarray(dense, format="csr"), rng.integers(0, 3000, 1000)
    with counting() as calls:
        found = float(SUMS[name](a, places))
    assert found == SUMS[name](dense, places)
    assert sum(one.iterations for one in calls) < 10 * 3000


def test_sums_over_places_have_numbers_of_arrays_beside_them() -> None:
    plain = np.array([0.0, 0.0, -1.0, 3.0])
    x = sa.asarray(plain, format="list")
    found = []
    with sa.options(tier="interpreted"):
        for one in (x, plain):
            outer = np.outer(one, one)
            top = np.maximum(outer, one).max(axis=1)
            whole = top[[1, 0]].sum() + top
            found.append(np.asarray(np.maximum(outer, whole).max(axis=1)))
    np.testing.assert_allclose(*found)


def test_blocks_at_places_that_are_used_again() -> None:
    """What is computed of them is reshaped itself, and it is asked how much that stores."""
    places = np.ix_([-2], [-2, -3])
    for dense in (np.zeros((2, 3, 2, 2), np.uint64), np.arange(24).reshape(2, 3, 2, 2) % 5):
        fmt = Format(Dense(Dense(Dense(SparseList()))), (0, 1, 2, 3), "int64")
        block = sa.asarray(dense).asformat(fmt)[places]
        with sa.options(tier="interpreted"):
            assert np.asarray(np.isclose(block, block)).all()
        np.testing.assert_array_equal(np.asarray(block * 2 + block), dense[places] * 3)
