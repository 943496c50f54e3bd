"""Random access: reads and writes of elements whose index is bound."""

from __future__ import annotations

from structarr._compiler.context import Context
from structarr._compiler.ir.cin import (
    Access,
    Assign,
    Fiber,
    Modifier,
    Protocol,
    Stmt,
    Within,
    is_known,
)
from structarr._compiler.ir.conditions import TRUE, both, le, lt
from structarr._compiler.ir.expr import Call, Cast, Expr, Load
from structarr._compiler.ir.missing import Outside
from structarr._compiler.ir.node import Node
from structarr._compiler.looplets.base import rewrite
from structarr._compiler.looplets.switch import Case, Switch
from structarr._compiler.lowering.bounds_checks import out_of_bounds_read
from structarr._compiler.lowering.unfurl import is_constant, reindexed
from structarr._compiler.rules.engine import value_of


def access_at_random(stmt: Stmt, ctx: Context) -> Stmt:
    """A statement whose accesses at bound indices are located.

    An index that is an element of an array is read first.
    """
    while True:
        new = _locate_once(stmt, ctx)
        if new is stmt:
            return stmt
        stmt = new


def _locate_once(stmt: Stmt, ctx: Context) -> Stmt:
    """A statement whose accesses at indices without further accesses are located."""

    def locate(access: Access) -> Node | None:
        if not _is_bound(access):
            return None
        if isinstance(access.obj, Fiber) or is_constant(access.obj):
            checked = _checked(access, ctx)
            if checked is not None:
                return checked
            looplet, index = reindexed(access.obj, _named(access.indices[0], ctx), "locate", ctx)
            return value_of(looplet.at(index), access.indices[1:], access.dtype)
        return None

    def visit(access: Access) -> Node | None:
        new: Node = access
        while isinstance(new, Access):
            found = _place(new, ctx) if access in written else locate(new)
            if found is None:
                break
            new = found
        return None if new is access else new

    if not any(map(_is_bound, stmt.every(Access))):
        return stmt
    written = {node.target for node in stmt.every(Assign)}
    return rewrite(stmt, visit)


def _is_bound(access: Access) -> bool:
    """Whether an access's first index is known, other accesses in it included."""
    return bool(access.indices) and is_known(access.indices[0])


def _named(index: Expr, ctx: Context) -> Expr:
    """An index, with a name where finding it takes a load or an operation."""
    if isinstance(index, Modifier):
        return index.rebuild(lambda part: _named(part, ctx) if part is index.arg else part)
    return ctx.let("at", index) if isinstance(index, Load | Cast | Call) else index


def _place(target: Access, ctx: Context) -> Node | None:
    """The place of a target whose first index is known; None where it is not."""
    if not isinstance(target.obj, Fiber) or not _is_bound(target):
        return None
    checked = _checked(target, ctx)
    if checked is not None:
        return checked
    fiber, index = target.obj, _named(target.indices[0], ctx)
    while isinstance(index, Modifier):
        index = index.arg
    child = fiber.level.writing.place(fiber, (), index, index + 1, ctx)
    return Access(target.dtype, child, target.indices[1:])


def _checked(access: Access, ctx: Context) -> Access | None:
    """An access whose first index must be within, as a choice between inside and outside."""
    before = out_of_bounds_read(access.indices[0])
    if before is not None:
        same = Outside(access.dtype, before.site, before.index, before.dim)
        return Access(access.dtype, same, ())
    index = _named(access.indices[0], ctx)
    protocols: list[str] = []
    while isinstance(index, Protocol):
        protocols.append(index.name)
        index = index.arg
    if not isinstance(index, Within):
        return None
    inner = index.arg
    for name in reversed(protocols):
        inner = Protocol(inner, name)
    inside = Access(access.dtype, access.obj, (inner, *access.indices[1:]))
    if ctx.proves(both(*_range(index))):
        return inside
    outside = Outside(access.dtype, index.site, index.arg, index.dim)
    cases = (
        Case(both(*_range(index)), inside),
        Case(TRUE, Access(access.dtype, outside, ())),
    )
    return Access(access.dtype, Switch(cases), ())


def _range(index: Within) -> tuple[Expr, Expr]:
    """The conditions that an index is neither below its range nor beyond it."""
    return le(0, index.arg), lt(index.arg, index.dim)
