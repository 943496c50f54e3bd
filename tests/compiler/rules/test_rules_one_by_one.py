"""Single rules, called by themselves: what later rules would make of their values is not seen."""

from __future__ import annotations

from functools import partial
from math import inf

import pytest

from structarr._compiler.ir.cin import Access, Assign, Multi, Pass, Tensor, Where
from structarr._compiler.ir.expr import Call, Helper, Lit
from structarr._compiler.ir.missing import MISSING, Coalesce
from structarr._compiler.ir.ops import OPS
from structarr._compiler.ir.variables import Var
from structarr._compiler.rules.algebra import (
    constants_gather,
    infinite_fill,
    involution,
    signs_of_zeros_count,
)
from structarr._compiler.rules.statements import where_without_work

X = Var("int64", "x")


def call(name: str, *args: object) -> Call:
    return Call("int64", OPS[name], args)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["negative", "logical_not", "invert"])
def test_two_involutions_are_none(name: str) -> None:
    dtype = "bool" if name == "logical_not" else "int64"
    x, op = Var(dtype, "x"), OPS[name]
    assert involution.rewrite(Call(dtype, op, (Call(dtype, op, (x,)),))) is x
    assert involution.rewrite(Call(dtype, op, (x,))) is None


def test_involutions_that_change_the_type_stay() -> None:
    inner = Call("bool", OPS["logical_not"], (X,))
    assert involution.rewrite(Call("bool", OPS["logical_not"], (inner,))) is None


def test_constants_stand_last_and_are_gathered() -> None:
    one, two = Lit("int64", 1), Lit("int64", 2)
    assert constants_gather.rewrite(call("add", one, X)) == call("add", X, one)
    assert constants_gather.rewrite(call("add", X, one)) is None
    assert constants_gather.rewrite(call("add", call("add", X, one), two)) == call(
        "add", X, Lit("int64", 3)
    )
    assert constants_gather.rewrite(call("subtract", one, X)) is None


def test_producers_go_with_their_consumer_if_they_write_nothing_else() -> None:
    temp, other = (Tensor(name, None, "int64", Lit("int64", 0), ()) for name in "TC")
    lines = [Assign(Access("int64", one, ()), None, X) for one in (temp, other)]
    nothing = Pass(())
    assert where_without_work.rewrite(Where(nothing, lines[0], (temp,))) is nothing
    assert where_without_work.rewrite(Where(nothing, Multi((*lines,)), (temp,))) is None


def test_signs_of_zeros_count_where_there_are_any() -> None:
    for dtype, exactly in (("float64", True), ("int64", False)):
        told = Helper("bool", "differ", (Var(dtype, "x"), Lit(dtype, 0)))
        found = signs_of_zeros_count.rewrite(told)
        assert found == (Helper("bool", "differ_exactly", told.args) if exactly else None)
    assert signs_of_zeros_count.rewrite(Helper("bool", "search", (X, X))) is None


def test_an_infinite_fill_stays_what_it_is_where_nothing_is_missing() -> None:
    fill, plain = Lit("float64", inf, True), Lit("float64", inf)
    x, missing = Var("float64", "x"), Coalesce("float64", (Var("float64", "y"),))
    add = partial(Call, "float64", OPS["add"])
    assert infinite_fill(False, add((fill, x))) is fill
    assert infinite_fill(False, add((plain, x))) is None
    assert infinite_fill(True, add((fill, x))) is None
    assert infinite_fill(False, add((fill, plain))) is None
    assert infinite_fill(False, add((fill, missing))) is fill
    assert infinite_fill(False, add((fill, MISSING))) is None
