"""The kinds that the package brings, and how triangles, diagonals and points go together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from structarr.errors import FormatError
from structarr.formats.kind import (
    Children as Children,
    Kind as Kind,
    ModeStructure as ModeStructure,
    Repeat as Repeat,
    Support as Support,
    general,
)

WIDEST: Final = 64  # as many diagonals between two triangles are still told one by one


def _triangles_join(own: ModeStructure, other: ModeStructure) -> ModeStructure | None:
    if other.kind not in (UPPER, LOWER, DIAGONALS):
        return None
    if other.kind not in (own.kind, DIAGONALS):
        return ModeStructure(DENSE)
    return ModeStructure(own.kind, (_furthest(own, own.details + _offsets(other)),), own.beside)


def _offsets(one: ModeStructure) -> tuple[int, ...]:
    """The diagonals of a structure; of a triangle the one at which it ends."""
    return one.details[0] if one.kind is DIAGONALS else one.details


def _furthest(triangle: ModeStructure, offsets: Sequence[int]) -> int:
    """The one of some diagonals that a triangle ends at if it has them all; 0 of none."""
    return (min if triangle.kind is UPPER else max)(offsets, default=0)


def _triangles_meet(own: ModeStructure, other: ModeStructure) -> ModeStructure | None:
    if other.kind is own.kind:
        pick = max if own.kind is UPPER else min
        return ModeStructure(own.kind, (pick(own.details[0], other.details[0]),), own.beside)
    if other.kind.is_marked:
        return own
    if other.kind not in (UPPER, LOWER):
        return None
    upper, lower = (own, other) if own.kind is UPPER else (other, own)
    offsets = range(upper.details[0], lower.details[0] + 1)
    if len(offsets) >= WIDEST:
        return ModeStructure(BAND)
    return ModeStructure(DIAGONALS, (tuple(offsets),), own.beside)


def _triangles_chain(own: ModeStructure, above: ModeStructure) -> ModeStructure | None:
    if above.kind not in (UPPER, LOWER, DIAGONALS):
        return None
    if above.kind not in (own.kind, DIAGONALS):
        return ModeStructure(DENSE)
    ends = own.details[0] + _furthest(own, _offsets(above))
    return ModeStructure(own.kind, (ends,), above.beside)


def _diagonals_join(own: ModeStructure, other: ModeStructure) -> ModeStructure | None:
    if other.kind is not DIAGONALS:
        return None
    offsets = {*own.details[0], *other.details[0]}
    return ModeStructure(DIAGONALS, (tuple(sorted(offsets)),), own.beside)


def _diagonals_meet(own: ModeStructure, other: ModeStructure) -> ModeStructure | None:
    offsets: tuple[int, ...] = own.details[0]
    if other.kind is DIAGONALS:
        offsets = tuple(k for k in offsets if k in other.details[0])
    elif other.kind is UPPER:
        offsets = tuple(k for k in offsets if k >= other.details[0])
    elif other.kind is LOWER:
        offsets = tuple(k for k in offsets if k <= other.details[0])
    elif other.kind.meets is not general:
        return None  # a point, or another kind that says itself what it has in common
    return ModeStructure(DIAGONALS, (offsets,), own.beside)


def _diagonals_chain(own: ModeStructure, above: ModeStructure) -> ModeStructure | None:
    offsets: tuple[int, ...] = own.details[0]
    if above.kind is DIAGONALS:
        sums = sorted({one + other for one in offsets for other in above.details[0]})
        few = 0 < len(sums) <= WIDEST
        return ModeStructure(DIAGONALS, (tuple(sums),), above.beside) if few else None
    if above.kind not in (UPPER, LOWER) or not offsets:
        return None
    ends = above.details[0] + _furthest(above, offsets)
    return ModeStructure(above.kind, (ends,), above.beside)


def _points_meet(own: ModeStructure, other: ModeStructure) -> ModeStructure:
    return ModeStructure(POINT)


def _mirrored_join(own: ModeStructure, other: ModeStructure) -> ModeStructure | None:
    if other.kind is SYMMETRIC:
        return ModeStructure(SYMMETRIC, (), own.beside, own.uniform and other.uniform)
    main = other.kind is DIAGONALS and other.details == ((0,),)
    return ModeStructure(SYMMETRIC, (), own.beside) if main else None


_FULL: Final = Support.FULL
_RUNS: Final = Children.RUNS

SCALAR = Kind("scalar", _FULL, Repeat.CONST)  # of a number, which has no modes; no level has it
DENSE = Kind(
    *("dense", _FULL, Repeat.EACH),
    arithmetic=True,
    direct=True,
    elementwise=True,
    step=None,
    scatter=0.5,
)
BITMAP = Kind(
    *("bitmap", Support.MARKED, Repeat.EACH),
    beside_full=Repeat.EACH,
    elementwise=True,
    step=None,
    scatter=0.5,
)
LIST = Kind(
    *("list", Support.SINGLE, Repeat.RUNS),
    searched=True,
    leaps=True,
    elementwise=True,
    few=True,
)
POINT = Kind(
    *("point", Support.SINGLE, Repeat.CONST),
    looser=LIST,
    several=LIST,
    meets=_points_meet,
    searched=True,
    vacant=True,
    few=True,
)
BLOCKS = Kind("blocks", Support.STRETCHES, Repeat.EACH, in_runs=True, searched=True, leaps=True)
INTERVALS = Kind(
    *("intervals", Support.STRETCHES, Repeat.RUNS, _RUNS),
    each=BLOCKS,
    in_runs=True,
    above=BLOCKS,
    searched=True,
)
BAND = Kind(
    *("band", Support.STRETCH, Repeat.EACH),
    in_runs=True,
    several=BLOCKS,
    direct=True,
    few=True,
)
INTERVAL = Kind(
    *("interval", Support.STRETCH, Repeat.CONST, _RUNS),
    each=BAND,
    in_runs=True,
    above=BAND,
    looser=INTERVALS,
    several=INTERVALS,
)
RAGGED = Kind("ragged", Support.STRETCH, Repeat.EACH, several=BLOCKS, from_start=True)
UPPER, LOWER = (
    Kind(
        *(side, Support.STRETCH, Repeat.EACH),
        plain=BAND,
        relates=True,
        in_runs=True,
        beside_full=Repeat.EACH,
        joins=_triangles_join,
        meets=_triangles_meet,
        chains=_triangles_chain,
        share=0.5,
        scatter=0.5,
    )
    for side in ("upper", "lower")
)
DIAGONALS = Kind(
    *("diagonals", Support.SINGLE, Repeat.RUNS),
    plain=LIST,
    relates=True,
    joins=_diagonals_join,
    meets=_diagonals_meet,
    chains=_diagonals_chain,
    vacant=True,
    scatter=0.5,
)
CONST = Kind(
    *("const", _FULL, Repeat.CONST, _RUNS),
    each=DENSE,
    partial=INTERVAL,
    looser=DENSE,
    scatter=0.5,
)
RUNS = Kind("runs", _FULL, Repeat.RUNS, _RUNS, each=DENSE, partial=INTERVALS)
PACKBITS = Kind("packbits", _FULL, Repeat.PACK, _RUNS, each=DENSE, above=RUNS, partial=DENSE)
COMPUTED = Kind(
    *("computed", _FULL, Repeat.EACH, Children.RULE),
    each=DENSE,
    looser=DENSE,
    several=DENSE,
    direct=True,
    step=None,
)
SYMMETRIC = Kind(
    *("symmetric", _FULL, Repeat.EACH, Children.MIRRORED),
    plain=DENSE,
    relates=True,
    joins=_mirrored_join,
    step=None,
    scatter=0.5,
)
HERMITIAN = Kind(
    *("hermitian", _FULL, Repeat.EACH, Children.MIRRORED),
    plain=DENSE,
    relates=True,
    above=DENSE,
    conjugates=True,
    step=None,
    scatter=0.5,
)

KINDS: Final = {
    kind.name: kind
    for kind in (
        *(CONST, RUNS, PACKBITS, DENSE, COMPUTED, SYMMETRIC, HERMITIAN, BITMAP, LIST, POINT),
        *(BLOCKS, INTERVALS, BAND, INTERVAL, RAGGED, UPPER, LOWER, DIAGONALS),
    )
}
"""The package's kinds by name, by which a level from outside may name the one it has."""


def kind_of(told: Any, level: str) -> Any:
    """The kind that a level's class tells: a record, or the name of one of the package's.

    A property tells it of an instance, by the level's fields.
    """
    if isinstance(told, property):
        ask: Any = told.fget
        return property(lambda one: kind_of(ask(one), level), doc=told.__doc__)
    found = KINDS.get(told) if isinstance(told, str) else told
    if isinstance(found, Kind):
        return found
    raise FormatError(
        f"level {level}: {told!r} is no kind; take one of structarr.formats.kinds "
        f"({', '.join(KINDS)}), or make one by structarr.formats.Kind"
    )
