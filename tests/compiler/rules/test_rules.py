"""Each rule of the paper's Figure 5, half-open and dtype-preserving: the same value after it."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest
from handmade import FLOAT, ZERO, I, N, call, lookup, output, scalar
from hypothesis import given, strategies as st

from structarr._compiler.ir.cin import Access, Assign, Loop, Multi, Pass, Sieve, Stmt, Where
from structarr._compiler.ir.conditions import FALSE, TRUE, lt
from structarr._compiler.ir.expr import Call, Cast, Expr, Lit
from structarr._compiler.ir.missing import MISSING, Coalesce
from structarr._compiler.ir.ops import OPS
from structarr._compiler.ir.variables import Var
from structarr._compiler.rules.constants import literal, same_constant
from structarr._compiler.rules.defaults import default_rules
from structarr._compiler.rules.engine import RuleSet, Simplifier
from structarr._compiler.rules.patterns import rewriting
from structarr.errors import RuleError

X, Y = Var(FLOAT, "x"), Var(FLOAT, "y")
FILL, ONE, NONE = Lit(FLOAT, 0.0, True), Lit(FLOAT, 1.0, True), Lit(FLOAT, 0.0)


def simplified(node: Any, strict: bool = False) -> Any:
    return Simplifier(default_rules(strict))(node)


def op(name: str, *args: Expr) -> Call:
    return Call(args[0].dtype, OPS[name], args)


PRODUCT = op("multiply", X, Y)
VALUE_RULES = [
    ("constants are folded", op("add", Lit("int64", 2), Lit("int64", 3)), Lit("int64", 5)),
    ("a + 0 = a", op("add", X, FILL), X),
    ("0 + a = a", op("add", FILL, X), X),
    ("a - 0 = a", op("subtract", X, FILL), X),
    ("0 - a = -a", op("subtract", FILL, X), op("negative", X)),
    ("-(-a) = a", op("negative", op("negative", X)), X),
    ("a * 1 = a", op("multiply", X, Lit(FLOAT, 1.0)), X),
    ("a * 0 = 0", op("multiply", X, FILL), FILL),
    ("0 * a = 0", op("multiply", FILL, X), FILL),
    ("a * -b = -(a * b)", op("multiply", X, op("negative", Y)), op("negative", PRODUCT)),
    ("min(a, a) = a", op("minimum", X, X), X),
    ("f(a, missing) = missing", op("add", X, MISSING), MISSING),
    ("coalesce(missing, b) = b", Coalesce(FLOAT, (MISSING, X)), X),
    ("a cast to its own dtype", Cast(FLOAT, X), X),
    ("where(b, a, a) = a", Call(FLOAT, OPS["where"], (Var("bool", "b"), X, X)), X),
    ("where(b, fill, 0) = fill", Call(FLOAT, OPS["where"], (Var("bool", "b"), FILL, NONE)), FILL),
]  # fmt: skip


@pytest.mark.parametrize(("name", "before", "after"), VALUE_RULES)
def test_values(name: str, before: Expr, after: Expr) -> None:
    assert simplified(before) is after


BOOL = Var("bool", "b")
LOGIC = [
    ("logical_or", False, BOOL),
    ("logical_or", True, Lit("bool", True)),
    ("logical_and", True, BOOL),
    ("logical_and", False, Lit("bool", False)),
]


@pytest.mark.parametrize(("name", "constant", "after"), LOGIC)
def test_logic(name: str, constant: bool, after: Expr) -> None:
    assert simplified(op(name, BOOL, Lit("bool", constant))) is after
    assert simplified(op(name, Lit("bool", constant), BOOL)) is after


@pytest.mark.parametrize("name", ["add", "multiply"])
def test_constants_gather_for_exact_types_alone(name: str) -> None:
    """The flattening +(a, +(b, c)): (x + 2) + 3 = x + 5, but not on floats."""
    for dtype, count in (("int8", 1), (FLOAT, 2)):
        x, two, three = Var(dtype, "x"), literal(dtype, 2), literal(dtype, 3)
        after = simplified(op(name, op(name, x, two), three))
        assert sum(isinstance(node, Call) for node in after.nodes()) == count


def test_a_choice_among_constants_is_converted_with_them() -> None:
    first, second = Var("bool", "a"), Var("bool", "b")

    def chosen(dtype: str, *values: Expr) -> Call:
        inner = Call(dtype, OPS["where"], (second, *values[1:]))
        return Call(dtype, OPS["where"], (first, values[0], inner))

    numbers = [Lit("int8", value) for value in (1, 2, 0)]
    floats = [Lit("float32", value) for value in (1.0, 2.0, 0.0)]
    assert simplified(Cast("float32", chosen("int8", *numbers))) is chosen("float32", *floats)
    varying = chosen("int8", *numbers[:2], Var("int8", "x"))
    assert isinstance(simplified(Cast("float32", varying)), Cast)


def test_a_plain_zero_of_floats_annihilates_nothing() -> None:
    product = op("multiply", X, Lit(FLOAT, 0.0))
    assert simplified(product) is product


def test_strict_rules_leave_floats_to_ieee() -> None:
    for one in (op("multiply", X, FILL), op("add", X, FILL)):
        assert simplified(one, strict=True) is one
    number = Var("int64", "n")
    assert simplified(op("multiply", number, Lit("int64", 0)), strict=True) is Lit("int64", 0)


def assigned(value: Expr, name: str | None = None) -> Assign:
    return Assign(Access(FLOAT, output(), (I,)), OPS[name] if name else None, value)


C = output()
STATEMENT_RULES: list[tuple[str, Stmt, Any]] = [
    ("a += 0 passes", assigned(FILL, "add"), Pass((C,))),
    ("a *= 1 passes", assigned(Lit(FLOAT, 1.0), "multiply"), Pass((C,))),
    ("a sieve that is open", Sieve(TRUE, assigned(X)), assigned(X)),
    ("a sieve that is shut", Sieve(FALSE, assigned(X)), Pass((C,))),
    ("a loop that passes", Loop(I, ZERO, N, Pass((C,))), Pass((C,))),
    ("a loop over nothing", Loop(I, ZERO, ZERO, assigned(X)), Pass((C,))),
    ("a consumer that passes", Where(Pass((C,)), Pass(), ()), Pass((C,))),
    ("statements that pass", Multi((Pass((C,)), assigned(X))), assigned(X)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "before", "after"), STATEMENT_RULES)
def test_statements(name: str, before: Stmt, after: Stmt) -> None:
    assert simplified(before) is after


def total(name: str, value: Expr) -> Loop:
    target = Access(value.dtype, scalar(), ())
    return Loop(I, ZERO, N, Assign(target, OPS[name], value))


REPEATED = [("minimum", X), ("maximum", X), ("logical_or", BOOL)]


@pytest.mark.parametrize(("name", "value"), REPEATED)
def test_idempotent_updates_are_done_once_behind_a_guard(name: str, value: Expr) -> None:
    body = total(name, value).body
    assert simplified(total(name, value)) is Sieve(lt(ZERO, N), body)


def test_a_repeated_sum_is_a_product_of_the_same_dtype() -> None:
    for dtype in ("uint8", "int64", FLOAT):
        x = Var(dtype, "x")
        after = simplified(total("add", x))
        assert isinstance(after, Sieve)
        assert after.body.value is op("multiply", x, simplified(Cast(dtype, N)))


def test_what_depends_on_the_index_is_not_collapsed() -> None:
    loop = total("add", lookup("a", np.zeros(0)).at())
    assert simplified(loop) is loop


BINARY = ["add", "subtract", "multiply", "minimum", "maximum", "floor_divide", "bitwise_and"]
INTEGERS = [literal("int8", value) for value in (-1, 0, 1, 2)]


def integers() -> st.SearchStrategy[Expr]:
    leaves = st.sampled_from([Var("int8", "x"), Var("int8", "y"), *INTEGERS])
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.builds(op, st.sampled_from(BINARY), inner, inner),
            st.builds(op, st.sampled_from(["negative", "invert", "square"]), inner),
        ),
        max_leaves=8,
    )


def value(expr: Expr, env: dict[str, Any]) -> Any:
    match expr:
        case Var(_, name):
            return env[name]
        case Lit(dtype, constant):
            return np.dtype(dtype).type(constant)
        case Call(_, operator_, args):
            return getattr(np, operator_.name)(*(value(arg, env) for arg in args))
    raise TypeError(expr)


@given(integers(), st.integers(-128, 127), st.integers(-128, 127))
def test_exact_types_keep_every_bit(expr: Expr, x: int, y: int) -> None:
    env = {"x": np.int8(x), "y": np.int8(y)}
    after = simplified(expr)
    assert after.dtype == "int8"
    with np.errstate(all="ignore"):
        assert value(after, env) == value(expr, env)


def test_a_pattern_is_one_line_and_goes_before_the_others() -> None:
    mine = RuleSet((rewriting("(a - b) - a", "-b"),)) + default_rules(False)
    assert Simplifier(mine)(op("subtract", op("subtract", X, Y), X)) is op("negative", Y)
    kept = op("subtract", op("subtract", X, Y), Y)
    assert Simplifier(mine)(kept) is kept


def test_a_pattern_may_have_a_guard() -> None:
    rules = RuleSet((rewriting("a - a", "0", lambda a: isinstance(a, Var)),))
    assert Simplifier(rules)(op("subtract", X, X)) is NONE
    product = call("multiply", X, Y)
    difference = op("subtract", product, product)
    assert Simplifier(rules)(difference) is difference


def test_rules_that_never_end_are_told_of() -> None:
    swap = RuleSet((rewriting("a + b", "b + a", name="swap"),))
    with pytest.raises(RuleError, match=r"do not come to an end.*'swap'"):
        Simplifier(swap)(op("add", X, Y))


def test_rule_sets_are_values() -> None:
    rules = default_rules(False)
    assert hash(rules) == hash(default_rules(False))
    assert operator.add(rules, RuleSet()) == rules


def test_constants_are_the_same_where_both_are_nan() -> None:
    nan, one = Lit("float64", float("nan")), Lit("float64", 1.0)
    assert same_constant(nan, Lit("float64", float("nan"), True))
    assert not same_constant(nan, one)
    assert not same_constant(one, nan)
    assert same_constant(one, Lit("int64", 1)) is False
    assert same_constant(Lit("float64", -0.0), Lit("float64", 0.0))
