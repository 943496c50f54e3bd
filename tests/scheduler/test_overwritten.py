"""Buffers that kernels overwrite are found, and others are not taken for such."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import structarr as sa
from structarr._compiler.ir.conditions import TRUE
from structarr._compiler.ir.expr import INDEX, Buffer, Call, Lit
from structarr._compiler.ir.kernel import Break, For, If, Line, Set, Store
from structarr._compiler.ir.ops import OPS
from structarr._compiler.ir.variables import Var
from structarr._execute import choices, replay_table
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
        (_loop(If(((TRUE, (STORE,)),))), False),
        (_loop(If(((TRUE, (Break(),)),)), STORE), False),
        (_loop(Store(OUT, AT, Call("float64", OPS["add"], (OUT[AT], ONE)))), False),
        ((*_loop(STORE), Set(Var("float64", "s"), OUT[ZERO])), False),
        ((STORE,), False),
    ],
)
def test_which_loops_overwrite(block: tuple[Line, ...], expected: bool) -> None:
    assert overwrites(block, OUT, N) is expected


EXPRESSIONS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "map": lambda a, x, m: 0.85 * x + 0.15,
    "flat": lambda a, x, m: m * 2 + m.T,
    "sum": lambda a, x, m: m.sum(axis=1),
    "product": lambda a, x, m: a @ x + 1.0,
    "sparse": lambda a, x, m: a.sum(axis=1) * x,
    "mask": lambda a, x, m: np.where(x > 0.5, x, 0.0),
    "nothing": lambda a, x, m: x * 0.0,
    "filled": lambda a, x, m: a + 1.0,
    "slice": lambda a, x, m: x[1:] - x[:-1],
}


@pytest.mark.parametrize("name", EXPRESSIONS)
@pytest.mark.parametrize("format", ["csr", "rle"])
def test_what_buffers_held_before_is_in_no_result(
    name: str, format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dirty(size: int, dtype: Any) -> Any:
        return np.full(size, 99, dtype)

    monkeypatch.setattr(buffer_pool, "empty", dirty)
    monkeypatch.setattr(choices, "_choices", {})
    monkeypatch.setattr(replay_table, "_recorded", {})
    rng = np.random.default_rng(0)
    a = scipy.sparse.random_array((7, 7), density=0.3, rng=rng).toarray()
    x, m = rng.random(7), rng.random((7, 7))
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
