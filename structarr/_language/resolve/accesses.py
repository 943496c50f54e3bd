"""The sites of a stage: every mode of every access, with its index."""

from __future__ import annotations

from dataclasses import dataclass

from structarr._language.read.syntax import Modified, Name, Place, Read, Syntax, parts
from structarr._language.read.vocabulary import PADDINGS
from structarr._language.resolve.stages import Stage


@dataclass(frozen=True)
class Use:
    """One mode of one access: its index, without protocols."""

    array: str
    axis: int
    index: Syntax
    plain: str | None  # the name, if it is an index alone
    permitted: bool  # whether it may be outside, where it is padded or missing
    at: Place


def uses_of(stage: Stage) -> tuple[Use, ...]:
    """Every mode of every access in a stage, in the order of the text."""
    found: dict[tuple[str, int, Syntax, bool], Use] = {}
    for part in parts(stage.body):
        if isinstance(part, Read):
            for axis, index in enumerate(part.indices):
                use = _use(part, axis, index, stage)
                found.setdefault((use.array, axis, use.index, use.permitted), use)
    return tuple(found.values())


def _use(read: Read, axis: int, index: Syntax, stage: Stage) -> Use:
    """A mode of an access, by its index."""
    permitted = False
    while isinstance(index, Modified):
        permitted = permitted or index.kind == "permit" or index.kind in PADDINGS
        index = index.arg
    plain = index.name if isinstance(index, Name) and index.name in stage.indices else None
    return Use(read.array, axis, index, plain, permitted, read.at)
