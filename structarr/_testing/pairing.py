"""Checks of a kind: results, and unions and intersections with other kinds."""

from __future__ import annotations

from structarr._compiler.ir.expr import Index
from structarr._scheduler.structure_algebra import intersect, unite
from structarr.errors import FormatError
from structarr.formats import Element, Level
from structarr.formats.kind import ModeStructure
from structarr.formats.kind_contract import STAND_INS
from structarr.formats.kinds import DIAGONALS, KINDS, LOWER, UPPER

_ABOVE = Index("above")
_DETAILS = {UPPER: (0,), LOWER: (0,), DIAGONALS: ((-1, 0, 1),)}
_OTHERS = [
    ModeStructure(kind, _DETAILS.get(kind, ()), _ABOVE if kind.relates else None)
    for kind in KINDS.values()
]


def hold(level: Level) -> None:
    """Check that levels hold results of the kinds that stand in for a level's."""
    kind = level.kind
    try:
        for field in STAND_INS:
            _ = getattr(kind, field).result
    except FormatError as error:
        raise AssertionError(f"level {type(level).__name__}: {error}") from error


def pair(level: Level) -> None:
    """Check unions and intersections with a level's structure, in both orders of the operands."""
    try:
        _pair(level)
    except FormatError as error:
        raise AssertionError(f"level {type(level).__name__}: {error}") from error


def _pair(level: Level) -> None:
    kind, name = level.kind, type(level).__name__
    details = () if kind.plain is kind else level.details
    own = ModeStructure(kind, details, _ABOVE if kind.relates else None)
    for other in (own, *_OTHERS):
        found = [("joins", unite([own, other]), unite([other, own]))]
        if kind.is_sparse and other.kind.is_sparse:
            met = intersect([own, other], []), intersect([other, own], [])
            found.append(("meets", *met))
        for field, one, two in found:
            pair = f"`{field}` of kind {kind.name!r} with {other.kind.name!r}"
            assert one is two, f"level {name}: {pair} is {one}, the other way round {two}"
            made = one.kind.made(Element(), *one.details)
            assert isinstance(made, Level), f"level {name}: {pair} is held by {made}, no level"
