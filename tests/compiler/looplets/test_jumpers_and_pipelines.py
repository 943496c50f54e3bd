"""Jumpers, pipelines and what is of one priority."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pytest
from handmade import (
    Made,
    band,
    call,
    check_windows,
    computed,
    lookup,
    product,
    run,
    steps,
    steps_of,
    summed,
    text,
    total,
    window,
)

from structarr._compiler.ir.conditions import FALSE, TRUE
from structarr._compiler.ir.expr import INDEX, Lit
from structarr._compiler.looplets.affine import Affine
from structarr._compiler.looplets.base import Looplet
from structarr._compiler.looplets.padding import padded
from structarr._compiler.looplets.pipeline import Phase, Pipeline
from structarr._compiler.looplets.run import Run
from structarr._compiler.looplets.switch import Case, Switch


def test_a_tie_of_priorities_is_an_error() -> None:
    class Other(Looplet):
        priority: ClassVar[int] = Run.priority

    value = call("add", run("a", 1.0, 3).at(), Made(Other(), np.zeros(3)).at())
    with pytest.raises(TypeError, match="same priority 50"):
        text(*total(value))


def test_phases_in_every_order() -> None:
    for start in (0, 3, 6):
        made = band("a", start, 2, 9), band("b", 3, 4, 9)
        check_windows(summed(*made), made[0].values + made[1].values, *made)
        check_windows(product(*made), made[0].values * made[1].values, *made)


def test_a_failed_proof_costs_an_if() -> None:
    made = window("a", 7, 3, 9), lookup("b", np.arange(9.0))  # the stops are out of order
    assert computed(*total(product(*made)), made, 9) == 0


def test_jumpers_skip_to_the_largest_stop() -> None:
    made = steps("a", [0, 1, 2, 3, 4, 8], 9, True), steps("b", [8], 9, True)
    check_windows(product(*made), made[0].values * made[1].values, *made)
    assert steps_of(*total(product(*made)), made, 9) <= 2


def test_a_jumper_leads_only_where_its_body_annihilates() -> None:
    made = steps("a", [1, 6], 9, True), steps("b", [2, 6], 9, True)
    check_windows(summed(*made), made[0].values + made[1].values, *made)
    assert "search" not in text(*total(summed(*made)))


def test_phases_that_are_read_backwards_come_in_the_other_order() -> None:
    values = [Lit(INDEX, k) for k in range(3)]
    stops = (Lit(INDEX, 2), Lit(INDEX, 5), None)
    phases = tuple(Phase(stop, Run(one)) for stop, one in zip(stops, values, strict=True))
    nothing: Any = None
    found = Pipeline(phases).reindexed(Affine(-1, Lit(INDEX, 8)), Lit(INDEX, 9), nothing)
    assert isinstance(found, Pipeline)
    assert [phase.body for phase in found.phases] == [Run(one) for one in values[::-1]]
    # Index i reads 8 - i: the last phase, of 5 to 8, is that of 0 to 3.
    assert [phase.stop for phase in found.phases] == [Lit(INDEX, 4), Lit(INDEX, 7), None]


def test_what_its_edges_continue_is_what_is_outside_where_there_are_none() -> None:
    outside = Lit(INDEX, 9)
    inner = Run(Lit(INDEX, 1))
    found = padded("edge", Lit(INDEX, 0), lambda: inner, lambda i: i, outside)
    assert isinstance(found, Switch)
    there, empty = found.cases
    assert empty.body == Run(outside)
    assert isinstance(there.body, Pipeline)
    assert [phase.body for phase in there.body.phases][1] == inner


def test_a_switch_is_read_backwards_if_all_its_cases_can_be() -> None:
    known, unknown = run("a", 1.0, 9).looplet, steps("b", [1], 9).looplet
    assert known.reversible and not unknown.reversible
    for others, expected in (((known, known), True), ((known, unknown), False)):
        cases = [Case(cond, one) for cond, one in zip((FALSE, TRUE), others, strict=True)]
        assert Switch(tuple(cases)).reversible is expected
