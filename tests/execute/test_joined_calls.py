"""Replays that are written out: each call, before and after that, is NumPy's."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._execute import joined_calls, replay_step
from structarr._execute.joined_calls import Calls, Direct, Line, Text

CALLS = 12
"""More than those after which a replay is written out."""


def _step(a: Any, x: Any, r: Any, p: Any, s: Any) -> Any:
    q = a @ p
    alpha = s / (p @ q)
    x, r = x + alpha * p, r - alpha * q
    square = r @ r
    return x, r, r + (square / s) * p, square


def _ranked(a: Any, x: Any, r: Any, p: Any, s: Any) -> Any:
    for _ in range(3):
        x = s * (a @ x) + (1 - s) / x.shape[0]
    return x


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "step": _step,
    "ranked": _ranked,
    "of lists": lambda a, x, r, p, s: ((a * a + a) @ x, (a * s).sum(axis=0) - r, a * s),
    "turned": lambda a, x, r, p, s: (a.T @ (a @ x) * s + r, (a @ a.T) @ p),
    "of a fill": lambda a, x, r, p, s: (x[:, None] * p[None, :]) * (a + s),
    "numbers": lambda a, x, r, p, s: (a.sum() * x + p.sum(), (x @ r) * a),
    "one number": lambda a, x, r, p, s: (x @ r + s) / (p @ p),
    "booleans": lambda a, x, r, p, s: ((x > r) & (p < s), abs(a).max(axis=0)),
    "slices": lambda a, x, r, p, s: (a[1:] @ x, x[1:] * r[:-1] + s),
}
DTYPES = ("float64", "float32", "int64", "complex128")


def _operands(turn: int, n: int, dtype: str) -> tuple[Any, ...]:
    random = np.random.default_rng(turn)
    a = np.where(random.random((n, n)) < 0.4, random.integers(1, 5, (n, n)), 0)
    a[np.arange(n), np.arange(n)] = 7
    vectors = random.integers(1, 9, (3, n)).astype(dtype)
    return a.astype(dtype), *vectors


def _same(found: Any, wanted: Any) -> None:
    several = found if isinstance(found, tuple) else (found,)
    others = wanted if isinstance(wanted, tuple) else (wanted,)
    for one, other in zip(several, others, strict=True):
        made = np.asarray(one)
        assert made.dtype == np.asarray(other).dtype
        np.testing.assert_allclose(made, other, rtol=1e-4 if made.dtype == "float32" else 1e-10)


@pytest.mark.parametrize("traced", [False, True])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_calls_are_numpys(name: str, traced: bool) -> None:
    """At lengths, of dtypes, formats and numbers that change each time between those of before."""
    function = FUNCTIONS[name]
    ours = sa.jit(function) if traced else function
    kept = []
    with sa.options(tier="compiled"):
        for turn in range(4 * CALLS):
            n, dtype = (7, 12)[turn // 3 % 2], DTYPES[turn // 6 % 2 and turn % 4]
            a, *rest = _operands(turn, n, dtype)
            s = (0.5, 0.75, 2.0, 1.0)[turn % 4]
            wanted = function(a, *rest, s)
            given = sa.asarray(a, format="csc" if turn % 5 == 4 else "csr")
            found = ours(given, *map(sa.asarray, rest), s)
            _same(found, wanted)
            kept.append((found, wanted))
    for found, wanted in kept:  # no later call has written to what was returned
        _same(found, wanted)


@pytest.mark.parametrize("name", ["step", "turned", "numbers"])
def test_operands_that_are_one(name: str) -> None:
    function = FUNCTIONS[name]
    ours = sa.jit(function)
    with sa.options(tier="compiled"):
        for turn in range(2 * CALLS):
            a, x, r, p = _operands(turn, 9, "float64")
            mine = [sa.asarray(one) for one in (x, r, p)]
            if turn % 3 == 1:
                r = p = x
                mine = mine[:1] * 3
            elif turn % 3 == 2:
                p = r
                mine = [mine[0], mine[1], mine[1]]
            _same(ours(sa.asarray(a, format="csr"), *mine, 0.5), function(a, x, r, p, 0.5))


@pytest.mark.parametrize("traced", [False, True])
def test_options_of_each_call_hold(traced: bool) -> None:
    """Kernels that are interpreted for a while, and limits that come and go."""
    ours = sa.jit(_ranked) if traced else _ranked
    for turn in range(3 * CALLS):
        a, *rest = _operands(turn, 9, "float64")
        given = sa.asarray(a, format="csr"), *map(sa.asarray, rest), 0.5
        tier: Any = "interpreted" if turn % 6 == 5 else "compiled"
        with sa.options(tier=tier):
            _same(ours(*given), _ranked(a, *rest, 0.5))


def test_a_limit_is_heeded() -> None:
    x = sa.asarray(np.arange(300.0))
    outer = [lambda: (x[:, None] + x[None, :]).compute()]
    outer.append(sa.jit(lambda: x[:, None] + x[None, :]))
    with sa.options(tier="compiled"):
        for call in outer:
            for _ in range(CALLS):
                assert call().shape == (300, 300)
            with sa.options(densify_limit=1000), pytest.raises(sa.errors.DensificationError):
                np.asarray(call())
            assert call().shape == (300, 300)


def test_calls_are_observed() -> None:
    from structarr._compiler.backend import kernel

    told: list[Any] = []
    step = sa.jit(_step)
    a, *rest = _operands(0, 9, "float64")
    given = sa.asarray(a, format="csr"), *map(sa.asarray, rest), 0.5
    with sa.options(tier="compiled"):
        for _ in range(CALLS):
            step(*given)
        kernel.observe(told.append)
        try:
            step(*given)
        finally:
            kernel.ignore(told.append)
        assert len(told) == 6
        step(*given)
    assert len(told) == 6


def test_a_replay_keeps_nothing_that_it_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[Any] = []
    rewrite = joined_calls.rewrite

    def noted(*args: Any) -> None:
        written.append(args)
        rewrite(*args)

    monkeypatch.setattr(joined_calls, "rewrite", noted)
    step = sa.jit(_step)
    with sa.options(tier="compiled"):
        for turn in range(CALLS):
            a, *rest = _operands(turn, 11, "float64")
            given = sa.asarray(a, format="csr"), *map(sa.asarray, rest), 0.5
            found = step(*given)
    assert len(written) == 1
    watched = [weakref.ref(one._tensor) for one in (*given[:-1], *found)]
    del given, found
    gc.collect()
    assert [one() for one in watched] == [None] * len(watched)


def test_what_no_step_reads_is_let_go() -> None:
    """Between the steps, so that the next one may have the memory."""
    text = Text(
        ["k0, = given"],
        [
            Line("k1", "calls[0](k0, )", True, b"", [], Direct(0, ("k0",))),
            Line("k2", "made(k1)", False, b"", ["k1"], None),
        ],
        "k2",
        {},
    )
    assert text.lines == [
        "k0, = given",
        "k1 = calls[0](k0, )",
        "if k1 is None: return None",
        "k2 = made(k1)",
        "k1 = None",
    ]
    assert text.places == {0}


def test_a_replay_waits_for_all_of_its_calls() -> None:
    calls = Calls()
    text = Text([], [Line("k1", "calls[0]()", True, b"", [], Direct(0, ()))] * 2, "k1", {})
    replay = lambda given: None  # noqa: E731
    before = replay.__code__
    calls.await_texts(replay, text)
    calls.settle(1, None)
    calls.settle(0, None)  # which stays a call
    assert replay.__code__ is before


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
def test_a_replay_is_written_out_once_its_kernels_are_compiled(
    tier: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[Any] = []
    rewrite = joined_calls.rewrite
    monkeypatch.setattr(joined_calls, "rewrite", lambda *args: written.append(rewrite(*args)))
    monkeypatch.setattr(replay_step, "FEW", 0)
    sa.clear_cache()  # of kernels that other tests compiled
    step = sa.jit(lambda a, x: a @ x * 2.5 + 1.25)
    a, x, *_ = _operands(0, 13, "float64")
    with sa.options(tier=tier):
        for _ in range(3):
            np.testing.assert_allclose(step(sa.asarray(a, format="csr"), x), a @ x * 2.5 + 1.25)
    assert bool(written) == (tier == "compiled")
