"""The structure algebra: from the structure of the operands to that of the result, mode by mode.

The structure of a mode says where something is stored (its support), and how values repeat there.
Where the fill of an operand annihilates, supports meet; otherwise they join. A kind may say how it
joins and meets another one; what no kind says follows from their supports. Nothing here looks at
counts or values. `docs/structure.md` has the tables.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

from structarr.errors import FormatError
from structarr.formats import kinds
from structarr.formats.kind import Kind, ModeStructure, Repeat, Support

SCALAR, CONST, DENSE, LIST, BAND = map(
    ModeStructure, (kinds.SCALAR, kinds.CONST, kinds.DENSE, kinds.LIST, kinds.BAND)
)


def plain(mode: ModeStructure) -> ModeStructure:
    """The structure without its details and its relation to the mode above."""
    held = mode.kind.plain
    if held is mode.kind:
        return mode
    return ModeStructure(_repeating(held, Repeat.CONST) if mode.uniform else held)


def repeat_of(mode: ModeStructure) -> Repeat:
    """The repetition of the values that a mode stores."""
    return Repeat.CONST if mode.uniform else mode.kind.repeat


def settled(mode: ModeStructure) -> ModeStructure:
    """The structure of a result's mode: triangles of one value are stored as intervals."""
    held = _of_one_value(mode)
    return ModeStructure(held.kind, held.details, held.beside)


def _of_one_value(mode: ModeStructure) -> ModeStructure:
    held = _repeating(mode.kind, Repeat.CONST) if mode.uniform else mode.kind
    return mode if held is mode.kind else ModeStructure(held)


def _repeating(kind: Kind, repeat: Repeat) -> Kind:
    """The kind that holds the support of a sparse one where values repeat so."""
    if kind.in_runs and repeat <= Repeat.RUNS:
        one = kind.is_stretch and repeat is Repeat.CONST
        return kinds.INTERVAL if one else kinds.INTERVALS
    holds = repeat <= kind.repeat or kind.support is Support.SINGLE
    return kind if holds else kind.each


def unite(modes: list[ModeStructure]) -> ModeStructure:
    """The tightest structure that holds what each of them does."""
    modes = [one for one in modes if one is not SCALAR]
    if len(modes) < 2:
        return modes[0] if modes else SCALAR
    modes = _related(modes)
    least = max(map(repeat_of, modes))
    if least <= Repeat.RUNS:
        modes = [_of_one_value(one) for one in modes]
    told = _told(modes)
    if told is not None:
        return told
    if any(not one.kind.is_sparse for one in modes):
        return ModeStructure(_FULL[max(map(_beside_full, modes))])
    if least <= Repeat.RUNS and any(one.kind.has_runs for one in modes):
        return ModeStructure(kinds.INTERVALS)
    return reduce(_join, modes)


_FULL = (kinds.CONST, kinds.RUNS, kinds.PACKBITS, kinds.DENSE)
"""What stores every element, by the repetition of values."""


def _beside_full(mode: ModeStructure) -> Repeat:
    """The repetition of a mode whose gaps an operand fills that is stored in full."""
    return mode.kind.beside_full if mode.kind.is_sparse else mode.kind.repeat


def _related(modes: list[ModeStructure]) -> list[ModeStructure]:
    """Structures whose relations are kept only if all relate to the same mode above."""
    besides = {one.beside for one in modes if one.beside is not None}
    return modes if len(besides) < 2 else [plain(one) for one in modes]


def _told(modes: list[ModeStructure]) -> ModeStructure | None:
    """The union of structures of which each pair is told by a kind."""
    found: ModeStructure | None = modes[0]
    for one in modes[1:]:
        found = None if found is None else _joined(found, one)
    return found


def _joined(left: ModeStructure, right: ModeStructure) -> ModeStructure | None:
    found = _asked("joins", left, right)
    return _asked("joins", right, left) if found is None else found


def chained(own: ModeStructure, above: ModeStructure) -> ModeStructure | None:
    """The structure of a product summed over the mode above, if the kind tells."""
    return _asked("chains", own, above)


def _asked(rule: str, own: ModeStructure, other: ModeStructure) -> ModeStructure | None:
    """The answer of a kind for its union, intersection or chain with another."""
    asked = f"kind {own.kind.name!r}: `{rule}` with kind {other.kind.name!r}"
    try:
        found: Any = getattr(own.kind, rule)(own, other)
    except MemoryError:
        raise
    except Exception as error:
        raise FormatError(f"{asked} raised {type(error).__name__}: {error}") from error
    if found is None or (isinstance(found, ModeStructure) and isinstance(found.kind, Kind)):
        return found
    raise FormatError(f"{asked} gave {found!r}, which is no structure and not None")


def _join(left: ModeStructure, right: ModeStructure) -> ModeStructure:
    told = _joined(left, right)
    if told is not None:
        return told
    for support, kind in _UNIONS:
        if support in (left.kind.support, right.kind.support):
            return ModeStructure(kind)
    return left if left.kind is right.kind else BAND


_UNIONS = (
    (Support.MARKED, kinds.BITMAP),
    (Support.STRETCHES, kinds.BLOCKS),
    (Support.SINGLE, kinds.LIST),
)
"""What holds the elements of a support beside those of any that comes later."""


def intersect(killers: list[ModeStructure], others: list[ModeStructure]) -> ModeStructure:
    """The structure of the places where every operand is stored whose fill annihilates."""
    modes = _related(killers)
    met = reduce(_meet, modes)
    repeats = [repeat_of(one) for one in killers]
    repeats += [_with_gaps(one) for one in others if one is not SCALAR]
    held = _repeating(met.kind, max(repeats))
    if held is not met.kind:
        return ModeStructure(held)
    return ModeStructure(met.kind, met.details, met.beside)


def _with_gaps(mode: ModeStructure) -> Repeat:
    """The repetition of a mode that is also read where it stores nothing."""
    repeat = repeat_of(mode)
    return max(repeat, Repeat.RUNS) if mode.kind.is_sparse else repeat


def _meet(left: ModeStructure, right: ModeStructure) -> ModeStructure:
    told = _asked("meets", left, right)
    told = _asked("meets", right, left) if told is None else told
    if told is not None:
        return told
    supports = left.kind.support, right.kind.support
    if Support.SINGLE in supports:
        return LIST
    if Support.STRETCHES in supports:
        return ModeStructure(kinds.BLOCKS)
    return ModeStructure(left.kind.each) if left.kind is right.kind else BAND
