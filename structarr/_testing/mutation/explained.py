"""Mutants that are the same program: what they change makes no difference, and a file says why.

Each is named by the text of its line, as numbers of lines move. A test sees to it that what is
explained is there.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from structarr._testing.mutation.mutants import ROOT, Mutant, mutants

FILE: Final = ROOT.parent / "tests" / "equivalent_mutants.toml"


@dataclass(frozen=True)
class Explanation:
    """
    Why a mutant is no fault.

    Attributes
    ----------
    path : str
        The file, below the package.
    line : str
        The text of the line.
    what : str
        The node as it was, and as it is.
    why : str
        Why no test can find it.
    number : int
        Which of the mutants with all of this in common.
    """

    path: str
    line: str
    what: str
    why: str
    number: int = 0

    def mutant(self) -> Mutant | None:
        """The mutant that is explained, if it is there."""
        path = ROOT / self.path
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        found = [
            one
            for one in (mutants(path) if lines else [])
            if one.what == self.what and lines[one.line - 1].strip() == self.line
        ]
        return found[self.number] if self.number < len(found) else None


def explanations(file: Path = FILE) -> Iterator[Explanation]:
    """All explanations of a file, none where there is no file."""
    if file.exists():
        for one in tomllib.loads(file.read_text(encoding="utf-8")).get("mutant", []):
            yield Explanation(**one)


@functools.cache
def explained() -> dict[Mutant, str]:
    """The mutants that are no faults, and why."""
    found = {one.mutant(): one.why for one in explanations()}
    return {one: why for one, why in found.items() if one is not None}
