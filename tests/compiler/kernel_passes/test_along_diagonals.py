"""Rows are gone along diagonal by diagonal where the order of turns does not matter."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._compiler.ir.expr import (
    INDEX,
    Buffer,
    Call,
    Expr,
    Helper,
    Lit,
    maximum,
    minimum,
)
from structarr._compiler.ir.kernel import For, If, Line, Set, Store
from structarr._compiler.ir.ops import OPS
from structarr._compiler.ir.variables import Var
from structarr._compiler.kernel_passes.along_diagonals import MOST, ROWS, along_diagonals

NEAR, APART = (-2, -1, 0, 1, 2, 3), (-9, -4, 0, 1, 7, 30)
ROW, Q, N = Var(INDEX, "i"), Var(INDEX, "q"), Var(INDEX, "n")
TOTAL = Var("float64", "total", True)
A, X, Y = (Buffer("val", "float64", False, name) for name in "AXY")


def _diagonals(shape: tuple[int, int], offsets: tuple[int, ...], seed: int = 0) -> Any:
    random = np.random.default_rng(seed)
    dense = sum(np.eye(*shape, k) * random.integers(1, 9, shape) for k in offsets)
    level = sa.formats.Diagonals(sa.formats.Element(), offsets)
    return dense, sa.asarray(dense, format=sa.formats.Dense(level))


@pytest.mark.parametrize("offsets", [NEAR, APART])
@pytest.mark.parametrize("rows", [40, 2 * ROWS + 77])
def test_values_are_those_of_dense_arrays(offsets: tuple[int, ...], rows: int) -> None:
    """Of more rows than are taken at a time, too, whose totals begin anew."""
    for shape in ((rows, 50), (50, rows), (60, 60)):
        dense, a = _diagonals(shape, offsets)
        other, b = _diagonals(shape[::-1], NEAR, 1)
        x, y = np.arange(1.0, shape[1] + 1), np.arange(1.0, shape[0] + 1)
        np.testing.assert_array_equal(np.asarray(a @ x), dense @ x)
        np.testing.assert_array_equal(np.asarray(a @ x + y), dense @ x + y)
        np.testing.assert_array_equal(np.asarray(y @ a), y @ dense)
        np.testing.assert_array_equal((a * x).todense(), dense * x)
        np.testing.assert_array_equal((a @ b).todense(), dense @ other)
        np.testing.assert_array_equal(np.asarray(a.max(axis=1)), dense.max(axis=1))
        np.testing.assert_array_equal(np.asarray(a.sum(axis=0)), dense.sum(axis=0))
        assert float(a.sum()) == dense.sum()
        assert bool((a > 7).any()) == bool((dense > 7).any())


@pytest.mark.parametrize("offsets", [NEAR, APART])
@pytest.mark.usefixtures("as_shipped")
def test_loops_over_rows_are_inside(offsets: tuple[int, ...]) -> None:
    _, a = _diagonals((60, 60), offsets)
    _, b = _diagonals((60, 60), NEAR)
    x = np.ones(60)
    for lazy in (a @ x, x @ a, a * x, a.sum(axis=1), a.sum()):
        text = str(sa.explain(lazy).kernel)
        assert f"_q in range({len(offsets)}):" in text and "search" not in text
    deep = str(sa.explain(a @ b).kernel)
    assert "for b_q in range(6):" in deep and "for i in range(max(i_block, " in deep


@pytest.mark.parametrize("shape", [(9, 9), (40, 7), (7, 40), (1, 5), (5, 1), (70, 70)])
def test_diagonals_far_apart_have_rows_of_their_own(shape: tuple[int, int]) -> None:
    """No row has all of them; some lie beyond the matrix."""
    rows, columns = shape
    offsets = tuple(sorted({-90, 1 - rows, -3, 0, 2, columns - 1, 80}))
    with sa.options(tier="interpreted"):
        dense, a = _diagonals(shape, offsets)
        other, b = _diagonals(shape[::-1], offsets, 1)
        x, y = np.arange(1.0, columns + 1), np.arange(1.0, rows + 1)
        np.testing.assert_array_equal(np.asarray(a @ x - y), dense @ x - y)
        np.testing.assert_array_equal(np.asarray(y @ a), y @ dense)
        np.testing.assert_array_equal((a * x).todense(), dense * x)
        np.testing.assert_array_equal((a @ b).todense(), dense @ other)
        np.testing.assert_array_equal(np.asarray((a @ b) @ y), dense @ other @ y)
        np.testing.assert_array_equal(np.asarray(a[:, 1:].sum(axis=1)), dense[:, 1:].sum(axis=1))
        np.testing.assert_array_equal(np.asarray(a.min(axis=0)), dense.min(axis=0))


def test_a_boolean_of_all_is_found_by_vectors() -> None:
    """Rows in a loop over diagonals are many, so that they have no `break`."""
    _, a = _diagonals((60, 60), NEAR)
    whole = str(sa.explain((a > 7).any()).kernel).partition("for a_q in range(6):")[2]
    assert "break" not in whole.partition("for i in range(i_rest")[0]


@pytest.mark.usefixtures("as_shipped")
def test_offsets_are_looked_up_once_a_diagonal() -> None:
    _, a = _diagonals((60, 60), APART)
    text = str(sa.explain(a * np.ones(60)).kernel)
    after = text.partition("for a_q in range(6):")[2]
    assert after.lstrip().startswith("c_q = bisect(")


def _rows(*body: Line, before: tuple[Line, ...] = (), after: tuple[Line, ...] = ()) -> For:
    """A loop over rows of four diagonals."""
    return For(ROW, Lit(INDEX, 0), N, (*before, For(Q, Lit(INDEX, 0), Lit(INDEX, 4), body), *after))


def _exchanged(rows: For) -> Any:
    return along_diagonals(rows, lambda name: Var(INDEX, name))


def _call(op: str, *args: Expr) -> Expr:
    return Call("float64", OPS[op], args)


def test_what_depends_on_the_order_stays() -> None:
    """Places that several turns store at, and updates by operations that are not associative."""
    value, own = A[Q * N + ROW], Y[ROW + Q]
    own_place = Store(Y, Q * N + ROW, value)
    assert _exchanged(_rows(own_place)) is not None
    assert _exchanged(_rows(Store(Y, ROW + Q, value))) is None
    assert _exchanged(_rows(Store(Y, ROW + Q, _call("add", own, value)))) is not None
    assert _exchanged(_rows(Store(Y, ROW + Q, _call("subtract", own, value)))) is None
    assert _exchanged(_rows(Store(Y, Q * N + ROW, Y[Q * N + ROW + 1]))) is None
    assert _exchanged(_rows(own_place, Store(Y, Q * N + ROW + 1, value))) is None
    assert _exchanged(_rows(Set(TOTAL, value))) is None


def test_totals_of_rows_are_kept_where_they_are_stored() -> None:
    adds = Set(TOTAL, _call("add", TOTAL, A[Q * N + ROW]))
    begins, stores = (Set(TOTAL, Lit("float64", 0.0)),), (Store(Y, ROW, TOTAL),)
    assert _exchanged(_rows(adds, before=begins, after=stores)) is not None
    assert _exchanged(_rows(adds)) is not None  # a total of all rows
    assert _exchanged(_rows(adds, before=begins)) is None  # stored nowhere
    elsewhere = (Store(Y, ROW * 2, TOTAL),)
    assert _exchanged(_rows(adds, before=begins, after=elsewhere)) is None
    reads = (Set(TOTAL, Y[ROW + 1]),)
    assert _exchanged(_rows(adds, before=reads, after=stores)) is None
    narrow = Buffer("val", "float32", False, "Z")
    assert _exchanged(_rows(adds, before=begins, after=(Store(narrow, ROW, TOTAL),))) is None
    last = (Store(Y, ROW, TOTAL), Store(X, ROW, Call("float64", OPS["negative"], (Y[ROW + 1],))))
    assert _exchanged(_rows(adds, before=begins, after=last)) is None


def test_a_row_has_one_total() -> None:
    both = [Var("float64", name, True) for name in ("one", "other")]
    adds = [Set(one, _call("add", one, A[Q * N + ROW])) for one in both]
    begins = tuple([Set(one, Lit("float64", 0.0)) for one in both])
    stores = tuple([Store(held, ROW, one) for held, one in zip((Y, X), both, strict=True)])
    assert _exchanged(_rows(adds[0], before=begins[:1], after=stores[:1])) is not None
    assert _exchanged(_rows(*adds, before=begins, after=stores)) is None


@pytest.mark.parametrize("count", [MOST, MOST + 1])
def test_a_total_of_many_terms_is_added_up_row_by_row(count: int) -> None:
    adds = Set(TOTAL, _call("add", TOTAL, A[Q * N + ROW]))
    each = For(Q, Lit(INDEX, 0), Lit(INDEX, count), (adds,))
    lines = (Set(TOTAL, Lit("float64", 0.0)), each, Store(Y, ROW, TOTAL))
    assert (_exchanged(For(ROW, Lit(INDEX, 0), N, lines)) is None) is (count > MOST)


def test_places_that_an_array_tells_each_row_are_read_in_it() -> None:
    place, told = Var(INDEX, "place"), Buffer("told", INDEX, False, "B")
    read = Set(place, told[Q * N + ROW])
    assert _exchanged(_rows(read, Store(Y, Q * N + ROW, X[place]))) is not None


def test_parts_of_a_row_tell_each_other_the_total_alone() -> None:
    """What a row tells the next one, or its end of its beginning, is lost where rows are apart."""
    adds = Set(TOTAL, _call("add", TOTAL, A[Q * N + ROW]))
    state, seen = Var("float64", "state", True), Var("float64", "seen", True)
    begins, stores = (Set(TOTAL, Lit("float64", 0.0)),), (Store(Y, ROW, TOTAL),)
    carried = (Set(TOTAL, state),), (*stores, Set(state, TOTAL))
    assert _exchanged(_rows(adds, before=carried[0], after=carried[1])) is None
    noted = (*begins, Set(seen, X[ROW])), (Store(Y, ROW, _call("add", TOTAL, seen)),)
    assert _exchanged(_rows(adds, before=noted[0], after=noted[1])) is None
    reread = (Set(TOTAL, X[ROW]),), (*stores, Store(X, ROW + 1, TOTAL))
    assert _exchanged(_rows(adds, before=reread[0], after=reread[1])) is None
    updates = Store(X, ROW + Q, _call("add", X[ROW + Q], A[Q * N + ROW]))
    summed = (Store(Y, ROW, _call("add", TOTAL, X[ROW])),)
    assert _exchanged(_rows(adds, updates, before=begins, after=summed)) is None
    assert _exchanged(_rows(adds, updates, before=begins, after=stores)) is not None


def test_conditions_go_with_what_they_guard() -> None:
    """What an outer line tells of a row is put into conditions, too."""
    end, adds = Var(INDEX, "end"), Set(TOTAL, _call("add", TOTAL, A[Q * N + ROW]))
    guard = If(((Call("bool", OPS["less"], (end, N)), (Set(TOTAL, Lit("float64", 1.0)),)),))
    before = (Set(end, ROW + 4), Set(TOTAL, Lit("float64", 0.0)), guard)
    lines = _exchanged(_rows(adds, before=before, after=(Store(Y, ROW, TOTAL),)))
    (blocks,) = lines
    first = blocks.body[1]
    conditions = [line.arms[0][0] for line in first.body if isinstance(line, If)]
    assert conditions == [Call("bool", OPS["less"], (ROW + 4, N))]


def test_a_loop_over_diagonals_ends_with_the_loop_in_it() -> None:
    inner, own = Var(INDEX, "p"), Y[ROW + Q]
    adds = Store(Y, ROW + Q, _call("add", own, A[(Q * 3 + inner) * N + ROW]))
    deep = For(inner, Lit(INDEX, 0), Lit(INDEX, 3), (adds,))
    assert _exchanged(_rows(deep)) is not None
    assert _exchanged(_rows(deep, Store(X, Q * N + ROW, A[Q * N + ROW]))) is None


def _twice(first: tuple[Line, ...], second: tuple[Line, ...], *between: Line) -> For:
    """A loop over rows with two loops over diagonals, the first two and two others."""
    low, middle, high = (Lit(INDEX, k) for k in (0, 2, 4))
    loops = (For(Q, low, middle, first), *between, For(Q, middle, high, second))
    return For(ROW, Lit(INDEX, 0), N, loops)


def test_loops_one_after_the_other_each_go_over_all_rows() -> None:
    own = Store(Y, Q * N + ROW, A[Q * N + ROW])
    block = _exchanged(_twice((own,), (Store(Y, Q * N + ROW, X[ROW]),)))
    assert [(line.lo.value, line.hi.value) for line in block] == [(0, 2), (2, 4)]


def test_loops_that_tell_each_other_anything_stay() -> None:
    """Places in one buffer that are told otherwise, what one reads of the other, and variables."""
    own = Store(Y, Q * N + ROW, A[Q * N + ROW])
    beside = Store(Y, Q * N + ROW + 1, A[Q * N + ROW])
    assert _exchanged(_twice((own,), (beside,))) is None
    assert _exchanged(_twice((own,), (Store(X, Q * N + ROW, Y[ROW]),))) is None
    assert (
        _exchanged(_twice((own,), (Store(Y, Q + ROW, _call("add", Y[Q + ROW], X[ROW])),))) is None
    )
    here, there = Var("float64", "here"), Var(INDEX, "there")
    says, asks = Set(here, A[Q * N + ROW]), Store(X, Q * N + ROW, here)
    assert _exchanged(_twice((says, own), (asks,))) is None
    assert _exchanged(_twice((own,), (says, asks))) is not None
    assert _exchanged(_twice((own,), (own,), Store(X, ROW, A[ROW]))) is None
    steady = [Set(there, N + k) for k in (1, 2)]
    uses = Store(Y, Q * N + ROW, A[there])
    assert _exchanged(_twice((steady[0], uses), (steady[1], uses))) is None
    assert _exchanged(_twice((steady[0], uses), (steady[0], uses))) is not None


def test_what_is_stored_is_not_read_before_all_rows() -> None:
    """A value that each row reads again, after the rows before have stored into its buffer."""
    here, zero = Var("float64", "here"), Lit(INDEX, 0)
    own = Store(Y, Q * N + ROW, here)
    assert _exchanged(_rows(own, before=(Set(here, X[zero]),))) is not None
    assert _exchanged(_rows(own, before=(Set(here, Y[zero]),))) is None


def test_a_total_of_several_loops_is_kept_where_it_is_stored() -> None:
    adds = Set(TOTAL, _call("add", TOTAL, A[Q * N + ROW]))
    rows = _twice((adds,), (adds,))
    begun = (Set(TOTAL, Lit("float64", 0.0)), *rows.body, Store(Y, ROW, TOTAL))
    (block,) = _exchanged(For(ROW, rows.lo, rows.hi, begun))
    assert [type(line) for line in block.body[1:]] == [For, For, For]


def test_searches_of_rows_are_rows_of_diagonals() -> None:
    """What searches find is read by nothing but the loop between them."""
    offset, end = Buffer("offset", INDEX, True, "A"), Var(INDEX, "end")
    low, high = Lit(INDEX, 1), Lit(INDEX, 4)
    first = Set(Q, Helper(INDEX, "search", (offset, 0 - ROW, low, high)))
    last = Set(end, Helper(INDEX, "search_back", (offset, N - ROW, Q, high)))
    own = Store(Y, Q * N + ROW, A[Q * N + ROW])
    each = For(Q, Q, end, (own,))
    (loop,) = _exchanged(For(ROW, Lit(INDEX, 0), N, (first, last, each)))
    (rows,) = loop.body
    assert (loop.lo.value, loop.hi.value) == (1, 4)
    assert rows.lo is maximum(Lit(INDEX, 0), 0 - offset[Q])
    assert rows.hi is minimum(N, N - offset[Q])
    others = Buffer("offset", INDEX, True, "B")
    apart = Set(end, Helper(INDEX, "search_back", (others, N - ROW, Q, high)))
    twice = Set(end, Helper(INDEX, "search_back", (offset, N - ROW * 2, Q, high)))
    counts = Store(X, Q * N + ROW, A[end])
    for body in (
        (first, apart, each),
        (first, twice, each),
        (first, last, For(Q, Q, end, (own, counts))),
        (first, last, For(Q, Q, end + 1, (own,))),
        (last, each),
    ):
        assert _exchanged(For(ROW, Lit(INDEX, 0), N, body)) is None
