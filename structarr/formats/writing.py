"""Writing: the part of a level that stores a result, fiber by fiber.

A fiber is opened, each element is placed, written and committed, and the fiber is closed. What
passes ask beforehand are capabilities: each class says its own, and none can contradict another.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from structarr.cin import INDEX, Expr, Fiber, For, Line, Lit, Node, Set, Store
from structarr.looplets import Accept, Context, Looplet


class Writing:
    """
    Part of a level that stores the fibers of a result. Formats take one of its subclasses.

    A part has no state: the fiber knows its level and the buffers. The class attributes are what
    kernels and other levels may rely on; those that contradict each other are refused.

    See Also
    --------
    InPlace : Children that have places of their own.
    Appending : Children that follow one another.
    Reading : The part that describes a fiber.

    Examples
    --------
    >>> from structarr.formats import Dense, RunList, SparseList
    >>> [type(level()).writing.accepts_runs for level in (Dense, SparseList, RunList)]
    [False, False, True]
    """

    writable: ClassVar[bool] = True
    appends: ClassVar[bool] = False  # is written in order, each fiber once
    ascends: ClassVar[bool] = False  # if it appends: by indices that rise within a fiber
    ends: ClassVar[str] = ""  # if it appends: the buffer that says where each fiber ends
    # The counts that a kernel keeps: children, "n", first; last, if it appends, the one that grows
    # with every append to a fiber, by which a list above tells whether to keep the fiber.
    counters: ClassVar[tuple[str, ...]] = ()
    estimated: ClassVar[bool] = False  # room for what it counts, so that kernels check it
    regions: ClassVar[bool] = False  # is told each region before the elements in it
    accepts_runs: ClassVar[bool] = False
    drops_fill: ClassVar[bool] = True  # elements that are not written read as the fill
    optional_children: ClassVar[bool] = False  # a child that is not written does not exist
    prefills: ClassVar[bool] = False  # leaves children unwritten: they must hold the fill

    def __init_subclass__(cls) -> None:
        counted = bool(cls.ends and cls.counters)
        clauses = {
            "a level that appends has `ends` and `counters`": counted or not cls.appends,
            "`ends` and `ascends` are of levels that append": cls.appends
            or not (cls.ends or cls.ascends),
            "without `drops_fill` no child is left unwritten": cls.drops_fill
            or not (cls.prefills or cls.optional_children),
            "`regions` are opened by `open_region`": hasattr(cls, "open_region") or not cls.regions,
            "a child that does not exist is not prefilled": not (
                cls.prefills and cls.optional_children
            ),
        }
        broken = [clause for clause, holds in clauses.items() if not holds]
        if broken:
            raise TypeError(f"{cls.__name__}: {'; '.join(broken)}")

    def accept(self, fiber: Fiber, ctx: Context) -> Looplet:
        """The looplet of a fiber that is written."""
        return Accept(fiber)

    def locals(self, fiber: Fiber) -> tuple[Set, ...]:
        """Variables that a kernel that writes this level begins with."""
        return ()

    def open(self, fiber: Fiber, ctx: Context) -> None:
        """Begin to write a fiber."""

    def place(
        self, fiber: Fiber, region: tuple[Expr, ...], lo: Expr, hi: Expr, ctx: Context
    ) -> Node:
        """
        Return the place of the value for ``[lo, hi)``: a child, or a variable that `commit` reads.

        Parameters
        ----------
        fiber : Fiber
            The fiber that is written.
        region : tuple of Expr
            What `open_region` returned; empty for levels without regions.
        lo, hi : Expr
            The indices of the value: one, or a run if the level accepts runs.
        ctx : Context
            Where to emit lines.
        """
        raise NotImplementedError

    def commit(
        self, fiber: Fiber, lo: Expr, hi: Expr, child: Node, wrote: bool, ctx: Context
    ) -> None:
        """
        Record what was written at the place for ``[lo, hi)``.

        Parameters
        ----------
        fiber : Fiber
            The fiber that is written.
        lo, hi : Expr
            The indices of the value.
        child : Node
            What `place` returned.
        wrote : bool
            Whether anything was written there.
        ctx : Context
            Where to emit lines.
        """

    def close(self, fiber: Fiber, ctx: Context) -> None:
        """End the fiber."""

    def finish(self, fiber: Fiber, fibers: Expr, skipped: bool) -> tuple[Line, ...]:
        """Lines at the kernel's end, of all `fibers`; some of them may never have been opened."""
        return ()

    def block(self, fiber: Fiber) -> Expr:
        """The number of children of one fiber, in a kernel, of a level that does not append."""
        return fiber.dim

    def total(self, fiber: Fiber, fibers: Expr) -> Expr:
        """The number of children of all `fibers`, in a kernel."""
        return fibers * self.block(fiber)


class ReadOnly(Writing):
    """
    Writing of levels that no kernel writes: results are stored in another format.

    See Also
    --------
    Writing : All of its kinds.

    Examples
    --------
    >>> from structarr.formats import Range
    >>> Range().writing.writable
    False
    """

    writable: ClassVar[bool] = False


class InPlace(Writing):
    """
    Writing of a level whose children have places of their own, which hold the fill at first.

    See Also
    --------
    Placed : The place follows from the index at once.
    Appending : Children that follow one another.

    Examples
    --------
    >>> from structarr.formats import Bitmap, InPlace
    >>> isinstance(Bitmap().writing, InPlace), Bitmap().writing.prefills
    (True, True)
    """

    prefills: ClassVar[bool] = True


class Placed(InPlace):
    """
    Writing of a level whose child at any index is found at once.

    Parameters
    ----------
    child : callable
        Given a fiber and an index, returns the child there.

    See Also
    --------
    Located : Reading of such a level.

    Examples
    --------
    >>> from structarr.formats import Placed
    >>> dense = Placed(lambda fiber, i: fiber.child(fiber.pos * fiber.dim + i))
    >>> dense.appends
    False
    """

    def __init__(self, child: Callable[[Fiber, Expr], Node]) -> None:
        self.child = child

    def place(
        self, fiber: Fiber, region: tuple[Expr, ...], lo: Expr, hi: Expr, ctx: Context
    ) -> Node:
        """The child at the index."""
        return self.child(fiber, lo)


class Alone(InPlace):
    """
    Writing of a level that has one child a fiber.

    See Also
    --------
    InPlace : Any number of children.

    Examples
    --------
    >>> from structarr.formats import Alone, SparsePoint
    >>> isinstance(SparsePoint().writing, Alone)
    True
    """

    def block(self, fiber: Fiber) -> Expr:
        """One."""
        return Lit(INDEX, 1)


class Gathering(Writing):
    """Writing of the temporary of a `where`: a level that is read, and made anew, in one kernel."""

    def begin(self, fiber: Fiber, ctx: Context) -> None:
        """Make ready for a producer."""

    def freeze(self, fiber: Fiber, ctx: Context) -> None:
        """Make ready for the consumer."""

    def clear(self, fiber: Fiber, ctx: Context) -> None:
        """Leave it as it was found."""


class Touching(Gathering):
    """Writing of a row that lists what is touched, so that clearing it costs what was written."""

    counters: ClassVar[tuple[str, ...]] = ("n",)

    def clear(self, fiber: Fiber, ctx: Context) -> None:
        """Mark all touched indices as untouched."""
        count, at = ctx.counter(fiber), ctx.fresh(f"{fiber.tensor.name.lower()}_t")
        ctx.emit(For(at, Lit(INDEX, 0), count, (self.untouch(fiber, at),)))
        ctx.set(count, Lit(INDEX, 0))

    def untouch(self, fiber: Fiber, at: Expr) -> Line:
        """Mark the touched index of a number as untouched."""
        raise NotImplementedError


class LeafWriting(Writing):
    """
    Writing of a leaf, which has a value at each position instead of fibers.

    See Also
    --------
    LeafReading : The part that reads values.

    Examples
    --------
    >>> from structarr.formats import Element, LeafWriting
    >>> isinstance(Element().writing, LeafWriting)
    True
    """

    def write(self, fiber: Fiber, value: Expr, ctx: Context) -> None:
        """Record an element, by the records of the levels above."""
        for line in fiber.env:
            ctx.emit(line)  # type: ignore[arg-type]


class Marking(LeafWriting):
    """Writing of a leaf without values."""


class Storing(LeafWriting):
    """Writing of a leaf with a value at each position."""

    def write(self, fiber: Fiber, value: Expr, ctx: Context) -> None:
        """Store a value, with the records of the levels above."""
        ctx.emit(Store(fiber.buffer("val"), fiber.pos, value))
        super().write(fiber, value, ctx)
