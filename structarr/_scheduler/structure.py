"""The structure algebra: from the structure of the operands' modes to that of the result's.

The structure of a mode says where something is stored (its support), and how values repeat there.
Where an operand's fill annihilates, supports meet; otherwise they join. Nothing here looks at
counts or values. `docs/structure.md` has the tables.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

from structarr._compiler.ir.cin import Access, Offset, Padded, Permit, arithmetic, driver
from structarr._compiler.ir.expr import Call, Cast, Coalesce, Expr, Index, Lit, Var, affine
from structarr._compiler.ir.given import DimArg, SizeArg
from structarr._compiler.ir.node import Node, substitute
from structarr._compiler.rules.algebra import same_constant
from structarr._compiler.rules.engine import remembered
from structarr._scheduler.indexing import ZERO, factor, fill_of, mode_of, operands, source
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
    """How values repeat where a mode stores something."""
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
    """How values repeat where an operand stored in full fills the gaps."""
    support, repeat = KINDS[mode.kind]
    if support == "full":
        return repeat
    return "each" if support in ("bitmap", "upper", "lower") else "runs"


def _related(modes: list[ModeStructure]) -> list[ModeStructure]:
    """Relations to the mode above, kept if all speak of the same one."""
    besides = {one.beside for one in modes if one.beside is not None}
    return modes if len(besides) < 2 else [plain(one) for one in modes]


def _join(left: ModeStructure, right: ModeStructure) -> ModeStructure:
    kinds = {left.kind, right.kind}
    one, other = KINDS[left.kind].support, KINDS[right.kind].support
    if "bitmap" in kinds:
        return ModeStructure("bitmap")
    if left.kind == right.kind and left.kind in ("upper", "lower"):
        pick = min if left.kind == "upper" else max
        return ModeStructure(left.kind, (pick(left.details[0], right.details[0]),), left.beside)
    if kinds == {"diagonals"}:
        offsets = {*left.details[0], *right.details[0]}
        return ModeStructure("diagonals", (tuple(sorted(offsets)),), left.beside)
    if kinds in ({"upper", "diagonals"}, {"lower", "diagonals"}):
        return _widened(*sorted((left, right), key=lambda mode: mode.kind == "diagonals"))
    if kinds == {"upper", "lower"}:
        return DENSE
    if "blocks" in (one, other):
        return ModeStructure("blocks")
    if one in POINTS or other in POINTS:
        return LIST
    return left if left.kind == right.kind else BAND


def _widened(triangle: ModeStructure, diagonals: ModeStructure) -> ModeStructure:
    """A triangle that holds some diagonals too."""
    pick = min if triangle.kind == "upper" else max
    reach = pick((triangle.details[0], *diagonals.details[0]))
    return ModeStructure(triangle.kind, (reach,), triangle.beside)


def intersect(killers: list[ModeStructure], others: list[ModeStructure]) -> ModeStructure:
    """The structure of the places where every killer is stored."""
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
    """How values repeat of an operand that is read where it stores nothing, too."""
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
        return (
            ModeStructure("diagonals", (tuple(offsets),), left.beside)
            if len(offsets) < WIDEST
            else BAND
        )
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


Simplify = Callable[[Expr], Expr]


@remembered
def static_fill(expr: Expr, simplify: Simplify) -> Expr:
    """The value of an expression where no operand stores anything."""
    expr = simplify(expr)
    table = {access: fill_of(access) for access in operands(expr)}
    return simplify(substitute(expr, table))


@remembered
def mode_structure(expr: Expr, index: Index, simplify: Simplify) -> ModeStructure:
    """The structure of an expression along an index."""
    match expr:
        case Access():
            return operand_structure(expr, index)
        case Cast(dtype, arg):
            found = mode_structure(arg, index, simplify)
            return plain(found) if found.kind == "hermitian" and dtype[0] != "c" else found
        case Call(_, _, args):
            return _call(expr, args, index, simplify)
        case Coalesce(_, args):
            return _coalesce(args, index, simplify)
    if expr.mentions(index):
        return DENSE  # a function of the index itself
    return CONST if expr.has(Index) else SCALAR


def operand_structure(access: Access, index: Index) -> ModeStructure:
    """The structure of an operand along an index."""
    number = mode_of(access, index)
    if number is None:  # or the index decides in another way which element is read
        return DENSE if access.mentions(index) else CONST
    levels = source(access).format.levels
    level = levels[number]
    mode = next((n.mode for n in access.indices[number].nodes() if isinstance(n, Padded)), None)
    if mode is not None:
        return _continued(level.kind, mode)
    if level.kind == "dense":
        return _above_points(access, number)
    if level.kind == "ragged" and _leaves_start(access.indices[number], index):
        return BAND
    if level.kind not in RELATED:
        return ModeStructure(level.kind)
    bent = access.indices[number] is not driver(access.indices[number])
    above = access.indices[number - 1] if number else None
    beside = above if isinstance(above, Index) else None
    kind = level.kind
    if kind == "hermitian" and not access.dtype.startswith("complex"):
        kind = "symmetric"
    related = ModeStructure(kind, level.details, beside, level.child.uniform)
    return plain(related) if related.beside is None or bent else related


def _continued(kind: str, mode: str) -> ModeStructure:
    """The structure of a mode that is continued beyond its ends."""
    kind = plain(ModeStructure(kind)).kind if kind in RELATED else kind
    if mode == "edge" and is_sparse(kind):
        return DENSE  # the edge may be anything, and is repeated
    several = {"point": "list", "band": "blocks", "ragged": "blocks", "interval": "intervals"}
    return ModeStructure(several.get(kind, kind)) if kind != "computed" else DENSE


def _leaves_start(expr: Expr, index: Index) -> bool:
    """Whether what begins where a mode begins need not begin where the loop does."""
    if factor(expr, index) < 0 or expr.has(Offset):
        return True
    terms, const = affine(arithmetic(expr))
    moves = {term: times for term, times in terms.items() if term is not index}
    if expr.has(Permit):
        return const < 0 or bool(moves)
    # It stays inside: only a loop that begins past 0 reads what is before it.
    return const < 0 or not all(times > 0 and _is_size(term) for term, times in moves.items())


def _is_size(expr: Expr) -> bool:
    """Whether a number is at least 0, as lengths and where slices begin."""
    return isinstance(expr, SizeArg | DimArg)


def _above_points(access: Access, number: int) -> ModeStructure:
    """The structure of a dense mode above others, of whose fibers one element each may be read."""
    below = source(access).format.levels[number + 1 : -1]
    indices = access.indices[number + 1 :]
    own = driver(access.indices[number])
    drivers = [driver(expr) for expr in indices]
    if any(one is ZERO or (isinstance(one, Index) and one is not own) for one in drivers):
        return DENSE
    kinds = [level.kind for level in below if is_sparse(level.kind)]
    return DENSE if not kinds else ModeStructure("bitmap") if set(kinds) == {"bitmap"} else LIST


def _call(call: Call, args: tuple[Expr, ...], index: Index, simplify: Simplify) -> ModeStructure:
    modes = [mode_structure(arg, index, simplify) for arg in args]
    killers: list[ModeStructure] = []
    others: list[ModeStructure] = []
    for k, one in enumerate(modes):
        kills = is_sparse(one.kind) and annihilates(call, k, simplify)
        (killers if kills else others).append(one)
    if killers:
        return intersect(killers, others)
    if any(one.kind == "hermitian" for one in modes):
        return _conjugated(call, modes)
    return unite(modes)


MIRRORED = ("add", "subtract", "multiply", "negative", "positive", "conjugate")


def _conjugated(call: Call, modes: list[ModeStructure]) -> ModeStructure:
    """Operations that commute with conjugation, on Hermitian operands and real numbers."""
    besides = {one.beside for one in modes if one.kind == "hermitian"}
    fits = all(
        one.kind == "hermitian" or (one is SCALAR and _is_real(arg))
        for one, arg in zip(modes, call.args, strict=True)
    )
    if call.op.name in MIRRORED and fits and len(besides) == 1:
        return next(one for one in modes if one.kind == "hermitian")
    return unite([plain(one) for one in modes])


def _is_real(expr: Expr) -> bool:
    if isinstance(expr, Lit):
        return not isinstance(expr.value, complex) or expr.value.imag == 0
    return not expr.dtype.startswith("complex")


@remembered
def annihilates(call: Call, position: int, simplify: Simplify) -> bool:
    """Whether the fill of an operand decides the result whatever the other operands are."""
    fill = static_fill(call.args[position], simplify)
    args = tuple(
        fill if k == position else arg if isinstance(arg, Lit) else Var(arg.dtype, f"?{k}")
        for k, arg in enumerate(call.args)
    )
    return isinstance(fill, Lit) and isinstance(simplify(Call(call.dtype, call.op, args)), Lit)


def _coalesce(args: tuple[Expr, ...], index: Index, simplify: Simplify) -> ModeStructure:
    found = [mode_structure(arg, index, simplify) for arg in args if not isinstance(arg, Lit)]
    modes = [plain(one) for one in found if one is not SCALAR]
    joined = unite(modes)
    several = len(modes) > 1 or joined.kind == "const"
    if joined.kind in ("point", "interval", "ragged", "const") and several:
        joined = {"point": LIST, "ragged": LIST, "const": ModeStructure("runs")}.get(
            joined.kind, ModeStructure("intervals")
        )
    first, *rest = (static_fill(arg, simplify) for arg in args)
    if is_sparse(joined.kind) and not all(same_constant(first, one) for one in rest):
        return DENSE if joined.kind == "bitmap" else ModeStructure("runs")
    return joined
