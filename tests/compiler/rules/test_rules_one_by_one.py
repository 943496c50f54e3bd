"""Single rules, called by themselves: what later rules would make of their values is not seen."""

from __future__ import annotations

from functools import partial
from math import inf, nan

import numpy as np
import pytest

import structarr as sa
from structarr._compiler.ir.cin import (
    Access,
    Assign,
    Loop,
    Multi,
    Pass,
    Permit,
    Sieve,
    Tensor,
    Where,
)
from structarr._compiler.ir.conditions import lt
from structarr._compiler.ir.expr import Call, Cast, Expr, Helper, Index, Lit
from structarr._compiler.ir.missing import MISSING, Coalesce
from structarr._compiler.ir.ops import OPS
from structarr._compiler.ir.scanned import Scanned
from structarr._compiler.ir.variables import Var
from structarr._compiler.looplets.base import applied
from structarr._compiler.looplets.run import Run
from structarr._compiler.rules.algebra import (
    coalesce_of_one_constant,
    constants_gather,
    infinite_fill,
    involution,
    signs_of_zeros_count,
)
from structarr._compiler.rules.constants import algebraic, evaluate, literal, same_constant
from structarr._compiler.rules.missing import missing
from structarr._compiler.rules.patterns import _is
from structarr._compiler.rules.scans import scan_of_constants
from structarr._compiler.rules.statements import (
    constants_ignore_indices,
    repeated_update,
    where_without_work,
)
from structarr.errors import OperatorError
from structarr.formats import parse

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


def test_nothing_is_added_of_what_is_zero_or_missing() -> None:
    x = Tensor("x", parse("list", 1), "float64", Lit("float64", 0.0), (Lit("int64", 4),), "in")
    y = Access("float64", x.replace(name="y", role="out"), (Index("i"),))
    part = Access("float64", x, (Permit("int64", Index("i")),))
    zero = Call("float64", OPS["multiply"], (Lit("float64", 0.0, True), part))
    (rewritten,) = [one.rewrite for one in missing(False).rules if one.head is Assign]
    assert isinstance(rewritten(Assign(y, OPS["add"], zero)), Pass)
    assert rewritten(Assign(y, OPS["add"], part)) is None
    either = Coalesce("float64", (zero, Lit("float64", 0.0, True)))
    both = Call("float64", OPS["add"], (either, zero))
    assert isinstance(rewritten(Assign(y, OPS["add"], both)), Pass)
    other = either.replace(args=(*either.args, Lit("float64", 1.0)))
    assert rewritten(Assign(y, OPS["add"], Call("float64", OPS["add"], (other, zero)))) is None


def test_what_is_read_is_the_value_and_what_is_written_its_place() -> None:
    value, place = Lit("float64", 2.0), Access("float64", Run(Lit("float64", 2.0)), (Index("i"),))
    assert applied(place, value) is value


@pytest.mark.parametrize("cast", [False, True])
def test_what_may_be_missing_of_a_constant_is_that_constant(cast: bool) -> None:
    last = Lit("float64", 2.0)
    inner = Lit("int64", 2) if cast else last
    part: Expr = Access(inner.dtype, inner, (Permit("int64", Index("i")),))
    part = Cast("float64", part) if cast else part
    assert coalesce_of_one_constant.rewrite(Coalesce("float64", (part, last))) is last
    assert (
        coalesce_of_one_constant.rewrite(Coalesce("float64", (part, Lit("float64", 3.0)))) is None
    )


def test_constants_are_those_of_their_dtype() -> None:
    assert literal("bool", 2j).value is True
    assert literal("int64", 2 + 1j).value == 2
    assert [algebraic("bool", one).value for one in (inf, -inf)] == [True, False]
    assert [algebraic("int8", one).value for one in (inf, -inf)] == [127, -128]


def test_calls_of_the_same_constants_are_the_same() -> None:
    one, other = (Call("float64", OPS["add"], (X, Lit("float64", 0.0, told))) for told in (0, 1))
    assert one is not other and same_constant(one, other)
    assert not same_constant(one, Call("float32", OPS["add"], other.args))
    assert not same_constant(one, Call("float64", OPS["subtract"], other.args))


def test_what_is_missing_in_two_places_may_be_two_values() -> None:
    """Of a choice between values that may be missing nothing is known but where it is constant."""
    (rewritten,) = [one.rewrite for one in missing(False).rules if one.head is Coalesce]
    one, other = (
        Access("int64", Run(Var("int64", x)), (Permit("int64", Index("i")),)) for x in "ab"
    )
    zero = Lit("int64", 0)
    chosen = Coalesce("int64", (call("add", other, zero),))
    assert rewritten(Coalesce("int64", (call("subtract", one, chosen), zero))) is None
    assert rewritten(Coalesce("int64", (call("multiply", one, Lit("int64", 0, True)), zero)))


def test_operators_from_outside_that_fail_for_constants_are_named() -> None:
    def fails(x: float) -> float:
        raise ValueError("no number")

    outside = sa.operator(fails, name="fails", dtype="float64")
    three = Lit("float64", 3.0)
    with pytest.raises(OperatorError, match=r"operator fails\w* fails for 3\.0, a constant"):
        evaluate(Call("float64", outside.op, (three,)))
    with pytest.raises(IndexError):  # ours are given what they take
        evaluate(Call("float64", OPS["add"], (three,)))


def test_a_run_of_complex_infinities_is_counted_by_its_parts() -> None:
    run = np.full(5, complex(inf, 1.0))
    with sa.options(tier="interpreted"):
        assert sa.asarray(run, format="rle").sum().item() == complex(inf, 5.0)


def test_parts_that_are_zero_or_missing_are_one_zero() -> None:
    """What each part is wherever it is there; parts of unknown values are told from each other."""
    x, y = (
        Tensor(name, parse("list", 1), "float64", Lit("float64", 0.0), (Lit("int64", 4),), "in")
        for name in "xy"
    )
    target = Access("float64", x.replace(name="z", role="out"), (Index("i"),))
    a, b = (Access("float64", one, (Permit("int64", Index("i")),)) for one in (x, y))
    zero = Lit("float64", 0.0, True)
    times, minus = (partial(Call, "float64", OPS[name]) for name in ("multiply", "subtract"))
    (rewritten,) = [one.rewrite for one in missing(False).rules if one.head is Assign]
    nothing = Coalesce("float64", (times((zero, a)), times((zero, b))))
    assert isinstance(rewritten(Assign(target, OPS["add"], times((nothing, a)))), Pass)
    unlike = [Coalesce("float64", parts) for parts in ((a, b), (b, a))]
    assert rewritten(Assign(target, OPS["add"], minus(tuple(unlike)))) is None


def test_an_update_in_each_turn_is_one_update_by_a_product() -> None:
    number, total = Var("int64", "n"), Access("int64", Var("int64", "total"), ())
    once = Assign(total, OPS["add"], X)
    times = Assign(total, OPS["add"], call("multiply", X, Cast("int64", number)))
    for guarded in (lambda stmt: stmt, lambda stmt: Sieve(lt(X, number), stmt)):
        loop = Loop(Index("i"), Lit("int64", 0), number, guarded(once))
        assert repeated_update.rewrite(loop) == Sieve(lt(0, number), guarded(times))
    assigned = Sieve(lt(X, number), Assign(total, OPS["logaddexp"], X))
    assert repeated_update.rewrite(Loop(Index("i"), Lit("int64", 0), number, assigned)) is None


@pytest.mark.parametrize(("dtype", "counts"), [("bool", False), ("int64", True)])
def test_truths_are_not_counted_by_products(dtype: str, counts: bool) -> None:
    number, total = Var("int64", "n"), Access(dtype, Var(dtype, "total"), ())
    once = Assign(total, OPS["add"], Var(dtype, "x"))
    found = repeated_update.rewrite(Loop(Index("i"), Lit("int64", 0), number, once))
    assert (found is not None) is counts


def test_scans_of_what_changes_nothing_are_what_no_format_stores() -> None:
    start, zero = Lit("float64", 0.0), Lit("float64", 0.0)
    scan = Scanned("float64", OPS["add"], start, zero, Index("i"))
    assert scan_of_constants.rewrite(scan) == Lit("float64", 0.0, True)


def test_what_is_read_at_a_place_that_is_missing_is_missing() -> None:
    held = Tensor("A", parse("list", 1), "float64", Lit("float64", 0.0), (Lit("int64", 4),), "in")
    for place in (MISSING, MISSING + 1, Permit(MISSING + X)):
        assert constants_ignore_indices.rewrite(Access("float64", held, (place,))) is MISSING
    assert constants_ignore_indices.rewrite(Access("float64", held, (X,))) is None


def test_patterns_tell_numbers_from_those_that_are_none() -> None:
    for value, other in ((nan, 1.0), (1.0, nan), (1.0, 2.0)):
        assert _is(Lit("float64", value), value)
        assert not _is(Lit("float64", value), other)
