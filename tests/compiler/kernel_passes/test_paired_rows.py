"""Loops that add rows to a row take two at a time, and give the same bits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._compiler.ir.expr import INDEX, Buffer, Expr, Lit, Load
from structarr._compiler.ir.kernel import For, Set, Store, While
from structarr._compiler.ir.variables import Var
from structarr._compiler.kernel_passes.paired_rows import pair_rows

Q, J, END, AT, COUNT = (Var(INDEX, name) for name in ("q", "j", "end", "at", "count"))
IDX, VAL = Buffer("idx", INDEX, True), Buffer("val", INDEX)
OUT = Buffer("out", INDEX)

RNG = np.random.default_rng(0)
LENGTHS = (0, 1, 2, 3, 7, 8)


def dense(width: int, dtype: str) -> np.ndarray:
    """A matrix whose rows store 0, 1, 2, 3, 7 and 8 elements."""
    made = np.zeros((len(LENGTHS), width), dtype)
    for row, length in zip(made, LENGTHS, strict=True):
        row[RNG.permutation(width)[:length]] = RNG.integers(1, 9, length) / 3
    return made


PRODUCTS: dict[str, Callable[[Any, Any], Any]] = {
    "matmul": lambda a, y: a @ y,
    "turned": lambda a, y: y.T @ a.T,
    "of a sum": lambda a, y: (a * 2) @ y,
}


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "complex128"])
@pytest.mark.parametrize("format", ["csr", "dcsr", "coo", "vbl"])
@pytest.mark.sampled(6)
def test_elements_are_added_up_in_order(format: str, dtype: str, tier: str) -> None:
    one, other = dense(9, dtype), (RNG.integers(1, 9, (9, 5)) / 3).astype(dtype)
    for name, product in PRODUCTS.items():
        with sa.options(tier=tier):
            found = np.asarray(product(sa.asarray(one, format=format), other))
        np.testing.assert_allclose(found, product(one, other), rtol=1e-6, err_msg=name)


@pytest.mark.parametrize("rows", [0, 1, 2, 5])
def test_bits_are_those_of_one_row_after_the_other(rows: int) -> None:
    values = RNG.standard_normal((rows, 7))
    wanted = np.zeros(7)
    for row in values:
        wanted += row
    array = sa.asarray(values)
    assert np.asarray(array.sum(axis=0)).tobytes() == wanted.tobytes()
    assert "i += 2" in sa.explain(array.sum(axis=0)).source()


def loop(value: Expr, index: Expr = J, hi: Expr = COUNT, at: Expr | None = None) -> For:
    """A loop that updates a row in each turn."""
    row = For(J, Lit(INDEX, 0), hi, (Store(OUT, index, value),))
    return For(Q, Lit(INDEX, 0), END, (Set(AT, Load(IDX, Q) if at is None else at), row))


BEFORE, READ = Load(OUT, J), Load(VAL, J + AT)


def test_a_row_is_updated_by_two_turns() -> None:
    assert any(isinstance(line, While) for line in pair_rows((loop(BEFORE + READ),)))


@pytest.mark.parametrize("start", [Lit(INDEX, 0), Q])
def test_the_first_turn_is_where_the_loop_begins(start: Expr) -> None:
    made = pair_rows((loop(BEFORE + READ).replace(lo=start),))
    assert [line for line in made if isinstance(line, Set)] == [Set(Q, start)] * (start is not Q)


REFUSED = {
    "of each turn its own": loop(Load(OUT, J + AT) + READ, J + AT),
    "of another length": loop(BEFORE + READ, hi=AT),
    "read elsewhere, too": loop(BEFORE + Load(OUT, J + AT)),
    "overwritten": loop(READ),
    "what another turn has left": loop(BEFORE + READ, at=AT + 1),
}


@pytest.mark.parametrize("name", REFUSED)
def test_other_loops_stay_as_they_are(name: str) -> None:
    assert pair_rows((REFUSED[name],)) == (REFUSED[name],)
