"""Strided: a mode of an all-dense tensor, read or written in any order of its modes."""

from __future__ import annotations

from typing import ClassVar

from structarr.cin import Expr, Fiber, Node
from structarr.formats.base import Level
from structarr.formats.reading import Reading
from structarr.formats.writing import InPlace
from structarr.looplets import Context, Lookup, Looplet, function


class StridedReading(Reading):
    """Each child by its index."""

    def locate(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A lookup."""
        return Lookup(function("i", lambda i: _child(fiber, i)))


class StridedWriting(InPlace):
    """Each child at its index."""

    def place(
        self, fiber: Fiber, region: tuple[Expr, ...], lo: Expr, hi: Expr, ctx: Context
    ) -> Node:
        """The child at the index."""
        return _child(fiber, lo)


class Strided(Level):
    """The child at index i is `i * stride` further on."""

    stride: Expr
    arithmetic: ClassVar[bool] = True
    reading = StridedReading()
    writing = StridedWriting()


def _child(fiber: Fiber, index: Expr) -> Fiber:
    return fiber.child(fiber.pos + index * fiber.level.stride)
