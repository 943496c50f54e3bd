"""Rows that have each of their diagonals: most of a matrix of diagonals needs no searches.

In row i, diagonal k is in column `i + offset[k]`. The first that lies within the matrix is found by
a search, and so is the last: `q = search(offset, -i, 0, 11); end = search_back(offset, n - i, q,
11)`. Where the order of turns does not matter the loop over rows goes inside (`along_diagonals`).
Where it does, or other lines read what is found, all rows but those at the two ends have every
diagonal. The loop over rows is then cut in three, by the first offset and by the last, and the one
in the middle, nearly all of it, knows how often its inner loop turns.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, pairwise
from typing import NamedTuple, TypeGuard

from structarr._compiler.ir.expr import INDEX, Expr, Lit, maximum, minimum
from structarr._compiler.ir.kernel import (
    For,
    Line,
    Set,
    While,
    assigned,
    every_line,
    lines_of,
    used,
)
from structarr._compiler.ir.node import Node, substitute
from structarr._compiler.ir.variables import Var, fresh
from structarr._compiler.kernel_passes.along_diagonals import along_diagonals
from structarr._compiler.kernel_passes.blocks import Block, ends, with_blocks
from structarr._compiler.kernel_passes.diagonal_nests import First, first_of, last_of

LONGEST = 100  # lines of a loop: what is longer is not written three times


class _Clip(NamedTuple):
    """The diagonals of a row that two lines search."""

    known: dict[Line, Line]  # what these lines are in a whole row
    begins: Expr  # the first whole row
    stops: Expr  # the row after the last one


def split_whole_rows(block: Block) -> Block:
    """A block in which rows that have all of their diagonals have a loop of their own."""
    if not any(map(first_of, every_line(block))):
        return block
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
            exchanged = along_diagonals(line, self._named) if found else None  # type: ignore[arg-type]
            if exchanged is not None:
                new += exchanged
            elif isinstance(line, For) and found and lines_of(line.body) <= LONGEST:
                new += self._cut(line, found)
            else:
                new.append(with_blocks(line, self.visit))
        return tuple(new)

    def _cut(self, loop: For, found: list[_Clip]) -> Block:
        """The loops before, over and after the rows that are whole."""
        begin, stop = (self._named(f"{loop.var.name}_{name}") for name in ("whole", "rest"))
        least = minimum(maximum(loop.lo, *[one.begins for one in found]), loop.hi)
        most = maximum(minimum(loop.hi, *[one.stops for one in found]), begin)
        known = dict(chain.from_iterable(one.known.items() for one in found))
        body = _replaced(loop.body, known)
        whole = For(loop.var, begin, stop, body)
        return (
            Set(begin, least),
            Set(stop, most),
            For(loop.var, loop.lo, begin, loop.body),
            *(along_diagonals(whole, self._named) or (whole,)),
            For(loop.var, stop, loop.hi, loop.body),
        )

    def _named(self, name: str) -> Var:
        return fresh(Var(INDEX, name), self._taken)


_ZERO = Lit(INDEX, 0)


def _replaced(block: Block, known: dict[Line, Line]) -> Block:
    """A block, and those inside it, with some lines replaced."""
    lines = [known.get(line, line) for line in block]
    return tuple([with_blocks(line, lambda inner: _replaced(inner, known)) for line in lines])


def _clips(loop: For) -> Iterator[_Clip]:
    """The diagonals that each turn of a loop searches."""
    if loop.step == 1 and not ends(loop.body):
        yield from _searched(loop.body, loop.var, assigned(loop.body), _ZERO, _ZERO)


def _searched(body: Block, row: Var, changing: set[Node], near: Expr, far: Expr) -> Iterator[_Clip]:
    """The diagonals of a row that are searched, and those of the rows that its own lead to.

    The row lies as far as `near` to `far` beyond that of the outer loop.
    """
    moving = {*changing, row}
    for k, (line, after) in enumerate(pairwise(body)):
        first, last = first_of(line), last_of(after)
        if first is None or last is None or last.cursor is not first.var:
            continue
        if last.offset is not first.offset or last.stop is not first.stop:
            continue
        start, stop = first.low + row, last.high + row
        if not (moving.isdisjoint(start.nodes()) and moving.isdisjoint(stop.nodes())):
            continue
        turns = [turn for turn in body[k + 2 :] if _turns(turn, first.var, last.var)]
        led = [clip for turn in turns for clip in _led_to(turn, first, row, changing, near, far)]
        if led or any(_is_short(turn) for turn in turns):
            least, most = first.offset[first.begin], first.offset[first.stop - 1]
            known: dict[Line, Line] = {line: Set(first.var, first.begin)}
            known[after] = Set(last.var, first.stop)
            yield _Clip(known, start - least - near, stop - most - far)
            yield from led


def _turns(line: Line, q: Var, end: Var) -> TypeGuard[For]:
    """Whether a line is a loop over the diagonals of a row, which is not merged with another."""
    return isinstance(line, For) and line.var is line.lo is q and line.hi is end


def _is_short(line: For) -> bool:
    """Whether a loop has none inside, beside which searches would take no time."""
    return not any(isinstance(one, For | While) for one in every_line(line.body))


def _led_to(
    line: Line, searched: First, row: Var, changing: set[Node], near: Expr, far: Expr
) -> Iterator[_Clip]:
    """The diagonals that a loop over those of a row searches in the rows that they lead to."""
    match line:
        case For(_, _, _, (Set(there, place), *rest)):
            distance = place - row
            steady = {*changing, row}.isdisjoint
            # Ascending, so that the first and the last diagonal are the ends.
            q, ends_at = searched.var, (searched.begin, searched.stop - 1)
            if any(steady((distance - one).nodes()) for one in (q, searched.offset[q])):
                first, last = (substitute(distance, {q: one}) for one in ends_at)
                yield from _searched(tuple(rest), there, changing, near + first, far + last)
