"""Searches that go on from where they ended for the element before: fingers.

A window over a matrix of lists is sought row by row for every element: `for each k: for each row j:
q = search(idx, k - 5, ptr[j], ptr[j + 1])`. What is sought in a row usually lies behind what was
sought there for the element before, so a finger for each row remembers where that was. A key below
the last one starts anew: no order of the elements is taken for granted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from structarr._compiler.ir.expr import (
    INDEX,
    Buffer,
    Expr,
    Helper,
    Lit,
    Load,
    Max,
    Min,
    Var,
    both,
    eq,
    le,
    lt,
    minimum,
    scale,
)
from structarr._compiler.ir.kernel import For, If, Line, Set, Store, While, assigned
from structarr._compiler.ir.node import Node, substitute

Block: TypeAlias = tuple[Line, ...]

MOST = 1 << 16  # rows that have fingers; others are sought anew

DEPTH = 3  # variables in variables through which bounds of loops are followed

STAMP = Var(INDEX, "stamp")  # of the run of the loop over the elements, which fingers hold for


def with_fingers(block: Block) -> Block:
    """A kernel in which searches in rows of a window have fingers."""
    hand = _Hand(block)
    found = hand.visit(block)
    if not hand.fingers:
        return block
    made = [
        Set(Var(INDEX, finger.name), Helper(INDEX, "new_fingers", (minimum(room, MOST),)))
        for finger, room in hand.fingers.items()
    ]
    return (*made, Set(STAMP, Lit(INDEX, 0)), *found)


class _Hand:
    def __init__(self, block: Block) -> None:
        self.fingers: dict[Buffer, Expr] = {}  # with how many rows each is for
        lines = list(_lines(block))
        counts = Counter(line.var for line in lines if isinstance(line, Set))
        self._values = {
            line.var: line.value
            for line in lines
            if isinstance(line, Set) and counts[line.var] == 1 and not line.value.mentions(line.var)
        }
        self._changing = assigned(block)
        self._written = {line.buffer for line in lines if isinstance(line, Store)}

    def visit(self, block: Block) -> Block:
        """The block with fingers for what its loops seek in the loops right inside them."""
        new: list[Line] = []
        for line in block:
            match line:
                case For(var, lo, hi, body):
                    before, inside = self._loop(line, body)
                    new += [*before, For(var, lo, hi, inside)]
                    continue
                case While(body):
                    before, inside = self._loop(line, body)
                    new += [*before, While(inside)]
                    continue
                case If(arms):
                    line = If(tuple((cond, self.visit(body)) for cond, body in arms))
            new.append(line)
        return tuple(new)

    def _loop(self, loop: Line, body: Block) -> tuple[Block, Block]:
        """What stands before a loop over elements, and its body: fingers hold for one run of it."""
        inner = self.visit(body)
        known = len(self.fingers)
        inside = self._elements(inner, assigned((loop,)))
        return ((Set(STAMP, STAMP + 1),) if len(self.fingers) > known else ()), inside

    def _elements(self, block: Block, changing: set[Node]) -> Block:
        """What is done for each element: a loop over rows among it may have fingers."""
        new: list[Line] = []
        for line in block:
            match line:
                case For(row, lo, hi, body) if isinstance(row, Var):
                    room = self._room(lo, hi)
                    if room is not None:
                        line = For(row, lo, hi, self._rows(body, {}, row, room, changing))
                case If(arms):
                    line = If(tuple((c, self._elements(body, changing)) for c, body in arms))
            new.append(line)
        return tuple(new)

    def _room(self, lo: Expr, hi: Expr) -> Expr | None:
        """A length that no row of a loop reaches, known from the start; None where none is."""
        low, high = self._known(lo), self._known(hi)
        lows = low.args if isinstance(low, Max) else (low,)
        if not any(isinstance(one, Lit) and one.value >= 0 for one in lows):
            return None
        highs = high.args if isinstance(high, Min) else (high,)
        return next((one for one in highs if self._changing.isdisjoint(one.nodes())), None)

    def _known(self, expr: Expr) -> Expr:
        """An expression by what its variables are set to, where that is in one place."""
        for _ in range(DEPTH):
            table = {var: self._values[var] for var in expr.nodes() if var in self._values}
            expr = substitute(expr, table)
        return expr

    def _rows(
        self,
        block: Block,
        path: Mapping[Var, Expr],
        row: Var,
        room: Expr,
        changing: set[Node],
    ) -> Block:
        """What is done for each row. On the `path` to a line, variables have been set to values."""
        new: list[Line] = []
        values = dict(path)
        for line in block:
            match line:
                case Set(
                    var,
                    Helper(_, "search", (Buffer() as buffer, Expr() as key, cursor, Var() as end)),
                ) if (
                    var is cursor
                    and self._is_segment(values.get(var), row, changing)
                    and self._is_segment(values.get(end), row, changing)
                    and buffer not in self._written
                    and any(node in changing and node is not row for node in key.nodes())
                ):
                    finger = Buffer(f"fingers{len(self.fingers) or ''}", "int64", True)
                    self.fingers[finger] = room
                    new += _sought(line, key, finger, row)
                    values.pop(var)
                    continue
                case Set(var, value):
                    values[var] = value
                case If(arms):
                    line = If(
                        tuple((c, self._rows(b, values, row, room, changing)) for c, b in arms)
                    )
                    values = _without(values, assigned((line,)))
                case For() | While():
                    values = _without(values, assigned((line,)))
            new.append(line)
        return tuple(new)

    def _is_segment(self, bound: Expr | None, row: Var, changing: set[Node]) -> bool:
        """Whether a bound of a search is that of a row, whatever the element is."""
        if not isinstance(bound, Load) or bound.buffer in self._written:
            return False
        return not any(node in changing and node is not row for node in bound.index.nodes())


def _without(values: Mapping[Var, Expr], changed: set[Node]) -> dict[Var, Expr]:
    return {var: value for var, value in values.items() if var not in changed}


def _sought(search: Set, key: Expr, finger: Buffer, row: Var) -> Block:
    """A search that begins where the row's finger points, which then points to where it ended.

    A finger holds a stamp, a key and a position. Where the stamp is another, or the key was above
    this one, it says nothing of what is sought.
    """
    at, there = scale(row, 3), lt(row, MOST)
    known = both(there, eq(finger[at], STAMP), le(finger[at + 1], key))
    moved = (
        Store(finger, at, STAMP),
        Store(finger, at + 1, key),
        Store(finger, at + 2, search.var),
    )
    return (
        If(((known, (Set(search.var, finger[at + 2]),)),)),
        search,
        If(((there, moved),)),
    )


def _lines(block: Block) -> Iterator[Line]:
    """The lines of a block, of its branches and of its loops."""
    for line in block:
        yield line
        match line:
            case If(arms):
                for _, body in arms:
                    yield from _lines(body)
            case For(_, _, _, body) | While(body):
                yield from _lines(body)
