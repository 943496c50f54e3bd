"""Decisions of passes over kernels, by themselves: what they leave out shows in no result."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from structarr._compiler.ir.conditions import TRUE
from structarr._compiler.ir.expr import INDEX, Buffer, Call, Helper, Lit
from structarr._compiler.ir.kernel import Break, For, If, Line, Set, Store, While
from structarr._compiler.ir.ops import OPS
from structarr._compiler.ir.variables import Var
from structarr._compiler.kernel_passes.adjacent_loops import _counts_turns
from structarr._compiler.kernel_passes.dead_code import drop_dead_code
from structarr._compiler.kernel_passes.early_ends import end_early
from structarr._compiler.kernel_passes.flat_groups import _are_read
from structarr._compiler.kernel_passes.nan_extremes import pass_over_nan
from structarr._compiler.kernel_passes.paired_sums import _pairs as paired_sum
from structarr._compiler.kernel_passes.vector_calls import _in_blocks

X, COUNT, COND = Var(INDEX, "x"), Var(INDEX, "count"), Var("bool", "c")
ONE, TWO = Lit(INDEX, 1), Lit(INDEX, 2)
OUT = Buffer("val", INDEX)


def test_what_all_branches_set_anew_was_set_for_nothing() -> None:
    first, read = Set(X, ONE), Store(OUT, ONE, X)
    arms = ((COND, (Set(X, TWO),)), (TRUE, (Set(X, ONE),)))
    assert drop_dead_code((first, If(arms), read)) == (If(arms), read)
    assert drop_dead_code((first, If(arms[:1]), read)) == (first, If(arms[:1]), read)


def test_turns_are_counted_by_one_in_each() -> None:
    counts, other = Set(COUNT, COUNT + 1), Store(OUT, COUNT, ONE)
    assert _counts_turns((other, counts), COUNT)
    assert not _counts_turns((other,), COUNT)
    assert not _counts_turns((Set(COUNT, COUNT + 2),), COUNT)
    assert not _counts_turns((counts, counts), COUNT)
    assert not _counts_turns((counts, If(((COND, (Break(),)),))), COUNT)


ROW, J, N = (Var(INDEX, name) for name in "ijn")
VAL = Buffer("val", "float64")
SEARCH = Set(X, Helper(INDEX, "search", (OUT, ONE, ONE, TWO)))
FOUND, TOTAL = Var("bool", "found"), Var("float64", "total")
TAKEN: Any = {
    "a boolean": Set(FOUND, Call("bool", OPS["logical_or"], (FOUND, COND))),
    "an extreme": Set(TOTAL, Call("float64", OPS["fmax"], (TOTAL, VAL[J]))),
}


@pytest.mark.parametrize(
    ("rewritten", "what"), [(end_early, "a boolean"), (pass_over_nan, "an extreme")]
)
def test_loops_that_search_are_looked_at_by_no_vectors(rewritten: Any, what: str) -> None:
    def rows(*lines: Line) -> tuple[Line, ...]:
        return (For(ROW, ONE, N, (For(J, ONE, N, lines),)),)

    plain, searching = rows(TAKEN[what]), rows(SEARCH, TAKEN[what])
    assert rewritten(plain) != plain
    assert rewritten(searching) == searching


@pytest.mark.parametrize("hi", [N, OUT[N], X])
def test_pairs_of_turns_end_where_a_variable_says_that_nothing_sets(hi: Any) -> None:
    term = Call("float64", OPS["multiply"], (VAL[OUT[J]], VAL[J]))
    added = Set(TOTAL, Helper("float64", "radd", (TOTAL, term)))
    loop = For(J, J, hi, (Set(X, ONE), added))
    first, *rest = paired_sum(loop, set())
    kept = hi is N
    assert isinstance(first, If) is kept
    if not kept:
        assert first.value is hi  # type: ignore[attr-defined]
        assert rest


def test_loops_that_nothing_ends_are_never_begun() -> None:
    store = Store(OUT, ONE, X)
    ended = While((store, If(((COND, (Break(),)),))))
    assert drop_dead_code((ended,)) == (ended,)
    assert drop_dead_code((While((store,)), store)) == (store,)


def test_short_loops_are_one_block() -> None:
    loop = For(ROW, ONE, N, (Store(OUT, ROW, X),))
    begin, end = Var(INDEX, "i_block"), Var(INDEX, "i_stop")
    assert _in_blocks(loop, loop.lo, loop.hi, [loop]) == (loop,)
    (blocks,) = _in_blocks(loop, begin, end, [loop])
    assert isinstance(blocks, For)
    assert blocks.body[1:] == (loop,)


def test_positions_of_groups_are_read_by_what_may_run_later() -> None:
    groups: Any = SimpleNamespace(positions={X})
    loop, read, other = While((Break(),)), Store(OUT, X, ONE), Store(OUT, ONE, ONE)
    assert _are_read(groups, loop, (loop, read))
    assert not _are_read(groups, loop, (read, loop, other))
    assert _are_read(groups, loop, (For(J, ONE, N, (read, loop)),))


@pytest.mark.parametrize(
    ("lines", "behind", "ends"),
    [
        ((), (), True),
        ((Set(X, ONE),), (), True),
        ((Set(X, ONE),), (Store(OUT, ONE, X),), False),  # read behind
        ((Store(OUT, ROW, ONE),), (), False),
        ((Set(X, Call(INDEX, OPS["add"], (X, ONE))),), (), False),  # of the turn before
        ((If(((COND, (Set(X, ONE),)),)), Set(N, X)), (), False),  # perhaps of the turn before
        ((If(((COND, (Set(X, ONE),)), (TRUE, (Set(X, TWO),)))), Set(N, X)), (), True),
        ((If(((FOUND, (Set(X, ONE),)),)),), (), False),  # what is settled is read
        ((SEARCH,), (), False),
    ],
)
def test_loops_of_loops_end_where_nothing_else_is_missed(lines: Any, behind: Any, ends: bool):
    rows = For(ROW, ONE, TWO, (*lines, While((TAKEN["a boolean"], Break()))))
    first, *_ = end_early((rows, *behind))
    assert (first != rows) is ends
    if ends:
        assert first.body[-1] == If(((FOUND, (Break(),)),))  # type: ignore[attr-defined]
