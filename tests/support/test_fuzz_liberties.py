"""What the fuzzer grants, and that it grants no more."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._array import FUNCTIONS
from structarr._testing.fuzz.liberties import (
    Annihilation,
    Cancellation,
    EveryTerm,
    InitialLast,
    NaNSigns,
    Rounding,
    Sorting,
    Uint32,
)
from structarr._testing.fuzz.operands import Operand, holds
from structarr._testing.fuzz.outcome import outcome
from structarr._testing.fuzz.program import Program
from structarr._testing.fuzz.step import Result, Step
from structarr._testing.fuzz.twins import Liberty, Twin
from structarr.formats import parse


def programmed(data: Any, *texts: str, rounds: tuple[Any, ...] = ()) -> Program:
    """A program over an operand, of which the last variable is looked at."""
    steps = tuple(Step(text.partition(" ")[0], text, f"step{k}") for k, text in enumerate(texts))
    array = np.asarray(data)
    operands = (Operand("a0", array, "ours", parse("dense", array.ndim), 0.0),)
    options = {"tier": "interpreted"}
    return Program(operands, steps, (Result(steps[-1].target),), options, rounds)


def test_what_has_no_axes_is_compared_as_an_array(monkeypatch: pytest.MonkeyPatch) -> None:
    """NumPy raises here: it makes a number of the maximum."""
    program = programmed([1.0, 2.0], "t0 = np.max(a0)", "t1 = np.full((2,), 3.0, like=t0)")
    assert outcome(program).kind == "right"
    monkeypatch.setitem(FUNCTIONS, np.full, lambda *args, **options: sa.zeros(2))
    assert outcome(program).kind == "failed"


def test_a_round_that_a_format_does_not_take_is_left_out() -> None:
    program = programmed([1.0, 2.0], "t0 = a0 + 1", rounds=((np.zeros((2, 2, 2)),),))
    assert outcome(program).kind == "right"


def test_a_variable_is_compared_by_the_steps_that_it_depends_on() -> None:
    """The last step raises an error where zeros decide, as they do for the result."""
    program = programmed(
        [[1.0, 2.0], [0.0, 1.0]],
        "t0 = np.triu(a0) * np.full((2, 2), np.inf) * np.full((2, 2), np.nan)",
        "t1 = np.reshape(np.trim_zeros(np.ravel(np.remainder(a0 - a0, np.nan))), (2, 2))",
    )
    assert outcome(replace(program, results=(Result("t0"),))).kind == "right"


def value_of(liberty: Liberty, compute: Any, *data: Any) -> Any:
    """What a computation gives under a liberty."""
    return np.asarray(compute(*(Twin(np.asarray(one), liberty) for one in data)))


def test_cancelled_sums_may_be_zero() -> None:
    left, right = np.array([[0.1, -0.3]]), np.array([[0.3], [0.1]])
    assert value_of(Cancellation(), np.dot, left, right) == 0
    assert value_of(Cancellation(), np.dot, left, right + 1e-9) != 0
    assert value_of(Cancellation(), np.sum, np.array([1e-300])) == 1e-300


def test_signs_of_nans_are_open_and_no_others() -> None:
    data = np.array([np.nan, -1.0, 1.0])
    for negative in (False, True):
        found = value_of(NaNSigns(negative), np.signbit, data)
        np.testing.assert_array_equal(found, [negative, True, False])


def test_infinities_that_meet_zeros_may_add_nothing_and_others_stay() -> None:
    left = np.array([[0.0, -1.0], [0.0, 0.0], [np.inf, 1.0], [np.nan, 0.0]])
    right = np.array([[-np.inf], [-np.inf]])
    with np.errstate(all="ignore"):
        found = value_of(Annihilation(), np.matmul, left, right)
    np.testing.assert_array_equal(found, [[np.inf], [0.0], [-np.inf], [np.nan]])


def test_terms_that_are_no_numbers_may_count_and_others_do_not() -> None:
    left = np.array([[0.0, -1.0], [np.inf, 1.0], [np.nan, 0.0]])
    with np.errstate(all="ignore"):
        found = value_of(EveryTerm(), np.dot, left, np.array([0, 2]))
    np.testing.assert_array_equal(found, [-2, np.nan, np.nan])
    assert value_of(EveryTerm(), np.dot, left[0], left[0]) == 1


def test_a_structural_one_leaves_what_it_multiplies_or_divides() -> None:
    data = np.array([complex(np.inf, 0), complex(2, 3)])
    with np.errstate(all="ignore"):
        for call in (np.multiply, np.divide):
            found = value_of(Annihilation(), call, data, np.ones(2))
            np.testing.assert_array_equal(found, data)
            other = value_of(Annihilation(), call, data, np.full(2, 2.0))
            np.testing.assert_array_equal(other, call(data, np.full(2, 2.0)))


def test_parts_of_complex_numbers_are_zeros_of_one_sign() -> None:
    data = np.array([complex(0.0, -0.0), complex(-1.0, -0.0), complex(-0.0, 2.0)])
    for negative in (False, True):
        found = value_of(Annihilation(negative), np.copy, data)
        parts = np.concatenate([found.real, found.imag])
        np.testing.assert_array_equal(np.signbit(parts[[0, 2, 3, 4]]), negative)
        np.testing.assert_array_equal(found, data)


def test_structural_constants_may_decide_in_one_operation_alone() -> None:
    def trimmed(data: Any) -> Any:
        return np.reshape(np.trim_zeros(np.remainder(data, np.nan)), (2,)) * np.zeros(2)

    np.testing.assert_array_equal(value_of(Annihilation(only=2), trimmed, np.zeros(2)), [0, 0])
    for everywhere_or_first in (Annihilation(), Annihilation(only=1)):
        with pytest.raises(ValueError, match="reshape"):
            value_of(everywhere_or_first, trimmed, np.zeros(2))


def test_terms_of_products_are_rounded_before_they_cancel() -> None:
    left, right = np.array([[1 / 3, -1 / 3]]), np.ones((2, 1))
    found = value_of(Rounding(0), np.matmul, left, right)
    assert 0 < abs(found.item()) < 1e-13
    assert value_of(Rounding(0), np.matmul, left.astype(int), right.astype(int)) == 0


def test_what_sorting_decides_is_open_where_numbers_are_unordered_or_rounded() -> None:
    data = np.tile([np.nan, 0.0], 40)
    inverse = value_of(Sorting(), lambda x: np.unique_inverse(x)[1], data)
    np.testing.assert_array_equal(inverse[::2], 1 + np.arange(40))  # NaNs as they come
    large = np.array([0, -(2**63), -(2**63) + 1])
    for invert in (False, True):
        found = value_of(Sorting(), partial(np.isin, invert=invert), large, np.zeros(2))
        assert found.tolist() == [not invert, invert, invert]


def test_floats_out_of_bounds_are_open_in_uint32_alone() -> None:
    data = np.array([-np.inf, -1.0, 3.0, 2.0**33 + 1])
    with np.errstate(all="ignore"):
        found = value_of(Uint32(), lambda x: x.astype("uint32"), data)
        assert found.tolist() == [0, 2**32 - 1, 3, 1]
        kept = value_of(Uint32(), lambda x: x.astype("int32"), data)
        assert kept.tolist() == data.astype("int32").tolist()
        target = Twin(np.zeros(4, "uint32"), Uint32())
        target[...] = data
    assert np.asarray(target).tolist() == found.tolist()


def test_zeros_of_the_other_sign_count_where_signs_do() -> None:
    point = parse("point", 1)
    zeros, negative = np.array([0.5, -0.0]), np.float64(-0.0)
    assert holds(zeros, point, np.float64(0)) and not holds(zeros, point, np.float64(0), signs=True)
    assert holds(zeros, point, negative, signs=True)
    mixed = np.array([complex(0, -0.0), 0j, 1])
    assert not holds(mixed, point, np.complex128(0), signs=True)
    assert holds(mixed, point, np.complex128(0))


def test_initial_values_are_combined_in_the_end() -> None:
    large = np.array([1e200, 1e200])
    with np.errstate(over="ignore", invalid="ignore"):
        assert np.isnan(value_of(InitialLast(), lambda a: np.prod(a, initial=0.0), large))
        assert np.isnan(value_of(InitialLast(), lambda a: a.prod(initial=0.0), large))
        assert value_of(InitialLast(), lambda a: np.sum(a, initial=1.0), large) == 2e200
        assert value_of(InitialLast(), lambda a: np.max(a, initial=0.0), large) == 1e200
    program = programmed(large, "t0 = np.prod(a0, initial=0.0)")
    assert outcome(program).kind == "right"


def test_unstored_zeros_have_no_weight() -> None:
    """Zero by our conventions, where NumPy multiplies the zero by an infinite weight."""
    steps = (Step("t0", "t0 = np.average(a0, axis=0, weights=a1)", "average"),)
    data, weights = np.zeros((2, 3)), np.array([[1.0, 2.0, 1.0], [-np.inf, 1.0, 3.0]])
    operands = (
        Operand("a0", data, "ours", parse("csr", 2), 0.0),
        Operand("a1", weights, "ours", parse("dense", 2), 0.0),
    )
    program = Program(operands, steps, (Result("t0"),), {"tier": "interpreted"})
    assert outcome(program).kind == "right"
    stored = replace(operands[0], data=data + 1.0)
    assert outcome(replace(program, operands=(stored, operands[1]))).kind == "right"
    strict = replace(program, options={"tier": "interpreted", "strict_ieee": True})
    assert outcome(strict).kind == "right"


def test_a_weighted_average_has_no_other_liberty(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = (Step("t0", "t0 = np.average(a0, weights=a1)", "average"),)
    operands = tuple(
        Operand(name, np.array([1.0, 2.0]), "ours", parse("dense", 1), 0.0) for name in ("a0", "a1")
    )
    program = Program(operands, steps, (Result("t0"),), {"tier": "interpreted"})
    monkeypatch.setitem(FUNCTIONS, np.average, lambda *args, **options: sa.asarray(np.array(1.5)))
    assert outcome(program).kind == "failed"
