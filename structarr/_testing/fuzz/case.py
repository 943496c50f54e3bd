"""The protocol between generators of random programs and the driver.

A family is a module-level function ``generate(rng, settings) -> Case``, named in `families.py`.
Whatever is random comes from `rng` (or from `Settings.block_rng`), so that a program is made again
from the seed and its number.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

BLOCK = 256  # programs with consecutive numbers that share what `Settings.block_rng` gives


class Wrong(Exception):
    """A value that is not the oracle's; the message says which, and how it differs."""


class Refused(Exception):
    """A documented refusal; its message, without numbers and names, is what it is tallied by."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The choices of a run that generators obey, and the program's place in it."""

    seed: int = 0
    number: int = 0
    families: tuple[str, ...] = ()  # all, if empty
    compiled: float = 0.02  # share of programs that run in the compiled tier
    strict: float = 0.3  # share under strict_ieee
    threads: float = 0.05  # share in pieces, by threads
    forced: float = 0.2  # share by another program of the scheduler than the one it would take
    steps: int = 12  # most operations in a program
    guided: bool = False  # whether programs that take new arms are varied

    def block_rng(self) -> np.random.Generator:
        """The numbers that all programs of a block share, to draw from one small pool."""
        return np.random.default_rng([self.seed, self.number // BLOCK, BLOCK])


class Case(ABC):
    """A random program with an oracle."""

    @property
    @abstractmethod
    def operations(self) -> tuple[str, ...]:
        """The names of the operations, for counts and for grouping failures."""

    @abstractmethod
    def source(self) -> str:
        """Python text that runs by itself, and leaves `got` and `want` to be compared."""

    @abstractmethod
    def check(self) -> None:
        """Return if all is right; raise `Wrong`, `Refused`, or let an internal error escape."""

    @abstractmethod
    def simpler(self) -> Iterator[Case]:
        """Smaller programs that may fail alike, the simplest first."""
