"""Finger searches: a search in a row resumes where the one for the element before ended.

A window over a matrix of lists is searched row by row for every element: `for each k: for each row
j: q = search(idx, k - 5, ptr[j], ptr[j + 1])`. The key of an element usually lies a little behind
that of the element before. So a finger for each row keeps the position where its last search ended;
the next search begins there, and the entries in the window are visited one by one until one lies
behind it. All rows are searched for the same key. If it is less than the last one, all fingers
return to the starts of their rows, since no order of the elements is guaranteed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import partial

import numpy as np

from structarr._compiler.ir.expr import INDEX, Buffer, Expr, Helper, Lit, Load, Max, Min, minimum
from structarr._compiler.ir.kernel import (
    For,
    If,
    Line,
    Make,
    Set,
    Store,
    While,
    assigned,
    every_line,
    read_by,
    used,
)
from structarr._compiler.ir.node import Node, substitute
from structarr._compiler.ir.variables import Var, unused
from structarr._compiler.kernel_passes.blocks import Block, ends, with_blocks
from structarr._compiler.kernel_passes.searches import (
    MOST,
    Finger,
    Search,
    by_finger,
    returned,
    search_of,
    walk_to,
)
from structarr._support.records import record

DEPTH = 3  # the most assignments through which a value is followed

ABOVE = Lit(INDEX, int(np.iinfo(np.int64).max))  # greater than every key


def resume_searches(block: Block) -> Block:
    """A kernel whose searches in the rows of a window have fingers."""
    lines = every_line(block)
    if not any(search_of(line) for line in lines):
        return block
    searches = _FingerSearches(block, lines)
    found = searches.visit(block)
    made = [
        Make(finger, Helper(INDEX, "new_fingers", (minimum(room, MOST),)))
        for finger, room in searches.fingers.items()
    ]
    return (*made, *found)


@record
class _Rows:
    """A loop over rows, for each of some elements."""

    loop: For
    room: Expr  # an upper bound of the rows' numbers, known from the start
    changing: set[Node]  # the nodes that change from element to element
    found: list[Finger] = field(default_factory=list)


class _FingerSearches:
    """The searches of one kernel, and the fingers that they get."""

    def __init__(self, block: Block, lines: Sequence[Line]) -> None:
        self.fingers: dict[Buffer, Expr] = {}  # the number of rows of each finger
        counts = Counter(line.var for line in lines if isinstance(line, Set))
        self._values = {
            line.var: line.value
            for line in lines
            if isinstance(line, Set) and counts[line.var] == 1 and not line.value.mentions(line.var)
        }
        self._changing = assigned(block)
        self._taken = used(block) | self._changing
        self._written = {line.buffer for line in lines if isinstance(line, Store)}
        self._mentions = Counter(
            var
            for line in lines
            for var in {var for one in read_by(line) for var in one.every(Var)}
        )

    def visit(self, block: Block) -> Block:
        """A block with fingers for the searches of its loops in the loops directly inside."""
        new: list[Line] = []
        for line in block:
            changing, found = assigned((line,)), list[Finger]()
            line = with_blocks(line, self.visit)
            if isinstance(line, For | While):  # over elements: fingers hold for one run of it
                line = with_blocks(line, partial(self._elements, changing=changing, found=found))
                new += [Set(one.last, ABOVE) for one in found]
            new.append(line)
        return tuple(new)

    def _elements(self, block: Block, changing: set[Node], found: list[Finger]) -> Block:
        """The body of a loop over elements, in which loops over rows get fingers."""
        new: list[Line] = []
        for line in block:
            match line:
                case For(row, lo, hi, body, 1) if (room := self._room(line, changing)) is not None:
                    rows = _Rows(line, room, changing)
                    new_body = self._rows(body, {}, rows, top=True)
                    new += [back for one in rows.found for back in returned(one, line)]
                    new.append(For(row, lo, hi, new_body))
                    found += rows.found
                case If():
                    inside = partial(self._elements, changing=changing, found=found)
                    new.append(with_blocks(line, inside))
                case _:
                    new.append(line)
        return tuple(new)

    def _room(self, loop: For, changing: set[Node]) -> Expr | None:
        """
        A length that no row of a loop reaches, known from the start.

        None if there is no such bound, or the rows differ from element to element.
        """
        if ends(loop.body):
            return None
        low, high = self._known(loop.lo, changing), self._known(loop.hi, changing)
        if low is None or high is None:
            return None
        low, high = self._traced(low, self._changing), self._traced(high, self._changing)
        lows = low.args if isinstance(low, Max) else (low,)
        if not any(isinstance(one, Lit) and one.value >= 0 for one in lows):
            return None
        highs = high.args if isinstance(high, Min) else (high,)
        return next((one for one in highs if self._known_at_start(one)), None)

    def _known_at_start(self, expr: Expr) -> bool:
        """Whether an expression may be computed before all loops: no load may lie outside."""
        reads = any(isinstance(node, Load | Helper) for node in expr.nodes())
        return not reads and self._changing.isdisjoint(expr.nodes())

    def _traced(self, expr: Expr, inside: set[Node]) -> Expr:
        """An expression with variables that a loop sets replaced by their values."""
        for _ in range(DEPTH):
            table = {
                var: self._values[var]
                for var in expr.nodes()
                if var in inside and var in self._values
            }
            expr = substitute(expr, table)
        return expr

    def _known(self, expr: Expr, inside: set[Node]) -> Expr | None:
        """An expression as it is before a loop in which variables are set, if it stays the same."""
        traced = self._traced(expr, inside)
        return None if self._differs(traced, inside) else traced

    def _differs(self, expr: Expr, changing: set[Node]) -> bool:
        return any(node in changing or node in self._written for node in expr.nodes())

    def _rows(
        self, block: Block, path: Mapping[Var, Expr], rows: _Rows, *, top: bool = False
    ) -> Block:
        """
        The body of a loop over rows, its searches resumed.

        The `path` holds what is set for every row on the way to a line: not what only some rows
        set, as what they read may not be there for the others.
        """
        new: list[Line] = []
        values = dict(path)
        for k, line in enumerate(block):
            if (sought := search_of(line)) and (one := self._finger(sought, values, rows)):
                values.pop(sought.cursor)
                rest = self._rows(self._walked(block[k + 1 :], sought), values, rows, top=top)
                return (*new, *by_finger(sought, one.finger, rows.loop.var), *rest)
            match line:
                case Set(var, value) if top:
                    values[var] = value
                case Set(var):
                    values.pop(var, None)
                case If() | For() | While():
                    if isinstance(line, If):
                        line = with_blocks(line, partial(self._rows, path=values, rows=rows))
                    changed = assigned((line,))
                    values = {var: one for var, one in values.items() if var not in changed}
            new.append(line)
        return tuple(new)

    def _finger(self, sought: Search, values: Mapping[Var, Expr], rows: _Rows) -> Finger | None:
        """A new finger for a search, where it may have one."""
        row = rows.loop.var
        start, end = values.get(sought.cursor), values.get(sought.end)
        key = self._known(sought.key, assigned((rows.loop,)))
        if (
            sought.var is not sought.cursor
            or key is None
            or self._changing.isdisjoint(key.nodes())
            or sought.buffer in self._written
            or not isinstance(start, Load)
            or not isinstance(end, Load)
            or self._differs(start, rows.changing - {row})
            or self._differs(end, rows.changing - {row})
        ):
            return None
        finger = Buffer(f"fingers{len(self.fingers) or ''}", "int64", True)
        self.fingers[finger] = rows.room
        last = unused(Var(INDEX, f"{finger.name}_key"), self._taken)
        rows.found.append(Finger(finger, start, key, last))
        return rows.found[-1]

    def _walked(self, block: Block, sought: Search) -> Block:
        """A block whose loop up to a second key tests each entry instead of searching the end."""
        for k, line in enumerate(block):
            match line:
                case If(((cond, body),)):
                    return (*block[:k], If(((cond, self._walked(body, sought)),)), *block[k + 1 :])
            stop = search_of(line)
            if stop and (stop.buffer, stop.cursor, stop.end) == (
                sought.buffer,
                sought.cursor,
                sought.end,
            ):
                match block[k + 1 :]:
                    case (For(var, lo, hi, body), *rest) if (
                        (var, lo, hi) == (sought.cursor, sought.cursor, stop.var)
                        and self._mentions[stop.var] == 1
                        and not self._differs(stop.key, assigned(body))
                    ):
                        return (*block[:k], walk_to(stop, body), *rest)
        return block
