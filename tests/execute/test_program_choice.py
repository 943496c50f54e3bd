"""Which of several programs is lowered, and what those cost that outgrow the budget."""

from types import SimpleNamespace

import pytest

from structarr._execute import program_choice
from structarr._execute.program_choice import Choice
from structarr._scheduler.compiled import Request


@pytest.fixture
def lowered(monkeypatch):
    """The number and budget of each program that is lowered; a program is what it takes."""
    calls = []

    def compile_program(program, rules, budget):
        calls.append((program, budget))
        return SimpleNamespace(spent=program) if budget is None or program <= budget else None

    monkeypatch.setattr(program_choice, "compile_program", compile_program)
    monkeypatch.setattr(
        program_choice, "Plan", lambda found: SimpleNamespace(compiled=found, appends=False)
    )
    monkeypatch.setattr(program_choice, "split_of", lambda program, rules: None)
    return calls


class Order(list):
    """An order of the programs, in the place of operands."""

    @property
    def magnitudes(self):
        return tuple(self)


def choice_of(*needs, budget=1000):
    choice = Choice(needs, Request(None, None, "int64", False, budget=budget))
    choice._ranked = list  # operands are stood for by the order of the programs
    return choice


def needs_of(pick):
    return None if pick is None else pick.plan.compiled.spent


def test_programs_that_outgrow_the_budget_take_at_most_twice_as_much(lowered):
    choice = choice_of(*[5000] * 20)
    assert choice.pick(Order(range(20))) is None
    assert sum(min(need, budget) for need, budget in lowered) <= 2 * 1000


def test_a_smaller_program_is_taken_after_one_that_outgrew(lowered):
    assert needs_of(choice_of(5000, 400).pick(Order([0, 1]))) == 400
    assert needs_of(choice_of(5000, 600).pick(Order([0, 1]))) is None
    assert needs_of(choice_of(5000, 600).pick(Order([1, 0]))) == 600


@pytest.mark.parametrize("before", [[0, 1], [1, 0]])
@pytest.mark.parametrize("order", [[0, 1], [1, 0]])
def test_what_was_lowered_before_makes_no_difference(lowered, before, order):
    fresh = needs_of(choice_of(5000, 600).pick(Order(order)))
    choice = choice_of(5000, 600)
    choice.pick(Order(before))
    choice._picked.clear()
    assert needs_of(choice.pick(Order(order))) == fresh


def test_one_operation_alone_has_no_budget(lowered):
    assert needs_of(choice_of(5000, 400, budget=None).pick(Order([0, 1]))) == 5000
