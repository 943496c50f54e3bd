"""Families of random programs of loops: functions for `sa.kernel`, and strings for `sa.loops`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import numpy as np

from structarr._testing.fuzz.case import Case, Settings
from structarr._testing.fuzz.loops.case import Loops, OfFunction, OneLine
from structarr._testing.fuzz.loops.lines import line_of
from structarr._testing.fuzz.loops.semirings import random_semiring
from structarr._testing.fuzz.loops.writer import function_of, part_of
from structarr.formats import names_for

MOST: Final = 16  # candidates of a kernel


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
    make = KINDS[int(rng.choice(len(KINDS), p=SHARES))]
    return replace(make(rng, odd), options=options, program=program, pieces=pieces)


def random_line(rng: np.random.Generator, odd: bool) -> Loops:
    """A line, whose result may be asked for in a format."""
    found = None
    while found is None:
        found = line_of(rng, odd)
    line, arguments = found
    out = str(rng.choice(names_for(len(line.target)))) if rng.random() < 0.25 else None
    return OneLine(tuple(arguments), line=line, out=out)


def random_function(rng: np.random.Generator, odd: bool) -> Loops:
    """A function of one or two nests of loops."""
    text, arguments = function_of(rng, odd)
    return OfFunction(tuple(arguments), text=text)


def random_part(rng: np.random.Generator, odd: bool) -> Loops:
    """A function that writes a part of its result in order."""
    text, arguments = part_of(rng, odd)
    return OfFunction(tuple(arguments), text=text)


KINDS: Final = (random_line, random_function, random_part, random_semiring)
SHARES: Final = (0.4, 0.4, 0.08, 0.12)
