"""Rows of a few elements are updated by all turns of a loop, and have the same bits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._compiler.ir.conditions import TRUE, lt
from structarr._compiler.ir.expr import INDEX, Buffer, Expr, Lit, Load, multiply, scale
from structarr._compiler.ir.kernel import For, If, Set, Store
from structarr._compiler.ir.variables import Var
from structarr._compiler.kernel_passes.short_rows import unroll_short_rows

Q, J, END, AT, COUNT = (Var(INDEX, name) for name in ("q", "j", "end", "at", "count"))
IDX, VAL, OUT = Buffer("idx", INDEX, True), Buffer("val", INDEX), Buffer("out", INDEX)
RNG = np.random.default_rng(0)
LENGTHS = (0, 1, 2, 3, 7, 8)

PRODUCTS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "gathered": lambda a, y, z: a @ y,
    "scattered": lambda a, y, z: a.T @ z,
    "turned": lambda a, y, z: z.T @ a,
    "of a sum": lambda a, y, z: (a * 2) @ y,
}


def dense(dtype: str) -> np.ndarray:
    """A matrix whose rows store 0, 1, 2, 3, 7 and 8 elements."""
    made = np.zeros((len(LENGTHS), 9), dtype)
    for row, length in zip(made, LENGTHS, strict=True):
        row[RNG.permutation(9)[:length]] = RNG.integers(1, 9, length) / 3
    return made


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "complex128", "bool"])
@pytest.mark.parametrize("format", ["csr", "csc", "dcsr", "coo", "vbl"])
@pytest.mark.sampled(6)
def test_every_number_of_columns(format: str, dtype: str, tier: str) -> None:
    one = dense(dtype)
    for columns in range(10):
        y, z = (RNG.integers(0, 9, (n, columns)).astype(dtype) for n in (9, 6))
        for name, product in PRODUCTS.items():
            with sa.options(tier=tier):
                found = np.asarray(product(sa.asarray(one, format=format), y, z))
            wanted = product(one, y, z)
            np.testing.assert_allclose(found, wanted, rtol=1e-6, err_msg=f"{name} {columns}")


@pytest.mark.parametrize("columns", [2, 3, 5, 7])
def test_bits_are_those_of_one_entry_after_the_other(columns: int) -> None:
    one = np.where(RNG.random((200, 90)) < 0.1, RNG.standard_normal((200, 90)), 0.0)
    y, wanted = RNG.standard_normal((90, columns)), np.zeros((200, columns))
    for i, k in zip(*np.nonzero(one), strict=True):
        wanted[i] += one[i, k] * y[k]
    product = sa.asarray(one, format="csr") @ y
    assert "if 3 < j_n" in sa.explain(product).source()
    assert np.asarray(product).tobytes() == wanted.tobytes()


def loop(value: Expr, index: Expr, hi: Expr = COUNT, lo: int = 0) -> For:
    """A loop that updates a row in each turn."""
    row = For(J, Lit(INDEX, lo), hi, (Store(OUT, index, value),))
    return For(Q, Lit(INDEX, 0), END, (Set(AT, Load(IDX, Q)), row))


ROW_START = multiply(AT, COUNT)
ROW = J + ROW_START
READ = Load(VAL, J + multiply(Q, COUNT))


@pytest.mark.parametrize(("index", "most"), [(J, 8), (J + END, 8), (ROW, 4)])
def test_rows_that_do_not_overlap_are_unrolled(index: Expr, most: int) -> None:
    """Fewer elements of a row that is another one in each turn: it is not kept in variables."""
    (found,) = unroll_short_rows((loop(Load(OUT, index) + READ, index),))
    assert isinstance(found, If)
    assert [cond for cond, _ in found.arms] == [lt(COUNT, most), TRUE]


REFUSED = {
    "rows that overlap": loop(Load(OUT, J + AT) + READ, J + AT),
    "rows of other lengths": loop(Load(OUT, J + multiply(AT, END)) + READ, J + multiply(AT, END)),
    "strides": loop(Load(OUT, scale(J, 2) + ROW_START) + READ, scale(J, 2) + ROW_START),
    "read elsewhere, too": loop(Load(OUT, ROW) + Load(OUT, J), ROW),
    "of a known length": loop(Load(OUT, J) + READ, J, Lit(INDEX, 3)),
    "from another element on": loop(Load(OUT, J) + READ, J, lo=1),
}


@pytest.mark.parametrize("name", REFUSED)
def test_other_loops_stay_as_they_are(name: str) -> None:
    assert unroll_short_rows((REFUSED[name],)) == (REFUSED[name],)
