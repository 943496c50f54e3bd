"""Reading: the part of a level that describes a fiber, by each protocol, as a looplet."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from structarr.cin import TRUE, Expr, Fiber, Node
from structarr.looplets import Case, Context, Lookup, Looplet, Switch, function


class Reading:
    """
    Part of a level that describes a fiber to a kernel, as a looplet for each protocol.

    A part has no state: the fiber knows its level and the buffers. A format implements `locate`,
    and `walk` and `gallop` where reading in order takes less time than looking up each index.

    See Also
    --------
    Located : Levels whose child at any index is found at once.
    Writing : The part that stores a fiber.
    structarr.protocols : What the protocols mean.

    Examples
    --------
    >>> from structarr.formats import Dense, SparseList
    >>> SparseList().reading.protocols
    ('walk', 'gallop', 'locate')
    >>> type(Dense().reading).__name__
    'Located'
    """

    # The methods by which a fiber can be read; a format from outside may have more.
    protocols: ClassVar[tuple[str, ...]] = ("walk", "gallop", "locate")

    def unfurl(self, fiber: Fiber, protocol: str, ctx: Context) -> Looplet:
        """
        Return the looplets of a fiber by a protocol, or by walking if the level lacks it.

        Parameters
        ----------
        fiber : Fiber
            The fiber that is read.
        protocol : str
            The name of a protocol, such as "gallop".
        ctx : Context
            Where to emit lines that the looplets rely on.
        """
        name = protocol if protocol in self.protocols else "walk"
        reader: Callable[[Fiber, Context], Looplet] = getattr(self, name)
        return reader(fiber, ctx)

    def walk(self, fiber: Fiber, ctx: Context) -> Looplet:
        """
        Return the looplets of a fiber that is read in order; those of `locate` by default.

        Parameters
        ----------
        fiber : Fiber
            The fiber that is read.
        ctx : Context
            Where to emit lines that the looplets rely on.
        """
        return self.locate(fiber, ctx)

    def gallop(self, fiber: Fiber, ctx: Context) -> Looplet:
        """
        Return the looplets of a fiber that leads, read in order; those of `walk` by default.

        Parameters
        ----------
        fiber : Fiber
            The fiber that is read.
        ctx : Context
            Where to emit lines that the looplets rely on.
        """
        return self.walk(fiber, ctx)

    def locate(self, fiber: Fiber, ctx: Context) -> Looplet:
        """
        Return a looplet with a method `at`, by which a fiber is read at random.

        Parameters
        ----------
        fiber : Fiber
            The fiber that is read.
        ctx : Context
            Where to emit lines that the looplets rely on.
        """
        name = type(fiber.level).__name__
        raise NotImplementedError(f"level {name} is not read: give it a `reading` with `locate`")


class Unread(Reading):
    """Reading of levels that say of themselves how they are read, or are not read by kernels."""


class Located(Reading):
    """
    Reading of a level whose child at any index is found at once.

    Parameters
    ----------
    child : callable
        Given a fiber and an index, returns the child there: a fiber, or a looplet of the choice.

    See Also
    --------
    Placed : Writing of such a level.

    Examples
    --------
    >>> from structarr.formats import Located
    >>> dense = Located(lambda fiber, i: fiber.child(fiber.pos * fiber.dim + i))
    >>> dense.protocols
    ('walk', 'gallop', 'locate')
    """

    def __init__(self, child: Callable[[Fiber, Expr], Node]) -> None:
        self.child = child

    def locate(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A lookup."""
        return Lookup(function("i", lambda i: self.child(fiber, i)))


class LeafReading(Reading):
    """
    Reading of a leaf, which has a value at each position instead of fibers.

    See Also
    --------
    LeafWriting : The part that stores values.

    Examples
    --------
    >>> from structarr.formats import Element, LeafReading
    >>> isinstance(Element().reading, LeafReading)
    True
    """

    def read(self, fiber: Fiber) -> Expr:
        """The value at the fiber's position."""
        raise NotImplementedError


def stored_if(there: Expr, child: Fiber) -> Node:
    """A child where a condition holds, and the fill elsewhere."""
    return Switch((Case(there, child), Case(TRUE, child.fill)))
