"""Loops over adjacent fibers, joined to one loop over the children of all of them."""

from __future__ import annotations

from structarr._compiler.ir.expr import Call, Expr, Load
from structarr._compiler.ir.kernel import Break, For, If, Line, Set, used
from structarr._compiler.ir.variables import Var
from structarr._compiler.kernel_passes.blocks import Block, with_blocks


def join_adjacent_loops(block: Block) -> Block:
    """A block in which loops over adjacent fibers are one loop, if it reads no fiber's place.

    Fiber p ends where p + 1 begins: `for i: for q in range(ptr[i], ptr[i + 1])` runs from
    `ptr[0]` to `ptr[n]`.
    """
    new: list[Line] = []
    for line in block:
        match line:
            case For(var, lo, hi, body, 1):
                new += _flat(var, lo, hi, join_adjacent_loops(body))
            case _:
                new.append(with_blocks(line, join_adjacent_loops))
    return tuple(new)


def _flat(var: Var, lo: Expr, hi: Expr, body: Block) -> Block:
    match body:
        case (Set() as one, Set() as other, If(((cond, (only,)),)), For(_, _, _, (turn,)) as inner):
            # A fiber's condition gets a loop of its own, before the joined one, if both commute.
            if _commute(only, turn) and not lo.mentions(var):
                whole = _flat(var, lo, hi, (one, other, inner))
                if not isinstance(whole[0], For):
                    once = (only, Break()) if _is_steady(only, (var, one, other)) else (only,)
                    asked = If(((cond, once),))
                    return (For(var, lo, hi, (one, other, asked)), *whole)
        case (Set(x, Load() as one), Set(y, Load() as other), For(q, start, stop, inner)) if {
            x,
            y,
        } == {start, stop} and q is start:
            begin, end = (one, other) if x is start else (other, one)
            adjacent = begin.buffer is end.buffer and end.index is begin.index + 1
            moved = begin.index - var
            if adjacent and not moved.mentions(var) and not _mentions(inner, (var, stop)):
                ptr = begin.buffer
                first, last = ptr[moved + lo], ptr[moved + hi]
                return (Set(q, first), Set(stop, last), For(q, q, stop, inner))  # type: ignore[arg-type]
    return (For(var, lo, hi, body),)


def _commute(one: Line, other: Line) -> bool:
    """Whether two updates of a variable are the same in any order, however often."""
    match one, other:
        case Set(x, Call(_, op, (own, _))), Set(y, Call(_, same, (mine, _))):
            return x is y is own is mine and op is same and op.idempotent and op.commutative
    return False


def _is_steady(update: Line, loop: tuple[Var, Line, Line]) -> bool:
    """Whether an update is the same in every turn of a loop, so that one of them is enough."""
    var, *lines = loop
    changed = (var, *[line.var for line in lines if isinstance(line, Set)])
    match update:
        case Set(_, Call(_, _, (_, term))):
            return not any(term.mentions(one) for one in changed)
    return False


def _mentions(block: Block, variables: tuple[Expr, ...]) -> bool:
    return not used(block).isdisjoint(variables)
