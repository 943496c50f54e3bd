"""Dense: every index has a child, found by arithmetic."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from structarr.cin import Expr, Fiber, Node
from structarr.formats.base import Level
from structarr.formats.entries import Array, Entries, Fibers
from structarr.formats.kinds import DENSE
from structarr.formats.sizes import Orders, Placement, Size, own_order
from structarr.looplets import Context, Lookup, Looplet, function


@DENSE.holds
class Dense(Level):
    """All children of all fibers, one after the other."""

    is_injective: ClassVar[bool] = True
    prefills: ClassVar[bool] = True
    orders: ClassVar[Orders] = staticmethod(own_order)
    arithmetic: ClassVar[bool] = True
    slicing: ClassVar[str] = "places"

    def locate(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A lookup."""
        return Lookup(function("i", lambda i: _child(fiber, i)))

    def place(
        self, fiber: Fiber, region: tuple[Expr, ...], lo: Expr, hi: Expr, ctx: Context
    ) -> Node:
        """The child at the index."""
        return _child(fiber, lo)

    def used(self, fibers: int, dim: int, counts: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
        """Every child is used."""
        return (), fibers * dim

    def stored(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """All."""
        return fibers * dim

    def size_at(self, at: Placement) -> Size:
        """Every child."""
        return self.size_of(at)

    def expand(self, fibers: Fibers, dim: int, buffers: tuple[Array, ...]) -> Entries:
        """Every index of every fiber."""
        fiber = np.repeat(np.arange(len(fibers.position)), dim)
        coordinate = np.tile(np.arange(dim), len(fibers.position))
        return Entries(fiber, coordinate, fibers.position[fiber] * dim + coordinate)


def _child(fiber: Fiber, index: Expr) -> Fiber:
    return fiber.child(fiber.pos * fiber.dim + index, path=(index, fiber.pos))
