"""The lowerings of the paper's section 6, each as looplets in and kernel out.

The goldens are the files beside this one; `pytest --update-golden` writes them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from handmade import (
    FLOAT,
    INDEX,
    Made,
    assigned,
    band,
    call,
    counts,
    floats,
    lookup,
    runs,
    steps,
    text,
    total,
)

from structarr._compiler.ir.cin import Stmt, Tensor
from structarr._compiler.ir.conditions import TRUE, eq
from structarr._compiler.ir.expr import Lit
from structarr._compiler.ir.show import show
from structarr._compiler.ir.variables import Var
from structarr._compiler.looplets.base import Looplet, function
from structarr._compiler.looplets.lookup import Lookup
from structarr._compiler.looplets.pipeline import Phase, Pipeline
from structarr._compiler.looplets.run import Run
from structarr._compiler.looplets.shift import Shift
from structarr._compiler.looplets.spike import Spike
from structarr._compiler.looplets.switch import Case, Switch

Golden = Callable[[str], None]
NOTHING = np.zeros(0)


def value(number: float, structural: bool = False) -> Lit:
    return Lit(FLOAT, number, structural)


def made(looplet: Looplet) -> Made:
    return Made(looplet, NOTHING)


SAME = ("cursor=", "end=", "clamp=", "past=", "first=", "last=", "weight=")


def lowering(program: tuple[Stmt, Tensor]) -> str:
    """The program, an arrow, the kernel; what all steppers have in common is left out."""
    stmt, out = program
    shown = [line for line in show(stmt).split("\n") if not line.lstrip().startswith(SAME)]
    return "\n".join([*shown, "=>", text(stmt, out)])


def product(left: Made, right: Made) -> tuple[Stmt, Tensor]:
    return total(call("multiply", left.at(), right.at()))


def test_lookups(golden: Golden) -> None:
    square = Lookup(function("i", lambda i: floats("squares")[i]))
    data = Lookup(function("i", lambda i: floats("data")[i]))
    body = call("multiply", value(2.0), Var(FLOAT, "x"))
    body = call("multiply", call("multiply", body, made(square).at()), made(data).at())
    golden(lowering(total(body)))


def test_runs_are_rewritten(golden: Golden) -> None:
    golden(lowering(product(made(Run(value(3.0))), made(Run(Var(FLOAT, "x"))))))


def test_a_run_of_fill_annihilates(golden: Golden) -> None:
    golden(lowering(product(made(Run(value(0.0, True))), lookup("b", NOTHING))))


def test_spikes_meet_in_their_tails(golden: Golden) -> None:
    left = made(Spike(value(0.0, True), Var(FLOAT, "x")))
    right = made(Spike(value(0.0, True), Var(FLOAT, "y")))
    golden(lowering(product(left, right)))


def test_a_spike_beside_a_lookup(golden: Golden) -> None:
    left = made(Spike(value(2.0), Var(FLOAT, "x")))
    golden(lowering(product(left, lookup("b", NOTHING))))


def test_switches(golden: Golden) -> None:
    def either(name: str, first: float, second: float) -> Made:
        cond = eq(Var(INDEX, name), 1)
        cases = (Case(cond, Run(value(first))), Case(TRUE, Run(value(second))))
        return made(Switch(cases))

    golden(lowering(product(either("x", 1, 2), either("y", 3, 4))))


def test_pipelines(golden: Golden) -> None:
    def two(stop: str, first: float, second: float) -> Made:
        phases = (Phase(Var(INDEX, stop), Run(value(first))), Phase(None, Run(value(second))))
        return made(Pipeline(phases))

    golden(lowering(product(two("s_A", 2, 3), two("s_B", 5, 7))))


def test_one_stepper(golden: Golden) -> None:
    golden(lowering(product(steps("a", [], 0), lookup("b", NOTHING))))


def test_steppers_of_runs(golden: Golden) -> None:
    golden(lowering(product(runs("a", [], 0), runs("b", [], 0))))


def test_steppers_of_spikes(golden: Golden) -> None:
    golden(lowering(product(steps("a", [], 0), steps("b", [], 0))))


def test_jumpers(golden: Golden) -> None:
    golden(lowering(product(steps("a", [], 0, leads=True), steps("b", [], 0, leads=True))))


def test_a_jumper_leads_a_stepper(golden: Golden) -> None:
    golden(lowering(product(steps("a", [], 0, leads=True), steps("b", [], 0))))


def test_shift(golden: Golden) -> None:
    golden(lowering(total(made(Shift(Var(INDEX, "d"), band("a", 0, 0, 0).looplet)).at())))


def test_list_dot_band_skips_to_the_band(golden: Golden) -> None:
    """Figure 1."""
    golden(lowering(product(steps("a", [], 0), band("b", 0, 0, 0))))


def test_runs_plus_runs_are_runs(golden: Golden) -> None:
    sum_of = call("add", runs("a", [], 0).at(), runs("b", [], 0).at())
    golden(lowering(assigned(sum_of, "rle")))


def test_band_times_runs_is_a_band(golden: Golden) -> None:
    by = call("multiply", band("a", 0, 0, 0).at(), runs("b", [], 0).at())
    golden(lowering(assigned(by, "band")))


def test_bitmap_is_a_switch(golden: Golden) -> None:
    def find(i: Var) -> Switch:
        stored = Case(eq(counts("a_mask")[i], 1), floats("a_val")[i])
        return Switch((stored, Case(TRUE, value(0.0, True))))

    golden(lowering(product(made(Lookup(function("i", find))), lookup("b", NOTHING))))
