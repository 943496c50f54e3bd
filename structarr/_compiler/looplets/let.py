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
    """
    Looplet in which a value has a name: `body`, where `var` is `value`.

    Parameters
    ----------
    var : Var
        The variable that stands for the value in the body.
    value : Expr
        The value, which a kernel computes once.
    body : Node
        A looplet, a value or a fiber.

    See Also
    --------
    Context.let : Names a value in the lines of a kernel.

    Examples
    --------
    >>> from structarr.cin import INDEX, Lit, Opaque
    >>> at = Opaque(INDEX, "at")
    >>> Let(at, Lit(INDEX, 3), at + 1).value
    Lit('int64', 3, False)
    """

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
    """
    Looplet that has the program simplified before `body` is looked at.

    Every lowering begins with one.

    Parameters
    ----------
    body : Node
        The looplet, value or fiber.

    See Also
    --------
    structarr.rules : Rules by which programs are simplified.

    Examples
    --------
    >>> from structarr.cin import INDEX, Lit
    >>> Simplify(Lit(INDEX, 1)).body
    Lit('int64', 1, False)
    """

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
