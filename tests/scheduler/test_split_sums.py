"""Products of sums as sums of products: NumPy's values, in the formats of the unsplit products."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._execute import replay_table
from structarr._scheduler import split_sums

RNG = np.random.default_rng(0)
N = 12
A = np.where(RNG.random((N, N)) < 0.15, RNG.random((N, N)), 0)
V, Y, U = RNG.random(N), RNG.random((N, 3)), RNG.random((N, 3))
PRODUCTS: dict[str, Callable[..., Any]] = {
    "a centred matrix": lambda a, v, y, u: (a - v) @ y,
    "a Gram matrix": lambda a, v, y, u: (a - v).T @ (a - v),
    "a scaled one": lambda a, v, y, u: ((a - v) / (v + 1)).T @ y,
    "a number": lambda a, v, y, u: (a + 1) @ v,
    "low rank": lambda a, v, y, u: (a + u @ y.T) @ v,
    "negated": lambda a, v, y, u: (-(a + v)) @ y,
    "within an expression": lambda a, v, y, u: 0.5 * ((a - v) @ v) + 1,
    "sums": lambda a, v, y, u: ((a - v[:, None]) * 2).sum(axis=0),
    "from the left": lambda a, v, y, u: v @ (a - v),
    "on both sides": lambda a, v, y, u: y.T @ (a - v) @ y,
    "a factor beside": lambda a, v, y, u: (v[:, None] * ((a - 1) / 3)) @ y,
    "a polynomial": lambda a, v, y, u: (a + a @ a) @ v,
    "a diagonal": lambda a, v, y, u: (a @ a.T + 0.5 * sa.eye(N)) @ v,
    "a covariance": lambda a, v, y, u: np.cov(a),
    "centred by its mean": lambda a, v, y, u: (a - a.mean(axis=0)) @ y,
    "a square": lambda a, v, y, u: ((a - u @ y.T) ** 2).sum(),
    "squares of columns": lambda a, v, y, u: ((a - v) ** 2).sum(axis=0),
    "squares of rows": lambda a, v, y, u: 2 * ((v[:, None] - a) ** 2).sum(axis=1),
    "a norm": lambda a, v, y, u: np.linalg.norm(a - v),
    "a quotient of low rank": lambda a, v, y, u: (a - np.outer(v, v) / v.sum()) @ v,
    "all of it": lambda a, v, y, u: (a + v).sum(),
    "repeated along a sum": lambda a, v, y, u: (a - v).T @ v,
    "normal equations": lambda a, v, y, u: (a.T @ a + 0.5 * sa.eye(N)) @ v,
    "a slice": lambda a, v, y, u: (a[:, 2:9] - v[2:9]) @ y[2:9],
    "a covariance of a slice": lambda a, v, y, u: np.cov(a[1:, 3:9], rowvar=False),
    "a slice of a transpose": lambda a, v, y, u: (a.T[1:9] - v) @ y,
    "slices of rows": lambda a, v, y, u: (a[2:8] - a[2:8].mean(axis=0)).T @ y[2:8],
    "three factors": lambda a, v, y, u: (a - v) @ (a - 1) @ (a - 2 * v) @ y,
    "a step of a power iteration": lambda a, v, y, u: (a - v).T @ ((a - v) @ v),
    "a scaled step": lambda a, v, y, u: ((a - v) / (v + 1)).T @ (((a - v) / (v + 1)) @ y),
    "two steps": lambda a, v, y, u: (a - v).T @ ((a - v) @ ((a - v).T @ ((a - v) @ y))),
    "a factor beside a step": lambda a, v, y, u: v * ((a - v).T @ ((a - u[:, :1]) @ v)),
    "a function": lambda a, v, y, u: np.exp(a) @ v,
    "a scaled function": lambda a, v, y, u: (v[:, None] * np.cos(2 * a)) @ y,
    "a function from the left": lambda a, v, y, u: v @ np.exp(a),
    "sums of a function": lambda a, v, y, u: np.exp(a).sum(axis=0),
    "a function, centred": lambda a, v, y, u: (np.exp(a) - v) @ y,
}


def computed(name: str, format: str, **given: Any) -> sa.Array:
    """A product of arrays in a format."""
    a = sa.asarray(given.get("a", A), format=format)
    others = (sa.asarray(given.get(key, value)) for key, value in (("v", V), ("y", Y), ("u", U)))
    return PRODUCTS[name](a, *others).compute()  # type: ignore[no-any-return]


@pytest.fixture(autouse=True)
def interpreted() -> Any:
    with sa.options(tier="interpreted"):
        yield


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether sums were split, which they are however small."""
    told: list[bool] = []
    plain = split_sums.split

    def split(*given: Any) -> Any:
        found = plain(*given)
        told.append(found is not None)
        return found

    monkeypatch.setattr(split_sums, "GAIN", 0.0)
    monkeypatch.setattr(split_sums, "split", split)
    return told


@pytest.mark.sampled(2)
@pytest.mark.parametrize("format", ["csr", "dcsr", "coo"])
@pytest.mark.parametrize("name", PRODUCTS)
def test_values_and_formats(
    name: str, format: str, always: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    replay_table._recorded.clear()
    got = [computed(name, format), computed(name, format)]  # planned, and then replayed
    split = any(always)
    for one in got:
        np.testing.assert_allclose(one.todense(), np.asarray(PRODUCTS[name](A, V, Y, U)))
    monkeypatch.setattr(split_sums, "split", lambda *given: None)
    assert replay_table._recorded
    replay_table._recorded.clear()
    whole = computed(name, format)
    for one in got:
        assert one.format == whole.format
        assert repr(one.fill_value) == repr(whole.fill_value)
    assert split or format != "csr"


@pytest.mark.parametrize("name", ["a centred matrix", "low rank", "a Gram matrix"])
def test_infinities_of_terms_do_not_meet(name: str, always: list[bool]) -> None:
    large, other = Y.copy(), V.copy()
    large[0, 0] = other[1] = np.inf
    for _ in range(2):
        got = computed(name, "csr", y=large, v=other)
        assert any(always)
        always.clear()
        with pytest.MonkeyPatch.context() as patch, np.errstate(all="ignore"):
            patch.setattr(split_sums, "split", lambda *given: None)
            unsplit = sa.asarray(A, format="csr")
            want = PRODUCTS[name](unsplit, *map(sa.asarray, (other, large, U)))
            np.testing.assert_array_equal(np.asarray(want + 0), got.todense())


def test_sums_within_are_computed_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps of a walk that may stay: each is one of two terms, where all steps are eight."""
    data, x = np.where(RNG.random((60, 60)) < 0.05, 0.5, 0.0), np.ones(60)
    steps = sa.asarray(data, format="csr")
    monkeypatch.setattr(split_sums, "SKETCHED", 0.0)
    monkeypatch.setattr(split_sums, "GAIN", 0.0)

    def walk(x: Any) -> Any:
        return (0.5 * sa.eye(60) + 0.5 * steps) @ x

    found = walk(walk(walk(x)))
    programs = [one.program for one in sa.explain(found).candidates]
    assert any(program.count(", then ") == 2 for program in programs), programs
    once = 0.5 * np.eye(60) + 0.5 * data
    np.testing.assert_allclose(found.todense(), once @ (once @ (once @ x)))


def test_what_may_cancel_is_left_as_it_is(always: list[bool]) -> None:
    full = np.arange(1.0, N * N + 1).reshape(N, N)
    product = (sa.asarray(full, format="csr") - V) @ sa.asarray(Y)
    np.testing.assert_allclose(product.todense(), (full - V) @ Y)
    assert not any(always)


def test_a_full_column_is_left_as_it_is(always: list[bool]) -> None:
    """Its mean and it would cancel; arrays of like counts are split, before and after."""
    full = np.where(RNG.random((N, N)) < 0.05, 1.0, 0.0)
    full[:, 3] = 1e8 + np.arange(N)
    thin = np.zeros(N * N)
    thin[:: N * N // np.count_nonzero(full)][: np.count_nonzero(full)] = 1.0
    for data, split in ((thin.reshape(N, N), True), (full, False), (thin.reshape(N, N), None)):
        always.clear()
        array = sa.asarray(data, format="csr")
        mean = data.mean(axis=0)
        found = ((array - mean).T @ (array - mean)).todense()
        np.testing.assert_allclose(found, (data - mean).T @ (data - mean), atol=1e-6)
        assert split is None or any(always) == split


@pytest.mark.parametrize("full", ["row", "column"])
def test_what_is_full_counts_where_other_terms_are_the_same(full: str, always: list[bool]) -> None:
    """A full row cancels one of all the rows that a vector is taken off, a full column none."""
    data = A.copy()
    data[(4,) if full == "row" else (slice(None), 4)] = 2.0
    array, v, y = sa.asarray(data, format="csr"), sa.asarray(V), sa.asarray(Y)
    pairs = {
        "row": ((array - v) @ y, (data - V) @ Y),
        "column": ((array + v[:, None]) @ y, (data + V[:, None]) @ Y),
        "": ((array - v - v[:, None]) @ y, (data - V - V[:, None]) @ Y),
    }
    for kept, (found, wanted) in pairs.items():
        always.clear()
        np.testing.assert_allclose(found.todense(), wanted)
        assert any(always) == (kept == full)


@pytest.mark.parametrize(
    "square",
    [
        pytest.param(lambda a, u: ((a - u @ u.T) ** 2).sum(axis=0), id="columns"),
        pytest.param(lambda a, u: ((a - u @ u.T) * (a - u @ u.T)).sum(), id="all"),
        pytest.param(lambda a, u: np.linalg.norm(a - u @ u.T), id="norm"),
    ],
)
def test_squares_of_what_cancels_are_taken_as_they_are(square: Any, always: list[bool]) -> None:
    u, near, other = np.zeros((N, 2)), np.zeros((N, N)), np.zeros((N, N))
    u[:3] = 1e3
    near[:3, :3] = 2e6 + RNG.random((3, 3))
    other[3:6, 3:6], other[0, 0] = 1.0, np.inf
    for data in (near, A, other):
        for _ in range(2):
            with np.errstate(all="ignore"):
                found = square(sa.asarray(data, format="csr"), sa.asarray(u))
                np.testing.assert_allclose(np.asarray(found), square(data, u), rtol=1e-11)
    assert any(always)


def test_variances_are_as_exact_as_numpys(always: list[bool]) -> None:
    """Where means are a million times the deviations."""
    near = np.where(RNG.random((N, N)) < 0.9, 1e6 + RNG.random((N, N)), 0)
    near[:, :4] = 1e6 + RNG.random((N, 4))
    for format in ("csr", "csc", "dcsr"):
        array = sa.asarray(near, format=format)
        found = ((array - array.mean(axis=0)) ** 2).sum(axis=0)
        want = ((near - near.mean(axis=0)) ** 2).sum(axis=0)
        np.testing.assert_allclose(found.todense(), want, rtol=1e-11)


def test_weighted_squares_are_left_as_they_are(always: list[bool]) -> None:
    a = sa.asarray(A, format="csr")
    np.testing.assert_allclose(
        (sa.asarray(V) * (a - sa.asarray(V)) ** 2).sum(), (V * (A - V) ** 2).sum()
    )
    assert not any(always)


def test_nothing_is_split_strictly(always: list[bool]) -> None:
    with sa.options(strict_ieee=True):
        np.testing.assert_allclose(computed("a number", "csr").todense(), (A + 1) @ V)
    assert not any(always)


@pytest.mark.parametrize("make", [sa.ones, lambda shape: sa.tri(shape[0])], ids=["ones", "tri"])
def test_what_stands_at_many_places_is_not_listed(make: Any, always: list[bool]) -> None:
    array = make((10**6, 10**6))
    assert split_sums.split(((array - 1.0) @ sa.asarray(np.ones((10**6, 1))))._node, bool) is None


@pytest.mark.parametrize("share", [0.1, 0.3])
def test_loops_between_entries_have_a_price(share: float) -> None:
    """A dense loop that begins anew at each entry takes more than two products."""
    a = sa.asarray(np.where(RNG.random((400, 400)) < share, 1.5, 0), format="csr")
    v = sa.asarray(RNG.random(400))
    found = split_sums.split(((a - v) @ v)._node, lambda node: False)
    assert found is not None and found.cost * split_sums.GAIN < found.whole


@pytest.mark.parametrize("dtype", ["int64", "int8", "uint16"])
def test_integers_are_split_to_the_bit(dtype: str, always: list[bool]) -> None:
    a, v, y, u = ((one * 90).astype(dtype) for one in (A, V, Y, U))
    for name in ("a centred matrix", "a Gram matrix", "negated", "a slice"):
        always.clear()
        got = PRODUCTS[name](sa.asarray(a, format="csr"), v, y, u).compute()
        assert any(always), name
        want = PRODUCTS[name](a, v, y, u)
        np.testing.assert_array_equal(got.todense(), want)
        assert got.dtype == want.dtype


BESIDE_SUMS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "a number": lambda a, m, v: (a - (v * v).sum()) @ m,
    "a number of a number": lambda a, m, v: ((v.sum() * v).sum() * 2 + a) @ m,
    "a number before": lambda a, m, v: m.T @ ((v * v).sum() + a).T,
    "its factor": lambda a, m, v: (a * (v * v).sum() + a[0]) @ m,
    "a vector": lambda a, m, v: (a - (m * v).sum(axis=0)) @ m,
}


@pytest.mark.parametrize("format", ["csr", "csc", "coo"])
@pytest.mark.parametrize("name", BESIDE_SUMS)
@pytest.mark.parametrize("dtype", ["int64", "float64"])
def test_terms_may_be_sums_that_are_not_computed(name: str, format: str, dtype: str) -> None:
    """They are summed over axes of their own, which no vector beside a stored term has."""
    rng = np.random.default_rng(3)
    x, m = (
        np.where(rng.random(shape) < 0.5, rng.integers(-3, 4, shape), 0).astype(dtype)
        for shape in ((8, 7), (7, 7))
    )
    v = rng.integers(-3, 4, 7).astype(dtype)
    with sa.options(tier="interpreted"):
        found = BESIDE_SUMS[name](sa.asarray(x, format=format), sa.asarray(m, format="csr"), v)
        assert np.array_equal(found, BESIDE_SUMS[name](x, m, v))
        lazy = BESIDE_SUMS[name](
            sa.asarray(x, format=format), sa.asarray(m, format="csr"), sa.asarray(v)
        )
        assert np.array_equal(lazy, BESIDE_SUMS[name](x, m, v))


def test_squares_need_no_thin_terms(always: list[bool]) -> None:
    """They are taken as they are where they cancel, however much is stored."""
    a, v = sa.asarray(A, format="csr"), sa.asarray(V)
    square = split_sums.split(((a - v) ** 2).sum(axis=0)._node, bool)
    product = split_sums.split(((a - v) @ v)._node, bool)
    assert square is not None and product is not None
    assert [len(square.sparse), len(product.sparse)] == [0, 1]
