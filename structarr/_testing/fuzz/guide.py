"""Programs drawn by what earlier ones reached: those that took new arms are varied."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import numpy as np

from structarr._testing.fuzz import expressions
from structarr._testing.fuzz.case import Case, Settings
from structarr._testing.fuzz.draft import Draft
from structarr._testing.fuzz.families import numbered
from structarr._testing.fuzz.fitting import fitted
from structarr._testing.fuzz.loops.case import Loops
from structarr._testing.fuzz.loops.operands import Given
from structarr._testing.fuzz.operands import Operand, Pool
from structarr._testing.fuzz.program import ComparedProgram
from structarr._testing.fuzz.reach import Lines, Reach
from structarr._testing.fuzz.step import Result
from structarr._testing.fuzz.trees import random_format
from structarr.formats import Pattern

SHARE: Final = 0.6  # of programs that are varied ones, once there are some
MOST: Final = 400  # programs that are kept


class Guide:
    """What is kept of programs that took arms which no other had taken."""

    def __init__(self) -> None:
        self.reach = Reach()
        self._kept: list[Case] = []

    def case(self, settings: Settings, number: int) -> Case:
        """A program: one that was kept, varied, or the one that the number draws."""
        rng = np.random.default_rng([settings.seed, number, 1])
        if not self._kept or rng.random() > SHARE:
            return numbered(settings, number)
        place = len(self._kept) - 1 - int(len(self._kept) * rng.random() ** 2)  # late ones oftener
        return varied(self._kept[place], rng)

    def ran(self, case: Case) -> Lines:
        """Keep a program if it reached something new, which is returned."""
        new = self.reach.look()
        if new:
            self._kept = [*self._kept[-MOST:], case]
        return new


def varied(case: Case, rng: np.random.Generator) -> Case:
    """A program that differs a little: in a format, in how it is run, or by further steps."""
    draw = rng.random()
    own: Any = case
    if isinstance(case, ComparedProgram) and draw < 0.4:
        return _grown(case, rng)
    if isinstance(case, ComparedProgram) and draw < 0.8:
        return replace(case, operands=_one_other(case.operands, rng), rounds=())
    if isinstance(case, Loops) and draw < 0.6:
        arguments = tuple(
            replace(one, operand=_stored_otherwise(one.operand, rng))
            if isinstance(one, Given) and rng.random() < 0.5
            else one
            for one in case.arguments
        )
        return replace(case, arguments=arguments)
    if isinstance(case, Loops):
        pieces = int(rng.integers(2, 6)) if rng.random() < 0.3 else None
        return replace(case, program=int(rng.integers(16)), pieces=pieces)
    if isinstance(case, ComparedProgram):
        options = {**case.options, "program": int(rng.integers(8))}
        return replace(case, options={**options, "strict_ieee": bool(rng.random() < 0.5)})
    return own  # type: ignore[no-any-return]


def _grown(program: ComparedProgram, rng: np.random.Generator) -> ComparedProgram:
    """A program with further steps, of which the last is looked at."""
    d = Draft(rng, Pool((), (program.operands[0].data.dtype,)), odd=False)
    d.operands, d.steps = list(program.operands), list(program.steps)
    try:
        names = program._run({one.name: one.data.copy() for one in program.operands})
    except Exception:
        return program
    known = {*(one.name for one in program.operands), *(one.target for one in program.steps)}
    d.values = {name: names[name] for name in names if name in known}
    ops = [*expressions.STEPS]
    for _ in range(6):
        if len(d.steps) >= len(program.steps) + 2 or d.ended:
            break
        name = ops[int(rng.integers(len(ops)))]
        d.add(expressions.STEPS[name][1], name)
    if d.raised is not None or len(d.steps) == len(program.steps):
        return program
    last = (Result(d.steps[-1].target),)
    return replace(
        program, operands=tuple(d.operands), steps=tuple(d.steps), results=last, rounds=()
    )


def _one_other(operands: tuple[Operand, ...], rng: np.random.Generator) -> tuple[Operand, ...]:
    place = int(rng.integers(len(operands)))
    other = _stored_otherwise(operands[place], rng)
    return (*operands[:place], other, *operands[place + 1 :])


def _stored_otherwise(operand: Operand, rng: np.random.Generator) -> Operand:
    """The same operand in another format, its elements bent to what that holds."""
    format = random_format(rng, operand.data.shape, operand.data.dtype)
    fill = operand.data.dtype.type(0) if operand.fill is None else operand.fill
    if isinstance(format.levels[-1], Pattern) and fill != 0:
        return operand
    data = fitted(operand.data, format, fill)
    return replace(operand, data=data, kind="ours", format=format, fill=fill)
