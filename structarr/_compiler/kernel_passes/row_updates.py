"""Loops of which each turn updates a row, element by element."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from structarr._compiler.ir.expr import Expr, Helper, Load
from structarr._compiler.ir.kernel import For, Line, Set, Store
from structarr._compiler.ir.node import Node, substitute


class RowUpdate(NamedTuple):
    """A loop over turns, and what one of them does.

    Attributes
    ----------
    sets : sequence of Set
        The variables of a turn, which no other turn reads.
    row : For
        The loop over the elements, whose one line is the `store`.
    store : Store
        The update of an element, which reads no other one of its buffer.
    own : set of Node
        The variables whose values are of a turn.
    """

    sets: Sequence[Set]
    row: For
    store: Store
    own: set[Node]

    @property
    def before(self) -> Expr:
        """The element before the update."""
        return Load(self.store.buffer, self.store.index)


def row_update(loop: For) -> RowUpdate | None:
    """The update of a row by each turn of a loop; None of another loop."""
    *sets, row = loop.body or (None,)
    if loop.step != 1 or not isinstance(row, For) or row.step != 1 or len(row.body) != 1:
        return None
    (store,) = row.body
    if not isinstance(store, Store):
        return None
    before = Load(store.buffer, store.index)
    if not store.value.mentions(before) or store.value.dtype != before.dtype:
        return None
    own: set[Node] = {loop.var}
    begun = _begun(sets, own)
    if begun is None:
        return None
    values = [store.value, *[one.value for one in begun]]
    others = {node for one in values for node in substitute(one, {before: row.var}).nodes()}
    plain = store.buffer not in others and not any(isinstance(one, Helper) for one in others)
    bounds = own.isdisjoint([*row.lo.nodes(), *row.hi.nodes()])
    return RowUpdate(begun, row, store, own) if bounds and plain else None


def _begun(sets: Sequence[Line | None], own: set[Node]) -> Sequence[Set] | None:
    """Lines that set variables anew, each once, which are added to `own`; None of other lines."""
    begun = [one for one in sets if isinstance(one, Set)]
    later = {one.var for one in begun}
    for one in begun:
        if one.var in own or later & {*one.value.nodes()}:
            return None
        own.add(one.var)
        later.discard(one.var)
    return begun if len(begun) == len(sets) else None
