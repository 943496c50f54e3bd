"""Scans: running results along an index, as variables that the turns of its loop hand on.

`C[i, j] = 2 * cumsum(A)[i, j]` becomes, for each i, the loop over j of `t += A[i, j]` and
`C[i, j] = 2 * t`. Where a dense result is written in another order, a row of such variables is
handed on from turn to turn.
"""

from __future__ import annotations

from structarr._compiler.ir.cin import Access, Assign, Multi, Pass, Stmt, Tensor, Where
from structarr._compiler.ir.expr import Expr, Index, Lit
from structarr._compiler.ir.node import Node, substitute
from structarr._compiler.ir.scanned import Scanned
from structarr._scheduler.indexing import Indexed
from structarr._scheduler.structure_algebra import DENSE
from structarr._scheduler.tensor_names import unused
from structarr.formats import Element, Format
from structarr.formats.kind import ModeStructure
from structarr.formats.row import Row


def scan_order(
    program: Indexed, order: tuple[Index, ...], modes: dict[Index, ModeStructure]
) -> int | None:
    """The place of the scanned index in an order of the loops; None where it cannot have it.

    The loops without scans have no such place: it is behind them. Behind the scanned index is at
    most one other, of a dense result.
    """
    scans = program.value.every(Scanned)
    if not scans:
        return len(order)
    place = order.index(scans[0].index)
    behind = len(order) - place - 1
    fits = behind == 0 or (behind == 1 and all(one is DENSE for one in modes.values()))
    return place if fits else None


def with_states(
    program: Indexed, behind: tuple[Index, ...], value: Expr, name: str
) -> tuple[Expr, tuple[Stmt, ...], tuple[Tensor, ...]]:
    """A value that reads variables for its scans, what updates these before, and the variables."""
    taken = {name, *(one.obj.name for one in value.every(Access) if isinstance(one.obj, Tensor))}
    dims = tuple(program.extents[i] for i in behind)
    stored = Format(Row(Element()) if dims else Element(), tuple(range(len(dims))))
    table: dict[Node, Node] = {}
    updates: list[Stmt] = []
    temps: list[Tensor] = []
    for one in reversed(value.every(Scanned)):  # those within others come first
        called = unused("t", taken)
        taken.add(called)
        start = Lit(one.start.dtype, one.start.value, True)  # as of a fiber that stores nothing
        temps.append(Tensor(called, stored, one.dtype, start, dims, "temp", start))
        cell = Access(one.dtype, temps[-1], behind)
        updates.append(Assign(cell, one.op, substitute(one.arg, table)))
        table[one] = cell
    return substitute(value, table), tuple(updates), tuple(temps)


def carrying(loops: Stmt, temps: tuple[Tensor, ...]) -> Stmt:
    """Loops, before which some variables begin."""
    return Where(loops, Pass(temps), temps) if temps else loops


def after(updates: tuple[Stmt, ...], stmt: Stmt) -> Stmt:
    """A statement after some updates."""
    return Multi((*updates, stmt)) if updates else stmt
