"""Expressions like one that was computed before go to its kernels, with their own values."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from threading import Thread
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import structarr as sa
from structarr._compiler.backend import kernel
from structarr._execute import choices, expression_key, replay_table
from structarr._execute.planner import Planner
from structarr._lazy import graph, structure
from structarr._support import caches

FORMATS = ("dense", "csr", "csc", "dcsr", "coo", "bitmap", "band", "rle", "vbl")
EXPRESSIONS: dict[str, Callable[..., Any]] = {
    "product": lambda a, b, x, s: a * b,
    "scaled": lambda a, b, x, s: a * s + b,
    "square": lambda a, b, x, s: a * a,
    "of both": lambda a, b, x, s: (a * b) * a,
    "sums": lambda a, b, x, s: (a * b).sum(axis=1),
    "matrix product": lambda a, b, x, s: a @ b,
    "transposed": lambda a, b, x, s: a.T * b.T,
    "transposed product": lambda a, b, x, s: (a.T @ b).T,
    "of vector": lambda a, b, x, s: a @ x * s,
    "chain": lambda a, b, x, s: a @ b @ x,
    "masked": lambda a, b, x, s: (a @ b) * a,
    "masked by a function": lambda a, b, x, s: np.tanh(x[:, None] @ x[None, :]) * a,
    "of a fill": lambda a, b, x, s: (x[:, None] @ x[None, :]) * (a + s - 2.0),
    "of a fill that is not a number": lambda a, b, x, s: (
        np.tanh(x[:, None] @ x[None, :]) * (a * (np.inf if s == 3 else 1.0))
    ),
    "of equal scalars": lambda a, b, x, s: (a * s) @ x + (a * 2.0) @ x,
    "sum of sums": lambda a, b, x, s: (a @ b).sum(axis=0) + (a @ b).sum(axis=1),
    "shared": lambda a, b, x, s: (a @ x).sum() * a + (a @ x),
    "slice": lambda a, b, x, s: a[1:5] * s,
    "joined": lambda a, b, x, s: np.concatenate([a, b]) * s,
    "joined by columns": lambda a, b, x, s: np.concatenate([a, b, a], axis=1) @ np.tile(x, 3),
    "padded": lambda a, b, x, s: np.pad(a * s, ((1, 2), (0, 3))),
    "padded with a number": lambda a, b, x, s: np.pad(a, 1, constant_values=s - 2.0) * b.sum(),
    "padded with the fill or not": lambda a, b, x, s: np.pad(a + 1.0, 1, constant_values=s - 2.0),
    "convolved": lambda a, b, x, s: np.convolve(a[1] * s, x, "same"),
    "rolled": lambda a, b, x, s: np.roll(a, 2, axis=0) + b * s,
    "where": lambda a, b, x, s: np.where(a > s, b, s),
}


def _values(seed: int) -> tuple[Any, ...]:
    """Arrays whose patterns are the same whatever the seed: only the values differ."""
    places = np.random.default_rng(0).random((2, 6, 6)) < 0.4
    random = np.random.default_rng(seed)
    a, b = np.where(places, random.integers(1, 9, (2, 6, 6)), 0).astype(float)
    return a, b, random.integers(-4, 5, 6).astype(float), float(seed)


def _computed(name: str, format: str, seed: int) -> Any:
    a, b, x, s = _values(seed)
    stored = [sa.asarray(one, format=format) for one in (a, b)]
    return EXPRESSIONS[name](*stored, sa.asarray(x), s).compute()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", EXPRESSIONS)
def test_values_are_those_of_each_call(name: str, format: str) -> None:
    for seed in (2, 2, 3, 4, 2):
        got = _computed(name, format, seed)
        with np.errstate(invalid="ignore"):
            wanted = EXPRESSIONS[name](*_values(seed))
        np.testing.assert_allclose(got.todense(), wanted, atol=1e-12)


FOUND_ONCE = ("product", "scaled", "matrix product", "of vector", "chain", "masked", "transposed")
FOUND_ONCE += ("joined", "joined by columns", "padded", "rolled", "convolved")


@pytest.mark.parametrize("name", FOUND_ONCE)
def test_what_was_found_out_is_not_found_out_again(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    replay_table._recorded.clear()  # without what other tests found out
    _computed(name, "csr", 2)
    monkeypatch.setattr(Planner, "value", None)  # operands are stored in formats
    _computed(name, "csr", 3)


SLICES: dict[str, Callable[[Any, Any, int, int], Any]] = {
    "rows": lambda a, b, i, j: a[i : i + 3],
    "window": lambda a, b, i, j: a[i : i + 2, j : j + 4],
    "element": lambda a, b, i, j: a[i, j],
    "row times row": lambda a, b, i, j: a[i] * b[j],
    "backwards": lambda a, b, i, j: a[i + 2 : i : -1] + b[j : j + 2],
    "product": lambda a, b, i, j: (a[i : i + 3] @ b[:, j : j + 2]).sum(axis=0),
    "chain": lambda a, b, i, j: a[i : i + 3] @ b[:, j : j + 2] @ a[j : j + 2],
    "of a product": lambda a, b, i, j: (a @ b)[i : i + 3] * a[j : j + 3],
    "twice": lambda a, b, i, j: (a[i : i + 2] @ b).sum() * (a[j : j + 2] @ b),
    "joined": lambda a, b, i, j: np.concatenate([a[i : i + 2], b[j : j + 2], a[i:j]]),
    "of joined": lambda a, b, i, j: np.concatenate([a, b])[i : i + 7] * 2.0,
    "of padded": lambda a, b, i, j: np.pad(a, 1)[i : i + 3, j : j + 4],
    "beside joined": lambda a, b, i, j: np.concatenate([a[:2], b[1:3]]) + a[i : i + 4],
    "padded": lambda a, b, i, j: np.pad(a, ((i, 3 - i), (j, 0))),
    "padded slice": lambda a, b, i, j: np.pad(a[i : i + 3], 1) + b[j : j + 1, :1],
    "rolled": lambda a, b, i, j: np.roll(a, i, axis=0) * b[j],
    "convolved": lambda a, b, i, j: np.convolve(a[i], b[j, i : i + 3], "valid"),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", SLICES)
def test_slices_are_those_at_their_places(name: str, format: str) -> None:
    a, b, *_ = _values(2)
    stored = [sa.asarray(one, format=format) for one in (a, b)]
    for i, j in ((0, 1), (1, 0), (1, 1), (2, 1), (0, 2), (0, 0)):
        got = np.asarray(SLICES[name](*stored, i, j))
        np.testing.assert_allclose(got, SLICES[name](a, b, i, j), atol=1e-12)


@pytest.mark.parametrize("name", ["rows", "window", "element", "product"])
def test_slices_at_other_places_are_not_found_out_again(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    replay_table._recorded.clear()  # without what other tests found out
    a, b, *_ = _values(2)
    stored = [sa.asarray(one, format="csr") for one in (a, b)]
    for i, j in ((0, 1), (2, 2)):
        SLICES[name](*stored, i, j).compute()
    monkeypatch.setattr(Planner, "value", None)
    for i, j in ((1, 0), (2, 1), (0, 0), (1, 1)):
        got = SLICES[name](*stored, i, j).todense()
        np.testing.assert_allclose(got, SLICES[name](a, b, i, j), atol=1e-12)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("target", [*FORMATS, "dia", "bsr", "triu", "interval", "auto"])
@pytest.mark.parametrize("source", FORMATS)
def test_conversions_are_those_of_each_array(source: str, target: str) -> None:
    """Of arrays of one structure, some of whose stored values equal the fill."""
    upper = np.eye(6, k=1) * 3.0 + np.eye(6)
    zeros = scipy.sparse.csr_array(upper)
    zeros.data[::3] = 0.0
    for dense in (upper, np.roll(upper, 1, axis=0), upper * 2.0, np.roll(upper, 3, axis=1), upper):
        array = sa.asarray(dense, format=source)
        try:
            got = array.asformat(target)
        except sa.errors.FormatError:
            with pytest.raises(sa.errors.FormatError):  # of an array by itself, as well
                sa.asarray(dense, format=target)
            continue
        np.testing.assert_array_equal(got.todense(), dense)
        again = (sa.asarray(zeros) * dense).asformat(source).asformat(target)
        np.testing.assert_array_equal(again.todense(), zeros.toarray() * dense)


def test_conversions_are_not_planned_again(monkeypatch: pytest.MonkeyPatch) -> None:
    replay_table._recorded.clear()  # without what other tests found out
    a, b, *_ = _values(2)
    for dense in (a, a * 2.0):
        got = [
            one.asformat(name)
            for name in ("csc", "coo", "bitmap", "dense")
            for one in (sa.asarray(dense, format="csr"), sa.asarray(dense, format="csr") * b)
        ]
        for one, wanted in zip(got, [dense, dense * b] * 4, strict=True):
            np.testing.assert_array_equal(one.todense(), wanted)
        monkeypatch.setattr(Planner, "plan", None)


OF_NUMBERS: dict[str, Callable[[Any, Any, float], Any]] = {
    "norm": lambda a, x, s: abs(a).sum(axis=0, keepdims=True).max(axis=1, initial=0.0),
    "quotient": lambda a, x, s: a * s / a.sum(),
    "scaled by a sum": lambda a, x, s: a * (x * s).sum(),
    "deviation": lambda a, x, s: a.std(axis=1) * s,
    "of a fill": lambda a, x, s: ((a + (x * s).sum()).max(axis=1)[:, None] * a).sum(axis=0),
    "of a fill of two": lambda a, x, s: (a + (x.sum() * s - 2.0)).max(axis=1) * a[0],
}


@pytest.mark.parametrize("format", ["csr", "coo"])
@pytest.mark.parametrize("name", OF_NUMBERS)
def test_numbers_that_are_computed_on_the_way(name: str, format: str) -> None:
    """Whatever the compiler would know of them: 0, 1, 2 and NaN are among them."""
    a, *_ = _values(2)
    stored, x = sa.asarray(a, format=format), np.full(6, 1 / 6)
    for s in (0.5, 0.75, 0.0, 0.5, 1.0, 2.0, np.nan, 0.5, 3.0):
        got = OF_NUMBERS[name](stored, sa.asarray(x), s)
        wanted = OF_NUMBERS[name](a, x, s)
        if np.isfinite(s):  # a NaN meets structural zeros
            np.testing.assert_allclose(np.asarray(got), wanted, atol=1e-12)
        else:
            got.compute()


@pytest.mark.parametrize("name", ["norm", "quotient", "deviation"])
def test_numbers_on_the_way_are_not_planned_for_again(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    replay_table._recorded.clear()  # without what other tests found out
    a, _, x, _ = _values(2)
    OF_NUMBERS[name](sa.asarray(a, format="csr"), x, 0.75).compute()
    monkeypatch.setattr(Planner, "value", None)
    places = np.asarray(a != 0)
    other = np.where(places, a + 0.5, 0.0)
    got = OF_NUMBERS[name](sa.asarray(other, format="csr"), x, 0.75).todense()
    np.testing.assert_allclose(got, OF_NUMBERS[name](other, x, 0.75))


def test_one_operand_twice_is_not_two_operands() -> None:
    a, b, *_ = _values(2)
    p, q = sa.asarray(a, format="csr"), sa.asarray(b, format="csr")
    for left, right, wanted in ((p, p, a * a), (p, q, a * b), (q, q, b * b)):
        np.testing.assert_array_equal((left * right).todense(), wanted)
        np.testing.assert_array_equal((left + right * left).todense(), _sum(left, right))


def _sum(left: Any, right: Any) -> Any:
    return left.todense() + right.todense() * left.todense()


def test_options_keep_keys_apart() -> None:
    a = sa.asarray([[0.0, 1.0], [2.0, 0.0]], format="csr")
    infinities = sa.asarray(np.full((2, 2), np.inf))
    for _ in range(2):
        assert np.isfinite((a * infinities).todense()).sum() == 2
        with sa.options(strict_ieee=True):
            assert np.isnan((a * infinities).todense()).sum() == 2


def test_recorded_calls_hold_no_operands() -> None:
    a, b, *_ = _values(2)
    p, q = sa.asarray(a, format="csr"), sa.asarray(b, format="csc")
    (p @ q).compute()
    watched = [weakref.ref(one._tensor) for one in (p, q)]
    del p, q
    gc.collect()
    assert [one() for one in watched] == [None, None]


def test_what_is_made_for_structures_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caches, "MOST", 5)
    tables: dict[str, dict[Any, Any]] = {}
    bounded = {
        "_recorded": replay_table,
        "_distinctions": expression_key,
        "_numbers": structure,
        "_general": structure,
        "_outlines": graph,
        "_choices": choices,
        "_kernels": kernel,
    }
    for name, module in bounded.items():
        tables[name] = {}
        monkeypatch.setattr(module, name, tables[name])
    most = dict.fromkeys(tables, 0)
    a = np.arange(6.0).reshape(2, 3)
    for n in range(1, 12):
        x, total = sa.asarray(a, format=FORMATS[n % len(FORMATS)]), 0
        for k in range(n):
            total = total + (x * (k + 1) if k % 2 else np.sqrt(x))
        wanted = sum(a * (k + 1) if k % 2 else np.sqrt(a) for k in range(n))
        np.testing.assert_allclose(total.todense(), wanted)
        most = {name: max(most[name], len(table)) for name, table in tables.items()}
    structure.of_scalar.cache_clear()  # whose numbers are in these tables
    light = ("_numbers", "_general", "_outlines", "_distinctions")
    assert all(0 < most[name] <= 5 * (caches.LIGHT if name in light else 1) for name in most), most


def test_picks_by_magnitudes_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caches, "MOST", 3)
    monkeypatch.setattr(choices, "_choices", {})
    replay_table._recorded.clear()
    most = 0
    for size in range(8):
        x = np.zeros(2**size)
        x[0] = 1
        stored = sa.asarray(x, format="list")
        np.testing.assert_array_equal((stored * 2 + stored).todense(), 3 * x)
        most = max(most, *[len(one._picked) for one in choices._choices.values()])
    assert most == 3


def test_threads_find_out_apart() -> None:
    wrong: list[Any] = []

    def run(seed: int) -> None:
        for name in ("masked", "chain", "of both"):
            got = _computed(name, "csr", seed).todense()
            if not np.allclose(got, EXPRESSIONS[name](*_values(seed))):
                wrong.append((name, seed))

    threads = [Thread(target=run, args=(seed,)) for seed in (5, 6, 7)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_replays_of_a_key_are_asked_in_turn_and_few_are_kept() -> None:
    asked: list[Any] = []

    def of(number: int) -> Callable[[Any], Any]:
        def replay(given: Any) -> Any:
            asked.append(number)
            return number if given == number else None

        return replay

    key = object()
    for number in range(replay_table.MOST):
        assert replay_table.may_have_another(replay_table.recorded(key))
        replay_table.remember(key, of(number))
    kept: Any = replay_table.recorded(key)
    assert not replay_table.may_have_another(kept)
    assert kept(1) == 1 and asked == [0, 1]
    assert kept(5) is None and asked == [0, 1, 0, 1, 2]
