"""Sums of a known few terms within a loop, as over a tile: each begins anew, and is added at once.

Where each term is added to the sum of all, it waits for the one before it, through all tiles. The
sum of one tile waits for no other one's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from structarr._compiler.ir.expr import Helper, Lit
from structarr._compiler.ir.kernel import For, Line, Set, While, assigned, every_line, used
from structarr._compiler.ir.node import Node
from structarr._compiler.ir.variables import fresh
from structarr._compiler.kernel_passes.blocked_sums import nothing
from structarr._compiler.kernel_passes.blocks import Block, replaced_in, with_blocks
from structarr._compiler.runtime import traits

MOST: Final = 512
"""The most terms of a sum that begins anew: of more, each loop is a straight one of its own."""


def sum_tiles(block: Block) -> Block:
    """A kernel whose sums of known few terms begin anew in each turn of the loop around them."""
    if any(isinstance(line, For) and _sum(line) is not None for line in every_line(block)):
        return _block(block, used(block) | assigned(block), inner=False)
    return block


def _block(block: Block, taken: set[Node], inner: bool) -> Block:
    return tuple(new for line in block for new in _line(line, taken, inner))


def _line(line: Line, taken: set[Node], inner: bool) -> Iterator[Line]:
    total = _sum(line) if inner and isinstance(line, For) else None
    if total is None:
        inner |= isinstance(line, For | While)
        yield with_blocks(line, lambda block: _block(block, taken, inner))
        return
    own = fresh(total.var, taken)
    assert isinstance(total.value, Helper)
    yield nothing(own)
    yield replaced_in(line, {total.var: own})
    yield Set(total.var, total.value.replace(args=(total.var, own)))


def _sum(loop: For) -> Set | None:
    """The one line within loops of known few turns, if it adds to a sum in any order."""
    count = 1
    line: Line = loop
    while isinstance(line, For):
        if not (isinstance(line.lo, Lit) and isinstance(line.hi, Lit) and len(line.body) == 1):
            return None
        count *= max(line.hi.value - line.lo.value, 0)
        (line,) = line.body
    if not (1 < count <= MOST and isinstance(line, Set) and isinstance(line.value, Helper)):
        return None
    total, *terms = line.value.args
    relaxed = traits(line.value.name).relaxes == "add" and total is line.var
    return line if relaxed and not any(line.var in one.nodes() for one in terms) else None
