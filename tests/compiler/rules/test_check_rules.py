"""`check_rules`: rules that keep their contract, and one that breaks each clause of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._testing.rules.clauses import CLAUSES
from structarr.cin import INDEX, Assign, Call, Cast, Lit, Loop, Node, Var
from structarr.errors import RuleError
from structarr.rules import default_rules, pair, rule

ASKED: list[Node] = []


@rule(Call, "negative")
def raises(node: Call) -> Node:
    return node.args[1]


@rule(Call, "negative")
def statement(node: Call) -> Any:
    return "negative"


@rule(Call, "negative")
def forgetful(node: Call) -> Node:
    ASKED.append(node)
    return Lit(node.dtype, len(ASKED))


@rule(Call, "negative")
def wider(node: Call) -> Node:
    return Cast("complex128", node.args[0])


@rule(Call, "negative")
def foreign(node: Call) -> Node:
    return Var(node.dtype, "elsewhere")


BROKEN: dict[str, Any] = {
    "runs": raises,
    "node": statement,
    "same": forgetful,
    "dtype": wider,
    "variables": foreign,
    "values": pair("x - x", "0"),
    "ends": pair("x + y", "y + x"),
}


@pytest.mark.parametrize("clause", CLAUSES)
def test_a_rule_that_breaks_a_clause_is_told_which(clause: str) -> None:
    with pytest.raises(AssertionError, match=rf"rule .* breaks clause '{clause}' \("):
        sa.testing.check_rules(BROKEN[clause])


@pytest.mark.parametrize(
    ("left", "right", "at"),
    [
        ("x + 0", "x", r"x = -0.0 of float32"),
        ("x * 0", "0", r"x = -0.0 of float32"),
        ("x / x", "1", r"x = 0 of int8|x = False of bool"),
        ("absolute(negative(x))", "x", "x = -1 of int8"),
        ("floor_divide(x, y) * y", "x", "of bool|of int8"),
        ("maximum(x, y)", "where(x > y, x, y)", r"x = nan, y = 0.0 of float32"),
    ],
)
def test_values_differ_where_the_message_says(left: str, right: str, at: str) -> None:
    with pytest.raises(AssertionError, match=at):
        sa.testing.check_rules(pair(left, right))


def test_dtypes_of_which_a_rule_says_nothing_are_left_out() -> None:
    def whole(x: Node) -> bool:
        return x.dtype in ("int8", "int32", "int64")  # type: ignore[attr-defined]

    sa.testing.check_rules([pair("x - x", "0", when=whole), pair("negative(negative(x))", "x")])


def test_a_rule_may_be_meant_for_some_numbers_and_round() -> None:
    logs = pair("exp(log(x))", "x")
    sa.testing.check_rules(logs, [0.5, 1.0, 3.0], rounding=1e-12)
    with pytest.raises(AssertionError, match="values"):
        sa.testing.check_rules(logs, [0.5, 1.0, 3.0, 7.0, 11.0])
    with pytest.raises(AssertionError, match=r"x = -1\.0 of float64"):
        sa.testing.check_rules(logs, [-1.0], rounding=1e-12)


def few() -> list[Any]:
    return [lambda n=n: sa.asarray(np.arange(float(n)), format="list").sum() for n in (0, 1, 4)]


@rule(Loop)
def once(loop: Loop) -> Node | None:
    """Taking a sum for its last term: wrong but for loops of one turn."""
    if not isinstance(loop.body, Assign):
        return None
    table: dict[Any, Any] = {loop.index: loop.hi - 1}
    return sa.cin.substitute(loop.body, table)


@rule(Loop)
def valued(loop: Loop) -> Node | None:
    return Lit("float64", 0.0)


@rule(Loop)
def idle(loop: Loop) -> Node | None:
    return None


def test_rules_of_statements_are_tried_in_kernels() -> None:
    with pytest.raises(AssertionError, match="breaks clause"):
        sa.testing.check_rules(once, expressions=few())
    with pytest.raises(AssertionError, match=r"'node'.*makes a value of a statement"):
        sa.testing.check_rules(valued, expressions=few())
    with pytest.raises(ValueError, match="'idle' applies: give"):
        sa.testing.check_rules(idle, expressions=few())


def test_a_statement_for_a_value_is_refused_as_it_is_lowered() -> None:
    @rule(Call, "multiply")
    def looped(node: Call) -> Node:
        return Loop(sa.cin.Index("i"), Lit(INDEX, 0), Lit(INDEX, 1), sa.cin.Pass(()))

    with (
        sa.options(rules=looped, tier="interpreted"),
        pytest.raises(RuleError, match="'looped' makes a statement of a value"),
    ):
        (sa.asarray(np.ones(3)) * 2.0).compute()


@pytest.mark.parametrize(
    "name",
    [
        "zero_minus",
        *(
            pytest.param(one, marks=pytest.mark.long)
            for one in ("idempotence", "involution", "factors_leave")
        ),
    ],
)
def test_rules_of_the_package_keep_the_contract(name: str) -> None:
    sa.testing.check_rules([one for one in default_rules(True).rules if one.name == name])


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_zeros_and_infinities_of_complex_products_with_negated_factors_have_numpys_signs(
    dtype: str,
) -> None:
    x, y = np.array([0j, 0j, 1 - 0j], dtype), np.array([0j, 2j, 0j], dtype)
    with sa.options(tier="interpreted"), np.errstate(all="ignore"):
        for found, want in (
            (sa.asarray(x) * -sa.asarray(y), x * -y),
            (sa.asarray(y) / -sa.asarray(x), y / -x),
        ):
            got = found.todense()
            assert np.array_equal(got, want, equal_nan=True)
            assert np.array_equal(np.signbit(got.real), np.signbit(want.real))
            assert np.array_equal(np.signbit(got.imag), np.signbit(want.imag))


def test_numbers_that_numpy_refuses_are_left_out() -> None:
    sa.testing.check_rules(pair("power(x, 1)", "x", when=lambda x: x.dtype == "int64"))
