"""Buffers that a kernel overwrites: what they hold before it runs does not matter."""

from __future__ import annotations

from structarr._compiler.ir.expr import INDEX, Buffer, Expr, Lit
from structarr._compiler.ir.kernel import Break, For, If, Line, Store, every_line, read_by


def overwrites(block: tuple[Line, ...], buffer: Buffer, length: Expr) -> bool:
    """
    Whether a kernel stores all of a buffer's elements, and reads none; False where it is not clear.

    Parameters
    ----------
    block : tuple of Line
        The lines of the kernel.
    buffer : Buffer
        It has as many elements as `length` says.

    Returns
    -------
    bool
        Whether a loop over all elements stores each, and all other lines but stores leave the
        buffer alone.
    """
    return any(_stores_each(line, buffer, length) for line in block) and not _reads(block, buffer)


def _stores_each(line: Line, buffer: Buffer, length: Expr) -> bool:
    if not isinstance(line, For) or line.step != 1:
        return False
    if line.lo is not Lit(INDEX, 0) or line.hi is not length or _may_end(line.body):
        return False
    places = [one.index for one in line.body if isinstance(one, Store) and one.buffer is buffer]
    return line.var in places


def _may_end(block: tuple[Line, ...]) -> bool:
    """Whether a loop of these lines may be left before its end."""
    arms = [body for line in block if isinstance(line, If) for _, body in line.arms]
    return any(isinstance(line, Break) for line in block) or any(map(_may_end, arms))


def _reads(block: tuple[Line, ...], buffer: Buffer) -> bool:
    read = (expr for line in every_line(block) for expr in read_by(line))
    return any(node is buffer for expr in read for node in expr.nodes())
