"""Reading: the part of a level that describes a fiber, by each protocol, as a looplet."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from structarr.cin import TRUE, Expr, Fiber, Node
from structarr.looplets import Case, Context, Lookup, Looplet, Switch, function


class Reading:
    """The looplets of a fiber. A part has no state: the fiber knows its level and the buffers."""

    # The methods by which a fiber can be read; a format from outside may have more.
    protocols: ClassVar[tuple[str, ...]] = ("walk", "gallop", "locate")

    def unfurl(self, fiber: Fiber, protocol: str, ctx: Context) -> Looplet:
        """The looplets of a fiber by a protocol, or by walking if the level lacks it."""
        name = protocol if protocol in self.protocols else "walk"
        reader: Callable[[Fiber, Context], Looplet] = getattr(self, name)
        return reader(fiber, ctx)

    def walk(self, fiber: Fiber, ctx: Context) -> Looplet:
        """Read in order."""
        return self.locate(fiber, ctx)

    def gallop(self, fiber: Fiber, ctx: Context) -> Looplet:
        """Read in order, as a leader; formats that cannot skip walk."""
        return self.walk(fiber, ctx)

    def locate(self, fiber: Fiber, ctx: Context) -> Looplet:
        """Read at random: a looplet that has `at`."""
        name = type(fiber.level).__name__
        raise NotImplementedError(f"level {name} is not read: give it a `reading` with `locate`")


class Unread(Reading):
    """Reading of levels that say of themselves how they are read, or are not read by kernels."""


class Located(Reading):
    """Reading of a level whose child at any index is found at once."""

    def __init__(self, child: Callable[[Fiber, Expr], Node]) -> None:
        self.child = child

    def locate(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A lookup."""
        return Lookup(function("i", lambda i: self.child(fiber, i)))


class LeafReading(Reading):
    """Reading of a leaf, which has a value at each position instead of fibers."""

    def read(self, fiber: Fiber) -> Expr:
        """The value at the fiber's position."""
        raise NotImplementedError


def stored_if(there: Expr, child: Fiber) -> Node:
    """A child where a condition holds, and the fill elsewhere."""
    return Switch((Case(there, child), Case(TRUE, child.fill)))
