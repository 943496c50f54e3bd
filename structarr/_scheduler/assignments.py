"""Assignments of a program, with the loops and conditions that they stand in."""

from __future__ import annotations

from collections.abc import Iterator

from structarr._compiler.ir.cin import Assign, Loop, Multi, Sieve, Stmt, Where
from structarr._compiler.ir.expr import Expr
from structarr._compiler.ir.node import Node
from structarr._support.records import record


@record
class Written:
    """One assignment to a result, with the loops and conditions that it stands in."""

    assign: Assign
    loops: tuple[Loop, ...]
    conds: tuple[Expr, ...]


def writes_of(
    stmt: Stmt,
    made: Node,
    loops: tuple[Loop, ...] = (),
    conds: tuple[Expr, ...] = (),
) -> Iterator[Written]:
    """Every assignment to a result, or to a temporary."""
    match stmt:
        case Assign(target) if target.obj is made:
            yield Written(stmt, loops, conds)
        case Loop(body=body):
            yield from writes_of(body, made, (*loops, stmt), conds)
        case Sieve(cond, body):
            yield from writes_of(body, made, loops, (*conds, cond))
        case Where(consumer, producer):
            yield from writes_of(producer, made, loops, conds)
            yield from writes_of(consumer, made, loops, conds)
        case Multi(stmts):
            for one in stmts:
                yield from writes_of(one, made, loops, conds)


def conditional(
    stmt: Stmt, conds: tuple[Expr, ...] = ()
) -> Iterator[tuple[Assign, tuple[Expr, ...]]]:
    """Every assignment, with the conditions that it stands under."""
    match stmt:
        case Assign():
            yield stmt, conds
        case Sieve(cond, body):
            yield from conditional(body, (*conds, cond))
        case Loop(body=body):
            yield from conditional(body, conds)
        case Where(consumer, producer):
            yield from conditional(producer, conds)
            yield from conditional(consumer, conds)
        case Multi(stmts):
            for one in stmts:
                yield from conditional(one, conds)
