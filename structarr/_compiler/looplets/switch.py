"""Switch: the first of several whose condition holds; also over values, not only sequences."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from structarr._compiler.context import Context
from structarr._compiler.ir.cin import Stmt
from structarr._compiler.ir.conditions import FALSE, TRUE, Not
from structarr._compiler.ir.expr import Expr
from structarr._compiler.ir.kernel import Line
from structarr._compiler.ir.node import Node
from structarr._compiler.looplets.affine import Affine
from structarr._compiler.looplets.base import Looplet, opened, standing


class Case(Node):
    """
    Case of a switch: `body`, where `cond` holds.

    Parameters
    ----------
    cond : Expr
        The condition, which a kernel tests.
    body : Node
        A looplet, a value or a fiber.

    See Also
    --------
    Switch : The cases together.

    Examples
    --------
    >>> from structarr.cin import INDEX, Lit, TRUE
    >>> Case(TRUE, Lit(INDEX, 1)).body
    Lit('int64', 1, False)
    """

    cond: Expr
    body: Node


class Switch(Looplet):
    """
    Looplet that is the body of the first case whose condition holds.

    Parameters
    ----------
    cases : tuple of Case
        The cases in order; the condition of the last one must be `TRUE`.

    See Also
    --------
    Case : One of them.

    Examples
    --------
    >>> from structarr.cin import INDEX, Lit, TRUE, Var, lt
    >>> from structarr.looplets import Run
    >>> n, one, two = Var(INDEX, "n"), Run(Lit(INDEX, 1)), Run(Lit(INDEX, 2))
    >>> len(Switch((Case(lt(n, 5), one), Case(TRUE, two))).cases)
    2
    """

    cases: tuple[Case, ...]
    priority: ClassVar[int] = 100
    immediate: ClassVar[bool] = True

    def truncate(self, ctx: Context, old_hi: Expr, hi: Expr) -> Looplet:
        """Truncate every case."""
        return self._each(lambda body: body.truncate(ctx, old_hi, hi))

    @property
    def reversible(self) -> bool:
        """Whether every case is."""
        bodies = [case.body for case in self.cases if isinstance(case.body, Looplet)]
        return all(body.reversible for body in bodies)

    def reindexed(self, by: Affine, end: Expr, ctx: Context) -> Looplet:
        """Reindex every case; conditions do not depend on indices."""
        return self._each(lambda body: body.reindexed(by, end, ctx))

    def at(self, index: Expr) -> Node:
        """The switch of the cases' values at an index."""
        return self._each(lambda body: body.at(index))

    def _each(self, change: Callable[[Looplet], Node]) -> Looplet:
        return Switch(
            tuple(
                Case(case.cond, change(case.body) if isinstance(case.body, Looplet) else case.body)
                for case in self.cases
            )
        )

    @classmethod
    def lower_stmt(cls, stmt: Stmt, ctx: Context) -> None:
        """Lower the statement once for each case of the first switch in it."""
        switch = next(node.obj for node in standing(stmt) if isinstance(node.obj, Switch))
        switch.split(stmt, ctx)

    def split(self, stmt: Stmt, ctx: Context) -> None:
        """Emit if/elif/else over the cases, each with the statement specialised to it."""
        arms: list[tuple[Expr, list[Line]]] = []
        negated: list[Expr] = []
        for case in self.cases:
            cond = ctx.facts.decide(case.cond)
            if cond is FALSE:
                continue
            with ctx.block(cond, *negated) as lines:
                if not ctx.facts.contradictory:
                    chosen: dict[Node, Node] = {self: case.body}
                    ctx.lower(opened(stmt, chosen.get))
            arms.append((cond, lines))
            if cond is TRUE:
                break
            negated.append(Not(cond))
        ctx.branch(arms)
