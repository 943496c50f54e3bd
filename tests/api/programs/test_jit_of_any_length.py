"""Traces that serve arrays of any lengths: what tells a length of a call is never another's."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from result_pairs import pairs

import structarr as sa
from structarr._api.jit import jit as jit_module

SHAPES = [(11, 9), (12, 9), (13, 9), (13, 10), (13, 13), (12, 12), (9, 12), (15, 8), (8, 15)]
SHAPES += [(1, 9), (1, 12), (9, 1), (0, 9), (2, 3), (3, 2), (14, 9), (11, 9), (10, 10), (100, 9)]


def operands(shape: tuple[int, int], seed: int = 0) -> tuple[Any, np.ndarray, np.ndarray]:
    """A matrix with counts of one magnitude for most shapes, and vectors of its lengths."""
    random = np.random.default_rng(seed)
    dense = np.zeros(shape)
    size = dense.size
    dense.reshape(-1)[random.permutation(size)[: min(size, 17)]] = random.integers(
        1, 5, min(size, 17)
    )
    return dense, *[random.integers(1, 9, n).astype(float) for n in shape[::-1]]


average = np.mean
sqrt = np.mean  # by the name of what makes no number of a length
TABLE = {"centre": lambda x: x - x.mean()}
READ = operator.attrgetter("mean")
NAME = "mean"


def middle(x: Any) -> Any:
    return x.sum() / x.shape[0]


def imported(x: Any) -> Any:
    import numpy.linalg as local

    return local.norm(x) / x.shape[0]


def told(x: Any, y: Any) -> Any:
    try:
        return (x @ y) * 0.0
    except ValueError as error:
        return x * ("12" in str(error))


OPENED: dict[str, Callable[..., Any]] = {
    "product": lambda a, x, y: a @ x + y,
    "from the left": lambda a, x, y: (y @ a) * x,
    "rate": lambda a, x, y: 0.85 * (a @ x) + 0.15 / y.shape[0],
    "mean by hand": lambda a, x, y: y.sum() / y.shape[0] - x.sum() / (x.shape[0] + 1),
    "of a result": lambda a, x, y: (a @ x).sum() / (a @ x).shape[0],
    "of a view": lambda a, x, y: a.T.sum(axis=0) / a.T.shape[0],
    "size": lambda a, x, y: a.sum() / max(a.size, 1),
    "by a builtin function": lambda a, x, y: y * max(y.shape[0], 3),
    "in another function": lambda a, x, y: a @ x - middle(y),
    "norm": lambda a, x, y: np.sqrt((a * a).sum()) * y,
    "outer": lambda a, x, y: a * x + y[:, None] * x,
    "several": lambda a, x, y: (a @ x, y.sum(), a * 2.0, y.shape, y.shape[0] + 1),
    "itself": lambda a, x, y: (x, a.T, y),
    "nothing of arrays": lambda a, x, y: (x.shape[0] * 2, a.ndim),
    "branch": lambda a, x, y: a @ x if y.shape[0] > 10 else 2.0 * (a @ x),
    "centred": lambda a, x, y: (a - x).T @ (a - x),
    "squares": lambda a, x, y: a.T @ a,
    "largest": lambda a, x, y: np.maximum(a, 0.5) @ x,
    "scaled": lambda a, x, y: a * 2.5,
    "einsum": lambda a, x, y: np.einsum("ij,j->i", a, x) + y,
    "used again": lambda a, x, y: (a @ x) * (a @ x) + (a @ x).sum(),
}
KEPT: dict[str, Callable[..., Any]] = {
    "len": lambda a, x, y: y / max(len(y), 1),
    "mean": lambda a, x, y: y - x.mean(),
    "variance": lambda a, x, y: x.var() * y,
    "of another name": lambda a, x, y: y * average(x),
    "of a free name": lambda a, x, y: y * sqrt(x),
    "in a table": lambda a, x, y: TABLE["centre"](x),
    "partial": lambda a, x, y: functools.partial(np.mean, axis=0)(x) * y,
    "by getattr": lambda a, x, y: getattr(x, "me" + "an")() * y,
    "by operator": lambda a, x, y: y * READ(x)(),
    "by a method's name": lambda a, x, y: y * operator.methodcaller(NAME)(x),
    "by a name": lambda a, x, y: y * getattr(x, NAME)(),
    "root": lambda a, x, y: x * np.sqrt(y.shape[0]),
    "times a number of NumPy's": lambda a, x, y: np.float64(2.0) * y.shape[0],
    "imported": lambda a, x, y: imported(x) * y,
    "of a module": lambda a, x, y: y / np.linalg.norm(x),
    "loop": lambda a, x, y: sum([x * k for k in range(y.shape[0] % 4)], x),
    "ones": lambda a, x, y: np.ones(x.shape[0]) * x,
    "like": lambda a, x, y: np.ones_like(x) * x + 1,
    "identity": lambda a, x, y: a @ np.eye(x.shape[0]),
    "slice": lambda a, x, y: a[:-1] @ x,
    "half": lambda a, x, y: y[: y.shape[0] // 2] * 2.0,
    "last": lambda a, x, y: y * (x[-1] if x.shape[0] else 1),
    "joined": lambda a, x, y: np.concatenate([x, y]) * 2.0,
    "flat": lambda a, x, y: (a + a).reshape(-1) * 2.0,
    "running": lambda a, x, y: np.cumsum(y) + y,
    "text": lambda a, x, y: (y * 2, len(repr(x.shape))),
    "error": lambda a, x, y: told(x, y),
    "array": lambda a, x, y: x * np.asarray(y.shape)[0],
    "number": lambda a, x, y: x * float(y.shape[0]),
}


def call(traced: Any, n: int) -> Any:
    a, x, y = operands((n, 9))
    return traced(sa.asarray(a, format="csr"), sa.asarray(x), y)


def opened(traced: Any) -> list[Any]:
    """The keys of traces that serve any lengths."""
    return [one for one in traced._quick[1] if one and type(one[0]) is tuple]


def same(found: Any, wanted: Any) -> None:
    for one, other in pairs(found, wanted):
        assert np.shape(one) == np.shape(other)
        dense = one.todense() if isinstance(one, sa.Array) else one
        np.testing.assert_allclose(dense, other, atol=1e-9)
        assert np.asarray(dense).dtype == np.asarray(other).dtype


@pytest.mark.parametrize("name", [*OPENED, *[f"kept {one}" for one in KEPT]])
def test_results_are_the_functions_at_each_length(name: str) -> None:
    function = KEPT[name[5:]] if name.startswith("kept ") else OPENED[name]
    traced = sa.jit(function)
    with sa.options(tier="interpreted"), np.errstate(all="ignore"):
        for seed, shape in enumerate([*SHAPES, *SHAPES[::-1]]):
            a, x, y = operands(shape, seed)
            given = sa.asarray(a, format="csr"), sa.asarray(x) if seed % 3 else x, y
            try:
                arrays = map(sa.asarray, (a, x, y)) if name == "kept error" else (a, x, y)
                wanted = function(*arrays)
            except (ValueError, ZeroDivisionError):  # where there is nothing to reduce
                continue
            same(traced(*given), wanted)


@pytest.mark.parametrize("name", OPENED)
def test_lengths_that_are_new_are_not_traced_for(name: str) -> None:
    traced = sa.jit(OPENED[name])
    with sa.options(tier="interpreted"):
        for n in (11, 12):
            call(traced, n)
        assert len(opened(traced)) == 1
        traced._called = None  # type: ignore[method-assign,assignment]
        for n in (13, 14, 15, 13):
            call(traced, n)


@pytest.mark.parametrize("name", KEPT)
def test_what_makes_numbers_of_lengths_is_traced_for_each(name: str) -> None:
    traced = sa.jit(KEPT[name])
    with sa.options(tier="interpreted"):
        for n in (11, 12, 13):
            call(traced, n)
    assert not opened(traced)


def test_what_else_changes_is_noticed_one_after_the_other() -> None:
    """Dtypes, orders, alignment, ownership, fills, magnitudes and lengths, each beside the last."""
    function = lambda a, x: (a @ x) * 2.0 + 1.0 / x.shape[0]  # noqa: E731
    traced = sa.jit(function)
    random = np.random.default_rng(0)
    with sa.options(tier="interpreted"):
        for n in (9, 10, 11, 12, 13):
            dense = np.where(random.random((n, n + 1)) < 0.3, 2.0, 0.0)
            dense[:, 0] = 1
            few = np.zeros_like(dense)
            few[0, :2] = 3
            x = random.random(n + 1)
            odd = np.frombuffer(b"0" + x.tobytes(), np.uint8)[1:].view(np.float64)
            lent = np.repeat(x, 2)
            vectors = [x, x.astype(np.float32), lent[::2], odd, sa.asarray(x), sa.asarray(x) + 0]
            vectors += [np.arange(n + 1), x.astype(complex), np.ones(n + 1, bool)]
            matrices = [sa.asarray(dense, format=one) for one in ("csr", "csc", "dense", "coo")]
            matrices += [
                sa.asarray(one, format="csr") for one in (few, dense + 0 * few, dense * 1j)
            ]
            matrices += [sa.asarray(dense, format="csr", fill_value=2.0), np.asfortranarray(dense)]
            matrices += [sa.asarray(np.ascontiguousarray(dense.T), format="csr").T]
            for a in matrices:
                for one in vectors:
                    wanted = function(np.asarray(sa.asarray(a).todense()), np.asarray(one))
                    same(traced(a, one), wanted)
    assert len(opened(traced)) > 5


def test_results_are_nobody_elses_at_any_length() -> None:
    traced = sa.jit(lambda x, y: (x, x * y, y.T))
    with sa.options(tier="interpreted"):
        for n in (9, 10, 11, 12):
            x, y = np.arange(float(n)), np.ones((n, n))
            found = traced(x, y)
            x[:], y[:] = 5, 5
            same(
                found, (np.arange(float(n)), np.arange(float(n)) * np.ones((n, n)), np.ones((n, n)))
            )
    assert opened(traced)


def test_one_array_twice_is_not_two_at_another_length() -> None:
    traced = sa.jit(lambda a, b: a * b + a)
    with sa.options(tier="interpreted"):
        for n in (9, 10, 11, 12):
            a, b = (sa.asarray(np.eye(n) * k, format="csr") for k in (2, 3))
            same(traced(a, b), np.eye(n) * 8)
            same(traced(a, a), np.eye(n) * 6)
            same(
                traced(a, sa.asarray(np.eye(n)[::-1], format="csr")),
                a.todense() * np.eye(n)[::-1] + a.todense(),
            )
            same(traced(a, a * 2.0), np.eye(n) * 10)


def test_what_is_read_around_is_asked_at_any_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "RATE", 2.0)
    traced = sa.jit(lambda x: x * RATE / x.shape[0])  # noqa: F821
    with sa.options(tier="interpreted"):
        for n in (9, 10, 11, 12):
            for rate in (2.0, 3.0):
                monkeypatch.setitem(globals(), "RATE", rate)
                same(traced(np.ones(n)), np.ones(n) * rate / n)


def test_numbers_decide_at_any_length() -> None:
    traced = sa.jit(lambda x, rate: x * rate if rate > 0 else x - rate)
    with sa.options(tier="interpreted"):
        for n in (9, 10, 11, 12, 13):
            for rate in (1.5, -1.0, 0.0, 2.5):
                same(traced(np.ones(n), rate), np.ones(n) * rate if rate > 0 else np.ones(n) - rate)


def test_counts_that_were_read_are_those_of_the_call() -> None:
    traced = sa.jit(lambda a: a.sum() / a.nnz)
    with sa.options(tier="interpreted"):
        for n in (9, 10, 11, 12):
            for stored in (5, 6, 5, 7):
                a = np.zeros((n, 9))
                a.reshape(-1)[: 3 * stored : 3] = 2.0
                same(traced(sa.asarray(a, format="csr")), 2.0)


def test_a_length_that_is_used_often_is_traced() -> None:
    traced = sa.jit(lambda x: x * 2.0)
    with sa.options(tier="interpreted"):
        for n in (9, 10, 11):
            for _ in range(jit_module.OFTEN + 2):
                same(traced(np.ones(n)), np.full(n, 2.0))
    alone = len(traced._quick[1]) - len(opened(traced))
    assert alone == 3 and len(opened(traced)) == 1


def test_what_does_not_fit_is_refused_as_ever() -> None:
    traced = sa.jit(lambda x: x[:, None] * x + 1.0)
    with sa.options(densify_limit=2**18):
        for n in (128, 129, 130):
            same(traced(np.ones(n)), np.full((n, n), 2.0))
        with pytest.raises(sa.errors.DensificationError, match=r"shape \(250, 250\)"):
            traced(np.ones(250))


def test_traces_of_any_length_are_found_under_other_options(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[object] = []
    trace = jit_module.opened
    monkeypatch.setattr(jit_module, "opened", lambda *given: made.append(given) or trace(*given))
    traced = sa.jit(lambda x: x * 2.0 / x.shape[0])
    for n in (9, 10, 11, 12, 13):
        with sa.options(tier="interpreted", densify_limit=2**20):
            same(traced(np.ones(n)), np.full(n, 2.0 / n))
    assert len(made) == 1
