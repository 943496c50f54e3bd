"""Dense: every index has a child, found by arithmetic."""

from __future__ import annotations

from typing import ClassVar

from structarr._compiler.context import Context
from structarr._compiler.ir.cin import Fiber
from structarr._compiler.ir.expr import Expr
from structarr._compiler.ir.node import Node
from structarr._compiler.looplets.base import Looplet, function
from structarr._compiler.looplets.lookup import Lookup
from structarr.formats.base import Array, Level


class Dense(Level):
    """All children of all fibers, one after the other."""

    prefills: ClassVar[bool] = True

    def locate(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A lookup."""
        return Lookup(function("i", lambda i: fiber.child(_position(fiber, i))))

    def place(
        self, fiber: Fiber, region: tuple[Expr, ...], lo: Expr, hi: Expr, ctx: Context
    ) -> Node:
        """The child at the index."""
        return fiber.child(_position(fiber, lo))

    def sizes(self, fibers: int, dim: int, entries: int) -> tuple[int, ...]:
        """No buffers."""
        return ()

    def used(self, fibers: int, dim: int, count: int | None) -> tuple[tuple[int, ...], int]:
        """Every child is used."""
        return (), fibers * dim

    def stored(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """All."""
        return fibers * dim

    def validate(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """Nothing to check."""
        return fibers * dim


def _position(fiber: Fiber, index: Expr) -> Expr:
    return fiber.pos * fiber.dim + index
