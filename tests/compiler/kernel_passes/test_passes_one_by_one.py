"""Decisions of passes over kernels, by themselves: what they leave out shows in no result."""

from __future__ import annotations

from structarr._compiler.ir.conditions import TRUE
from structarr._compiler.ir.expr import INDEX, Buffer, Lit
from structarr._compiler.ir.kernel import Break, If, Set, Store
from structarr._compiler.ir.variables import Var
from structarr._compiler.kernel_passes.adjacent_loops import _counts_turns
from structarr._compiler.kernel_passes.dead_code import drop_dead_code

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
