"""Let and Simplify: a value named before its use, and a mark that asks for a simplification."""

from __future__ import annotations

from typing import ClassVar

from structarr._compiler.context import Context
from structarr._compiler.ir.cin import Stmt
from structarr._compiler.ir.expr import Expr
from structarr._compiler.ir.node import Node, substitute
from structarr._compiler.ir.variables import Var
from structarr._compiler.looplets.affine import Affine
from structarr._compiler.looplets.base import Looplet, opened, standing


class Let(Looplet):
    """`body`, in which `var` is `value`."""

    var: Var
    value: Expr
    body: Node
    priority: ClassVar[int] = 110
    immediate: ClassVar[bool] = True

    @classmethod
    def lower_stmt(cls, stmt: Stmt, ctx: Context) -> None:
        """Name the value, then go on with the body."""
        first = next(node.obj for node in standing(stmt) if isinstance(node.obj, Let))
        named = ctx.let(first.var.name, first.value)
        body = substitute(first.body, {first.var: named})
        ctx.lower(opened(stmt, lambda obj: body if obj is first else None))


class Simplify(Looplet):
    """`body`, but the program is simplified before it is looked at: every lowering starts so."""

    body: Node
    priority: ClassVar[int] = 120
    immediate: ClassVar[bool] = True

    def truncate(self, ctx: Context, old_hi: Expr, hi: Expr) -> Looplet:
        """Truncate what is inside."""
        return Simplify(self.body.truncate(ctx, old_hi, hi))  # type: ignore[attr-defined]

    def reindexed(self, by: Affine, end: Expr, ctx: Context) -> Looplet:
        """Reindex the body."""
        return Simplify(self.body.reindexed(by, end, ctx))  # type: ignore[attr-defined]

    @classmethod
    def lower_stmt(cls, stmt: Stmt, ctx: Context) -> None:
        """Drop the marks: `ctx.lower` simplifies first."""
        ctx.lower(opened(stmt, lambda obj: obj.body if isinstance(obj, Simplify) else None))
