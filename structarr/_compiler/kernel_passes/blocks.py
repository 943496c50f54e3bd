"""Blocks of kernel lines, as the passes take and return them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from structarr._compiler.ir.kernel import Break, For, If, Line, While
from structarr._compiler.ir.node import substitute

Block: TypeAlias = tuple[Line, ...]

NESTED: Final = For._bits | While._bits | If._bits
"""The bits of lines with others in them."""


def with_blocks(line: Line, change: Callable[[Block], Block]) -> Line:
    """A line with the blocks inside it changed."""
    if not line.kinds & NESTED:
        return line
    match line:
        case For(var, lo, hi, body, step):
            new = change(body)
            return line if new == body else For(var, lo, hi, new, step)
        case While(body):
            new = change(body)
            return line if new == body else While(new)
        case If(arms):
            changed = tuple([(cond, change(body)) for cond, body in arms])
            return line if changed == arms else If(changed)
    return line


def replaced(block: Block, table: Mapping[Any, Any]) -> Block:
    """A block with every node that is a key of a table replaced by its value.

    `substitute` alone does not look into the arms of branches.
    """
    return tuple([replaced_in(line, table) for line in block])


def replaced_in(line: Line, table: Mapping[Any, Any]) -> Line:
    """The same of one line."""
    match line:
        case For(var, lo, hi, body, step):
            lo, hi = substitute(lo, table), substitute(hi, table)
            return For(substitute(var, table), lo, hi, replaced(body, table), step)
        case While(body):
            return While(replaced(body, table))
        case If(arms):
            return If(
                tuple([(substitute(cond, table), replaced(body, table)) for cond, body in arms])
            )
    return substitute(line, table)


def ends(body: Block) -> bool:
    """Whether a loop can be left by a `break`."""
    return any(
        isinstance(line, Break) or (isinstance(line, If) and any(ends(arm) for _, arm in line.arms))
        for line in body
    )
