"""Products with standardised arrays side by side: NumPy's values, and parts are not formed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._array import stored
from structarr._execute import replay_table
from structarr._execute.executor import Executor
from structarr._execute.steps import Call
from structarr._scheduler import split_joins
from structarr._scheduler.split_joined_sums import Apart
from structarr._storage.statistics import fullest

RNG = np.random.default_rng(0)
N = 60
NUMBERS = RNG.random((N, 2))
CODES = [RNG.integers(0, k, N) for k in (3, 8)]
USUAL = np.where(np.arange(N) < N - 4, 1, 0)  # nearly all of one category
LISTS = np.where(RNG.random((N, 5)) < 0.2, RNG.random((N, 5)), 0)
WHOLE = np.concatenate(
    [np.eye(3)[CODES[0]], NUMBERS, LISTS, np.eye(8)[CODES[1]], np.eye(2)[USUAL]], 1
)
D = WHOLE.shape[1]
MU, S, B, C = RNG.random(D), 1 + RNG.random(D), RNG.random(D), RNG.random((D, 3))
R, W = RNG.random(N), RNG.random(N)
ROWS = RNG.permutation(N)[:25]

PRODUCTS: dict[str, Callable[[Any], Any]] = {
    "centred": lambda x: (x - MU) @ B,
    "standardised": lambda x: ((x - MU) / S) @ B,
    "scaled before": lambda x: (x / S - MU) @ B,
    "added": lambda x: (MU + x) @ B,
    "from the left": lambda x: ((x - MU) / S).T @ R,
    "weighted": lambda x: ((x - MU) / S).T @ (W * R),
    "several columns": lambda x: ((x - MU) / S) @ C,
    "by its own mean": lambda x: ((x - x.mean(axis=0)) / S) @ B,
    "a number": lambda x: (x - 0.5) @ B,
    "a number, from the left": lambda x: (x - 0.5).T @ R,
    "rows": lambda x: (x - R[:, None]) @ B,
    "rows and columns": lambda x: (x - R[:, None] - MU) @ B,
    "a product of both": lambda x: (x - sa.asarray(R)[:, None] * sa.asarray(MU)) @ B,
    "within an expression": lambda x: 1 + 2 * (((x - MU) / S) @ B) - R,
    "of all rows": lambda x: ((x - MU) / S).sum(axis=0),
    "weighted product": lambda x: ((x - MU) / S).T @ (W[:, None] * ((x - MU) / S)),
    "product": lambda x: (x - MU).T @ (x - MU),
    "with the array itself": lambda x: x.T @ (W[:, None] * (x - MU)),
    "a stretch": lambda x: ((x[3:40] - MU) / S) @ B,
    "some rows": lambda x: ((x[ROWS] - MU) / S) @ B,
    "some rows, from the left": lambda x: ((x[ROWS] - MU) / S).T @ R[ROWS],
}

KEPT = ("scaled before",)
"""The products whose parts are no stored arrays."""


def made() -> sa.Array:
    """The array, from its parts."""
    parts = [
        sa.one_hot(CODES[0], 3),
        NUMBERS,
        sa.asarray(LISTS, format="csc"),
        sa.one_hot(CODES[1], 8),
        sa.one_hot(USUAL, 2),
    ]
    return sa.concatenate(parts, axis=1)


@pytest.fixture(autouse=True)
def interpreted() -> Any:
    with sa.options(tier="interpreted"):
        yield


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[Apart]:
    """What products were taken apart."""
    replay_table._recorded.clear()
    found: list[Apart] = []
    plain = split_joins.apart

    def apart(*given: Any) -> Apart | None:
        one = plain(*given)
        found.extend([] if one is None else [one])
        return one

    monkeypatch.setattr(split_joins, "apart", apart)
    return found


@pytest.mark.parametrize("name", PRODUCTS)
def test_values(name: str, told: list[Apart]) -> None:
    product = PRODUCTS[name]
    for _ in range(3):  # planned, and then replayed
        found = product(made())
        np.testing.assert_allclose(np.asarray(found), product(WHOLE), rtol=1e-10, atol=1e-10)
    assert len(told) == (name not in KEPT)
    assert replay_table._recorded


@pytest.mark.parametrize("name", PRODUCTS)
def test_a_result_is_stored_as_that_of_the_whole(name: str, told: list[Apart]) -> None:
    found = PRODUCTS[name](made()).compute()
    whole = PRODUCTS[name](sa.asarray(WHOLE)).compute()
    assert (str(found.format), found.dtype) == (str(whole.format), whole.dtype)
    assert repr(found.fill_value) == repr(whole.fill_value)


def test_numbers_and_what_is_nearly_constant_stay_in_their_sums(told: list[Apart]) -> None:
    """Digits that a year and its mean have in common are not lost."""
    year, usual = 1e9 + RNG.random((N, 1)), np.where(np.arange(N) < N - 1, 1, 0)
    x = sa.concatenate([year, sa.one_hot(usual, 2), sa.one_hot(CODES[1], 8)], axis=1)
    whole = np.concatenate([year, np.eye(2)[usual], np.eye(8)[CODES[1]]], axis=1)
    large = np.array([1e-3, 1e9, 1.0, *[1e-6] * 8])
    mean = whole.mean(axis=0)
    for one, other in (
        ((whole - mean) @ large, (x - mean) @ large),
        (
            (whole - mean).T @ R,
            (x - mean).T @ R,
        ),
    ):
        np.testing.assert_allclose(np.asarray(other), one, rtol=1e-9)
    assert len(told) == 2
    assert [len(one.sparse) for one in told] == [1, 1]


def test_replays_look_at_what_arrays_store(told: list[Apart]) -> None:
    """Codes of another call may be nearly all of one category."""
    large = np.array([1e9, -1e9, *[1e-6] * 8])
    for usual in (RNG.integers(0, 2, N), RNG.integers(0, 2, N), np.where(np.arange(N) < 1, 0, 1)):
        x = sa.concatenate([sa.one_hot(usual, 2), sa.one_hot(CODES[1], 8)], axis=1)
        whole = np.concatenate([np.eye(2)[usual], np.eye(8)[CODES[1]]], axis=1)
        mean = whole.mean(axis=0)
        found = np.asarray((x - mean) @ large)
        np.testing.assert_allclose(found, (whole - mean) @ large, rtol=1e-9)
    assert [len(one.sparse) for one in told] == [2, 1]


@pytest.mark.parametrize("name", ["standardised", "from the left", "weighted product"])
def test_infinities_do_not_meet(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    mu, scale = MU.copy(), S.copy()
    mu[[0, 7, 12]], scale[4] = np.inf, 0.0
    monkeypatch.setitem(globals(), "MU", mu)
    monkeypatch.setitem(globals(), "S", scale)
    with np.errstate(all="ignore"):
        for _ in range(2):
            found = np.asarray(PRODUCTS[name](made()))
            np.testing.assert_array_equal(np.isnan(found), np.isnan(PRODUCTS[name](WHOLE)))
            np.testing.assert_array_equal(np.isinf(found), np.isinf(PRODUCTS[name](WHOLE)))


def test_parts_that_stay_in_a_sum_are_formed_where_several_read_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In a product of two such sums, each part is multiplied by all of the other's."""
    asked: list[Any] = []
    plain = split_joins.apart

    def apart(node: Any, moved: Any, settled: Any, formed: Any) -> Apart | None:
        def noting(part: Any) -> Any:
            asked.append(part)
            return formed(part)

        return plain(node, moved, settled, noting)

    monkeypatch.setattr(split_joins, "apart", apart)
    replay_table._recorded.clear()
    np.asarray((made() - MU) @ B)
    assert not asked
    np.asarray((made() - MU).T @ (made() - MU))
    assert asked


def test_nothing_is_taken_apart_strictly(told: list[Apart]) -> None:
    with sa.options(strict_ieee=True):
        np.testing.assert_allclose(np.asarray((made() - MU) @ B), (WHOLE - MU) @ B)
    assert not told


def test_no_part_of_many_categories_is_formed() -> None:
    """The product would take 800 MB otherwise."""
    rows, count = 10_000, 10_000
    codes = RNG.integers(0, count, (2, rows))
    x = sa.concatenate([sa.one_hot(one, count) for one in codes], axis=1)
    mu, b = RNG.random(2 * count), RNG.random(2 * count)
    with sa.options(densify_limit=1 << 24, tier="compiled"):
        found = np.asarray(((x - mu) / (1 + mu)) @ b)
        back = np.asarray(((x - mu) / (1 + mu)).T @ found)
    scaled = b / (1 + mu)
    want = scaled[codes[0]] + scaled[count + codes[1]] - mu @ scaled
    np.testing.assert_allclose(found, want)
    counts = [np.bincount(one, want, count) for one in codes]
    np.testing.assert_allclose(
        back, (np.concatenate(counts) - mu * want.sum()) / (1 + mu), rtol=1e-8
    )


def test_a_matrix_that_is_computed_and_meets_a_vector_is_not_formed() -> None:
    """BLAS would need it; by a matrix, or where the vectors of NumPy's functions help, it is."""
    a, mu = sa.asarray(RNG.random((N, 4))), sa.asarray(RNG.random(4))
    b, r, c = sa.asarray(RNG.random(4)), sa.asarray(R), sa.asarray(RNG.random((4, 3)))
    plan = Executor().planner.plan
    for product in ((a - mu) @ b, ((a - mu) / 2).T @ r, b @ (a - mu).T):
        assert isinstance(plan(product._node), Call)
    for product in (a @ b, (a - mu) @ c, np.exp(a) @ b):
        assert not isinstance(plan(product._node), Call)
    whole = np.asarray(a) - np.asarray(mu)
    np.testing.assert_allclose(np.asarray((a - mu) @ b), whole @ np.asarray(b))


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_how_often_a_category_comes_is_counted_from_codes(share: float) -> None:
    codes = np.where(np.arange(40) < 40 * share, 2, -1)
    for order in (one := sa.one_hot(codes, 5), one.T):
        tensor = stored(order)
        axis = 0 if order is one else 1
        assert fullest(tensor, axis) == share
        assert fullest(tensor, 1 - axis) == 1 / 5


def test_no_more_codes_are_counted_than_a_bound_needs() -> None:
    """Of 8,000 rows some are enough to see that no category has most of them, or that one has."""
    codes = np.arange(8000) % 4
    tensor = stored(sa.one_hot(codes, 4))
    assert 1 / 4 < fullest(tensor, 0, 15 / 16) <= 15 / 16
    assert 1 / 4 < fullest(tensor, 0, 3 / 4) <= 3 / 4
    assert fullest(tensor, 0, 1 / 8) > 1 / 8
    assert fullest(tensor, 0) == 1 / 4
    usual = stored(sa.one_hot(np.where(codes, 2, 1), 4))  # three of four
    assert fullest(usual, 0, 15 / 16) <= 15 / 16
    assert 1 / 2 < fullest(usual, 0, 1 / 2) < 3 / 4
    assert fullest(usual, 0, 3 / 4) == 3 / 4
    assert fullest(usual, 0, 0.74) > 0.74
    assert fullest(usual, 0) == 3 / 4


def test_sums_of_many_terms_stay_as_they_are(told: list[Apart]) -> None:
    x, terms = made(), [RNG.random(D) for _ in range(2)]

    def product(x: Any, count: int) -> Any:
        one = sum([-term for term in terms[:count]], x)
        return one.T @ (W[:, None] * one)

    for count, splits in ((1, 1), (2, 0)):
        told.clear()
        np.testing.assert_allclose(np.asarray(product(x, count)), product(WHOLE, count))
        assert len(told) == splits
