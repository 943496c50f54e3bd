"""ScatteredRow: what the rows that are scattered once and then looked up have in common."""

from __future__ import annotations

from typing import ClassVar

from structarr.cin import Expr, Fiber, Line, Node, Set, Store
from structarr.formats.base import Level
from structarr.formats.kinds import BITMAP, Kind
from structarr.formats.reading import Reading, stored_if
from structarr.formats.writing import Touching
from structarr.looplets import Context, Lookup, Looplet, function


class ScatteredReading(Reading):
    """A switch by whether anything is stored; by walking too, as the operand lists the indices."""

    protocols: ClassVar[tuple[str, ...]] = ("locate",)

    def locate(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A lookup of a switch by whether anything is stored."""
        return Lookup(function("i", lambda i: stored_if(self.there(fiber, i), fiber.child(i))))

    def there(self, fiber: Fiber, i: Expr) -> Expr:
        """Whether anything is stored at an index."""
        raise NotImplementedError


class ScatteredWriting(Touching):
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
        raise NotImplementedError


class ScatteredRow(Level):
    """One fiber, written in order by one producer: no index comes twice, and none is walked.

    Its zero case is known when it is compiled, so that it annihilates as what was scattered does.
    """

    kind: ClassVar[Kind] = BITMAP
