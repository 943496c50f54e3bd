"""Rows of a few elements that each turn of a loop updates: the elements are the outer loop.

A loop over three elements takes as long to begin as to run. So the elements of a row of fewer than
four are updated by all turns of the loop at once, which has no loop within. So are those of one of
fewer than eight, four of them and what is left, where all turns update the same row, which is kept
in variables. Each element is added up in the same order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from structarr._compiler.ir.conditions import TRUE, eq, le, lt
from structarr._compiler.ir.expr import INDEX, Expr, Lit, Load, Product, Sum, add, scale
from structarr._compiler.ir.kernel import (
    For,
    If,
    Line,
    Set,
    Store,
    assigned,
    every_line,
    used,
)
from structarr._compiler.ir.node import Node, substitute
from structarr._compiler.ir.variables import Var, fresh
from structarr._compiler.kernel_passes.blocks import Block, replaced, with_blocks
from structarr._compiler.kernel_passes.row_updates import RowUpdate, row_update

MOST: Final = 4
"""The most elements that are updated at once."""


def unroll_short_rows(block: Block) -> Block:
    """A kernel in which rows of a few elements are updated some elements at once."""
    if any(isinstance(line, For) and _short(line) is not None for line in every_line(block)):
        return _Rows(used(block) | assigned(block)).block(block)
    return block


def _short(loop: For) -> RowUpdate | None:
    """The row that turns update, no element of which another turn updates as another one."""
    found = row_update(loop)
    if found is None or found.row.lo is not Lit(INDEX, 0) or not isinstance(found.row.hi, Var):
        return None
    return found if _is_same(found) or _in_rows(found) else None


def _is_same(found: RowUpdate) -> bool:
    """Whether all turns update the same row."""
    return found.own.isdisjoint(found.store.index.nodes())


def _in_rows(found: RowUpdate) -> bool:
    """Whether each turn updates a whole row of a matrix by rows."""
    index, row = found.store.index, found.row
    if not isinstance(index, Sum) or index.const or {*index.factors} != {1}:
        return False
    others = [one for one in index.atoms if one is not row.var]
    if len(others) != 1 or len(index.atoms) != 2:
        return False
    (start,) = others
    return isinstance(start, Product) and row.hi in (start.left, start.right)


class _Rows:
    """The rows of one kernel, and the names that are taken in it."""

    def __init__(self, taken: set[Node]) -> None:
        self._taken = taken

    def block(self, block: Block) -> Block:
        """A block whose short rows are unrolled."""
        return tuple(new for line in block for new in self._line(line))

    def _line(self, line: Line) -> Iterator[Line]:
        found = _short(line) if isinstance(line, For) else None
        if found is None:
            yield with_blocks(line, self.block)
            return
        assert isinstance(line, For)
        hi = found.row.hi
        zero, most = Lit(INDEX, 0), Lit(INDEX, MOST)
        at: Expr = zero
        first: Block = ()
        bound = MOST
        if _is_same(found):
            at = self._fresh(Var(INDEX, f"{found.row.var.label}_at"))
            whole = (*self._some(line, found, zero, MOST), Set(at, most))
            first, bound = (Set(at, zero), If(((le(most, hi), whole),))), 2 * MOST
        left = add(hi, scale(at, -1))
        rest = [(eq(left, n), self._some(line, found, at, n)) for n in range(MOST - 1, 0, -1)]
        few = (If(((lt(line.lo, line.hi), (*first, If(tuple(rest)))),)),)  # else there is no place
        yield If(((lt(hi, bound), few), (TRUE, (line,))))

    def _some(self, loop: For, found: RowUpdate, at: Expr, count: int) -> Block:
        """The lines that update some elements of a row, from one on, by all turns."""
        turn = self._fresh(loop.var)  # the loop may begin where its own variable says
        held = {one: self._fresh(Var(one.dtype, "v")) for one in _of_turn(found)}
        begin: list[Line] = []
        body: list[Line] = [*found.sets, *[Set(var, one) for one, var in held.items()]]
        end: list[Line] = []
        for k in range(count):
            place = {found.row.var: add(at, k)}
            store, before = substitute(found.store, place), substitute(found.before, place)
            kept = {one: self._fresh(Var(one.dtype, "r")) for one in _steady(store, found)}
            begin += [Set(var, one) for one, var in kept.items()]
            value = substitute(store.value, {**held, **kept})
            total = kept.get(before)  # type: ignore[call-overload]
            body.append(store.replace(value=value) if total is None else Set(total, value))
            end += [] if total is None else [store.replace(value=total)]
        lines = replaced(tuple(body), {loop.var: turn})
        return (*begin, For(turn, loop.lo, loop.hi, lines), *end)

    def _fresh(self, var: Var) -> Var:
        return fresh(var, self._taken)


def _of_turn(found: RowUpdate) -> Sequence[Load]:
    """The loads of a turn that all elements have in common; stores do not change what they load."""
    loads = [node for node in found.store.value.nodes() if isinstance(node, Load)]
    common = [one for one in dict.fromkeys(loads) if found.row.var not in one.nodes()]
    return [one for one in common if not found.own.isdisjoint(one.nodes())]


def _steady(store: Store, found: RowUpdate) -> Sequence[Load]:
    """The loads of an update whose places all turns have in common."""
    loads = [node for node in store.value.nodes() if isinstance(node, Load)]
    return [one for one in dict.fromkeys(loads) if found.own.isdisjoint(one.nodes())]
