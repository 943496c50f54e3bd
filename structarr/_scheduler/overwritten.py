"""Buffers that a kernel overwrites: what they hold before it runs does not matter.

Rows are followed line by line. What is known is a set of *fronts*: expressions up to which each
element of the row is stored to. A store at a front, and a loop of stores that begins at one, move
it; so a merge that fills the gaps between entries is seen to leave none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from structarr._compiler.ir.conditions import TRUE, Le
from structarr._compiler.ir.expr import INDEX, Buffer, Expr, Lit
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
    read_by,
)
from structarr._compiler.ir.node import Node

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
    return _stores_each(block, buffer, ZERO, dims) and not _reads(block, buffer)


def _stores_each(block: Block, buffer: Buffer, base: Expr, dims: Sequence[Expr]) -> bool:
    """Whether lines store each element of an array that begins at a place of a buffer."""
    size, *inner = dims
    if not inner:
        return size in _Row(buffer, base).after(block, frozenset((ZERO,)))
    width: Expr = Lit(INDEX, 1)
    for dim in inner:
        width = width * dim
    return any(
        isinstance(line, For)
        and _is_whole(line, size)
        and _stores_each(line.body, buffer, base + line.var * width, inner)
        for line in block
    )


def _is_whole(loop: For, size: Expr) -> bool:
    """Whether a loop has a turn for each index below a size."""
    straight = loop.step == 1 and not _may_end(loop.body) and loop.var not in assigned(loop.body)
    return straight and loop.lo is ZERO and loop.hi is size


class _Row:
    """A row of a buffer, which begins at a place of it."""

    def __init__(self, buffer: Buffer, base: Expr) -> None:
        self._buffer, self._base = buffer, base

    def after(self, block: Block, fronts: Fronts) -> Fronts:
        """The fronts after lines, of those before."""
        for line in block:
            fronts = self._after(line, fronts)
        return fronts

    def _after(self, line: Line, fronts: Fronts) -> Fronts:
        match line:
            case Store(buffer, index, _) if buffer is self._buffer:
                place = index - self._base
                return fronts | {place + 1} if place in fronts else fronts
            case Set(var, value):
                kept = _without(fronts, {var})
                return kept | {var} if value in fronts and var not in value.nodes() else kept
            case If(arms):
                return self._branched(arms, fronts)
            case For(var, lo, _, body, _):
                kept = self._looped(body, _without(fronts, {var}))
                return kept | self._filled(line) if lo in fronts else kept
            case While(body):
                return _without(fronts, assigned(body))
        return fronts

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

    def _looped(self, body: Block, fronts: Fronts) -> Fronts:
        """The fronts that each turn of a loop leaves as they are, or moves."""
        if _may_end(body):
            return _without(fronts, assigned(body))
        while True:
            kept = fronts & self.after(body, fronts)
            if kept == fronts:
                return kept
            fronts = kept

    def _filled(self, loop: For) -> Fronts:
        """The end of a loop each turn of which stores at its own index; nothing of others."""
        changed = assigned(loop.body)
        stores = [one for one in loop.body if isinstance(one, Store) and one.buffer is self._buffer]
        fills = any(one.index - self._base is loop.var for one in stores)
        if not fills or loop.step != 1 or loop.var in changed or _may_end(loop.body):
            return frozenset()
        keeps = _is_plain(loop.hi) and changed.isdisjoint(loop.hi.nodes())
        return frozenset((loop.hi,)) if keeps and loop.var not in loop.hi.nodes() else frozenset()


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


def _reads(block: Block, buffer: Buffer) -> bool:
    read = (expr for line in every_line(block) for expr in read_by(line))
    return any(node is buffer for expr in read for node in expr.nodes())
