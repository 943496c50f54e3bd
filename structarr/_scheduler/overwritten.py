"""Buffers that a kernel overwrites: what they hold before it runs does not matter.

Rows are followed line by line. What is known is a set of *fronts*: expressions up to which each
element of the row is stored to. A store at a front, and a loop of stores that begins at one, move
it; so a merge that fills the gaps between entries is seen to leave none. What is read below a front
was stored before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from structarr._compiler.ir.conditions import TRUE, Le
from structarr._compiler.ir.expr import INDEX, Buffer, Expr, Helper, Lit, Load, minimum
from structarr._compiler.ir.kernel import (
    Break,
    Do,
    For,
    If,
    Line,
    Set,
    Store,
    While,
    assigned,
    every_line,
    read_by,
)
from structarr._compiler.ir.node import Node
from structarr._compiler.runtime import traits

Block: TypeAlias = tuple[Line, ...]
Fronts: TypeAlias = frozenset[Expr]

ZERO = Lit(INDEX, 0)


def overwrites(block: Block, buffer: Buffer, dims: Sequence[Expr]) -> bool:
    """
    Whether a kernel stores all of a buffer's elements, and reads none; False where it is not clear.

    Parameters
    ----------
    block : tuple of Line
        The lines of the kernel.
    buffer : Buffer
        Of an array in C order.
    dims : sequence of Expr
        The lengths of the array's axes.

    Returns
    -------
    bool
        Whether each row is stored whole in loops over all rows, and all other lines but stores
        leave the buffer alone.
    """
    row = _Row(buffer)
    return _stores_each(block, row, ZERO, dims) and not row.is_read(block)


def _stores_each(block: Block, row: _Row, base: Expr, dims: Sequence[Expr]) -> bool:
    """Whether lines store each element of an array that begins at a place of a buffer."""
    size, *inner = dims
    if not inner:
        row.base = base
        return size in row.after(block, frozenset((ZERO,)))
    width: Expr = Lit(INDEX, 1)
    for dim in inner:
        width = width * dim
    return any(
        isinstance(line, For)
        and _is_whole(line, size)
        and _stores_each(line.body, row, base + line.var * width, inner)
        for line in block
    )


def _is_whole(loop: For, size: Expr) -> bool:
    """Whether a loop has a turn for each index below a size."""
    straight = loop.step == 1 and not _may_end(loop.body) and loop.var not in assigned(loop.body)
    return straight and loop.lo is ZERO and loop.hi is size


class _Row:
    """A row of a buffer, which begins at a place of it, and the lines that read what was stored."""

    def __init__(self, buffer: Buffer) -> None:
        self.base: Expr = ZERO
        self._buffer = buffer
        self._late: dict[Line, bool] = {}  # whether a line reads below a front alone

    def is_read(self, block: Block) -> bool:
        """Whether some line may read what was not stored before."""
        lines = [one for one in every_line(block) if _reads(one, self._buffer)]
        return len(set(lines)) < len(lines) or not all(self._late.get(one) for one in lines)

    def after(self, block: Block, fronts: Fronts) -> Fronts:
        """The fronts after lines, of those before."""
        for line in block:
            fronts = self._after(line, fronts)
        return fronts

    def _after(self, line: Line, fronts: Fronts) -> Fronts:
        match line:
            case Store(buffer, index, _) if buffer is self._buffer:
                place = index - self.base
                return fronts | {place + 1} if place in fronts else fronts
            case Set(var, value):
                kept = _without(fronts, {var})
                return kept | {var} if value in fronts and var not in value.nodes() else kept
            case Do(Helper(_, name, (buffer, _, end, *_))) if buffer is self._buffer:
                below = end - self.base in fronts  # type: ignore[operator]
                self._note(line, bool(traits(name).applies) and below)
            case If(arms):
                return self._branched(arms, fronts)
            case For():
                return self._through(line, fronts)
            case While(body):
                return _without(fronts, assigned(body))
        return fronts

    def _note(self, line: Line, reads_late: bool) -> None:
        """Note whether a line reads below a front alone, as it must in each turn."""
        self._late[line] = self._late.get(line, True) and reads_late

    def _through(self, loop: For, fronts: Fronts) -> Fronts:
        """The fronts after a loop."""
        match loop.body:
            case (Store(buffer, index, value) as store,) if buffer is self._buffer:
                own = index - self.base is loop.var and loop.hi in fronts
                loads = [one for one in value.every(Load) if one.buffer is buffer]
                self._note(store, own and all(one.index is index for one in loads))
        before, changed = _without(fronts, {loop.var}), assigned(loop.body)
        moves = loop.lo in fronts and _is_plain(loop.hi) and not _may_end(loop.body)
        if moves and loop.var not in changed and changed.isdisjoint(loop.hi.nodes()):
            kept, turn = self._looped(loop.body, before, frozenset((loop.var,)))
            if _is_stored(loop, turn):
                return kept | {loop.hi}
        return self._looped(loop.body, before)[0]

    def _branched(self, arms: Sequence[tuple[Expr, Block]], fronts: Fronts) -> Fronts:
        """What all branches have in common, and what there is where none is taken."""
        ends = [self.after(body, fronts) for _, body in arms]
        match arms:
            case (*_, (condition, _)) if condition is TRUE:
                pass
            case ((Le(left, right), _),) if left - 1 in fronts and _is_plain(right):
                ends.append(fronts | {right})  # which is less
            case _:
                ends.append(fronts)
        return ends[0].intersection(*ends[1:])

    def _looped(
        self, body: Block, fronts: Fronts, own: Fronts = frozenset()
    ) -> tuple[Fronts, Fronts]:
        """The fronts that each turn of a loop leaves or moves, and all that there are after one.

        `own` are fronts at the beginning of each turn.
        """
        if _may_end(body):
            return _without(fronts, assigned(body)), frozenset()
        while True:
            turn = self.after(body, fronts | own)
            if fronts <= turn:
                return fronts, turn
            fronts &= turn


def _is_stored(loop: For, turn: Fronts) -> bool:
    """Whether a turn, after which there are some fronts, stores all from its index to the next."""
    known = {one.var: one.value for one in loop.body if isinstance(one, Set)}
    ends = {known.get(one, one) for one in turn}  # type: ignore[call-overload]
    stop = loop.var + loop.step
    return minimum(stop, loop.hi) in ends or (loop.step == 1 and stop in ends)


def _is_plain(expr: Expr) -> bool:
    """Whether an expression depends on variables alone, so that no store changes it."""
    return not any(isinstance(one, Buffer) for one in expr.nodes())


def _without(fronts: Fronts, changed: set[Node]) -> Fronts:
    """The fronts that mention nothing that is changed."""
    return frozenset([one for one in fronts if changed.isdisjoint(one.nodes())])


def _may_end(block: Block) -> bool:
    """Whether a loop of these lines may be left before its end."""
    arms = [body for line in block if isinstance(line, If) for _, body in line.arms]
    return any(isinstance(line, Break) for line in block) or any(map(_may_end, arms))


def _reads(line: Line, buffer: Buffer) -> bool:
    """Whether a line reads a buffer, or hands it to a helper."""
    return any(node is buffer for expr in read_by(line) for node in expr.nodes())
