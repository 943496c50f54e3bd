"""The text of a program of NumPy's calls: operands, steps, results, and how it is run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from structarr._testing.fuzz.case import Case
from structarr._testing.fuzz.operands import Operand
from structarr._testing.fuzz.step import Result, Step
from structarr.formats.entries import Array

PRIVATE = ("few", "pieces", "program")  # no options of users


@dataclass(frozen=True)
class Written(Case):
    """Operands, steps, and results that are looked at in turn or together."""

    operands: tuple[Operand, ...]
    steps: tuple[Step, ...]
    results: tuple[Result, ...]
    options: dict[str, Any] = field(default_factory=dict)
    rounds: tuple[tuple[Array, ...], ...] = ()  # the operands' elements in further runs
    together: bool = False

    @property
    def plain_options(self) -> dict[str, Any]:
        """The options of users."""
        return {name: value for name, value in self.options.items() if name not in PRIVATE}
