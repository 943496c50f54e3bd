"""Rows that are added to a row: two of them in a turn, so it is loaded and stored half as often.

What a turn stores the next one loads, and waits for; in short rows nothing else takes as long. Each
element is added up in the same order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from structarr._compiler.ir.conditions import le, lt
from structarr._compiler.ir.expr import INDEX, Expr, Helper, Load
from structarr._compiler.ir.kernel import (
    Break,
    For,
    If,
    Line,
    Set,
    Store,
    While,
    assigned,
    every_line,
    used,
)
from structarr._compiler.ir.node import Node, substitute
from structarr._compiler.ir.variables import Var, unused
from structarr._compiler.kernel_passes.blocks import Block, with_blocks


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


def _row(loop: For) -> For | None:
    """The loop over a row that each turn of a loop updates in the same place, if there is one.

    What comes before it in a turn are variables that no other turn reads.
    """
    *sets, row = loop.body or (None,)
    if loop.step != 1 or not isinstance(row, For) or row.step != 1 or len(row.body) != 1:
        return None
    (store,) = row.body
    own: set[Node] = {loop.var}
    if not isinstance(store, Store) or not _begins(sets, own):
        return None
    before = Load(store.buffer, store.index)
    place = [*row.lo.nodes(), *row.hi.nodes(), *store.index.nodes()]
    values = [store.value, *[one.value for one in sets if isinstance(one, Set)]]
    others = {node for one in values for node in substitute(one, {before: row.var}).nodes()}
    steady = own.isdisjoint(place) and not any(isinstance(node, Load) for node in place)
    updates = before in store.value.nodes() and store.value.dtype == before.dtype
    plain = store.buffer not in others and not any(isinstance(one, Helper) for one in others)
    return row if steady and updates and plain else None


def _begins(sets: Sequence[Line | None], own: set[Node]) -> bool:
    """Whether lines set variables anew, each once; they are added to what a turn has for itself."""
    later = {one.var for one in sets if isinstance(one, Set)}
    for one in sets:
        if not isinstance(one, Set) or one.var in own or later & {*one.value.nodes()}:
            return False
        own.add(one.var)
        later.discard(one.var)
    return True


def _pairs(loop: For, row: For, taken: set[Node]) -> Iterator[Line]:
    """A loop as one that takes two turns at once, and the last turn of an odd number."""
    at, end, (*sets, _) = loop.var, loop.hi, loop.body
    if not isinstance(end, Var) or end in assigned((loop,)):
        end = unused(Var(INDEX, f"{at.label}_stop"), taken)
        taken.add(end)
        yield Set(end, loop.hi)
    table: dict[Node, Node] = {at: at + 1}
    for one in sets:
        assert isinstance(one, Set)
        twin = unused(Var(one.var.dtype, f"{one.var.label}_odd"), taken)
        taken.add(twin)
        table[one.var] = twin
    if loop.lo is not at:
        yield Set(at, loop.lo)
    yield While(
        (
            If(((le(end, at + 1), (Break(),)),)),
            *sets,
            *_replaced(sets, table),
            row.replace(body=(_twice(row, table),)),
            Set(at, at + 2),
        )
    )
    yield If(((lt(at, end), loop.body),))


def _twice(row: For, table: Mapping[Node, Node]) -> Line:
    """The update of an element by two turns: the second reads what the first one leaves."""
    (store,) = row.body
    assert isinstance(store, Store)
    first: Expr = store.value
    second = substitute(first, dict(table))
    return store.replace(value=substitute(second, {Load(store.buffer, store.index): first}))


def _replaced(lines: Sequence[Line], table: Mapping[Node, Node]) -> Block:
    """Lines of the second turn, which set variables of their own."""
    return tuple(
        Set(table[one.var], substitute(one.value, dict(table)))  # type: ignore[arg-type]
        for one in lines
        if isinstance(one, Set)
    )
