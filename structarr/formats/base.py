"""What a level is. A format's file holds only what is its own: its buffers, how it reads, writes.

A level is a specification, equal by value; the tensor holds the buffers. Reading is a method a
protocol, from a fiber to a looplet. Writing goes through `open`, `place`, `commit` and `close`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from structarr._compiler.context import Context
from structarr._compiler.ir.cin import Fiber
from structarr._compiler.ir.expr import INDEX, Expr, Helper
from structarr._compiler.ir.kernel import Do, Line, Set
from structarr._compiler.ir.node import Node
from structarr._compiler.looplets.base import Looplet

Array = np.ndarray[Any, np.dtype[Any]]


class Level(Node):
    """One mode of a tensor. Subclasses are formats; instances say what lies below."""

    child: Level
    buffers: ClassVar[tuple[str, ...]] = ()  # in the order in which a tensor keeps them
    leaf: ClassVar[bool] = False
    word: ClassVar[str] = "dense"  # in the structure algebra
    appends: ClassVar[bool] = False  # is written in order, each fiber once
    drops_fill: ClassVar[bool] = True  # what is not written reads as the fill
    accepts_runs: ClassVar[bool] = False
    regions: ClassVar[bool] = False  # wants to know the region before its elements
    ends: ClassVar[str] = ""  # if it appends: the buffer that says where each fiber ends
    omits: ClassVar[bool] = False  # a child that is not written does not exist
    prefills: ClassVar[bool] = False  # leaves children unwritten: they must hold the fill

    def unfurl(self, fiber: Fiber, protocol: str, ctx: Context) -> Looplet:
        """The looplets of a fiber by a protocol's name; "default" is the format's choice."""
        readers: dict[str, Callable[[Fiber, Context], Looplet]] = {
            "default": self.walk,
            "walk": self.walk,
            "gallop": self.gallop,
            "locate": self.locate,
        }
        if protocol not in readers:
            raise ValueError(
                f"unknown protocol {protocol!r} for {type(self).__name__}; "
                "there are walk, gallop and locate"
            )
        return readers[protocol](fiber, ctx)

    def walk(self, fiber: Fiber, ctx: Context) -> Looplet:
        """Read in order."""
        return self.locate(fiber, ctx)

    def gallop(self, fiber: Fiber, ctx: Context) -> Looplet:
        """Read in order, as a leader; formats that cannot skip walk."""
        return self.walk(fiber, ctx)

    def locate(self, fiber: Fiber, ctx: Context) -> Looplet:
        """Read at random: a looplet that has `at`."""
        raise NotImplementedError

    def locals(self, fiber: Fiber) -> tuple[Set, ...]:
        """Variables that a kernel that writes this level begins with."""
        return ()

    def open(self, fiber: Fiber, ctx: Context) -> None:
        """Begin to write a fiber."""

    def open_region(self, fiber: Fiber, lo: Expr, hi: Expr, ctx: Context) -> tuple[Expr, ...]:
        """Begin to write the region [lo, hi) of a fiber; return what `place` wants to know."""
        return ()

    def place(
        self, fiber: Fiber, region: tuple[Expr, ...], lo: Expr, hi: Expr, ctx: Context
    ) -> Node:
        """Where the value for [lo, hi) goes: a child, or a variable that `commit` reads."""
        raise NotImplementedError

    def commit(
        self, fiber: Fiber, lo: Expr, hi: Expr, child: Node, wrote: bool, ctx: Context
    ) -> None:
        """Record what was written at the place for [lo, hi)."""

    def close_region(self, fiber: Fiber, lo: Expr, hi: Expr, ctx: Context) -> None:
        """End a region."""

    def close(self, fiber: Fiber, ctx: Context) -> None:
        """End the fiber."""

    def finish(self, fiber: Fiber, fibers: Expr, skipped: bool) -> tuple[Line, ...]:
        """Lines at the kernel's end: of all `fibers`, those never opened end where they begin."""
        if not (skipped and self.appends):
            return ()
        return (Do(Helper(INDEX, "fill_forward", (fiber.buffer(self.ends), fibers))),)

    def sizes(self, fibers: int, dim: int, entries: int) -> tuple[int, ...]:
        """Lengths of the buffers for a number of fibers and an upper bound of stored children."""
        raise NotImplementedError

    def used(self, fibers: int, dim: int, count: int | None) -> tuple[tuple[int, ...], int]:
        """Lengths of the buffers once `count` children were written, and how many children."""
        raise NotImplementedError

    def stored(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """How many children the buffers hold."""
        raise NotImplementedError

    def hulls(self, buffers: tuple[Array, ...]) -> tuple[Array, Array]:
        """Where what is stored in each fiber begins and ends; asked of lists and bands."""
        raise NotImplementedError

    def validate(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """Check the buffers' invariants; return how many children there are.

        Raises
        ------
        FormatError
            With the buffer's name, the first offending place and what is wrong with it.
        """
        raise NotImplementedError


class Format(Node):
    """A tree of levels, the axis that each holds, and the dtype of coordinates and positions."""

    root: Level
    order: tuple[int, ...]
    index: str = "int64"

    @property
    def levels(self) -> tuple[Level, ...]:
        """The levels from the outermost to the leaf."""
        found = [self.root]
        while not found[-1].leaf:
            found.append(found[-1].child)
        return tuple(found)

    @property
    def ndim(self) -> int:
        """The number of modes."""
        return len(self.order)

    @property
    def is_dense(self) -> bool:
        """Whether every element is stored, and found by arithmetic."""
        return all(level.word == "dense" for level in self.levels)

    @property
    def drops_fill(self) -> bool:
        """Whether a value that equals the fill need not be written."""
        return all(level.drops_fill for level in self.levels)
