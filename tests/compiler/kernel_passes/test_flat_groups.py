"""Entries are gone along one by one where their rows need no loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import structarr as sa
from structarr._array import stored
from structarr._compiler.ir.conditions import Not, eq, lt
from structarr._compiler.ir.expr import Buffer, Helper, Lit
from structarr._compiler.ir.kernel import Break, For, If, Set, Store, While
from structarr._compiler.ir.variables import Var
from structarr._compiler.kernel_passes.blocks import replaced
from structarr._compiler.kernel_passes.fetch_ahead import FAR
from structarr._compiler.kernel_passes.flat_groups import _groups
from structarr._testing.counted_calls import counting

RNG = np.random.default_rng(5)
SHORT = np.where(RNG.random((40, 30)) < 0.1, RNG.integers(1, 9, (40, 30)), 0)
SHORT[[0, 7, 8, 39]] = 0
LONG = np.where(RNG.random((5, 300)) < 0.7, RNG.integers(1, 9, (5, 300)), 0)
LONG[2] = 0

Call = Callable[[Any], Any]

CALLS: dict[str, Call] = {
    "rows": lambda a: a @ np.arange(float(a.shape[1])),
    "sums of columns": lambda a: np.arange(float(a.shape[0])) @ a,
    "sum of rows": lambda a: a.sum(axis=1),
    "any": lambda a: (a > 7).any(axis=1),
    "largest": lambda a: a.max(axis=1),
    "a number": lambda a: (np.arange(a.shape[0])[:, None] * a).sum(),
    "column": lambda a: a[:, 4],
    "diagonal": lambda a: np.diagonal(a),
    "another": lambda a: np.diagonal(a, 3),
    "trace": lambda a: np.trace(a, -2),
    "some": lambda a: a[1:-1, 2:-3].sum(axis=1),
    "one column of some": lambda a: a[2:-1, 5],
    "columns": lambda a: a[:, 4:11],
    "columns of some": lambda a: a[1:-1, 3:5],
    "no column with an entry": lambda a: (a * 0)[:, 2:4],
    "scaled": lambda a: a * np.arange(1.0, a.shape[0] + 1)[:, None],
    "scaled columns": lambda a: (a * np.arange(1.0, a.shape[1] + 1))[:, 5:9],
}


def _source(lazy: Any) -> str:
    return str(sa.explain(lazy).kernel)


@pytest.mark.parametrize(
    ("tier", "dtype", "index"),
    [("interpreted", "int32", "int64"), ("compiled", "float64", "int32")],
)
@pytest.mark.parametrize(
    "dense", [SHORT, LONG, SHORT[:1], SHORT[7:9]], ids=["short", "long", "one", "none"]
)
@pytest.mark.parametrize("name", CALLS)
def test_rows_of_any_length(name: str, dense: Any, dtype: str, index: str, tier: str) -> None:
    call, plain = CALLS[name], dense.astype(dtype)
    entries = scipy.sparse.coo_array(plain)
    places = tuple(one.astype(index) for one in entries.coords)
    with sa.options(tier=tier):
        a = sa.asarray(scipy.sparse.coo_array((entries.data, places), plain.shape))
        np.testing.assert_array_equal(np.asarray(call(a)), call(plain))
        np.testing.assert_array_equal(call(a).todense(), call(plain))


@pytest.mark.usefixtures("as_shipped")
def test_a_sum_of_all_entries_searches_no_row() -> None:
    a = sa.asarray(SHORT.astype(float), format="coo")
    assert "search" not in _source((np.arange(40.0)[:, None] * a).sum())


@pytest.mark.usefixtures("as_shipped")
def test_entries_are_compared_in_short_rows_and_searched_in_long_ones() -> None:
    source = _source(sa.asarray(SHORT.astype(float), format="coo")[:, 4])
    compared, _, searched = source.partition("else:")
    assert "bisect" in searched
    assert "bisect" not in compared
    assert "A1_idx[u(a_q)] == size0" in compared


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
def test_rows_whose_numbers_are_large(tier: str) -> None:
    last = 2**31 - 2
    places = np.array([0, 5, 2**30, last], np.int32), np.array([3, 1, 1, 1], np.int32)
    a = sa.asarray(scipy.sparse.coo_array((np.arange(1.0, 5.0), places), (last + 1, 4)))
    with sa.options(tier=tier):
        column = a[:, 1].compute()
    assert [column[int(k)].item() for k in (0, 5, 2**30, last)] == [0.0, 2.0, 3.0, 4.0]


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
def test_three_axes(tier: str) -> None:
    dense = np.where(RNG.random((6, 5, 4)) < 0.5, RNG.integers(1, 9, (6, 5, 4)), 0)
    a = sa.asarray(dense, format="coo")
    with sa.options(tier=tier):
        for call in (
            lambda one: one.sum(axis=2),
            lambda one: one.sum(axis=(1, 2)),
            lambda one: one[:, 2, 3],
            lambda one: one[:, 2],
            lambda one: one[:, 1:4],
            lambda one: one[:, :, 1:3],
            lambda one: one[1:5, 2:4, 1:3],
            lambda one: (one > 3).any(axis=2)[:, 2],
            lambda one: np.diagonal(one, axis1=1, axis2=2),
        ):
            np.testing.assert_array_equal(np.asarray(call(a)), call(dense))


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
def test_what_branches_read_is_of_the_entry(tier: str) -> None:
    """What is looked up in a group is read within a branch, into which a pass has to look."""
    yes, cond = np.ones((1, 1, 1, 1, 1), complex), np.zeros((1, 2, 1, 1, 2), complex)
    yes, cond = np.tile(yes * 3, (1, 1, 1, 5, 1)), np.tile(cond, (1, 1, 1, 5, 1))
    yes[..., 1::2, :] = 2.0
    cond[0, 1, 0, 3] = 1.0
    with sa.options(tier=tier):
        c, y = (sa.asarray(one, format="coo", fill_value=0j) for one in (cond, yes))
        np.testing.assert_array_equal(np.where(c, y, y).todense(), np.where(cond, yes, yes))


def test_nodes_are_replaced_within_branches() -> None:
    i, k = Var("int64", "i"), Var("int64", "k")
    inner = If(((eq(i, 0), (Set(k, i),)),))
    block = (For(k, i, k, (inner,)), While((inner, Break())))
    expected = If(((eq(k, 0), (Set(k, k),)),))
    assert replaced(block, {i: k}) == (For(k, k, k, (expected,)), While((expected, Break())))


@pytest.mark.usefixtures("as_shipped")
def test_rows_that_are_appended_have_no_ends_to_look_for_where_they_are_short() -> None:
    a, x = sa.asarray(SHORT.astype(float), format="coo"), sa.asarray(np.arange(30.0))
    for lazy in (a @ x, abs(a).sum(axis=1)):
        begin, _, long = _source(lazy).partition("else:")
        assert "same" in begin
        assert "search" not in begin
        assert "search" in long


@pytest.mark.usefixtures("as_shipped")
def test_fibers_are_ended_by_each_entry_where_rows_are_short() -> None:
    a = sa.asarray(SHORT.astype(float), format="coo")
    begin, _, long = _source(a[:, 4:11]).partition("else:")
    assert "same" in begin
    assert "search" not in begin
    assert "search" in long
    with sa.options(tier="interpreted"):
        found = a[:, 4:11].compute()
    kept = SHORT[:, 4:11]
    assert [len(one) for one in stored(found).buffers] == [
        2,
        np.any(kept, axis=1).sum(),
        np.any(kept, axis=1).sum() + 1,
        np.count_nonzero(kept),
        np.count_nonzero(kept),
    ]


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
@pytest.mark.parametrize("size", [FAR - 1, FAR, 3 * FAR])
def test_what_is_far_away_is_asked_for(size: int, tier: str) -> None:
    """The places that are asked for are listed, to the last entry."""
    count = 100
    places = RNG.integers(0, size, count), RNG.integers(0, size, count)
    a = scipy.sparse.coo_array((RNG.integers(1, 9, count) * 1.0, places), (size, size))
    x, y = RNG.integers(0, 9, size) * 1.0, RNG.integers(0, 9, size) * 1.0
    with sa.options(tier=tier):
        b = sa.asarray(a)
        np.testing.assert_array_equal(np.asarray(b @ sa.asarray(x)), a @ x)
        np.testing.assert_array_equal((b @ x).todense(), a @ x)
        np.testing.assert_array_equal((y @ b).todense(), y @ a)
        np.testing.assert_array_equal(np.asarray(b.T @ y + x), a.T @ y + x)
        np.testing.assert_array_equal(np.asarray((b - y) @ x), a @ x - y @ x)
        assert (b @ x).nstored == len(np.unique(places[0]))


@pytest.mark.usefixtures("as_shipped")
def test_a_kernel_asks_for_what_it_looks_up_alone() -> None:
    source = _source(sa.asarray(SHORT.astype(float), format="coo") @ sa.asarray(np.arange(30.0)))
    assert source.count("fetch(") == 1
    assert "fetch(B_val, A1_idx[u(ahead)])" in source


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float32", "complex128"])
def test_appended_rows_of_every_dtype(dtype: str, tier: str) -> None:
    dense = (SHORT * (1 + 1j if dtype == "complex128" else 1)).astype(dtype)
    x = (np.arange(30) % 3).astype(dtype)
    with sa.options(tier=tier):
        a = sa.asarray(dense, format="coo")
        for lazy, wanted in (
            (a @ sa.asarray(x), dense @ x),
            (a.sum(axis=1), dense.sum(axis=1)),
            (a.any(axis=1), dense.any(axis=1)),
        ):
            found = lazy.compute()
            assert found.dtype == wanted.dtype
            np.testing.assert_array_equal(found.todense(), wanted)
        total, squares = sa.compute(a.sum(axis=1), (a * a).sum(axis=1))
        np.testing.assert_array_equal(total.todense(), dense.sum(axis=1))
        np.testing.assert_array_equal(squares.todense(), (dense * dense).sum(axis=1))


Q, END, NEXT, AT, AFTER, ROW = (Var("int64", n) for n in ("q", "end", "next", "at", "after", "row"))
ROWS, COLUMNS, OUT = Buffer("rows", "int64"), Buffer("columns", "int64"), Buffer("out", "int64")
J, KEY, ONE = Var("int64", "j"), Var("int64", "key"), Lit("int64", 1)
LEFT, READ = lt(AT, NEXT), Store(OUT, ROW, COLUMNS[AT])


def search(buffer: Buffer, *args: Any) -> Helper:
    return Helper("int64", "search", (buffer, *args))


def groups(*lines: Any, key: Any = ROW + 1, buffer: Buffer = ROWS) -> Any:
    """What is known of a loop over groups in which some lines are done for each."""
    return _groups(
        While(
            (
                If(((Not(lt(Q, END)), (Break(),)),)),
                Set(ROW, ROWS[Q]),
                Set(NEXT, search(buffer, key, Q, END)),
                *lines,
                Set(Q, NEXT),
            )
        )
    )


def test_groups_end_where_their_coordinate_does() -> None:
    assert groups(READ) is not None
    assert groups(READ, key=ROW + 2) is None
    assert groups(READ, buffer=COLUMNS) is None
    assert groups(Store(ROWS, Q, ONE)) is None


@pytest.mark.parametrize(
    ("body", "taken"),
    [
        ((READ,), True),
        ((READ, Store(OUT, ROW, NEXT)), False),
        ((READ, Store(OUT, ROW, AFTER)), False),
        ((Store(OUT, ROW, ONE),), False),
        ((READ, While((Break(),))), False),
    ],
)
def test_one_place_of_a_group_is_compared_if_nothing_else_is_read(body: Any, taken: bool) -> None:
    found = groups(
        Set(AT, Helper("int64", "bisect", (COLUMNS, KEY, Q, NEXT))),
        Set(AFTER, search(COLUMNS, KEY + 1, AT, NEXT)),
        If(((lt(AT, AFTER), body),)),
    )
    assert (found._entry() is not None) is taken


@pytest.mark.parametrize(("read", "taken"), [(READ, True), (Store(OUT, ROW, AFTER), False)])
def test_entries_between_two_places_are_compared_if_no_place_is_read(
    read: Any, taken: bool
) -> None:
    inner = (Set(AFTER, search(COLUMNS, KEY + 3, AT, NEXT)), For(J, AT, AFTER, (read,)))
    loop = If(((LEFT, (Set(AT, search(COLUMNS, KEY, AT, NEXT)), If(((LEFT, inner),)))),))
    assert (groups()._turn(loop, AT) is not None) is taken


def test_groups_that_do_no_loop_and_groups_that_do_two_stay() -> None:
    """What is done once for a group, or twice for each entry, is not done for each entry."""
    each = For(J, AT, NEXT, (Store(OUT, ROW, COLUMNS[J]),))
    assert groups(Set(AT, Q), each)._entry() is not None
    assert groups(Set(AT, Q), Store(OUT, ROW, ONE))._entry() is None
    assert groups(Set(AT, Q), each, each)._entry() is None


@pytest.mark.usefixtures("as_shipped")
def test_long_rows_whose_numbers_are_large_are_searched() -> None:
    """Rows are counted from the first to the last one, not from 0."""
    rows, columns = np.repeat([0, 1, 2], 100), np.tile(np.arange(100), 3)
    turns = []
    for first in (0, 900):
        entries = scipy.sparse.coo_array((np.ones(300), (rows + first, columns)), (1000, 100))
        a = sa.asarray(entries)
        with counting() as calls:
            a[:, 3].compute()
        turns.append(sum(one.iterations for one in calls))
    assert turns[0] == turns[1] < 300


@pytest.mark.parametrize(("looked_up", "taken"), [(COLUMNS, True), (OUT, False)])
def test_an_element_is_kept_for_a_group_unless_entries_read_its_buffer(
    looked_up: Buffer, taken: bool
) -> None:
    """What a group adds to is read and stored for each entry, which others may have read."""
    total = Var("int64", "total")
    each = For(J, AT, NEXT, (Set(total, total + looked_up[COLUMNS[J]]),))
    found = groups(Set(AT, Q), Set(total, OUT[KEY]), each, Store(OUT, KEY, total))._entry()
    assert (found is not None) is taken


COUNT, BEFORE, FIBERS = (Var("int64", name) for name in ("count", "count_before", "fibers"))
PLACES, ENDS, LISTED = (Buffer(name, "int64") for name in ("places", "ends", "listed"))
SOME = lt(BEFORE, COUNT)
TURN = (Store(PLACES, COUNT, COLUMNS[J]), Set(COUNT, COUNT + 1))


def fibers(*turn: Any, row: Any = ROW, some: Any = SOME, end: Any = COUNT) -> bool:
    """Whether groups are gone along entry by entry that append fibers of such turns."""
    found = groups(
        Set(BEFORE, COUNT),
        Set(AT, Q),
        For(J, AT, NEXT, turn),
        Store(ENDS, FIBERS + 1, end),
        If(((some, (Store(LISTED, FIBERS, row), Set(FIBERS, FIBERS + 1))),)),
    )
    return found._entry() is not None


def test_fibers_are_appended_by_entries_if_nothing_else_reads_or_writes_them() -> None:
    assert fibers(*TURN)
    assert fibers(If(((lt(COLUMNS[J], KEY), TURN),)), row=ROW - KEY)
    assert not fibers(*TURN, row=COUNT)
    assert not fibers(*TURN, row=COLUMNS[ROW])
    assert not fibers(*TURN, some=lt(COUNT, BEFORE))
    assert not fibers(*TURN, end=KEY)
    assert not fibers(*TURN, Set(COUNT, COUNT + 2))
    assert not fibers(If(((lt(COLUMNS[J], KEY), (Set(COUNT, COUNT + 2),)),)))
    assert not fibers(*TURN, Store(OUT, J, FIBERS))
    assert not fibers(*TURN, Store(OUT, J, LISTED[J]))
    assert not fibers(*TURN, Store(ENDS, J, J))
    assert not fibers(*TURN, While((Break(),)))
