"""Searches in the rows of a matrix: their lines in a kernel, and those of one with a finger."""

from __future__ import annotations

from structarr._compiler.ir.conditions import Not, both, lt
from structarr._compiler.ir.expr import INDEX, Buffer, Expr, Helper, affine, minimum
from structarr._compiler.ir.kernel import Break, For, If, Line, Set, Store, While
from structarr._compiler.ir.variables import Var
from structarr._compiler.kernel_passes.blocks import Block
from structarr._compiler.runtime import traits
from structarr._support.records import record

MOST = 1 << 16  # the most rows with fingers; beyond, searches begin anew


@record
class Finger:
    """The fingers of all rows: their buffer, where they begin, and the key that is sought.

    `last` is the key of the element before, but for a constant.
    """

    finger: Buffer
    start: Expr
    key: Expr
    last: Var


@record
class Search:
    """`var = search(buffer, key, cursor, end)`, and what searches nearby."""

    near: str
    var: Var
    buffer: Buffer
    key: Expr
    cursor: Var
    end: Var


def search_of(line: Line) -> Search | None:
    match line:
        case Set(
            var, Helper(_, name, (Buffer() as buffer, Expr() as key, Var() as at, Var() as end))
        ) if near := traits(name).near:
            return Search(near, var, buffer, key, at, end)
    return None


def by_finger(search: Search, finger: Buffer, row: Var) -> Block:
    """A search that begins where the row's finger points, which then points to where it ended."""
    there, cursor = lt(row, MOST), search.cursor
    near = Helper(INDEX, search.near, (search.buffer, search.key, cursor, search.end))
    return (
        If(((there, (Set(cursor, finger[row]),)),)),
        Set(cursor, near),
        If(((there, (Store(finger, row, cursor),)),)),
    )


def returned(one: Finger, rows: For) -> Block:
    """Lines before a loop over rows: fingers return to the rows' starts if the key decreased."""
    start = Store(one.finger, rows.var, one.start)
    back = For(rows.var, rows.lo, minimum(rows.hi, MOST), (start,))
    # The constant does not matter, and without one the comparison with the greatest key is exact.
    key = one.key - affine(one.key)[1]
    return If(((lt(key, one.last), (back,)),)), Set(one.last, key)


def walk_to(stop: Search, body: Block) -> Line:
    """A loop over the few entries up to a key, which is tested at each."""
    at = stop.cursor
    inside = both(lt(at, stop.end), lt(stop.buffer[at], stop.key))
    return While((If(((Not(inside), (Break(),)),)), *body, Set(at, at + 1)))
