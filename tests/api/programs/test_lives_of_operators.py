"""How long operators of users live, and whose numbers the compiler knows."""

import gc
from weakref import ref

import numpy as np
import pytest

import structarr as sa
from structarr._compiler.ir import ops
from structarr._support import promotion
from structarr.errors import FormatError, OperatorError


@pytest.fixture(autouse=True)
def interpreted():
    with sa.options(tier="interpreted"):
        yield


def stopping(number):
    """An operator with an annihilator of its own."""
    return sa.operator(
        lambda a, b: number if number in (a, b) else a + b,
        name="stopping",
        annihilator=number,
        commutative=True,
    )


def most(number):
    """An operator with an identity of its own."""
    return sa.operator(
        lambda x, y: max(x, y, number),
        identity=number,
        commutative=True,
        associative=True,
        samples=(number, number + 1),
    )


def filled(number):
    values = np.full((3, 4), number)
    values[1, 2] = 5.0
    return sa.asarray(values, fill_value=number, format="csr")


def tables():
    return len(ops.OPS), len(ops.CONSTANTS), len(ops._outside), len(promotion._outside)


def test_two_hundred_operators_leave_nothing():
    gc.collect()
    before = tables()
    made = [stopping(k + 2.5) for k in range(200)]
    assert tables()[2:] == (before[2] + 200, before[3] + 200)
    del made
    gc.collect()
    assert tables() == before


def test_operators_of_kernels_are_forgotten_with_them():
    sa.clear_cache()
    gc.collect()
    before, a, held = tables(), sa.asarray(np.eye(3), format="csr"), []
    for k in range(30):
        f = stopping(k + 2.5)
        assert f(a, 1.0).sum() == 3 * 2.0 + 6 * 1.0
        assert sa.reduce(most(k), f(a, 1.0)) == max(k, 2)
        held += [ref(f.op), ref(f.op.function)]
    del f
    sa.clear_cache()
    gc.collect()
    assert not any(one() for one in held)
    assert tables() == before


def test_a_lazy_array_holds_its_operator():
    a = stopping(2.5)(sa.asarray(np.eye(3), format="csr"), 1.0)
    sa.clear_cache()
    gc.collect()
    assert a.sum() == 12


def test_an_operator_holds_those_that_its_facts_name():
    times = sa.operator(lambda v, n: v * n, name="times")
    plus = sa.operator(
        lambda x, y: x + y, identity=0, associative=True, commutative=True, repeat=times
    )
    held = ref(times.op)
    del times
    sa.clear_cache()
    gc.collect()
    runs = sa.asarray(np.repeat([2.0, 3.0], 500), format="rle")
    assert sa.reduce(plus, runs) == 2500
    del plus, runs
    sa.clear_cache()
    gc.collect()
    assert held() is None


def test_a_level_holds_its_operator():
    halved = sa.operator(lambda i: i / 2, name="halved", dtype="float64")
    name = halved.op.name
    level = sa.formats.Function(op=name)
    assert level.operator is halved.op
    del halved
    sa.clear_cache()
    gc.collect()
    assert sa.formats.Function(op=name).operator.name == name
    del level
    gc.collect()
    with pytest.raises(FormatError, match="there is no operator 'halved"):
        sa.formats.Function(op=name).operator  # noqa: B018


def test_a_level_is_refused_an_operator_of_too_many_operands():
    with pytest.raises(FormatError, match="add takes 2 operands, not the index and 2 parameters"):
        sa.formats.Function(op="add", count=2).validate(1, 3, ())


def test_an_operator_made_again_is_checked_as_before():
    def wrong():
        return sa.operator(lambda a, b: a / b if a > 100 else a + b, name="wrong")

    a = sa.asarray(np.array([0, 200, 3]), format="list")
    for _ in range(2):
        with pytest.raises(OperatorError, match="returns floating-point numbers for some int64"):
            np.asarray(wrong()(a, 7))
        gc.collect()


def test_a_format_does_not_depend_on_what_was_asked_before():
    used, fresh = filled(9.5), filled(9.5)
    assert (used + 1).sum() == 10.5 * 11 + 6
    f, plain = stopping(9.5), np.full((3, 4), 2.0)
    assert f(used, plain).format == f(fresh, plain).format == "csr"
    assert f(used, plain).sum() == f(fresh, plain).sum() == 9.5 * 11 + 7


def test_rules_are_told_of_the_fills_of_operands_that_were_used_before():
    used = filled(9.5)
    assert (used + 1).sum() == 10.5 * 11 + 6
    with sa.options(rules=sa.rules.pair("maximum(x, 9.5)", "x")):
        assert np.maximum(sa.asarray(np.zeros((3, 4))), used).sum() == 5.0


def test_numbers_of_other_operators_are_no_kernels_of_their_own():
    a = sa.asarray(np.eye(3), format="csr")
    alone = sa.explain(a * 7.25).kernel
    f = stopping(7.25)
    assert sa.explain(a * 7.25).kernel == alone
    assert "7.25" in sa.explain(f(filled(7.25), 7.25) + 7.25).kernel


def test_programs_know_the_numbers_of_their_operators():
    a, f = filled(9.5), stopping(9.5)
    program = "C[i, j] = f(A[i, j], x[j])"
    with_own = sa.loops(program, A=a, x=np.ones(4), f=f)
    assert with_own.format == "csr"
    assert np.array_equal(np.asarray(with_own), np.asarray(f(a, np.ones(4))))
    assert sa.loops(program, A=a, x=np.ones(4), f=np.add).sum() == 10.5 * 11 + 6
