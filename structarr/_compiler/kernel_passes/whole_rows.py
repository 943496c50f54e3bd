"""Rows that have each of their diagonals: most of a matrix of diagonals needs no searches.

In row i, diagonal k is in column `i + offset[k]`. The first that lies within the matrix is found by
a search, and so is the last: `q = search(offset, -i, 0, 11); end = search_back(offset, n - i, q,
11)`. All rows but those at the two ends have every diagonal. The loop over rows is therefore cut in
three, by the first offset and by the last, and the one in the middle, nearly all of it, knows how
often its inner loop turns.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from structarr._compiler.ir.expr import INDEX, Buffer, Expr, Helper, Lit, maximum, minimum
from structarr._compiler.ir.kernel import For, Line, Set, assigned, lines_of, used
from structarr._compiler.ir.node import Node, substitute
from structarr._compiler.ir.variables import Var, unused
from structarr._compiler.kernel_passes.blocks import Block, ends, with_blocks

LONGEST = 60  # lines of a loop: what is longer is not written three times


class _Clip(NamedTuple):
    """The diagonals of a row: the lines that search them, and what these find in a whole row."""

    first: Set
    last: Set
    begins: Expr  # the first whole row
    stops: Expr  # the row after the last one


def split_whole_rows(block: Block) -> Block:
    """A block in which rows that have all of their diagonals have a loop of their own."""
    rows = _Rows(used(block) | assigned(block))
    return rows.visit(block)


class _Rows:
    """The loops over rows of one kernel, and the names that are taken in it."""

    def __init__(self, taken: set[Node]) -> None:
        self._taken = taken

    def visit(self, block: Block) -> Block:
        """A block whose outermost loops over rows of diagonals are cut."""
        new: list[Line] = []
        for line in block:
            found = list(_clips(line)) if isinstance(line, For) else []
            if isinstance(line, For) and found:
                new += self._cut(line, found)
            else:
                new.append(with_blocks(line, self.visit))
        return tuple(new)

    def _cut(self, loop: For, found: list[_Clip]) -> Block:
        """The loops before, over and after the rows that are whole."""
        begin, stop = (self._named(f"{loop.var.name}_{name}") for name in ("whole", "rest"))
        least = minimum(maximum(loop.lo, *[one.begins for one in found]), loop.hi)
        most = maximum(minimum(loop.hi, *[one.stops for one in found]), begin)
        known = {one.first: Set(one.first.var, _ZERO) for one in found}
        known |= {one.last: Set(one.last.var, one.last.value.args[3]) for one in found}  # type: ignore[attr-defined]
        body = tuple([known.get(line, line) for line in loop.body])
        return (
            Set(begin, least),
            Set(stop, most),
            For(loop.var, loop.lo, begin, loop.body),
            _flat(For(loop.var, begin, stop, body)),
            For(loop.var, stop, loop.hi, loop.body),
        )

    def _named(self, name: str) -> Var:
        made = unused(Var(INDEX, name), self._taken)
        self._taken.add(made)
        return made


_ZERO = Lit(INDEX, 0)


def _flat(rows: For) -> For:
    """A loop over the children of whole rows at once, where nothing is done to each row."""
    *before, each = rows.body
    if not isinstance(each, For):
        return rows
    table: dict[Node, Node] = {}
    for line in before:
        if not isinstance(line, Set):
            return rows
        table[line.var] = substitute(line.value, table)
    low, high = substitute(each.lo, table), substitute(each.hi, table)
    if low is not _ZERO or not isinstance(high, Lit) or not assigned(each.body).isdisjoint(table):
        return rows
    table[each.var] = each.var - rows.var * high.value
    body = tuple([substitute(line, table) for line in each.body])
    if rows.var in used(body):
        return rows
    return For(each.var, rows.lo * high.value, rows.hi * high.value, body)  # type: ignore[arg-type]


def _clips(loop: For) -> Iterator[_Clip]:
    """The diagonals that each turn of a loop searches."""
    if loop.step != 1 or ends(loop.body) or lines_of(loop.body) > LONGEST:
        return
    changing = assigned(loop.body)
    for first, last in zip(loop.body, loop.body[1:], strict=False):
        match first, last:
            case (
                Set(q, Helper(_, "search", (Buffer() as offset, low, Lit(_, 0), Lit(_, count)))),
                Set(_, Helper(_, "search_back", (same, high, at, Lit(_, bound)))),
            ) if same is offset and at is q and count == bound and count > 0:
                start, stop = low + loop.var, high + loop.var
                moving = {*changing, loop.var}
                if moving.isdisjoint(start.nodes()) and moving.isdisjoint(stop.nodes()):
                    yield _Clip(
                        first, last, start - offset[_ZERO], stop - offset[Lit(INDEX, count - 1)]
                    )
