"""The prover never errs: what it proves holds for all values that its facts allow."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from example_counts import examples
from hypothesis import given, strategies as st

from structarr._compiler.backend.expression_source import Expressions
from structarr._compiler.ir.conditions import FALSE, TRUE, Not, both, eq, le, lt
from structarr._compiler.ir.expr import INDEX, Expr, floor_div, maximum, minimum
from structarr._compiler.ir.variables import Var
from structarr._compiler.rules.bounds import Facts

NAMES = ("x", "y", "z")
X, Y, Z = (Var(INDEX, name) for name in NAMES)
VALUES = range(-2, 4)


def sums() -> st.SearchStrategy[Any]:
    atoms = st.sampled_from([X, Y, Z])
    return st.one_of(
        atoms,
        st.builds(lambda a, c: a + c, atoms, st.integers(-2, 2)),
        st.integers(-2, 3),
        st.builds(lambda a, b: a + b, atoms, atoms),
        st.builds(lambda a, b: a - b, atoms, atoms),
    )


def indices() -> st.SearchStrategy[Any]:
    extremes = st.builds(
        lambda f, args: f(*args),
        st.sampled_from([minimum, maximum]),
        st.lists(sums(), min_size=2, max_size=3),
    )
    return st.one_of(sums(), extremes)


def conditions() -> st.SearchStrategy[Expr]:
    relation = st.sampled_from([le, lt, eq])
    plain = st.builds(lambda f, a, b: f(a, b), relation, indices(), indices())
    return st.one_of(plain, plain.map(Not), st.builds(both, plain, plain))


def holds(cond: Expr, values: tuple[int, ...]) -> bool:
    return bool(eval(Expressions().text(cond), dict(zip(NAMES, values, strict=True))))


def worlds(facts: list[Expr]) -> list[tuple[int, ...]]:
    every = product(VALUES, repeat=len(NAMES))
    return [values for values in every if all(holds(fact, values) for fact in facts)]


@examples(6)
@given(st.lists(conditions(), max_size=4), conditions())
def test_what_is_proved_is_true(given_facts: list[Expr], cond: Expr) -> None:
    facts = Facts()
    for fact in given_facts:
        facts.assume(fact)
    possible = worlds(given_facts)
    decided = facts.decide(cond)
    for values in possible:
        if facts.proves(cond):
            assert holds(cond, values)
        assert holds(decided, values) == holds(cond, values)


@examples(6)
@given(st.lists(conditions(), max_size=4))
def test_facts_are_contradictory_only_if_they_are(given_facts: list[Expr]) -> None:
    facts = Facts()
    for fact in given_facts:
        facts.assume(fact)
    if facts.contradictory:
        assert not worlds(given_facts)


@examples(4)
@given(indices(), st.lists(conditions(), max_size=2), conditions())
def test_definitions(value: Any, given_facts: list[Expr], cond: Expr) -> None:
    """`z` is defined as an expression of the others."""
    if not isinstance(value, Expr) or value.mentions(Z):
        return
    facts = Facts()
    facts.define(Z, value)
    for fact in given_facts:
        facts.assume(fact)
    if facts.proves(cond):
        for values in worlds([*given_facts, eq(Z, value)]):
            assert holds(cond, values)


@pytest.mark.parametrize(
    ("known", "proved"),
    [
        ((lt(X, Y), lt(Y, Z)), lt(X + 1, Z)),
        ((le(X, Y),), le(minimum(X, Z), Y)),
        ((le(X, Y), le(X, Z)), le(X, minimum(Y, Z))),
        ((le(X, Z), le(Y, Z)), le(maximum(X, Y), Z)),
        ((eq(X, Y),), eq(X + 2, Y + 2)),
        ((Not(le(X, Y)),), lt(Y, X)),
        ((lt(X, Y),), Not(eq(X, Y))),
        ((), le(minimum(X, Y), maximum(X, Z))),
    ],
)
def test_what_lowering_needs_is_proved(known: tuple[Expr, ...], proved: Expr) -> None:
    facts = Facts()
    for fact in known:
        facts.assume(fact)
    assert facts.proves(proved)
    assert facts.decide(proved) is TRUE


def test_what_is_forgotten_is_not_known() -> None:
    facts = Facts()
    facts.assume(le(X, Y))
    saved = facts.save()
    facts.forget(frozenset((X,)))
    assert not facts.proves(le(X, Y))
    facts.restore(saved)
    assert facts.proves(le(X, Y))


def test_the_contradictory_proves_anything_and_says_so() -> None:
    facts = Facts()
    facts.assume(lt(X, Y))
    facts.assume(lt(Y, X))
    assert facts.contradictory
    clean = Facts()
    clean.assume(FALSE)
    assert clean.contradictory


def test_the_lengths_of_several_parts_are_bounded_one_by_one() -> None:
    """As of a join: where its parts begin, and that none ends beyond the whole."""
    facts, w = Facts(), Var(INDEX, "w")
    for one in (X, Y, Z):
        facts.assume(le(0, one))
    assert facts.proves(le(X, X + Y + Z))
    assert facts.proves(le(0, X + Y + Z))
    assert facts.proves(lt(X, X + Y + Z + 1))
    assert not facts.proves(lt(X, X + Y + Z))
    assert not facts.proves(le(X + Y, X + Z))
    facts.assume(lt(w, X))  # a place in the first part
    assert facts.proves(lt(w, X + Y + Z))
    assert facts.proves(lt(w + Y, X + Y + Z))
    assert not facts.proves(lt(w + 1, X + Y + Z))
    assert not facts.proves(lt(w + w, X + Y + Z))
    facts.forget(frozenset({Y}))
    assert not facts.proves(lt(w, X + Y + Z))
    assert facts.proves(lt(w, X + Z))


def test_a_constant_apart_decides() -> None:
    facts = Facts()
    assert [facts.le(X + apart, X) for apart in (-1, 1)] == [True, False]


def test_what_is_greater_is_not_at_most() -> None:
    known = Facts()
    known.assume(lt(X, Y))
    assert known.proves(Not(le(Y, X)))
    assert not known.proves(Not(le(X, Y)))
    assert known.decide(le(Y, X)) is FALSE
    assert known.proves(Not(eq(X, Y)))


@pytest.mark.parametrize(("most", "proved"), [(7, True), (8, False)])
def test_a_quotient_is_at_most_that_of_the_last_number(most: int, proved: bool) -> None:
    known = Facts()
    known.assume(le(X, most))
    assert known.proves(le(floor_div(X, 4), 1)) is proved


def test_what_an_extreme_is_at_least_all_of_a_minimum_are() -> None:
    """The extreme stands in a sum, so that the condition is not one on each of its parts."""
    facts = Facts()
    facts.assume(le(X + 3, X + minimum(Y, Z)))
    facts.assume(le(X + maximum(Y, Z), X + 9))
    assert facts.proves(le(3, Y)) and facts.proves(le(3, Z))
    assert facts.proves(le(Y, 9)) and facts.proves(le(Z, 9))
    assert not facts.proves(le(4, Y)) and not facts.proves(le(Y, 8))
