"""Counts of a run, added up over workers and over the parts of a run that was resumed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Find:
    """A failure: the program's number, its group, and Python text that shows it."""

    number: int
    group: str
    message: str
    source: str


@dataclass(slots=True)
class Tally:
    """The counts of programs by outcome."""

    programs: int = 0
    operations: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    finds: list[Find] = field(default_factory=list)
    reached: dict[str, set[int]] = field(default_factory=dict)  # lines, where they are watched

    def add(self, other: Tally) -> None:
        """Count another's."""
        self.programs += other.programs
        self.operations += other.operations
        self.refused += other.refused
        self.failed += other.failed
        self.finds += other.finds
        for name, lines in other.reached.items():
            self.reached.setdefault(name, set()).update(lines)

    def counts(self) -> dict[str, Any]:
        """The counts as JSON takes them, and lines if any are new; without the finds."""
        lines = {name: sorted(reached) for name, reached in self.reached.items()}
        return {
            "programs": self.programs,
            "operations": self.operations,
            "refused": dict(self.refused),
            "failed": dict(self.failed),
            **({"reached": lines} if lines else {}),
        }

    @classmethod
    def of(cls, counts: dict[str, Any]) -> Tally:
        """The tally that `counts` wrote."""
        return cls(
            counts["programs"],
            counts["operations"],
            Counter(counts["refused"]),
            Counter(counts["failed"]),
            reached={name: {*lines} for name, lines in counts.get("reached", {}).items()},
        )
