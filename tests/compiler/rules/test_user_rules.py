"""Rules from outside: in one line, over statements, scoped; what is wrong with one is said."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa
from structarr import rules
from structarr.cin import OPS, Access, Assign, Call, Loop, Node, Pass, Tensor
from structarr.errors import RuleError

A = sa.asarray([0.0, 0.25, 0.5, 0.0], format="list")


def kernel(array: sa.Array) -> str:
    return sa.explain(array).kernel


def test_one_line_holds_in_its_block_alone() -> None:
    undone = rules.pair("exp(log(x))", "x")
    assert "exp" in kernel(sa.exp(sa.log(A)))
    with sa.options(rules=undone):
        assert "exp" not in kernel(sa.exp(sa.log(A)))
        assert sa.exp(sa.log(A)).tolist() == A.tolist()
    assert "exp" in kernel(sa.exp(sa.log(A)))


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
def test_numbers_and_commuted_operands_match(tier: str) -> None:
    squares = rules.pair("sin(x)**2 + cos(x)**2", "1")
    with sa.options(rules=[squares], tier=tier):
        for one in (sa.sin(A) ** 2 + sa.cos(A) ** 2, sa.cos(A) ** 2 + sa.sin(A) ** 2):
            assert "sin" not in kernel(one)
            assert one.tolist() == [1.0] * 4
            assert one.fill_value == 1
        other = sa.sin(A) ** 2 + sa.cos(A + 1) ** 2
        assert "sin" in kernel(other)


def test_operands_that_do_not_commute_match_in_their_order() -> None:
    with sa.options(rules=rules.pair("exp(x) - x", "0")):
        assert "exp" not in kernel(sa.exp(A) - A)
        assert "exp" in kernel(A - sa.exp(A))


def test_numbers_of_a_rule_are_known_where_it_holds_alone() -> None:
    tripled = rules.pair("x * 2.375", "x + x + x")
    assert "scalar0" in kernel(A * 2.375)
    with sa.options(rules=tripled):
        assert "scalar0" not in kernel(A * 2.375)
        assert (A * 2.375).tolist() == [0.0, 0.75, 1.5, 0.0]
        assert "scalar0" in kernel(A * 3.375)
    assert "scalar0" in kernel(A * 2.375)
    assert (A * 2.375).tolist() == [0.0, 0.59375, 1.1875, 0.0]


def test_dtypes_follow() -> None:
    doubled = rules.pair("x + x", "x * 2")
    for dtype in ("int8", "float32", "complex64"):
        a = sa.asarray(np.array([1, 0, 3], dtype))
        with sa.options(rules=doubled):
            assert (a + a).dtype == dtype
            assert (a + a).tolist() == [2, 0, 6]
            assert "scalar" not in kernel(a + a)
            assert "*" in kernel(a + a)


def test_a_condition_and_operators_of_the_users() -> None:
    soft = sa.operator(lambda x: np.log1p(np.exp(-abs(x))) + max(x, 0.0), name="soft")
    stable = rules.pair("log1p(exp(x))", "f(x)", f=soft)
    big = sa.asarray([1000.0, -1000.0, 0.5])
    with sa.options(rules=stable):
        assert np.allclose(sa.log1p(sa.exp(big)).todense(), [1000.0, 0.0, np.log1p(np.exp(0.5))])
    never = rules.pair("log1p(exp(x))", "x", when=lambda x: isinstance(x, Tensor))
    with sa.options(rules=never):
        assert np.isinf(sa.log1p(sa.exp(big)).todense()[0])


def test_sets_lists_and_single_rules_are_the_same() -> None:
    one = rules.pair("exp(log(x))", "x")
    for given in (one, [one], (one,), rules.RuleSet((one,)), [rules.RuleSet((one,))]):
        with sa.options(rules=given) as inside:
            assert inside.rules == rules.RuleSet((one,))
    with sa.options(rules=one), sa.options(rules=None) as inside:
        assert inside.rules is None
    with pytest.raises(TypeError, match="RuleSet"):
        sa.options(rules="exp")
    with pytest.raises(TypeError, match="is no rule"):
        sa.options(rules=[lambda node: None])


def test_a_rule_over_loops_is_a_pass_over_the_program() -> None:
    seen: list[Node] = []

    @rules.rule(Loop)
    def look(loop: Loop) -> None:
        seen.append(loop)

    with sa.options(rules=look):
        assert float((A * 3.25).sum()) == 0.75 * 3.25
    assert seen


def test_a_rule_over_assignments() -> None:
    @rules.rule(Assign)
    def leave_out_stores(assign: Assign) -> Node | None:
        return Pass(()) if assign.op is OPS["add"] else None

    with sa.options(rules=leave_out_stores):
        assert float((A * 3.75).sum()) == 0
    assert float((A * 3.75).sum()) == 0.75 * 3.75


def test_a_rule_that_fails_is_named() -> None:
    @rules.rule(Call, "multiply")
    def broken(call: Call) -> Node | None:
        raise KeyError("nothing here")

    with sa.options(rules=broken), pytest.raises(RuleError, match=r"'broken' failed.*nothing here"):
        (A * 2).compute()


@pytest.mark.parametrize(
    ("left", "right"),
    [("sin(x)", "cos(x)"), ("sin(x)", "cos(sin(x))"), ("sin(x)", "sin(cos(x))")],
)
def test_rules_without_an_end_are_named(left: str, right: str) -> None:
    there = rules.pair(left, right, name="there")
    back = rules.pair("cos(x)", "sin(x)", name="back")
    with sa.options(rules=[there, back]), pytest.raises(RuleError, match="'there'"):
        sa.sin(A + 0.125).compute()


def test_a_rule_may_not_change_the_dtype() -> None:
    @rules.rule(Call, "negative")
    def truth(call: Call) -> Node | None:
        return Call("bool", OPS["isnan"], call.args)

    with sa.options(rules=truth), pytest.raises(RuleError, match="makes bool of float64"):
        (-A).compute()

    @rules.rule(Access)
    def text(access: Access) -> object:
        return "A[i]"

    with sa.options(rules=text), pytest.raises(RuleError, match="must return a node"):
        (-A).compute()


@pytest.mark.parametrize(
    ("left", "right", "said"),
    [
        ("x", "x + 1", "must be an operation"),
        ("f(x)", "x", "no operator 'f'"),
        ("sin(x)", "y", "'y' stands on the right side alone"),
        ("sin(x", "x", "no expression"),
        ("x if y else z", "x", "not known in rules"),
        ("x is y", "x", "not known in rules"),
        ("sin(x, y)", "x", "takes 1 operands"),
    ],
)
def test_bad_pairs(left: str, right: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        rules.pair(left, right)


def test_protocols_have_names() -> None:
    assert sa.protocols.names(A) == ("walk", "gallop", "locate")
    for name in sa.protocols.names(A):
        assert float((sa.protocols.by(A, name) * A).sum()) == 0.3125
    with pytest.raises(ValueError, match="no protocol 'leap' here: there are walk"):
        sa.protocols.by(A, "leap")


def test_a_number_of_a_rule_may_be_negative() -> None:
    negated = rules.pair("x * -1.0", "-x")
    with sa.options(tier="interpreted", rules=(negated,)):
        product = sa.asarray([1.0, 0.0, 2.0]) * -1.0
        assert product.tolist() == [-1.0, -0.0, -2.0]
        kernel = sa.explain(sa.asarray([1.0, 0.0, 2.0]) * -1.0).kernel
    assert "= -A_val[u(i)]" in kernel


def test_fills_of_which_a_rule_speaks_are_known_where_it_holds() -> None:
    filled = sa.asarray([2.375, 1.0, 2.375], format="list", fill_value=2.375)
    with sa.options(rules=rules.pair("sin(2.375)", "5")):
        assert sa.sin(filled).tolist() == [5.0, np.sin(1.0), 5.0]
    assert sa.sin(filled).tolist() == np.sin([2.375, 1.0, 2.375]).tolist()
