"""Strided: a mode of an all-dense tensor, read or written in any order of its modes."""

from __future__ import annotations

from typing import ClassVar

from structarr.cin import Expr, Fiber, Node
from structarr.formats.base import Level
from structarr.looplets import Context, Lookup, Looplet, function


class Strided(Level):
    """The child at index i is `i * stride` further on."""

    stride: Expr
    arithmetic: ClassVar[bool] = True

    def locate(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A lookup."""
        return Lookup(function("i", lambda i: fiber.child(fiber.pos + i * self.stride)))

    def place(
        self, fiber: Fiber, region: tuple[Expr, ...], lo: Expr, hi: Expr, ctx: Context
    ) -> Node:
        """The child at the index."""
        return fiber.child(fiber.pos + lo * self.stride)
