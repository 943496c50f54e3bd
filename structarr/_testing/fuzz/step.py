"""A step of a program of NumPy's calls, and a result that is looked at."""

from __future__ import annotations

import re
from dataclasses import dataclass

from structarr.formats import Format


@dataclass(frozen=True)
class Step:
    """Statements that give a variable its value; `op` names the operation."""

    target: str
    text: str
    op: str

    @property
    def uses(self) -> set[str]:
        """The variables that are read."""
        return {*re.findall(r"\b[abt]\d+\b", self.text)} - {self.target}


@dataclass(frozen=True)
class Result:
    """A variable that is looked at, and the format in which it is asked for, if in one."""

    name: str
    format: Format | None = None
