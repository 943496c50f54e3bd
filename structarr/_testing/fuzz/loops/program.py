"""Families of random programs of loops: functions for `sa.kernel`, and strings for `sa.loops`."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._testing.fuzz.case import Case, Settings
from structarr._testing.fuzz.loops.case import Loops, OfFunction, OneLine
from structarr._testing.fuzz.loops.lines import random_line
from structarr._testing.fuzz.loops.writer import random_function, random_part
from structarr.formats import names_for

MOST = 16  # candidates of a kernel


def generate(rng: np.random.Generator, settings: Settings) -> Case:
    """A function or a line, in one of the tiers, strict or not, by any candidate, in pieces."""
    odd = bool(rng.random() < 0.5)
    options: dict[str, Any] = {
        "tier": "compiled" if rng.random() < settings.compiled else "interpreted",
        "strict_ieee": odd or bool(rng.random() < settings.strict),
    }
    program = int(rng.integers(MOST)) if rng.random() < 0.5 else None
    pieces = None
    if rng.random() < settings.threads:
        options["threads"], pieces = int(rng.integers(1, 4)), int(rng.integers(2, 6))
    return _case(rng, odd, options, program, pieces)


def _case(
    rng: np.random.Generator,
    odd: bool,
    options: dict[str, Any],
    program: int | None,
    pieces: int | None,
) -> Loops:
    kind = rng.random()
    if kind < 0.45:
        found = None
        while found is None:
            found = random_line(rng, odd)
        line, operands = found
        out = None
        if rng.random() < 0.25:
            out = str(rng.choice(names_for(len(line.target))))
        return OneLine(tuple(operands), options, program, pieces, line, out)
    make = random_function if kind < 0.9 else random_part
    text, arguments = make(rng, odd)
    return OfFunction(tuple(arguments), options, program, pieces, text)
