"""Levels and formats: the interface of every level, and trees of levels with the order of axes.

A level is a specification, equal by value; the tensor holds the buffers. Each protocol of reading
is a method from a fiber to a looplet. Writing goes through `open`, `place`, `commit` and `close`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from structarr._support.renamed import adopt, read
from structarr.cin import INDEX, Do, Expr, Fiber, Helper, Line, Node, Set, Store
from structarr.formats.entries import Caller, Rows, Written
from structarr.formats.host_side import HostSide
from structarr.formats.sizes import Measures, Placement
from structarr.looplets import Accept, Context, Looplet

RENAMED = {
    "word": "kind",
    "alike": "uniform",
    "omits": "optional_children",
    "raw": "uninitialized",
    "tallies": "counters",
    "exact": "stores_nonfill_only",
    "demands": "is_partial",
    "spans": "starts_group",
    "joins": "continues_group",
    "apart": "slicing",
}
"""Former names of a level's class attributes, which formats from outside may still use."""


class Level(HostSide, Node):
    """One mode of a tensor. Subclasses are formats; instances say what lies below."""

    child: Level
    uniform: ClassVar[bool] = False  # a leaf whose value is the same at every position
    kind: ClassVar[str] = "dense"  # in the structure algebra
    # The methods by which a fiber can be read; a format from outside may have more.
    protocols: ClassVar[tuple[str, ...]] = ("walk", "gallop", "locate")
    appends: ClassVar[bool] = False  # is written in order, each fiber once
    ascends: ClassVar[bool] = False  # if it appends: by indices that rise within a fiber
    drops_fill: ClassVar[bool] = True  # elements that are not written read as the fill
    accepts_runs: ClassVar[bool] = False
    regions: ClassVar[bool] = False  # is told each region before the elements in it
    ends: ClassVar[str] = ""  # if it appends: the buffer that says where each fiber ends
    optional_children: ClassVar[bool] = False  # a child that is not written does not exist
    prefills: ClassVar[bool] = False  # leaves children unwritten: they must hold the fill
    # The counts that a kernel keeps as it writes: children, "n", first; last, the one that grows
    # with every append to a fiber, by which a list above tells whether to keep the fiber.
    counters: ClassVar[tuple[str, ...]] = ()
    stores_nonfill_only: ClassVar[bool] = False  # elements that equal the fill need not be stored
    leafy: ClassVar[bool] = False  # stands directly above the leaf
    below: ClassVar[tuple[str, ...]] = ()  # the classes it must stand directly below one of
    at_depth: ClassVar[int | None] = None  # how many levels must be above, if that matters
    arithmetic: ClassVar[bool] = False  # every child is there, in order, and found by arithmetic
    starts_group: ClassVar[bool] = False  # its children are the elements of several modes
    continues_group: ClassVar[bool] = False  # a further mode of the level that starts the group
    writable: ClassVar[bool] = True
    is_rule: ClassVar[bool] = False  # has every element, told by the fiber's position and the index

    def __init_subclass__(cls) -> None:
        adopt(cls, RENAMED)

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            return read(self, name, RENAMED)

    @property
    def details(self) -> tuple[Any, ...]:
        """The fields besides the level below."""
        return tuple(getattr(self, field) for field in self._fields if field != "child")

    def above(self, child: Level) -> Level:
        """The same level above another child."""
        return self.replace(child=child)

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
        raise NotImplementedError

    def accept(self, fiber: Fiber, ctx: Context) -> Looplet:
        """The looplet of a fiber that is written."""
        return Accept(fiber)

    def locals(self, fiber: Fiber) -> tuple[Set, ...]:
        """Variables that a kernel that writes this level begins with."""
        return ()

    def open(self, fiber: Fiber, ctx: Context) -> None:
        """Begin to write a fiber."""

    def open_region(self, fiber: Fiber, lo: Expr, hi: Expr, ctx: Context) -> tuple[Expr, ...]:
        """Begin to write the region [lo, hi) of a fiber; return the facts that `place` takes."""
        return ()

    def place(
        self, fiber: Fiber, region: tuple[Expr, ...], lo: Expr, hi: Expr, ctx: Context
    ) -> Node:
        """The place of the value for [lo, hi): a child, or a variable that `commit` reads."""
        raise NotImplementedError

    def commit(
        self, fiber: Fiber, lo: Expr, hi: Expr, child: Node, wrote: bool, ctx: Context
    ) -> None:
        """Record what was written at the place for [lo, hi)."""

    def close_region(self, fiber: Fiber, lo: Expr, hi: Expr, ctx: Context) -> None:
        """End a region."""

    def close(self, fiber: Fiber, ctx: Context) -> None:
        """End the fiber, where the level appends: after the children so far."""
        if self.ends:
            ctx.emit(Store(fiber.buffer(self.ends), fiber.pos + 1, ctx.counter(fiber)))

    def finish(self, fiber: Fiber, fibers: Expr, skipped: bool) -> tuple[Line, ...]:
        """Lines at the kernel's end: of all `fibers`, those never opened end where they begin."""
        if not (skipped and self.appends):
            return ()
        return (Do(Helper(INDEX, "fill_forward", (fiber.buffer(self.ends), fibers))),)

    def block(self, fiber: Fiber) -> Expr:
        """The number of children of one fiber, in a kernel, of a level that does not append."""
        return fiber.dim

    def total(self, fiber: Fiber, fibers: Expr) -> Expr:
        """The number of children of all `fibers`, in a kernel."""
        return fibers * self.block(fiber)

    @property
    def mirrored(self) -> Level | None:
        """The level that holds the transpose of a matrix whose rows this level holds."""
        return None

    def concrete(self, entries: Written, dim: int) -> Level:
        """This level with its open fields decided by the entries to be stored."""
        return self

    def settled(self, rows: Rows, itemsize: int, call: Caller) -> Level | None:
        """As `concrete`, for a matrix of lists; None if only the entries themselves tell."""
        return None

    def variants(self, measures: Measures) -> Mapping[str, Level]:
        """Levels of this kind that `auto` tries for a measured array, by a suffix of the name."""
        return {"": self}

    def decided(self, at: Placement) -> Level:
        """As `concrete`, for a measured array."""
        return self


class Format(Node):
    """A tree of levels, the axis that each holds, and the dtype of coordinates and positions."""

    __slots__ = ("_dense", "_levels")

    root: Level
    order: tuple[int, ...]
    index: str = "int64"

    @property
    def levels(self) -> tuple[Level, ...]:
        """The levels from the outermost to the leaf; found once, as each call asks for them."""
        try:
            return self._levels  # type: ignore[attr-defined,no-any-return]
        except AttributeError:
            found = [self.root]
            while not found[-1].leaf:
                found.append(found[-1].child)
            object.__setattr__(self, "_levels", tuple(found))
            return tuple(found)

    @property
    def ndim(self) -> int:
        """The number of modes."""
        return len(self.order)

    def without(self, kept: Sequence[int], leaf: Level | None = None) -> Format:
        """The format of some of its modes, whose order names the axes of the whole."""
        root: Level = self.levels[-1] if leaf is None else leaf
        for depth in reversed(kept):
            root = self.levels[depth].above(root)
        return Format(root, tuple(self.order[depth] for depth in kept), self.index)

    @property
    def is_dense(self) -> bool:
        """Whether every element is stored, and found by arithmetic; found once, too."""
        try:
            return self._dense  # type: ignore[attr-defined,no-any-return]
        except AttributeError:
            dense = all(level.arithmetic for level in self.levels)
            object.__setattr__(self, "_dense", dense)
            return dense

    @property
    def is_constant(self) -> bool:
        """Whether one value stands everywhere."""
        root = self.root  # asked for each operand of each call
        while root.kind == "const":
            root = root.child
        return root.leaf and root is not self.root

    @property
    def drops_fill(self) -> bool:
        """Whether a value that equals the fill need not be written."""
        return all(level.drops_fill for level in self.levels)

    def covers(self, depth: int) -> bool:
        """Whether all that a fiber of a level stands for is to be written, fill too."""
        for level in self.levels[depth:]:
            if level.optional_children:
                return False
            if not level.drops_fill:
                return True
        return False
