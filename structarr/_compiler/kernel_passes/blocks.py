"""Blocks of kernel lines, as the passes take and return them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from structarr._compiler.ir.kernel import Break, For, If, Line, While

Block: TypeAlias = tuple[Line, ...]


def with_blocks(line: Line, change: Callable[[Block], Block]) -> Line:
    """A line with the blocks inside it changed."""
    match line:
        case For(var, lo, hi, body, step):
            return For(var, lo, hi, change(body), step)
        case While(body):
            return While(change(body))
        case If(arms):
            return If(tuple((cond, change(body)) for cond, body in arms))
    return line


def ends(body: Block) -> bool:
    """Whether a loop can be left by a `break`."""
    return any(
        isinstance(line, Break) or (isinstance(line, If) and any(ends(arm) for _, arm in line.arms))
        for line in body
    )
