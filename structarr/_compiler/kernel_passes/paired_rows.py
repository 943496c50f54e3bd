"""Rows that are added to a row: two of them in a turn, so it is loaded and stored half as often.

What a turn stores the next one loads, and waits for; in short rows nothing else takes as long. Each
element is added up in the same order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from structarr._compiler.ir.conditions import le, lt
from structarr._compiler.ir.expr import INDEX, Expr, Load
from structarr._compiler.ir.kernel import (
    Break,
    For,
    If,
    Line,
    Set,
    While,
    assigned,
    every_line,
    used,
)
from structarr._compiler.ir.node import Node, substitute
from structarr._compiler.ir.variables import Var, fresh
from structarr._compiler.kernel_passes.blocks import Block, with_blocks
from structarr._compiler.kernel_passes.row_updates import RowUpdate, row_update


def pair_rows(block: Block) -> Block:
    """A kernel whose loops add rows to a row by pairs."""
    if any(isinstance(line, For) and _row(line) is not None for line in every_line(block)):
        return _block(block, used(block) | assigned(block))
    return block


def _block(block: Block, taken: set[Node]) -> Block:
    return tuple(new for line in block for new in _line(line, taken))


def _line(line: Line, taken: set[Node]) -> Iterator[Line]:
    row = _row(line) if isinstance(line, For) else None
    if row is None:
        yield with_blocks(line, lambda block: _block(block, taken))
        return
    assert isinstance(line, For)
    yield from _pairs(line, row, taken)


def _row(loop: For) -> RowUpdate | None:
    """The row that each turn of a loop updates in the same place, if there is one."""
    found = row_update(loop)
    if found is None:
        return None
    place = [*found.row.lo.nodes(), *found.row.hi.nodes(), *found.store.index.nodes()]
    steady = found.own.isdisjoint(place) and not any(isinstance(node, Load) for node in place)
    return found if steady else None


def _pairs(loop: For, found: RowUpdate, taken: set[Node]) -> Iterator[Line]:
    """A loop as one that takes two turns at once, and the last turn of an odd number."""
    at, end, sets = loop.var, loop.hi, found.sets
    if not isinstance(end, Var) or end in assigned((loop,)):
        end = fresh(Var(INDEX, f"{at.label}_stop"), taken)
        yield Set(end, loop.hi)
    table: dict[Node, Node] = {at: at + 1}
    for one in sets:
        table[one.var] = fresh(Var(one.var.dtype, f"{one.var.label}_odd"), taken)
    if loop.lo is not at:
        yield Set(at, loop.lo)
    yield While(
        (
            If(((le(end, at + 1), (Break(),)),)),
            *sets,
            *_replaced(sets, table),
            found.row.replace(body=(_twice(found, table),)),
            Set(at, at + 2),
        )
    )
    yield If(((lt(at, end), loop.body),))


def _twice(found: RowUpdate, table: Mapping[Node, Node]) -> Line:
    """The update of an element by two turns: the second reads what the first one leaves."""
    first: Expr = found.store.value
    second = substitute(first, dict(table))
    return found.store.replace(value=substitute(second, {found.before: first}))


def _replaced(sets: Sequence[Set], table: Mapping[Node, Node]) -> Block:
    """Lines of the second turn, which set variables of their own."""
    return tuple(
        Set(table[one.var], substitute(one.value, dict(table)))  # type: ignore[arg-type]
        for one in sets
    )
