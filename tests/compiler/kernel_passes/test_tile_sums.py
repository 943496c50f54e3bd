"""Sums of everything over matrices in tiles go tile by tile, each of whose sums begins anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import structarr as sa
from structarr._compiler.ir.expr import INDEX, Buffer, Expr, Helper, Lit, Load, scale
from structarr._compiler.ir.kernel import For, Set
from structarr._compiler.ir.variables import Var
from structarr._compiler.kernel_passes.relax_sums import RELAXED
from structarr._compiler.kernel_passes.tile_sums import MOST, sum_tiles

Q, J, L, END = (Var(INDEX, name) for name in ("q", "j", "l", "end"))
FLOAT64, ADD = "float64", RELAXED["add"]
TOTAL, OTHER = Var(FLOAT64, "c_sum"), Var(FLOAT64, "d_sum")
VAL = Buffer("val", FLOAT64)
RNG = np.random.default_rng(3)

SUMS: dict[str, Callable[..., Any]] = {
    "bilinear": lambda a, b, x, y: y @ (a @ x),
    "bilinear from the left": lambda a, b, x, y: (y @ a) @ x,
    "all products": lambda a, b, x, y: (a * b).sum(),
    "of squares": lambda a, b, x, y: ((a @ b) * (a @ b)).sum(),
    "triangles": lambda a, b, x, y: ((a @ a) * b).sum(),
    "rows": lambda a, b, x, y: (a @ b).sum(axis=1),
    "centred": lambda a, b, x, y: ((a * x) * b).sum(),
    "greatest": lambda a, b, x, y: (a * b).max(),
    "trace": lambda a, b, x, y: (a @ b).trace() if isinstance(a, np.ndarray) else sa.trace(a @ b),
}


def tiles(height: int, width: int, dtype: str, size: int = 12) -> np.ndarray:
    """A matrix in which some tiles are empty, and some rows of them."""
    held = RNG.random((size // height, size // width)) < 0.4
    held[1] = False
    made = np.kron(held, np.ones((height, width))) * RNG.integers(1, 9, (size, size)) / 4
    return made.astype(dtype)


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128", "int64"])
@pytest.mark.parametrize("sides", [((2, 3), (2, 3)), ((3, 3), (3, 3)), ((2, 2), (3, 3))])
@pytest.mark.parametrize("name", SUMS)
@pytest.mark.sampled(8)
def test_sums_are_numpys(
    name: str, sides: tuple[tuple[int, int], tuple[int, int]], dtype: str, tier: str
) -> None:
    if dtype == "complex128" and name == "greatest":
        return
    one, other = (tiles(*side, dtype) for side in sides)
    x, y = (RNG.integers(1, 5, 12).astype(dtype) for _ in range(2))
    given = [
        sa.asarray(sp.bsr_array(dense, blocksize=side))
        for dense, side in zip((one, other), sides, strict=True)
    ]
    for turned in (False, True):
        a, b = [array.T if turned else array for array in given]
        c, d = [dense.T if turned else dense for dense in (one, other)]
        with sa.options(tier=tier):
            found = np.asarray(SUMS[name](a, b, x, y))
        np.testing.assert_allclose(found, SUMS[name](c, d, x, y), rtol=1e-5)


def test_three_matrices_in_tiles_are_read_as_they_are_stored() -> None:
    g = sa.asarray(sp.bsr_array(tiles(3, 3, "float64", 30), blocksize=(3, 3)))
    before = len(g._tensor.memo)
    wanted = g.todense()
    with sa.options(tier="interpreted"):
        found = float(((g @ g) * g).sum())
    np.testing.assert_allclose(found, ((wanted @ wanted) * wanted).sum())
    names = {key[0] for key in g._tensor.memo if isinstance(key, tuple)}
    assert "order" not in names
    assert len(g._tensor.memo) > before


def nest(value: Expr, turns: int = 3, total: Var = TOTAL) -> For:
    """A loop over tiles, with loops over the elements of one within."""
    update = Set(total, Helper(FLOAT64, ADD, (TOTAL, value)))
    row = For(L, Lit(INDEX, 0), Lit(INDEX, 3), (update,))
    return For(Q, Lit(INDEX, 0), END, (For(J, Lit(INDEX, 0), Lit(INDEX, turns), (row,)),))


READ = Load(VAL, scale(Q, 9) + scale(J, 3) + L)


def test_the_sum_of_a_tile_begins_anew() -> None:
    (found,) = sum_tiles((nest(READ),))
    assert isinstance(found, For)
    begin, rows, end = found.body
    assert isinstance(begin, Set)
    assert begin.value is Lit(FLOAT64, -0.0)
    assert isinstance(rows, For)
    assert end == Set(TOTAL, Helper(FLOAT64, ADD, (TOTAL, begin.var)))


def test_other_loops_stay() -> None:
    (alone,) = nest(READ).body
    assert isinstance(alone, For)
    (row,) = alone.body
    unknown = For(Q, Lit(INDEX, 0), END, (For(J, Lit(INDEX, 0), END, (Set(OTHER, READ), row)),))
    loops = (
        row,  # which nothing is around
        nest(Load(VAL, J) + TOTAL),
        nest(READ, total=OTHER),
        For(Q, Lit(INDEX, 0), END, (For(J, Lit(INDEX, 0), END, (Set(TOTAL, READ),)),)),
    )
    for one in loops:
        assert sum_tiles((one,)) == (one,)
    for one in (unknown, nest(READ, MOST)):  # a row of which is a sum of three
        (found,) = sum_tiles((one,))
        assert isinstance(found, For)
        (inner,) = found.body
        assert isinstance(inner, For)
        assert len(inner.body) > 2


@pytest.mark.parametrize("count", [1, 2, MOST, MOST + 1])
def test_sums_of_two_terms_and_of_few_begin_anew(count: int) -> None:
    update = Set(TOTAL, Helper(FLOAT64, ADD, (TOTAL, READ)))
    around = For(Q, Lit(INDEX, 0), END, (For(J, Lit(INDEX, 0), Lit(INDEX, count), (update,)),))
    assert (sum_tiles((around,)) != (around,)) is (1 < count <= MOST)
    later = For(J, Lit(INDEX, 5), Lit(INDEX, 5 + count), (update,))
    around = For(Q, Lit(INDEX, 0), END, (later,))
    assert (sum_tiles((around,)) != (around,)) is (1 < count <= MOST)
