"""Bounds checks: uses of values that are read out of bounds, and the errors for them."""

from __future__ import annotations

from structarr._compiler.context import Context
from structarr._compiler.ir.cin import Access, Assign, Sieve, Stmt
from structarr._compiler.ir.expr import INDEX, Call, Expr, Helper, Lit
from structarr._compiler.ir.kernel import Do
from structarr._compiler.ir.missing import Outside
from structarr._compiler.ir.node import Node


def out_of_bounds_use(stmt: Stmt) -> Outside | None:
    """The out-of-bounds value that a statement would use, if any."""
    match stmt:
        case Assign(target, _, value):
            return target.obj if isinstance(target.obj, Outside) else out_of_bounds_read(value)
        case Sieve(cond):
            return out_of_bounds_read(cond)
    return None


def out_of_bounds_read(value: Node) -> Outside | None:
    """The out-of-bounds value in an expression, if any; undecided accesses are left aside."""
    if isinstance(value, Outside):
        return value
    if isinstance(value, Access) or not value.has(Outside):
        return None
    return next((found for part in value.parts() if (found := out_of_bounds_read(part))), None)


_CHOICES = ("where", "logical_and", "logical_or")


def out_of_bounds_choice(stmt: Stmt) -> Call | None:
    """A choice in what a statement itself reads, one side of which would be out of bounds.

    What the body of a sieve reads is not asked for before the body's loops stand.
    """
    own = stmt.cond if isinstance(stmt, Sieve) else stmt
    for node in own.nodes():
        if isinstance(node, Call) and node.op.name in _CHOICES:
            cond, *sides = node.args
            if out_of_bounds_read(cond) is None and any(out_of_bounds_read(side) for side in sides):
                return node
    return None


def reads_array(expr: Expr) -> bool:
    """Whether an expression reads an array."""
    return expr.has(Access)


def emit_bounds_error(outside: Outside, ctx: Context) -> None:
    """Emit the error of an out-of-bounds read."""
    site = Lit(INDEX, outside.site)
    ctx.emit(Do(Helper(INDEX, "out_of_bounds", (site, outside.index, outside.dim))))
