"""Loops that end as soon as what they look for is found: nothing changes it any more."""

from __future__ import annotations

from typing import Final

from structarr._compiler.ir.conditions import TRUE
from structarr._compiler.ir.expr import Call, Expr, Helper, Lit
from structarr._compiler.ir.kernel import (
    Break,
    For,
    If,
    Line,
    Set,
    While,
    assigned,
    every_line,
    read_by,
    used,
)
from structarr._compiler.ir.node import Node
from structarr._compiler.ir.ops import OPS
from structarr._compiler.ir.variables import Var
from structarr._compiler.kernel_passes.blocks import Block, with_blocks

SETTLING: Final = ("logical_or", "logical_and")
"""The operators of booleans one of which settles the result."""


def end_early(block: Block) -> Block:
    """A kernel whose straight inner loops, and loops of loops, end where a boolean is settled.

    A straight loop that is in no other stays as it is, or in one of a few turns that are known: it
    goes through many values by vectors.
    """
    lines = _in_loops(block, False)
    return tuple([_ended(line, lines[k + 1 :]) for k, line in enumerate(lines)])


def _in_loops(block: Block, inner: bool) -> Block:
    return tuple([_line(line, inner) for line in block])


def _ended(line: Line, rest: Block) -> Line:
    """A loop of loops that does nothing but settle a boolean, which ends after the turn that does.

    Nothing else that it sets may be read by a later turn, or behind it.
    """
    if not isinstance(line, For) or not any(isinstance(one, For | While) for one in line.body):
        return line
    found = _searched_for(line.body)
    if found is None:
        return line
    var, name = found
    own = {line.var, *assigned(line.body)} - {var}
    if own & used(rest) or _known_after(line.body, own, {line.var}) is None:
        return line
    cond = var if name == "logical_or" else Call("bool", OPS["logical_not"], (var,))
    return For(line.var, line.lo, line.hi, (*line.body, If(((cond, (Break(),)),))), line.step)


def _searched_for(body: Block) -> tuple[Var, str] | None:
    """The one boolean that a block updates, and by which operator; None if it does anything else.

    What it updates is read by nothing but the updates.
    """
    found: set[tuple[Var, str]] = set()
    others: set[Node] = set()
    for line in every_line(body):
        match line:
            case Set(var, Call("bool", op, (left, term))) if left is var and op.name in SETTLING:
                found.add((var, op.name))
                others |= {*term.nodes()}
            case Set() | If() | For() | While():
                others |= {part for one in read_by(line) for part in one.nodes()}
            case Break():
                pass
            case _:
                return None
    if len(found) != 1 or any(isinstance(one, Helper) for one in others):
        return None
    ((var, name),) = found
    return None if var in others else (var, name)


def _known_after(block: Block, own: set[Node], known: set[Node]) -> set[Node] | None:
    """The variables that are set behind a block; None if it reads one of `own` that may not be."""
    known = {*known}
    for line in block:
        if {part for one in read_by(line) for part in one.nodes()} & (own - known):
            return None  # what an earlier turn left there, perhaps
        match line:
            case Set(var):
                known.add(var)
            case For(var, _, _, body):
                if _known_after(body, own, {*known, var}) is None:
                    return None
            case While(body):
                if _known_after(body, own, known) is None:
                    return None
            case If(arms):
                after = [_known_after(body, own, known) for _, body in arms]
                if None in after:
                    return None
                if arms[-1][0] is TRUE:
                    known |= set.intersection(*[one for one in after if one is not None])
    return known


def _line(line: Line, inner: bool) -> Line:
    if inner and isinstance(line, For):
        settled = _settled(line.body)
        if settled is not None:
            body = (*line.body, If(((settled, (Break(),)),)))
            return For(line.var, line.lo, line.hi, body, line.step)
    inner |= isinstance(line, While) or (isinstance(line, For) and not _is_told(line))
    return with_blocks(line, lambda block: _in_loops(block, inner))


def _is_told(loop: For) -> bool:
    return isinstance(loop.lo, Lit) and isinstance(loop.hi, Lit)


def _settled(body: Block) -> Expr | None:
    """The condition on which a straight loop that ends in an update of a boolean may end."""
    *others, last = body or (Break(),)
    match last:
        case Set(var, Call("bool", op, (left, term))) if left is var and op.name in SETTLING:
            pass
        case _:
            return None
    plain = all(isinstance(one, Set) and not one.value.mentions(var) for one in others)
    if not plain or term.mentions(var) or any(isinstance(one, Helper) for one in used(body)):
        return None
    return var if op.name == "logical_or" else Call("bool", OPS["logical_not"], (var,))
