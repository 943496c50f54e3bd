"""The families of random programs: which there are, and the one that a number draws."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Final

import numpy as np

from structarr._testing.fuzz.case import Case, Settings


@dataclass(frozen=True, slots=True)
class Family:
    """A module with a function `generate`, and how often it is drawn."""

    module: str
    weight: float

    def generate(self, rng: np.random.Generator, settings: Settings) -> Case:
        """A random program."""
        make: Callable[[np.random.Generator, Settings], Case]
        make = import_module(self.module).generate
        return make(rng, settings)


FAMILIES: Final[dict[str, Family]] = {
    "numpy": Family("structarr._testing.fuzz.expressions", 10),
    "loops": Family("structarr._testing.fuzz.loops.program", 5),
    "jit": Family("structarr._testing.fuzz.jitted", 2),
    "histories": Family("structarr._testing.fuzz.histories", 2),
    "moving": Family("structarr._testing.fuzz.moving", 2),
    "sharing": Family("structarr._testing.fuzz.sharing", 2),
    "formulas": Family("structarr._testing.fuzz.formulas", 2),
}


def family(name: str) -> Family:
    """The family of a name; another name is a module's, with a function `generate`."""
    return FAMILIES.get(name) or Family(name, 1)


def case_of(settings: Settings) -> Case:
    """The program that a seed and a number mean."""
    rng = np.random.default_rng([settings.seed, settings.number])
    names = settings.families or tuple(FAMILIES)
    weights = np.array([family(name).weight for name in names], float)
    name = names[rng.choice(len(names), p=weights / weights.sum())]
    return family(name).generate(rng, settings)


def numbered(settings: Settings, number: int) -> Case:
    """The program with a number, in a run with some settings."""
    return case_of(replace(settings, number=number))
