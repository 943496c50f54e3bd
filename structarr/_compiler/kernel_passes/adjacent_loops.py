"""Loops over adjacent fibers, joined to one loop over the children of all of them."""

from __future__ import annotations

from collections.abc import Callable

from structarr._compiler.ir.expr import INDEX, Call, Expr, Load
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
    used,
)
from structarr._compiler.ir.node import Node
from structarr._compiler.ir.variables import Var, fresh
from structarr._compiler.kernel_passes.blocks import Block, with_blocks

Fresh = Callable[[str], Var]
"""Makes a variable of a name that no other one has."""


def join_adjacent_loops(block: Block) -> Block:
    """A block in which loops over adjacent fibers are one loop, if it reads no fiber's place.

    Fiber p ends where p + 1 begins: `for i: for q in range(ptr[i], ptr[i + 1])` runs from
    `ptr[0]` to `ptr[n]`. Where each child is appended to a fiber of a result, these end as far from
    each other as the fibers that are read.
    """
    taken: set[Node] = set()

    def fresh_one(label: str) -> Var:
        if not taken:
            taken.update(used(block) | assigned(block))
        return fresh(Var(INDEX, label), taken)

    return _joined(block, fresh_one)


def _joined(block: Block, fresh_one: Fresh) -> Block:
    new: list[Line] = []
    for line in block:
        match line:
            case For(var, lo, hi, body, 1):
                new += _flat(var, lo, hi, _joined(body, fresh_one), fresh_one)
            case _:
                new.append(with_blocks(line, lambda inner: _joined(inner, fresh_one)))
    return tuple(new)


def _flat(var: Var, lo: Expr, hi: Expr, body: Block, fresh_one: Fresh) -> Block:
    match body:
        case (*loop, Store(ends, at, Var() as count) as store) if at.mentions(var):
            whole = _flat(var, lo, hi, tuple(loop), fresh_one)
            match whole:
                case (Set(place, begin), Set() as last_one, For(_, _, _, inner) as turns):
                    if not (_counts_turns(inner, count) and _apart(store, lo, hi, whole)):
                        return (For(var, lo, hi, body),)
                    assert isinstance(begin, Load)
                    further = fresh_one(f"{count.label}_further")
                    told = Store(ends, at, begin.buffer[begin.index - lo + var + 1] + further)
                    pointers = For(var, lo, hi, (told,))
                    return (
                        Set(place, begin),
                        last_one,
                        Set(further, count - place),
                        turns,
                        pointers,
                    )
        case (Set() as one, Set() as other, If(((cond, (only,)),)), For(_, _, _, (turn,)) as inner):
            # A fiber's condition gets a loop of its own, before the joined one, if both commute.
            if _commute(only, turn) and not lo.mentions(var):
                whole = _flat(var, lo, hi, (one, other, inner), fresh_one)
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


def _counts_turns(body: Block, count: Var) -> bool:
    """Whether each turn of a loop adds one to a variable, which nothing else in it sets."""
    counted = [line for line in body if isinstance(line, Set) and line.var is count]
    if [line.value for line in counted] != [count + 1]:
        return False
    others = tuple(line for line in body if line is not counted[0])
    ended = any(isinstance(line, Break | While) for line in every_line(others))
    return count not in assigned(others) and not ended


def _apart(store: Store, lo: Expr, hi: Expr, whole: Block) -> bool:
    """Whether the end of each fiber can be stored once all children are."""
    changed = assigned(whole)
    steady = not any(one.mentions(var) for one in (lo, hi, store.index) for var in changed)
    buffers = [store.buffer, *[one.buffer for one in every_line(whole) if isinstance(one, Store)]]
    return steady and used(whole).isdisjoint([store.buffer]) and len({*buffers}) == len(buffers)


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
