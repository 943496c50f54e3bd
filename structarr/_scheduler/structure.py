"""The structure of expressions: what they store along each index, by that of their operands.

Where the fill of an operand annihilates, the operation meets the structure of the operands;
otherwise it unites them (`structure_algebra`).
"""

from __future__ import annotations

from collections.abc import Callable

from structarr._compiler.ir.cin import Access, Offset, Padded, Permit, arithmetic, driver
from structarr._compiler.ir.dtypes import COMPLEX
from structarr._compiler.ir.expr import Call, Cast, Expr, Index, Lit, affine
from structarr._compiler.ir.given import DimArg, SizeArg
from structarr._compiler.ir.missing import Coalesce
from structarr._compiler.ir.node import substitute
from structarr._compiler.ir.scanned import Scanned
from structarr._compiler.ir.variables import Opaque
from structarr._compiler.rules.constants import same_constant
from structarr._compiler.rules.engine import remembered
from structarr._scheduler.accesses import ZERO, factor, fill_of, mode_of, operands, source
from structarr._scheduler.structure_algebra import (
    BAND,
    CONST,
    DENSE,
    LIST,
    SCALAR,
    intersect,
    plain,
    unite,
)
from structarr.formats import kinds
from structarr.formats.kind import Kind, ModeStructure, Repeat

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
            return plain(found) if found.kind.conjugates and dtype[0] != "c" else found
        case Call(_, _, args):
            return _call(expr, args, index, simplify)
        case Coalesce(_, args):
            return _coalesce(args, index, simplify)
        case Scanned():
            return _scanned(expr, index, simplify)
    if expr.mentions(index):
        return DENSE  # a function of the index itself
    return CONST if expr.has(Index) else SCALAR


def operand_structure(access: Access, index: Index) -> ModeStructure:
    """The structure of an operand along an index."""
    number = mode_of(access, index)
    if number is None:  # the index decides the element in another way
        return DENSE if access.mentions(index) else CONST
    level = source(access).format.levels[number]
    kind = level.kind
    mode = next((n.mode for n in access.indices[number].nodes() if isinstance(n, Padded)), None)
    if mode is not None:
        return ModeStructure(_continued(kind, mode))
    if kind.arithmetic:
        return _above_points(access, number)
    if kind.from_start and _leaves_start(access.indices[number], index):
        return BAND
    if kind.plain is kind:
        return ModeStructure(kind)
    modified = access.indices[number] is not driver(access.indices[number])
    above = access.indices[number - 1] if number else None
    beside = above if kind.relates and isinstance(above, Index) else None
    if kind.conjugates and access.dtype not in COMPLEX:
        kind = kinds.SYMMETRIC
    uniform = level.child.uniform and not kind.conjugates  # else it stands beside its conjugate
    found = ModeStructure(kind, level.details, beside, uniform)
    return plain(found) if modified or (kind.relates and beside is None) else found


def _continued(kind: Kind, mode: str) -> Kind:
    """The kind of a mode that is continued beyond its ends."""
    if mode == "edge" and kind.is_sparse:
        return kinds.DENSE  # the edge has any value, and is repeated
    return kind.plain.several


def _leaves_start(expr: Expr, index: Index) -> bool:
    """Whether a ragged fiber, read at this index, may begin elsewhere than the loop does."""
    if factor(expr, index) < 0 or expr.has(Offset):
        return True
    terms, const = affine(arithmetic(expr))
    moves = {term: times for term, times in terms.items() if term is not index}
    if expr.has(Permit):
        return const < 0 or bool(moves)
    # In bounds below: only a loop that begins past 0 reads before its start.
    return const < 0 or not all(times > 0 and _is_size(term) for term, times in moves.items())


def _is_size(expr: Expr) -> bool:
    """Whether an expression is a size, which is at least 0."""
    return isinstance(expr, SizeArg | DimArg)


def _above_points(access: Access, number: int) -> ModeStructure:
    """The structure of a dense mode above others, of whose fibers one element each may be read."""
    below = source(access).format.levels[number + 1 : -1]
    indices = access.indices[number + 1 :]
    own = driver(access.indices[number])
    drivers = [driver(expr) for expr in indices]
    if any(one is ZERO or (isinstance(one, Index) and one is not own) for one in drivers):
        return DENSE
    sparse = [level.kind for level in below if level.kind.is_sparse]
    if not sparse:
        return DENSE
    return ModeStructure(kinds.BITMAP) if all(kind.is_marked for kind in sparse) else LIST


def _call(call: Call, args: tuple[Expr, ...], index: Index, simplify: Simplify) -> ModeStructure:
    modes = [mode_structure(arg, index, simplify) for arg in args]
    killers: list[ModeStructure] = []
    others: list[ModeStructure] = []
    for k, one in enumerate(modes):
        kills = one.kind.is_sparse and annihilates(call, k, simplify)
        (killers if kills else others).append(one)
    if killers:
        return intersect(killers, others)
    if any(one.kind.conjugates for one in modes):
        return _conjugated(call, modes)
    return unite(modes)


def _scanned(scan: Scanned, index: Index, simplify: Simplify) -> ModeStructure:
    """The structure of running results: stored values are steps between runs.

    Along another index it is the operand's, if where that stores nothing the result is constant.
    """
    own = plain(mode_structure(scan.arg, index, simplify))
    settled = not static_fill(scan, simplify).has(Index)
    if index is not scan.index:
        keeps = settled and not own.kind.is_marked
        return own if keeps or not own.kind.is_sparse else DENSE
    if own.kind.is_sparse:
        return unite([own, ModeStructure(kinds.RUNS)]) if settled else DENSE
    if scan.op.repeat != "once" or own.kind.repeat is Repeat.EACH:
        return DENSE
    return CONST if own is SCALAR else own


MIRRORED = ("add", "subtract", "multiply", "negative", "positive", "conjugate")


def _conjugated(call: Call, modes: list[ModeStructure]) -> ModeStructure:
    """The structure of operations that commute with conjugation, if the operands are Hermitian.

    Numbers beside them are complex, and may have an imaginary part whatever it is in one call.
    """
    fits = call.op.name in MIRRORED and all(one.kind.conjugates for one in modes)
    if fits and len({one.beside for one in modes}) == 1:
        return modes[0]
    return unite([plain(one) for one in modes])


@remembered
def annihilates(call: Call, position: int, simplify: Simplify) -> bool:
    """Whether the fill of an operand decides the result whatever the other operands are."""
    fill = static_fill(call.args[position], simplify)
    args = tuple(
        fill if k == position else arg if isinstance(arg, Lit) else Opaque(arg.dtype, f"value{k}")
        for k, arg in enumerate(call.args)
    )
    return isinstance(fill, Lit) and isinstance(simplify(Call(call.dtype, call.op, args)), Lit)


def _is_part(arg: Expr, index: Index) -> bool:
    """Whether an operand is there for some values of an index alone, with others beside it."""
    modes = [(one, mode_of(one, index)) for one in operands(arg)]
    return any(mode is not None and one.indices[mode].has(Permit) for one, mode in modes)


def _coalesce(args: tuple[Expr, ...], index: Index, simplify: Simplify) -> ModeStructure:
    found = [mode_structure(arg, index, simplify) for arg in args if not isinstance(arg, Lit)]
    modes = [plain(one) for one in found if one is not SCALAR]
    joined = unite(modes)
    if joined.kind is kinds.CONST:
        joined = ModeStructure(kinds.RUNS)
    elif len(modes) > 1:  # in parts, of which each may be missing
        side_by_side = any(_is_part(arg, index) for arg in args)
        kind = joined.kind.several if side_by_side else joined.kind.looser
        joined = LIST if joined.kind.from_start else ModeStructure(kind)
    first, *rest = (static_fill(arg, simplify) for arg in args)
    if joined.kind.is_sparse and not all(same_constant(first, one) for one in rest):
        return DENSE if joined.kind.is_marked else ModeStructure(kinds.RUNS)
    return joined
