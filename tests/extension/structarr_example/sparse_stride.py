"""SparseStride: evenly spaced stored children, as decimated signals and dilated filters have."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from structarr.cin import (
    INDEX,
    TRUE,
    Expr,
    Fiber,
    Helper,
    If,
    Line,
    Lines,
    Lit,
    Node,
    Opaque,
    Set,
    Store,
    Var,
    both,
    eq,
    le,
    lt,
    maximum,
    minimum,
)
from structarr.errors import FormatError
from structarr.formats import Appending, Level, Reading, checks
from structarr.formats.appending import begin_child, keep_child
from structarr.formats.entries import Array, Entries, Fibers, Written, hulls_of, segments, wide
from structarr.formats.reading import stored_if
from structarr.looplets import (
    Context,
    Jumper,
    Let,
    Lookup,
    Looplet,
    Run,
    Spike,
    Stepper,
    function,
)
from structarr_example.comb import Comb


class SparseStrideReading(Reading):
    """Evenly spaced spikes, sought by a division."""

    protocols: ClassVar[tuple[str, ...]] = (*Reading.protocols, "comb")

    def walk(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A stepper of spikes, whose places are computed."""
        return self._steps(fiber, ctx, Stepper)

    def gallop(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A jumper: an index is sought by a division."""
        return self._steps(fiber, ctx, Jumper)

    def comb(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A comb, which visits its teeth and nothing between; a protocol of our own."""
        begin, end, first, step = self._known(fiber, ctx)
        tooth = function("k", lambda k: fiber.child(begin + k))
        return Comb(first, step, end - begin, tooth, fiber.fill, self._steps(fiber, ctx, Stepper))

    def _steps(self, fiber: Fiber, ctx: Context, kind: type[Stepper]) -> Stepper:
        begin, end, first, step = self._known(fiber, ctx)
        name = fiber.tensor.name.lower()
        cursor, at = ctx.fresh(f"{name}_q"), ctx.fresh(f"{name}_i")
        ctx.set(cursor, begin)

        def reach(i: Expr) -> Expr:
            steps = Helper(INDEX, "quotient", (i - first + step - 1, step))
            return minimum(maximum(begin + steps, cursor), end)

        return kind(
            cursor=cursor,
            end=end,
            loads=(Set(at, first + (cursor - begin) * step),),
            stop=at + 1,
            body=Spike(fiber.fill, fiber.child(cursor)),
            rest=Run(fiber.fill),
            seek=function("i", reach),
            clamp=function("i", reach),
            past=function("hi", lambda hi: Lines((Set(at, hi),))),
            first=Lit(INDEX, 0),
            last=fiber.dim,
            weight=fiber.tensor.weight,
        )

    def locate(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A division, and a test whether it leaves nothing."""
        begin, end, first, step = self._known(fiber, ctx)

        def find(i: Expr) -> Node:
            steps = Opaque(INDEX, "steps")
            here = both(le(0, steps), lt(begin + steps, end), eq(first + steps * step, i))
            found = stored_if(here, fiber.child(begin + steps))
            return Let(steps, Helper(INDEX, "quotient", (i - first, step)), found)

        return Lookup(function("i", find))

    def _known(self, fiber: Fiber, ctx: Context) -> tuple[Expr, Expr, Expr, Expr]:
        """The fiber's first child and past its last, the first one's index, and the step."""
        name, p = fiber.tensor.name.lower(), fiber.pos
        ptr, first, step = (fiber.buffer(one) for one in fiber.level.buffers)
        return (
            ctx.let(f"{name}_begin", ptr[p]),
            ctx.let(f"{name}_end", ptr[p + 1]),
            ctx.let(f"{name}_first", first[p]),
            ctx.let(f"{name}_step", step[p]),
        )


class SparseStrideWriting(Appending):
    """Children are appended; the first tells where they begin, the last the step."""

    optional_children: ClassVar[bool] = True

    def locals(self, fiber: Fiber) -> tuple[Set, ...]:
        """The index of the fiber's last child."""
        return (Set(self._last(fiber), Lit(INDEX, -1)),)

    def open(self, fiber: Fiber, ctx: Context) -> None:
        """The fiber has no child."""
        ctx.set(self._last(fiber), Lit(INDEX, -1))

    def place(
        self, fiber: Fiber, region: tuple[Expr, ...], lo: Expr, hi: Expr, ctx: Context
    ) -> Node:
        """The next free child."""
        count = ctx.counter(fiber)
        child = fiber.child(count)
        if child.level.leaf:
            return fiber.child(count, self._append(fiber, lo, ctx))
        begin_child(child, ctx)
        return child

    def commit(
        self, fiber: Fiber, lo: Expr, hi: Expr, child: Node, wrote: bool, ctx: Context
    ) -> None:
        """Keep the child if something was stored in it."""
        keep_child(child, self._append(fiber, lo, ctx), wrote, ctx)

    def _append(self, fiber: Fiber, index: Expr, ctx: Context) -> tuple[Line, ...]:
        count, last, p = ctx.counter(fiber), self._last(fiber), fiber.pos
        begin = Store(fiber.buffer("first"), p, index)
        go_on = Store(fiber.buffer("step"), p, index - last)
        record = If(((lt(last, 0), (begin,)), (TRUE, (go_on,))))
        return (record, Set(last, index), Set(count, count + 1))

    def _last(self, fiber: Fiber) -> Var:
        return fiber.variable("last")


class SparseStride(Level):
    """Fiber p stores the children `[ptr[p], ptr[p + 1])`.

    The first is at index `first[p]`, and each further one `step[p]` further on.
    """

    buffers: ClassVar[tuple[str, ...]] = ("ptr", "first", "step")
    kind: ClassVar[str] = "list"
    stores_nonfill_only: ClassVar[bool] = True
    is_partial: ClassVar[bool] = True
    reading = SparseStrideReading()
    writing = SparseStrideWriting()

    def misfits(self, entries: Written, dim: int) -> tuple[Array, str]:
        """Entries that are not as far from the one before as that is from the one before it."""
        fiber, at = entries.fiber, entries.coordinate
        third = fiber[2:] == fiber[:-2]
        uneven = at[2:] - at[1:-1] != at[1:-1] - at[:-2]
        return np.flatnonzero(third & uneven) + 2, "is not a step from the one before it"

    def sizes(self, fibers: int, dim: int, entries: int) -> tuple[int, ...]:
        """Three numbers a fiber, and one more."""
        return fibers + 1, fibers, fibers

    def blank(self, name: str, size: int, dtype: np.dtype[Any]) -> Array:
        """A fiber of one child has a step too: 1."""
        return np.full(size, 1 if name == "step" else 0, dtype)

    def used(self, fibers: int, dim: int, counts: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
        """As many children as were appended."""
        return self.sizes(fibers, dim, counts[0]), counts[0]

    def stored(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """Up to the last fiber's end."""
        return int(buffers[0][-1])

    def hulls(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> tuple[Array, Array]:
        """From the first child to the last."""
        ptr = wide(buffers)[0]
        every = np.arange(fibers)
        at = self.expand(Fibers(every, every, every, 1), dim, buffers).coordinate
        return hulls_of(ptr, at, at + 1)

    def expand(self, fibers: Fibers, dim: int, buffers: tuple[Array, ...]) -> Entries:
        """The evenly spaced indices."""
        ptr, first, step = wide(buffers)
        begin = ptr[fibers.position]
        fiber, place, child = segments(begin, ptr[fibers.position + 1] - begin)
        p = fibers.position[fiber]
        return Entries(fiber, first[p] + place * step[p], child)

    def validate(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
        """Steps lead forward, and neither the first nor the last index is out of range."""
        ptr, first, step = wide(buffers)
        count = checks.pointers(ptr, "ptr", fibers)
        checks.length(first, "first", fibers)
        checks.length(step, "step", fibers)
        checks.within(step, "step", 1, dim + 2)
        full = ptr[1:] > ptr[:-1]
        checks.within(first[full], "first", 0, dim)
        beyond = first + (np.diff(ptr) - 1) * step >= dim
        if (full & beyond).any():
            place = int(np.argmax(full & beyond))
            raise FormatError(f"buffer 'step': fiber {place} leads out of [0, {dim})")
        return count
