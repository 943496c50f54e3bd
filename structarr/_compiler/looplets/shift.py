"""Shift: a looplet whose declared extents are moved."""

from __future__ import annotations

from typing import ClassVar

from structarr._compiler.context import Context
from structarr._compiler.ir.cin import Loop
from structarr._compiler.ir.expr import Expr
from structarr._compiler.ir.node import Node
from structarr._compiler.looplets.base import Looplet, exchange


class Shift(Looplet):
    """`body`, `delta` indices further on."""

    delta: Expr
    body: Looplet
    priority: ClassVar[int] = 90

    def truncate(self, ctx: Context, old_hi: Expr, hi: Expr) -> Looplet:
        """Truncate what is inside, in its own coordinates."""
        inner = self.body.truncate(ctx, old_hi - self.delta, hi - self.delta)
        return Shift(self.delta, inner)

    def shifted(self, delta: Expr) -> Looplet:
        """Two shifts are one."""
        return Shift(self.delta + delta, self.body)

    def at(self, index: Expr) -> Node:
        """`delta` earlier."""
        return self.body.at(index - self.delta)

    @classmethod
    def lower(cls, loop: Loop, ctx: Context) -> None:
        """No pass of its own: move the extents that the bodies declare."""
        ctx.lower(exchange(loop, lambda s: s.body.shifted(s.delta) if isinstance(s, Shift) else s))
