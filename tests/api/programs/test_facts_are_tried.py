"""Broken contracts of operators are told when they are made, or when a dtype is first used."""

import numpy as np
import pytest

import structarr as sa
from structarr.errors import OperatorError, ProgramError


@pytest.fixture(autouse=True)
def interpreted():
    with sa.options(tier="interpreted"):
        yield


def wrong(a, b):
    return a - b - a * b


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        (
            {"commutative": True},
            r"commutative, but wrong\(0.0, 1.0\) is -1.0 and wrong\(1.0, 0.0\)",
        ),
        ({"associative": True}, r"associative, but wrong\(wrong\(0.0, 1.0\), 0.5\) is -1.0 and"),
        ({"idempotent": True}, r"idempotent, but wrong\(1.0, 1.0\) is -1.0"),
        ({"identity": 0}, r"left_identity=0.0, but wrong\(0.0, 1.0\) is -1.0"),
        ({"right_identity": 1}, r"right_identity=1.0, but wrong\(0.0, 1.0\) is -1.0"),
        ({"left_annihilator": 0}, r"left_annihilator=0.0, but wrong\(0.0, 1.0\) is -1.0"),
        ({"distributes_over": "add"}, r"distributes_over add, but"),
        ({"repeat": "multiply"}, r"repeat='multiply', but"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_a_broken_fact_is_told_as_the_operator_is_made(facts, said):
    for _ in range(2):  # also while the first error still refers to the operator
        with pytest.raises(OperatorError, match=f"wrong is declared {said}") as caught:
            sa.operator(wrong, **facts)
        assert "samples=" in str(caught.value)
    assert sa.operator(wrong, samples=(), **facts).op.arity == 2


@pytest.mark.parametrize(
    ("function", "facts"),
    [
        (lambda a, b: min(a, b), {"identity": np.inf, "annihilator": -np.inf, "idempotent": True}),
        (lambda a, b: min(a, b), {"identity": 1, "annihilator": 0, "commutative": True}),
        (lambda a, b: a + b, {"identity": 0, "annihilator": np.inf, "distributes_over": "minimum"}),
        (lambda a, b: a + b - a * b, {"identity": 0, "annihilator": 1, "associative": True}),
        (lambda a, b: max(a, b) + np.log1p(np.exp(-abs(a - b))), {"identity": -np.inf}),
        (lambda a, b: a * b, {"repeat": "power", "associative": True, "commutative": True}),
        (lambda a, b: a and b, {"identity": True, "commutative": True}),  # of truth values
        (lambda a, b: a ^ b, {"identity": 0, "associative": True}),  # of whole numbers
        (lambda a, b: a if b == 0 else 1 / 0, {"right_identity": 0}),
        (lambda a, b: float("nan") if a > 0.7 else b, {"left_identity": 0, "left_annihilator": 1}),
    ],
)
def test_facts_that_hold_somewhere_are_accepted(function, facts):
    assert sa.operator(function, **facts).op.arity == 2


def test_a_fact_that_a_dtype_breaks_is_told_when_it_is_first_used():
    plus = sa.operator(lambda a, b: a + b, name="plus", annihilator=np.inf, commutative=True)
    assert plus(np.array([1.0, np.inf]), 2.0).tolist() == [3.0, np.inf]
    for _ in range(2):
        with pytest.raises(OperatorError, match=r"left_annihilator=9223372036854775807, but plus"):
            plus(np.array([1, 2]), 2)
    with pytest.raises(ProgramError, match="in int32"):
        sa.loops("y[i] = plus(x[i], x[i])", x=np.arange(3, dtype="int32"), plus=plus)


def test_a_fact_is_tried_once_for_a_dtype():
    calls = []

    def counted(a, b):
        calls.append((a, b))
        return max(a, b)

    made = sa.operator(counted, identity=-np.inf)
    made(np.arange(3), np.arange(3))
    so_far = len(calls)
    made(np.arange(3), np.arange(3))
    made(np.zeros(3), np.ones((2, 3)))
    assert len(calls) == so_far


def test_a_fact_is_tried_on_samples_that_are_given():
    def residues(a, b):
        return (a + b) % 1.0

    with pytest.raises(OperatorError, match=r"residues\(0.0, 1.0\) is 0.0"):
        sa.operator(residues, identity=0, commutative=True)
    made = sa.operator(residues, identity=0, commutative=True, samples=[0.25, 0.5, 0.0])
    assert made([0.25], [0.875]).tolist() == [0.125]
    with pytest.raises(OperatorError, match=r"capped\(0.0, 10.0\) is 9"):
        sa.operator(lambda a, b: min(a + b, 9), name="capped", identity=0, samples=[3, 10])


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        ({"identity": 0}, "left_identity is a fact about two operands; negated takes 1"),
        ({"annihilator": False}, "left_annihilator is a fact about two operands; negated takes 1"),
        ({"repeat": "negative"}, "repeat names operators of two operands; negative takes 1"),
        ({"distributes_over": ["sqrt"]}, "distributes_over names .*; sqrt takes 1"),
    ],
)
def test_facts_are_about_two_operands(declared, said):
    with pytest.raises(ValueError, match=said):
        sa.operator(lambda a: -a, name="negated", **declared)


@pytest.mark.parametrize(
    ("dtype", "said"),
    [
        (lambda d: "nothing", "operator plus: dtype= gives 'nothing' for float64: data type"),
        (lambda d: "float16", "operator plus: dtype= gives 'float16' for float64: .*use float32"),
        (lambda: "int8", "dtype= must be a function of the operands' dtype: too many positional"),
        ("nothing", "data type 'nothing' not understood"),
    ],
)
def test_what_is_no_dtype_is_told_as_the_operator_is_made(dtype, said):
    with pytest.raises(TypeError, match=said):
        sa.operator(lambda a, b: a + b, name="plus", identity=0, dtype=dtype)


def test_a_function_of_dtypes_may_take_some_alone():
    wide = {"int32": "int64", "int64": "int64"}
    plus = sa.operator(lambda a, b: a + b, identity=0, dtype=lambda d: wide[d.name])
    assert plus(np.arange(3, dtype="int32"), np.int32(1)).dtype == "int64"
