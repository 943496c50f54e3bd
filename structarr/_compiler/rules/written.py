"""The outputs that statements write, and the rest of statements that write nothing."""

from __future__ import annotations

from typing import Any

from structarr._compiler.ir.cin import (
    Access,
    Assign,
    Fiber,
    Loop,
    Multi,
    Pass,
    Sieve,
    Stmt,
    Tensor,
    Where,
    targets,
)
from structarr._compiler.ir.missing import MISSING
from structarr._compiler.ir.node import Node
from structarr._compiler.ir.variables import State


def tensor_of(target: Access) -> Tensor | None:
    """The output that an access writes into; None for an accumulator."""
    if isinstance(target.obj, Tensor):
        return target.obj
    return getattr(target.obj, "tensor", None)


def results(stmt: Stmt) -> tuple[Tensor, ...]:
    """The tensors that a statement writes."""
    found = (tensor_of(target) for target in targets(stmt))
    return tuple(dict.fromkeys(tensor for tensor in found if tensor is not None))


def covers(target: Access) -> bool:
    """Whether the part of a result that a target stands for is to be written even where it keeps
    its value: a level of it has no gaps, and is still to be opened.
    """
    if isinstance(target.obj, Tensor):
        return target.obj.format is not None and target.obj.format.covers(0)
    for fiber in target.obj.every(Fiber):
        return bool(fiber.tensor.format.covers(fiber.depth))
    return False


def carried(where: Where) -> tuple[Tensor, ...]:
    """The temporaries that a consumer goes on to update: its loops run in order."""
    return tuple(one for one in results(where.consumer) if one in where.temps)


def carries(stmt: Stmt) -> bool:
    """Whether a statement reads a variable that it sets: each time it may be another value."""
    return stmt.has(State) and any(reads(stmt, one) for one in states(stmt))


def states(stmt: Stmt) -> set[State]:
    """The variables that a statement sets and others may read."""
    return {one.target.obj for one in stmt.every(Assign) if isinstance(one.target.obj, State)}


def reads(stmt: Stmt, place: Node) -> bool:
    """Whether a statement reads a place other than to update it."""
    match stmt:
        case Assign(target, _, value):
            return value.mentions(place) or any([i.mentions(place) for i in target.indices])
        case Loop(_, lo, hi) if lo.mentions(place) or hi.mentions(place):
            return True
        case Sieve(cond) if cond.mentions(place):
            return True
    return any(reads(one, place) for one in stmt.parts() if isinstance(one, Stmt))


def unopened(stmt: Stmt) -> set[Tensor]:
    """The outputs of which a statement is to open fibers that append."""
    found: set[Tensor] = set()
    for target in targets(stmt):
        for fiber in target.obj.every(Fiber)[:1]:
            level = fiber.level
            if target.obj is not fiber:  # it is opened, and its children are not
                if level.writing.optional_children:
                    continue  # a child that is not written is not there
                level = level.child
            if appends(level):
                found.add(fiber.tensor)
    return found


def appends(level: Any) -> bool:
    """Whether a level or one below it appends."""
    while level is not None:
        if level.writing.appends:
            return True
        level = level.child
    return False


def unwritten(stmt: Stmt, only: Tensor | None = None) -> Stmt:
    """The rest of a statement that writes nothing: outputs without gaps are told of it.

    That is done by assigning `missing`. Those of one tensor alone, where that is given.
    """
    match stmt:
        case Assign(target):
            told = covers(target) and only in (None, tensor_of(target))
            return Assign(target, None, MISSING) if told else Pass(results(stmt))
        case Loop(index, lo, hi, body):
            rest = unwritten(body, only)
            return Loop(index, lo, hi, rest) if rest.mentions(index) else rest
        case Sieve(_, body):
            return unwritten(body, only)
        case Where(consumer, producer):
            return joined((unwritten(producer, only), unwritten(consumer, only)))
        case Multi(stmts):
            return joined(tuple(unwritten(one, only) for one in stmts))
    return stmt


def joined(stmts: tuple[Stmt, ...]) -> Stmt:
    """Several statements as one, without those that pass."""
    kept = [stmt for stmt in stmts if not isinstance(stmt, Pass)]
    if not kept:
        return Pass(tuple(dict.fromkeys(t for one in stmts for t in getattr(one, "tensors", ()))))
    return kept[0] if len(kept) == 1 else Multi(tuple(kept))
