"""Loops over rows of diagonals, moved inside those over the diagonals.

Diagonals are stored one after the other. A loop over those of each row reads as many places that
are far from each other, and does not vectorise; a loop over the rows for each diagonal reads one
stretch. In row i, diagonal k is in column `i + offset[k]`, and each row searches the first and the
last that lie within the matrix: `q = search(offset, -i, 0, 11); end = search_back(offset, n - i, q,
11)`. The other way round the searches are the rows of a diagonal, from `-offset[k]` to `n -
offset[k]`.

The loops change places where each turn stores at a place of its own, or updates by an operation
whose order does not matter. What a row adds up is kept where the row stores it, and rows are taken
so many at a time that it stays near.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Final

from structarr._compiler.ir.expr import INDEX, Expr, Helper, Lit, Load, minimum
from structarr._compiler.ir.kernel import For, Line, Set, Store, assigned, every_line, used
from structarr._compiler.ir.node import Node, substitute
from structarr._compiler.ir.variables import Var
from structarr._compiler.kernel_passes.blocks import Block, replaced, replaced_in
from structarr._compiler.kernel_passes.diagonal_nests import (
    First,
    Head,
    Last,
    Nest,
    Refused,
    Turns,
    around_loops,
    as_store,
    check_apart,
    first_of,
    last_of,
    stores,
)

ROWS: Final = 1024  # at a time: what they add up stays in the nearest cache
MOST: Final = 256  # terms of a row; sums of more are not kept in a narrow dtype

Namer = Callable[[str], Var]


def along_diagonals(rows: For, named: Namer) -> Block | None:
    """The lines that do what a loop over rows does, diagonal by diagonal; None if none do."""
    try:
        return _Exchange(rows, named).lines()
    except Refused:
        return None


class _Exchange:
    """A loop over rows whose turns have loops over diagonals, one after the other."""

    def __init__(self, rows: For, named: Namer) -> None:
        self._rows, self._row, self._named = rows, rows.var, named
        self._table: dict[Node, Node] = {}
        self._nests: list[Nest] = []
        self._steady: dict[Var, Expr] = {}  # the same in all rows
        self._kept_apart: set[Node] = set()  # set where they are read, by each turn
        self._firsts: dict[Node, First] = {}  # the searches of each row, by what they set
        self._lasts: dict[Node, Last] = {}

    def lines(self) -> Block:
        """The lines in its place."""
        between, loops = around_loops(self._rows.body)
        changing = assigned(tuple(loops)) - {one.var for one in loops}
        begins = self._begun(between[0], changing)
        for number, each in enumerate(loops):
            if number and self._begun(between[number], changing):
                raise Refused
            self._descend(each)
        after = replaced(between[-1], self._table)
        if not used(after).isdisjoint({one.var for one in loops}):
            raise Refused
        turns = Turns(self._row, self._nests)
        own = [var for var in turns.totals if var in assigned(begins) or var in used(after)]
        check_apart(dict.fromkeys(turns.totals), [one.lines for one in self._nests])
        steady = tuple([Set(var, value) for var, value in self._steady.items()])
        self._check_searches((*begins, *after), steady)
        held = {node.buffer for node in used(steady) if isinstance(node, Load)}
        stored = {one.buffer for one in stores((*begins, *after))}
        if not held.isdisjoint(stored | turns.stored.keys()):
            raise Refused
        if not own:
            if begins or after:
                raise Refused
            if not turns.updates:
                return (*steady, *self._around(self._rows.lo, self._rows.hi))
            return (*steady, self._blocked(self._around))
        if len(own) > 1 or turns.turns > MOST:
            raise Refused
        return (*steady, self._kept(own[0], begins, after, turns))

    def _around(self, lo: Expr, hi: Expr) -> Block:
        """The loops over the diagonals of some rows."""
        return tuple(chain.from_iterable(one.around(self._row, lo, hi) for one in self._nests))

    def _begun(self, before: Block, changing: set[Node]) -> Block:
        """The lines that begin a row's total; others are put before all rows, or where read."""
        begins: list[Line] = []
        for line in before:
            if self._is_search(line):
                continue
            if isinstance(line, Set) and not line.var.result and line.var not in changing:
                value = self._read(line.value)
                if value.mentions(line.var):
                    raise Refused
                if value.mentions(self._row) or isinstance(value, Lit):
                    self._table[line.var] = value
                else:
                    self._put_before(line.var, value)
            else:
                begins.append(replaced_in(line, self._table))
        return tuple(begins)

    def _is_search(self, line: Line) -> bool:
        """Note the search for the first or the last diagonal of a row; whether a line is one."""
        first, last = first_of(line), last_of(line)
        if first is not None:
            self._firsts[first.var] = first._replace(low=self._read(first.low))
            self._table.pop(first.var, None)
        elif last is not None and last.cursor in self._firsts:
            begun = self._firsts[last.cursor]
            if (begun.offset, begun.stop) != (last.offset, last.stop):
                return False
            self._lasts[last.var] = last._replace(high=self._read(last.high))
        else:
            return False
        return True

    def _check_searches(self, around: Block, steady: Sequence[Line]) -> None:
        """Refuse other uses of what is searched than as the ends of a loop over diagonals."""
        searched = self._firsts.keys() | self._lasts.keys()
        if not searched.isdisjoint(used((*around, *steady))):
            raise Refused
        changed = assigned(around)
        for nest in self._nests:
            bounds = nest.bounds
            others = searched - {head.var for head in nest.heads}
            if not (others.isdisjoint(used(nest.lines) | bounds) and changed.isdisjoint(bounds)):
                raise Refused

    def _head(self, before: Block, each: For) -> Head:
        """A loop over all diagonals, with the rows that each has, or over so many of every row."""
        first, last = self._firsts.get(each.var), self._lasts.get(each.hi)
        if each.step != 1:
            raise Refused
        if first is not None and last is not None and each.lo is each.var is last.cursor:
            here = first.offset[each.var]
            rows = first.low + self._row - here, last.high + self._row - here
            if any(
                not self._kept_apart.isdisjoint(one.nodes()) or one.mentions(self._row)
                for one in rows
            ):
                raise Refused
            return Head(before, each.var, first.begin.value, first.stop.value, (rows,))
        low, high = self._read(each.lo), self._read(each.hi)
        if not isinstance(low, Lit) or not isinstance(high, Lit):
            raise Refused
        return Head(before, each.var, low.value, high.value)

    def _put_before(self, var: Var, value: Expr) -> None:
        """Have a variable set before all rows; refuse one that has another value elsewhere."""
        if self._steady.setdefault(var, value) is not value:
            raise Refused
        self._table.pop(var, None)

    def _descend(self, each: For) -> None:
        """Note the loops over diagonals, and the lines of the innermost one."""
        ahead: Block = ()
        self._nest = Nest()
        self._nests.append(self._nest)
        while True:
            self._nest.heads.append(self._head(ahead, each))
            self._table.pop(each.var, None)
            if not any(isinstance(one, For) for one in each.body):
                break
            *first, inner = each.body
            ahead = self._placed(tuple(first), each)  # no loop may be among them
            assert isinstance(inner, For)
            each = inner
        ahead_of_rows: list[Line] = []
        body: list[Line] = []
        for line in self._placed(each.body, None):
            moves = isinstance(line, Set) and not line.var.result
            # What is told by the diagonal alone is found once for all rows.
            depends = not {self._row, *assigned(tuple(body))}.isdisjoint(used((line,)))
            (ahead_of_rows if moves and not depends else body).append(line)
        self._nest.inner, self._nest.body = tuple(ahead_of_rows), tuple(body)

    def _placed(self, block: Block, loop: For | None) -> Block:
        """Lines without the indices that are arithmetic, which are put where they are read."""
        kept: list[Line] = []
        for line in block:
            if self._is_search(line):
                continue
            if not isinstance(line, Set) or line.var.result:
                if loop is not None:
                    raise Refused
                kept.append(replaced_in(line, self._table))
                continue
            value = self._read(line.value)
            if value.mentions(line.var):
                raise Refused
            reads = value.has(Helper) or not all(one.buffer.counts for one in value.every(Load))
            if not reads and self._is_steady(value):
                self._put_before(line.var, value)
            elif line.var.dtype == INDEX and not reads:
                self._table[line.var] = value
            elif loop is not None and value.mentions(self._row):
                raise Refused
            else:
                kept.append(Set(line.var, value))
                self._kept_apart.add(line.var)
                self._table.pop(line.var, None)
        return tuple(kept)

    def _is_steady(self, value: Expr) -> bool:
        """Whether a value of an inner loop is the same in all rows and on all diagonals."""
        turning = {self._row, *self._kept_apart, *[one.var for one in self._nest.heads]}
        return not isinstance(value, Lit) and turning.isdisjoint(value.nodes())

    def _kept(self, total: Var, begins: Block, after: Block, turns: Turns) -> Line:
        """The loops of a total of each row, kept where the row stores it."""
        found = [one for one in after if isinstance(one, Store)]
        if not found or any(isinstance(one, Store) for one in every_line(begins)):
            raise Refused
        buffer, place = found[0].buffer, found[0].index
        own = buffer[place]
        loads = [node for node in used((*begins, *after)) if isinstance(node, Load)]
        if (
            buffer.dtype != total.dtype
            or buffer.counts
            or (place - self._row).mentions(self._row)
            or buffer in turns.buffers
            or any(load.buffer is buffer and load is not own for load in loads)
            or any(one.buffer is buffer for one in stores(after) if one is not found[0])
        ):
            raise Refused
        self._check_parts(total, own, begins, after, turns)
        for nest in self._nests:
            nest.body = tuple([as_store(line, total, own) for line in nest.body])
        ends = () if after == (Store(buffer, place, total),) else (Set(total, own), *after)

        def block(lo: Expr, hi: Expr) -> Block:
            lines: list[Line] = []
            if begins != (Set(total, own),):
                lines.append(For(self._row, lo, hi, (*begins, Store(buffer, place, total))))
            lines += self._around(lo, hi)
            if ends:
                lines.append(For(self._row, lo, hi, ends))
            return tuple(lines)

        return self._blocked(block)

    def _check_parts(
        self, total: Var, own: Load, begins: Block, after: Block, turns: Turns
    ) -> None:
        """Refuse parts of a row that tell each other more than the total, as rows no longer do."""
        check_apart([total], [begins, *[one.lines for one in self._nests], after])
        loads = {node.buffer for node in used((*begins, *after)) if isinstance(node, Load)}
        stored = {one.buffer for one in stores(after)}
        read = {node.buffer for node in used(begins) if isinstance(node, Load)} - {own.buffer}
        if not (loads.isdisjoint(turns.stored) and stored.isdisjoint(turns.buffers | read)):
            raise Refused

    def _blocked(self, block: Callable[[Expr, Expr], Block]) -> Line:
        """What is done to all rows, some at a time."""
        begin, end = self._named(f"{self._row.name}_block"), self._named(f"{self._row.name}_end")
        until = Set(end, minimum(begin + ROWS, self._rows.hi))
        return For(begin, self._rows.lo, self._rows.hi, (until, *block(begin, end)), ROWS)

    def _read(self, expr: Expr) -> Expr:
        return substitute(expr, self._table)
