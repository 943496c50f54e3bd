"""Bytemap: a row that is scattered once and then looked up, the temporary of a `where`."""

from __future__ import annotations

from typing import ClassVar

from structarr.cin import TRUE, Expr, Fiber, Helper, Line, Lit, Node, Set, Store
from structarr.formats.reading import Reading
from structarr.formats.workspace import Workspace, WorkspaceWriting
from structarr.formats.writing import Writing
from structarr.looplets import Case, Context, Lookup, Looplet, Switch, function


class BytemapReading(Reading):
    """A switch by whether anything is stored."""

    protocols: ClassVar[tuple[str, ...]] = ("locate",)

    def walk(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A lookup: the operand lists all touched indices, too."""
        return self.locate(fiber, ctx)

    def locate(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A lookup of a switch by whether anything is stored."""

        def find(i: Expr) -> Node:
            return Switch((Case(self.there(fiber, i), fiber.child(i)), Case(TRUE, fiber.fill)))

        return Lookup(function("i", find))

    def there(self, fiber: Fiber, i: Expr) -> Expr:
        """Whether anything is stored at an index."""
        mask: Expr = fiber.buffer("mask")[i]
        return Helper("bool", "rarely", (mask,)) if fiber.level.rare else mask


class BytemapWriting(WorkspaceWriting):
    """Children in order, each marked and listed."""

    optional_children: ClassVar[bool] = True

    def place(
        self, fiber: Fiber, region: tuple[Expr, ...], lo: Expr, hi: Expr, ctx: Context
    ) -> Node:
        """The child at the index, which is marked and listed when it is stored."""
        count = ctx.counter(fiber)
        listed = (Store(fiber.buffer("idx"), count, lo), Set(count, count + 1))
        return fiber.child(lo, (*self.marks(fiber, lo), *listed))

    def marks(self, fiber: Fiber, i: Expr) -> tuple[Line, ...]:
        """Lines that mark an index as stored, beside its value."""
        return (Store(fiber.buffer("mask"), i, Lit("bool", True)),)

    def freeze(self, fiber: Fiber, ctx: Context) -> None:
        """Nothing: a bytemap is not walked in order."""


class Bytemap(Workspace):
    """One fiber, written in order by one producer: no index comes twice, and none is walked.

    Its zero case is known when it is compiled, so that it annihilates as what was scattered does.
    Where it is rare that something is stored, a branch on that spares reading what it guards.
    """

    rare: bool = False
    kind: ClassVar[str] = "bitmap"
    reading: ClassVar[Reading] = BytemapReading()
    writing: ClassVar[Writing] = BytemapWriting()
