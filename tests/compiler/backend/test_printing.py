"""Printed expressions mean what their nodes do, whatever binds how tightly."""

import itertools
from typing import Any

import numpy as np
import pytest

from structarr._compiler.backend.names import Names
from structarr._compiler.backend.numba.source import NumbaExpressions
from structarr._compiler.backend.operator_table import _SIGNS
from structarr._compiler.backend.python.interpret import NAMESPACE
from structarr._compiler.backend.python.source import PythonExpressions, PythonPrinter
from structarr._compiler.ir.conditions import All, Eq, Not, lt
from structarr._compiler.ir.expr import INDEX, Call, Cast, Expr, Lit, floor_div, index_lit, multiply
from structarr._compiler.ir.ops import OPS
from structarr._compiler.ir.variables import Var

P, Q = Var(INDEX, "i"), Var(INDEX, "j")
LESS, MORE = (Call("bool", OPS[name], (P, Q)) for name in ("less", "greater"))
CHOICE = Call(INDEX, OPS["where"], (LESS, P, Q))
VALUES = [(i, j) for i in (-3, 0, 5) for j in (1, 2)]
PRINTER = NumbaExpressions()
PRINTERS = (PRINTER.text, PythonExpressions().text)


def values(text: str) -> list[Any]:
    return [eval(text, dict(NAMESPACE), {"i": i, "j": j}) for i, j in VALUES]


@pytest.mark.parametrize("shown", PRINTERS)
def test_a_quotient_is_rounded_before_its_sign_changes(shown: Any) -> None:
    for const in (0, 5):
        expr = index_lit(const) - floor_div(P, 2)
        assert values(shown(expr)) == [const - i // 2 for i, _ in VALUES]


@pytest.mark.parametrize("shown", PRINTERS)
def test_comparisons_of_comparisons_are_no_chains(shown: Any) -> None:
    equal = Eq(LESS, MORE)
    assert values(shown(equal)) == [(i < j) == (i > j) for i, j in VALUES]
    assert values(shown(Not(equal))) == [(i < j) != (i > j) for i, j in VALUES]


@pytest.mark.parametrize("shown", PRINTERS)
def test_choices_stand_in_brackets(shown: Any) -> None:
    chosen = [i if i < j else j for i, j in VALUES]
    assert values(shown(CHOICE + 2)) == [one + 2 for one in chosen]
    assert values(shown(lt(CHOICE, P))) == [
        one < i for one, (i, _) in zip(chosen, VALUES, strict=True)
    ]
    both = All((Call("bool", OPS["where"], (LESS, MORE, LESS)), LESS))
    assert values(shown(both)) == [((i > j) if i < j else (i < j)) and i < j for i, j in VALUES]


def test_index_expressions_bear_no_bracket_that_is_not_needed() -> None:
    exprs: list[tuple[Expr, str]] = [
        (floor_div(P, 2) + Q, "j + i // 2"),
        (P + multiply(P, Q) - 3, "i + i * j - 3"),
        (floor_div(P + Q, 2), "(i + j) // 2"),
        (multiply(P + 1, Q), "(i + 1) * j"),
    ]
    for expr, wanted in exprs:
        assert PRINTER.text(expr) == wanted


def test_operands_of_values_are_atoms() -> None:
    x = Var("float64", "x")
    real = Call("float64", OPS["real"], (Var("complex128", "z"),))
    for inner, wanted in (
        (Call("float64", OPS["multiply"], (x, x)), "(x * x) + x"),
        (Call("float64", OPS["positive"], (x,)), "x + x"),
        (real, "z.real + x"),
        (Call("float64", OPS["sqrt"], (x,)), "np.sqrt(x) + x"),
        (Cast("float64", P), "float64(i) + x"),
        (Lit("float64", -2.0), "(-2.0) + x"),
        (Lit("float64", 2.0), "2.0 + x"),
    ):
        assert PRINTER.text(Call("float64", OPS["add"], (inner, x))) == wanted


def test_numbers_of_values_are_numpys_where_python_runs() -> None:
    shown = PythonExpressions().text
    choice = Call("int64", OPS["where"], (LESS, Lit("int64", 1), Q))
    assert [type(one) for one in values(shown(choice))] == [
        np.int64 if i < j else int for i, j in VALUES
    ]
    assert "int64(4294967296) * i" in shown(P * (1 << 32))


@pytest.mark.parametrize(
    "value",
    [
        P + Cast(INDEX, LESS),
        Call("int64", OPS["add"], (P, Cast("int64", LESS))),
    ],
    ids=["places", "values"],
)
def test_where_truth_is_counted_python_adds_it_as_it_is(value: Expr) -> None:
    line = PythonPrinter(Names(), {}).update(P, value)
    assert line == "i += i < j"
    for i, j in itertools.product((-1, 2, np.int64(2)), (0, np.int64(3))):
        given = {"i": i, "j": j}
        exec(line, dict(NAMESPACE), given)
        assert given["i"] == i + (i < j)


@pytest.mark.parametrize("name", ["int8", "uint8", "int32", "int64", "uint64"])
def test_integers_are_made_of_truth_and_places(name: str) -> None:
    make, wide = NAMESPACE[name], getattr(np, name)
    for value in (True, False, np.True_, np.False_, 3, np.float32(2.5), np.int16(-1)):
        with np.errstate(all="ignore"):
            wanted = np.asarray(value).astype(name)
        assert make(value) == wanted and type(make(value)) is wide
    for value in (-1, 300, 2**40 + 5, -(2**63), 2**64 - 1, 2**70 + 7):  # which wrap around
        wrapped = value & (2 ** (8 * wide(0).itemsize) - 1)
        assert int(make(value)) & (2 ** (8 * wide(0).itemsize) - 1) == wrapped
        assert type(make(value)) is wide


def test_precedences_are_those_of_python() -> None:
    signs = ["|", "^", "&", "+", "-", "*", "//", "%", "**", "==", "<"]
    for one, other in itertools.product(signs, repeat=2):
        if _SIGNS[one] > _SIGNS[other]:
            left = eval(f"7 {one} 3 {other} 2"), eval(f"(7 {one} 3) {other} 2")
            right = eval(f"7 {other} 3 {one} 2"), eval(f"7 {other} (3 {one} 2)")
            assert left[0] == left[1]
            assert right[0] == right[1]
