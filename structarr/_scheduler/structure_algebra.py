"""The structure algebra: from the structure of the operands to that of the result, mode by mode.

The structure of a mode says where something is stored (its support), and how values repeat there.
Where the fill of an operand annihilates, supports meet; otherwise they join. Nothing here looks at
counts or values. `docs/structure.md` has the tables.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

from structarr._compiler.ir.expr import Index
from structarr._compiler.ir.node import Node
from structarr.formats.kinds import KINDS, POINTS, is_sparse


class ModeStructure(Node):
    """The kind of a mode, the details of its level, and the mode that it is related to."""

    kind: str
    details: tuple[Any, ...] = ()
    beside: Index | None = None  # the index of the mode above, of kinds that relate the two
    uniform: bool = False  # of a triangle or diagonals: one value stands throughout


REPEATS = ("const", "runs", "pack", "each")


FULL = {"const": "const", "runs": "runs", "pack": "packbits", "each": "dense"}


STRETCHES = ("band", "ragged", "upper", "lower")  # one block of neighbours in each fiber


RELATED = ("upper", "lower", "diagonals", "symmetric", "hermitian")


WIDEST = 64  # as many diagonals between two triangles are still told one by one


SCALAR, CONST, DENSE, LIST, BAND, INTERVAL = (
    ModeStructure(kind) for kind in ("scalar", "const", "dense", "list", "band", "interval")
)


def plain(mode: ModeStructure) -> ModeStructure:
    """The structure without its relation to the mode above."""
    match mode.kind:
        case "upper" | "lower":
            return INTERVAL if mode.uniform else BAND
        case "diagonals":
            return LIST
        case "symmetric" | "hermitian":
            return DENSE
    return mode


def repeat_of(mode: ModeStructure) -> str:
    """The repetition of the values that a mode stores."""
    return "const" if mode.uniform else KINDS[mode.kind].repeat


def settled(mode: ModeStructure) -> ModeStructure:
    """The structure of a result's mode: triangles of one value are stored as intervals."""
    if mode.uniform and mode.kind in ("upper", "lower"):
        return INTERVAL
    return ModeStructure(mode.kind, mode.details, mode.beside)


def unite(modes: list[ModeStructure]) -> ModeStructure:
    """The tightest structure that holds what each of them does."""
    modes = [one for one in modes if one is not SCALAR]
    if not modes:
        return SCALAR
    if len(modes) == 1:
        return modes[0]
    modes = _related(modes)
    if any(one.kind == "symmetric" for one in modes) and all(map(_mirrors, modes)):
        return next(one for one in modes if one.kind == "symmetric")
    repeats = [repeat_of(one) for one in modes]
    if "each" not in repeats:
        modes = [settled(one) for one in modes]
    if any(KINDS[one.kind].support == "full" for one in modes):
        return ModeStructure(FULL[max(map(_beside_full, modes), key=REPEATS.index)])
    if any(one.kind in ("interval", "intervals") for one in modes) and "each" not in repeats:
        return ModeStructure("intervals")
    return reduce(_join, modes)


def _mirrors(mode: ModeStructure) -> bool:
    return mode.kind == "symmetric" or (mode.kind == "diagonals" and mode.details == ((0,),))


def _beside_full(mode: ModeStructure) -> str:
    """The repetition of a mode whose gaps an operand fills that is stored in full."""
    support, repeat = KINDS[mode.kind]
    if support == "full":
        return repeat
    return "each" if support in ("bitmap", "upper", "lower") else "runs"


def _related(modes: list[ModeStructure]) -> list[ModeStructure]:
    """Structures whose relations are kept only if all relate to the same mode above."""
    besides = {one.beside for one in modes if one.beside is not None}
    return modes if len(besides) < 2 else [plain(one) for one in modes]


def _join(left: ModeStructure, right: ModeStructure) -> ModeStructure:
    kinds = {left.kind, right.kind}
    one, other = KINDS[left.kind].support, KINDS[right.kind].support
    if "bitmap" in kinds:
        return ModeStructure("bitmap")
    if left.kind == right.kind and left.kind in ("upper", "lower"):
        return _widened(left, right.details)
    if kinds == {"diagonals"}:
        offsets = {*left.details[0], *right.details[0]}
        return ModeStructure("diagonals", (tuple(sorted(offsets)),), left.beside)
    if kinds in ({"upper", "diagonals"}, {"lower", "diagonals"}):
        diagonals, triangle = sorted((left, right), key=lambda mode: mode.kind)
        return _widened(triangle, diagonals.details[0])
    if kinds == {"upper", "lower"}:
        return DENSE
    if "blocks" in (one, other):
        return ModeStructure("blocks")
    if one in POINTS or other in POINTS:
        return LIST
    return left if left.kind == right.kind else BAND


def _widened(triangle: ModeStructure, offsets: tuple[int, ...]) -> ModeStructure:
    """A triangle that holds the diagonals at some offsets too."""
    pick = min if triangle.kind == "upper" else max
    return ModeStructure(triangle.kind, (pick(triangle.details + offsets),), triangle.beside)


def intersect(killers: list[ModeStructure], others: list[ModeStructure]) -> ModeStructure:
    """The structure of the places where every operand is stored whose fill annihilates."""
    modes = _related(killers)
    met = reduce(_meet, modes)
    repeats = [repeat_of(one) for one in killers]
    repeats += [_with_gaps(one) for one in others if one is not SCALAR]
    if met.kind in ("upper", "lower") and max(repeats, key=REPEATS.index) in ("const", "runs"):
        return ModeStructure(_stretch("band", max(repeats, key=REPEATS.index)))
    if met.kind in ("band", "interval", "intervals", "blocks"):
        return ModeStructure(_stretch(KINDS[met.kind].support, max(repeats, key=REPEATS.index)))
    return ModeStructure(met.kind, met.details, met.beside)


def _with_gaps(mode: ModeStructure) -> str:
    """The repetition of a mode that is also read where it stores nothing."""
    repeat = repeat_of(mode)
    return "runs" if repeat == "const" and is_sparse(mode.kind) else repeat


def _stretch(support: str, repeat: str) -> str:
    if repeat in ("each", "pack"):
        return support
    return "interval" if (support, repeat) == ("band", "const") else "intervals"


def _meet(left: ModeStructure, right: ModeStructure) -> ModeStructure:
    if "point" in (left.kind, right.kind):
        return ModeStructure("point")
    for one, other in ((left, right), (right, left)):
        if one.kind == "diagonals":
            return _cut(one, other)
    if "list" in (left.kind, right.kind):
        return LIST
    if left.kind == right.kind and left.kind in ("upper", "lower"):
        pick = max if left.kind == "upper" else min
        return ModeStructure(left.kind, (pick(left.details[0], right.details[0]),), left.beside)
    if {left.kind, right.kind} == {"upper", "lower"}:
        upper, lower = sorted((left, right), key=lambda mode: mode.kind == "lower")
        offsets = range(upper.details[0], lower.details[0] + 1)
        if len(offsets) >= WIDEST:
            return BAND
        return ModeStructure("diagonals", (tuple(offsets),), left.beside)
    for one, other in ((left, right), (right, left)):
        if one.kind == "bitmap" and other.kind in ("upper", "lower"):
            return other
    one_support, other_support = KINDS[left.kind].support, KINDS[right.kind].support
    if "blocks" in (one_support, other_support):
        return ModeStructure("blocks")
    if one_support == other_support:
        return ModeStructure("band") if one_support == "band" else left
    return BAND


def _cut(diagonals: ModeStructure, other: ModeStructure) -> ModeStructure:
    offsets: tuple[int, ...] = diagonals.details[0]
    match other.kind:
        case "diagonals":
            offsets = tuple(k for k in offsets if k in other.details[0])
        case "upper":
            offsets = tuple(k for k in offsets if k >= other.details[0])
        case "lower":
            offsets = tuple(k for k in offsets if k <= other.details[0])
    return ModeStructure("diagonals", (offsets,), diagonals.beside)
