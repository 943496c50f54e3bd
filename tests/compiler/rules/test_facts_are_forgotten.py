"""What the prover knows ends where a line changes what it is about."""

from __future__ import annotations

import pytest

from structarr._compiler.backend.numba.source import show
from structarr._compiler.context import Context
from structarr._compiler.ir.cin import Access, Assign, Pass, Stmt, Tensor
from structarr._compiler.ir.conditions import TRUE, le, lt
from structarr._compiler.ir.expr import INDEX, Buffer, Lit, minimum
from structarr._compiler.ir.kernel import If, Line, Set, Store, While
from structarr._compiler.ir.variables import Var
from structarr._compiler.lowering.driver import lower
from structarr._compiler.options import Forced, force
from structarr._compiler.rules.defaults import default_rules
from structarr.formats import parse

AT, N, STOP = (Var(INDEX, name) for name in ("i", "n", "stop"))
ENDS = Buffer("ends", INDEX, True)
ZERO = Lit(INDEX, 0)
OUT = Tensor("C", parse("list", 1), "float64", Lit("float64", 0.0, True), (N,), "out")


@pytest.fixture
def ctx() -> Context:
    return Context(default_rules(False), lambda stmt, ctx: None)


LINES: dict[str, Line] = {
    "set": Set(AT, N),
    "branch": If(((lt(ZERO, N), (Set(AT, N),)),)),
    "loop": While((Set(AT, AT + 1),)),
}


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_an_assignment_at_any_depth_forgets_its_variable(ctx: Context, line: Line) -> None:
    ctx.facts.assume(le(AT, N))
    ctx.facts.assume(le(ZERO, N))
    ctx.emit(line)
    assert not ctx.proves(le(AT, N))
    assert ctx.proves(le(ZERO, N))


def test_kept_lines_of_a_block_forget_their_variables(ctx: Context) -> None:
    ctx.facts.assume(le(AT, N))
    with ctx.block() as lines:
        ctx.set(AT, N)
    assert ctx.proves(le(AT, N)), "a block that is not kept changes nothing"
    ctx.branch([(TRUE, lines)])
    assert not ctx.proves(le(AT, N))


def test_a_definition_ends_with_what_it_is_made_of(ctx: Context) -> None:
    cut = ctx.let("cut", minimum(STOP, N))
    assert ctx.proves(le(cut, STOP))
    ctx.set(STOP, ZERO)
    assert not ctx.proves(le(cut, STOP))
    assert ctx.proves(le(cut, N))


def test_a_store_forgets_what_was_read_of_its_buffer(ctx: Context) -> None:
    ctx.facts.assume(le(ENDS[AT], N))
    ctx.emit(Store(ENDS, ZERO, N))
    assert not ctx.proves(le(ENDS[AT], N))


def test_reading_at_a_variable_ends_with_it(ctx: Context) -> None:
    ctx.facts.assume(le(ENDS[AT], N))
    ctx.set(AT, AT + 1)
    assert not ctx.proves(le(ENDS[AT], N))


def test_a_loop_knows_nothing_of_what_its_turns_change(ctx: Context) -> None:
    ctx.facts.assume(le(AT, N))
    with ctx.turn((AT,), le(ZERO, AT)) as body:
        assert not ctx.proves(le(AT, N))
        assert ctx.proves(le(ZERO, AT))
        ctx.set(AT, AT + 1)
    ctx.emit(While(tuple(body)))
    assert not ctx.proves(le(AT, N))


def test_a_loop_is_told_of_all_that_it_changes(ctx: Context) -> None:
    ctx.facts.assume(le(AT, N))
    with pytest.raises(AssertionError, match="a loop changes"), ctx.turn(()):
        ctx.set(AT, AT + 1)


def test_a_trial_leaves_nothing_behind() -> None:
    def lower(stmt: Stmt, ctx: Context) -> None:
        ctx.fresh("q", "float64")
        ctx.skipped.add(OUT)
        ctx.counter(OUT.root())
        ctx.facts.assume(le(AT, N))
        ctx.set(AT, N)

    ctx = Context(default_rules(False), lower)
    assert ctx.writes(Pass(())) is False
    assert not (ctx.skipped or ctx.counters or ctx.lines or ctx.proves(le(AT, N)))
    assert ctx.fresh("q").name == "q"


def test_kernels_check_facts_where_that_is_asked_for() -> None:
    with force(Forced(checked=True)):
        ctx = Context(default_rules(False), lambda stmt, ctx: None)
    with ctx.under(le(ZERO, N)):
        ctx.assume(lt(AT, N))
        ctx.emit(Store(ENDS, ZERO, N))
    assert [line.strip() for line in show(tuple(ctx.lines)).splitlines()] == [
        "if 0 <= n:",
        "assert 0 <= n",
        "assert i < n",
        "ends[0] = n",
    ]


def test_conditions_of_other_variables_stay_true(ctx: Context) -> None:
    changing, other = Var("bool", "changing"), Var("bool", "other")
    for cond in (changing, other):
        ctx.facts.assume(cond)
    ctx.facts.forget(frozenset({changing}))
    assert not ctx.facts.proves(changing)
    assert ctx.facts.proves(other)


def test_nothing_is_lowered_beyond_the_budget() -> None:
    lowered: list[Stmt] = []

    def stmt_by_stmt(stmt: Stmt, ctx: Context) -> None:
        if ctx.goes_on():
            lowered.append(stmt)

    ctx = Context(default_rules(False), stmt_by_stmt, 3)
    for _ in range(5):
        ctx.lower(Pass(()))
    assert (len(lowered), ctx.is_spent) == (3, True)
    lower(Assign(Access("float64", OUT, (AT,)), None, Lit("float64", 1.0)), ctx)
    assert not ctx.lines
