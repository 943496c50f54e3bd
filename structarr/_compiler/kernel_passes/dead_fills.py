"""Fills of a range that a loop right after them overwrites."""

from __future__ import annotations

from itertools import zip_longest

from structarr._compiler.ir.expr import INDEX, Buffer, Expr, Helper, Lit
from structarr._compiler.ir.kernel import Do, For, Line, Store
from structarr._compiler.ir.node import substitute
from structarr._compiler.kernel_passes.blocks import Block, with_blocks

ONE = Lit(INDEX, 1)


def drop_dead_fills(block: Block) -> Block:
    """A block without fills of what is stored to next, element by element."""
    kept: list[Line] = []
    for line, following in zip_longest(block, block[1:]):
        match line:
            case Do(Helper(_, "fill_range", (Buffer() as buffer, lo, hi, _))):
                if _stores_all(following, buffer, lo, hi):  # type: ignore[arg-type]
                    continue
        kept.append(with_blocks(line, drop_dead_fills))
    return tuple(kept)


def _stores_all(line: Line | None, buffer: Buffer, lo: Expr, hi: Expr) -> bool:
    """Whether loops store to each element of a range of a buffer in turn, and do nothing else."""
    loops: list[For] = []
    while isinstance(line, For) and line.step == 1 and len(line.body) == 1:
        loops.append(line)
        line = line.body[0]
    if not loops or not isinstance(line, Store) or line.buffer is not buffer:
        return False
    if any(node is buffer for node in line.value.nodes()):
        return False
    size: Expr = ONE
    index = line.index
    for loop in reversed(loops):
        if substitute(index, {loop.var: loop.var + 1}) - index is not size:
            return False
        size = size * (loop.hi - loop.lo)
        index = substitute(index, {loop.var: loop.lo})
    return index - lo is Lit(INDEX, 0) and hi - lo is size
