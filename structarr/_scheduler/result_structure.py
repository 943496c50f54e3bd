"""The structure of a result's modes in an order of the loops."""

from __future__ import annotations

from collections.abc import Mapping

from structarr._compiler.ir.cin import Access, Assign, Modifier, Pass, Permit, Tensor, Within
from structarr._compiler.ir.expr import Expr, Index
from structarr._scheduler.accesses import operands, source
from structarr._scheduler.indexing import Indexed
from structarr._scheduler.structure import Simplify, static_fill
from structarr._scheduler.structure_algebra import (
    CONST,
    DENSE,
    LIST,
    SCALAR,
    chained,
    plain,
    settled,
)
from structarr._support.records import record
from structarr.formats.kind import Kind, ModeStructure


@record
class Wanted:
    """The wish of a user for a result: its order in storage, and its modes in that order."""

    order: tuple[int, ...]
    modes: tuple[ModeStructure, ...]


def result_structures(
    program: Indexed,
    own: dict[Index, ModeStructure],
    order: tuple[Index, ...],
    simplify: Simplify,
    wanted: Wanted | None = None,
) -> dict[Index, ModeStructure]:
    """The structure of a result's modes in an order of the loops, by that of its value."""
    if wanted is not None:
        return {program.result[axis]: w for axis, w in zip(wanted.order, wanted.modes, strict=True)}
    keeps = keeps_fill(program, simplify)
    modes = {i: _result(program, i, own, order, keeps) for i in program.result}
    every = [i for i in order if i in modes]
    kept = [i for i in every if modes[i] is not CONST]
    for depth, i in enumerate(kept):
        # A relation is between the first two modes; the mode above stores every index.
        if modes[i].beside is not None:
            close = depth == 1 and modes[kept[0]] is DENSE and kept[0] is modes[i].beside
            close = close and every.index(i) == every.index(kept[0]) + 1
            modes[i] = modes[i] if close else plain(modes[i])
        others = [modes[other].kind for other in kept if other is not i]
        modes[i] = _among(modes[i], i is not every[-1], others)
    for depth, i in enumerate(kept):
        below = [modes[other].kind for other in kept[depth + 1 :]]
        if not modes[i].kind.is_ordered and any(kind.appends for kind in below):
            modes[i] = plain(modes[i])  # what is appended row by row follows the children's order
    return modes


def _among(own: ModeStructure, above: bool, others: list[Kind]) -> ModeStructure:
    """The structure of a mode beside others, and perhaps above some."""
    if own.kind.vacant and any(kind.covers for kind in others):
        return becoming(own, own.kind.looser)  # runs have to fill all children
    return becoming(own, own.kind.above) if above else own


def becoming(own: ModeStructure, kind: Kind) -> ModeStructure:
    """The structure of a kind that stands in for that of a mode, perhaps the same."""
    return own if kind is own.kind else ModeStructure(kind)


def _result(
    program: Indexed,
    i: Index,
    own: dict[Index, ModeStructure],
    order: tuple[Index, ...],
    keeps: bool,
) -> ModeStructure:
    """The structure of a mode of the result, in an order of the loops."""
    found = settled(own[i])
    outer = {r: own[r] for r in program.reduced if order.index(r) < order.index(i)}
    chained = _chained(found, outer)
    if chained is not None:
        found = chained
    elif outer:
        found = _united(found, [*outer.values()], _is_apart(program, i))
    if found in (SCALAR, CONST):
        apart = program.reduced and _reads_at(program.value, i, Permit)
        # What is read at an index that is checked is an error at some places, and no value.
        return DENSE if apart or _reads_at(program.value, i, Within) else CONST
    if program.reduced:
        return becoming(found, found.kind.each) if keeps else DENSE
    return becoming(found, found.kind.result)


def _reads_at(value: Expr, i: Index, modifier: type[Modifier]) -> bool:
    """Whether an array is read under a modifier of an index that depends on another one."""
    return any(
        index.has(modifier) and index.mentions(i)
        for access in operands(value)
        for index in access.indices
    )


def keeps_fill(program: Indexed, simplify: Simplify) -> bool:
    """Whether the reduction of a fill leaves the start unchanged, so that the rules drop it."""
    if program.op is None or program.start is None or program.prune:
        return True
    made = Tensor(program.name, None, program.dtype, program.start, (), "out", program.start)
    fill = static_fill(program.value, simplify)
    update = Assign(Access(program.dtype, made, ()), program.op, fill)
    return isinstance(simplify(update), Pass)  # type: ignore[arg-type]


def _chained(own: ModeStructure, outer: Mapping[Index, ModeStructure]) -> ModeStructure | None:
    """The structure of a product of matrices whose modes relate to those above, each to the next.

    The indices between them are reduced, so what relates to one relates to what that relates to:
    products of diagonals are diagonals, of lower triangles a lower triangle.
    """
    left, met = dict(outer), own
    while met.beside in left:
        above = left.pop(met.beside)
        found = None if above.beside is None else chained(met, above)
        if found is None:
            return None
        met = found
    return met if outer and not left else None


def _united(own: ModeStructure, outer: list[ModeStructure], apart: bool) -> ModeStructure:
    """The structure of many fibers reduced into one: sparse ones give a list."""
    if own in (SCALAR, CONST) or own.kind.is_marked:
        return own
    if not own.kind.is_sparse:
        return DENSE
    return DENSE if apart and not all(one.kind.few for one in outer) else LIST


def _is_apart(program: Indexed, i: Index) -> bool:
    """Whether sparse operands have no other axis of the result: it is a vector of theirs."""
    others = [j for j in program.result if j is not i]
    return not program.shifts and not any(
        level.kind.is_sparse and access.mentions(j)
        for access in operands(program.value)
        for level in source(access).format.levels
        for j in others
    )
