"""Buffers that kernels overwrite are found, and others are not taken for such."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import structarr as sa
from structarr._compiler.ir.conditions import TRUE, lt
from structarr._compiler.ir.expr import INDEX, Buffer, Call, Helper, Lit, minimum
from structarr._compiler.ir.kernel import Break, Do, For, If, Line, Set, Store, While
from structarr._compiler.ir.ops import OPS
from structarr._compiler.ir.variables import Var
from structarr._execute import allocation, choices, replay_table
from structarr._scheduler.overwritten import overwrites
from structarr._support import buffer_pool

OUT, IN = Buffer("out", "float64"), Buffer("a", "float64")
AT, N, ONE, ZERO = Var(INDEX, "i"), Var(INDEX, "n"), Lit("float64", 1.0), Lit(INDEX, 0)
STORE = Store(OUT, AT, IN[AT])


def _loop(*body: Line, lo: Any = ZERO, hi: Any = N, step: int = 1) -> tuple[Line, ...]:
    return (For(AT, lo, hi, body, step),)


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        (_loop(STORE), True),
        ((Set(Var("float64", "s"), ONE), *_loop(STORE)), True),
        (_loop(Store(IN, AT, ONE)), False),
        (_loop(STORE, lo=Lit(INDEX, 1)), False),
        (_loop(STORE, hi=Var(INDEX, "m")), False),
        (_loop(STORE, step=2), False),
        (_loop(Store(OUT, ZERO, ONE)), False),
        (_loop(If(((TRUE, (STORE,)),))), True),
        (_loop(If(((lt(AT, N), (STORE,)),))), False),
        (_loop(If(((TRUE, (Break(),)),)), STORE), False),
        (_loop(Store(OUT, AT, Call("float64", OPS["add"], (OUT[AT], ONE)))), False),
        ((*_loop(STORE), Set(Var("float64", "s"), OUT[ZERO])), False),
        ((STORE,), False),
        (_loop(STORE, Set(AT, AT + 1)), False),
    ],
)
def test_which_loops_overwrite(block: tuple[Line, ...], expected: bool) -> None:
    assert overwrites(block, OUT, (N,)) is expected


ROWS, ROW, PLACE, HERE = (Var(INDEX, name) for name in ("r", "k", "at", "here"))
Q, LAST = Var(INDEX, "q"), Var(INDEX, "last")


def test_which_loops_overwrite_a_matrix() -> None:
    columns, row = Var(INDEX, "m"), Var(INDEX, "k")
    stored = For(AT, ZERO, columns, (Store(OUT, row * columns + AT, ONE),))
    assert overwrites((For(row, ZERO, N, (stored,)),), OUT, (N, columns))
    moved = Set(row, row + Lit(INDEX, 1))
    assert not overwrites((For(row, ZERO, N, (stored, moved)),), OUT, (N, columns))


def _stored(index: Any) -> Store:
    return Store(OUT, index + ROW * N, ONE)


def _to(hi: Any, lo: Any = HERE) -> For:
    return For(AT, lo, hi, (_stored(AT),))


def _rows(*row: Line, hi: Any = ROWS) -> tuple[Line, ...]:
    return (For(ROW, ZERO, hi, (Set(HERE, ZERO), *row)),)


def _merge(*turn: Line) -> For:
    return For(Q, ZERO, LAST, (Set(PLACE, IN[Q]), *turn))


GAP = _to(PLACE)
END = Set(HERE, PLACE + 1)


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        (_rows(_to(N)), True),
        (_rows(_to(N), hi=LAST), False),
        (_rows(_to(N - 1)), False),
        (_rows(_to(IN[ZERO]), _to(N, IN[ZERO])), False),
        (_rows(_merge(GAP, _stored(PLACE), END), _to(N)), True),
        (_rows(_merge(GAP, END), _to(N)), False),
        (_rows(_merge(_stored(PLACE), END), _to(N)), False),
        (_rows(_merge(GAP, _stored(PLACE), END, Set(HERE, HERE + 1)), _to(N)), False),
        (_rows(_merge(GAP, _stored(PLACE), Set(HERE, PLACE + 2)), _to(N)), False),
        (_rows(_merge(If(((lt(HERE, PLACE), (GAP,)),)), _stored(PLACE), END), _to(N)), True),
        (_rows(_merge(If(((lt(PLACE, HERE), (GAP,)),)), _stored(PLACE), END), _to(N)), False),
        (_rows(_merge(If(((TRUE, (GAP,)),)), _stored(PLACE), END), _to(N)), True),
        (_rows(While((GAP, _stored(PLACE), END, Break())), _to(N)), False),
        (_rows(_merge(If(((lt(LAST, Q), (Break(),)),)), GAP, _stored(PLACE), END), _to(N)), False),
        (_rows(For(PLACE, HERE, N, (_stored(PLACE), Set(PLACE, PLACE + 1)))), False),
    ],
)
def test_which_merges_leave_no_gap(block: tuple[Line, ...], expected: bool) -> None:
    assert overwrites(block, OUT, (ROWS, N)) is expected


BLOCK, STOP = Var(INDEX, "block"), Var(INDEX, "stop")
CUT = Set(STOP, minimum(BLOCK + 8, N))


def _vector(hi: Any = STOP, name: str = "vector_log1p") -> Do:
    return Do(Helper("float64", name, (OUT, BLOCK, hi)))


def _blocks(*body: Line, step: int = 8) -> tuple[Line, ...]:
    return (For(BLOCK, ZERO, N, body, step),)


def _again(place: Any = AT, hi: Any = STOP) -> For:
    return For(AT, BLOCK, hi, (Store(OUT, AT, Call("float64", OPS["add"], (OUT[place], ONE))),))


FILL = For(AT, BLOCK, STOP, (STORE,))


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        (_blocks(CUT, FILL, _vector()), True),
        (_blocks(CUT, FILL, _vector(), _again()), True),
        (_blocks(CUT, FILL, _vector(), _again(), _vector()), False),  # told apart by nothing
        (_blocks(CUT, FILL, _vector(N)), False),
        (_blocks(CUT, _vector(), FILL), False),
        (_blocks(CUT, FILL, _vector(name="fill_range")), False),
        (_blocks(CUT, FILL, _again(AT + 1)), False),
        (_blocks(CUT, FILL, _again(hi=N)), False),
        (_blocks(CUT, FILL, step=9), False),
        (_blocks(CUT, FILL, step=7), False),
        (_blocks(Set(STOP, BLOCK + 8), FILL), False),
        (_blocks(CUT, FILL, Set(STOP, N)), False),
        ((*_blocks(CUT, FILL), _vector()), False),
    ],
)
def test_which_blocks_are_read_after_they_are_stored(
    block: tuple[Line, ...], expected: bool
) -> None:
    assert overwrites(block, OUT, (N,)) is expected


EXPRESSIONS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "map": lambda a, x, m: 0.85 * x + 0.15,
    "flat": lambda a, x, m: m * 2 + m.T,
    "sum": lambda a, x, m: m.sum(axis=1),
    "product": lambda a, x, m: a @ x + 1.0,
    "sparse": lambda a, x, m: a.sum(axis=1) * x,
    "mask": lambda a, x, m: np.where(x > 0.5, x, 0.0),
    "nothing": lambda a, x, m: x * 0.0,
    "filled": lambda a, x, m: a + 1.0,
    "beside": lambda a, x, m: a + m,
    "beside two": lambda a, x, m: a + m * a.T,
    "beside a product": lambda a, x, m: a + m @ a,
    "functions": lambda a, x, m: np.sqrt(np.log1p(np.exp(x) * 2.0)) + 1.0,
    "function of lists": lambda a, x, m: np.expm1(a),
    "function of rows": lambda a, x, m: np.tanh(m.T) * x + a,
    "slice": lambda a, x, m: x[1:] - x[:-1],
}


@pytest.mark.parametrize("name", EXPRESSIONS)
@pytest.mark.parametrize("format", ["csr", "csc", "coo", "bsr", "dia", "vbl", "rle"])
def test_what_buffers_held_before_is_in_no_result(
    name: str, format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dirty(size: int, dtype: Any) -> Any:
        return np.full(size, 99, dtype)

    monkeypatch.setattr(buffer_pool, "empty", dirty)
    monkeypatch.setitem(allocation._SMALL, "empty", dirty)
    monkeypatch.setattr(choices, "_choices", {})
    replay_table._recorded.clear()
    rng = np.random.default_rng(0)
    a = scipy.sparse.random_array((8, 8), density=0.3, rng=rng).toarray()
    x, m = rng.random(8), rng.random((8, 8))
    ours = (sa.asarray(a, format=format), sa.asarray(x), sa.asarray(m))
    wanted = EXPRESSIONS[name](a, x, m)
    np.testing.assert_allclose(EXPRESSIONS[name](*ours).todense(), wanted)


SHORT = """
def program(x, rows):
    y = np.zeros(len(x))
    for i in range(len(rows)):
        y[i] = x[i]
    return y
"""


def test_a_loop_may_end_before_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buffer_pool, "empty", lambda size, dtype: np.full(size, 99, dtype))
    x = np.arange(1.0, 8.0)
    y = sa.kernel(SHORT)(x=x, rows=np.zeros(4))
    np.testing.assert_array_equal(y.todense(), np.where(x < 5, x, 0.0))
