"""Every: the elements at multiples of a number, of a kind of its own: up-sampled signals."""

from __future__ import annotations

from math import gcd, lcm
from typing import ClassVar

import numpy as np

from structarr.cin import (
    INDEX,
    TRUE,
    Expr,
    Fiber,
    Helper,
    Lines,
    Lit,
    Node,
    Opaque,
    Set,
    eq,
    floor_div,
    maximum,
    minimum,
)
from structarr.formats import InPlace, Kind, Level, ModeStructure, Reading, Repeat, Support
from structarr.formats.entries import Array, Entries, Fibers, Written, segments
from structarr.formats.kinds import DENSE, LIST
from structarr.looplets import (
    Case,
    Context,
    Jumper,
    Let,
    Lookup,
    Looplet,
    Run,
    Spike,
    Stepper,
    Switch,
    function,
)


def _joins(own: ModeStructure, other: ModeStructure) -> ModeStructure | None:
    """Multiples of both steps are multiples of their greatest common divisor."""
    if other.kind is not MULTIPLES:
        return None
    step = gcd(own.details[0], other.details[0])
    return ModeStructure(DENSE) if step == 1 else ModeStructure(MULTIPLES, (step,))


def _meets(own: ModeStructure, other: ModeStructure) -> ModeStructure | None:
    """What both have are multiples of both steps; of anything but single elements, all may be."""
    if other.kind is MULTIPLES:
        return ModeStructure(MULTIPLES, (lcm(own.details[0], other.details[0]),))
    return None if other.kind.support is Support.SINGLE else own


MULTIPLES = Kind(
    *("multiples", Support.SINGLE, Repeat.RUNS),
    plain=LIST,  # without the step
    joins=_joins,
    meets=_meets,
    direct=True,
    leaps=True,
    step=0.5,
    lookup=1.0,
    scatter=0.5,
)


class _Reading(Reading):
    def walk(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A stepper of spikes, whose places are computed."""
        return self._steps(fiber, ctx, Stepper)

    def gallop(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A jumper: an index is sought by a division."""
        return self._steps(fiber, ctx, Jumper)

    def _steps(self, fiber: Fiber, ctx: Context, kind: type[Stepper]) -> Stepper:
        name, step = fiber.tensor.name.lower(), fiber.level.step
        cursor, at = ctx.fresh(f"{name}_q"), ctx.fresh(f"{name}_i")
        count = _before(fiber.dim, step)
        begin = ctx.let(f"{name}_begin", fiber.pos * count)
        end = ctx.let(f"{name}_end", begin + count)
        ctx.set(cursor, begin)

        def reach(i: Expr) -> Expr:
            return minimum(maximum(begin + _before(i, step), cursor), end)

        return kind(
            cursor=cursor,
            end=end,
            loads=(Set(at, (cursor - begin) * step),),
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
        step = fiber.level.step
        begin = fiber.pos * _before(fiber.dim, step)

        def find(i: Expr) -> Node:
            times = Opaque(INDEX, "times")
            held = Case(eq(times * step, i), fiber.child(begin + times))
            found = Switch((held, Case(TRUE, fiber.fill)))
            return Let(times, Helper(INDEX, "quotient", (i, Lit(INDEX, step))), found)

        return Lookup(function("i", find))


class _Writing(InPlace):
    def place(
        self, fiber: Fiber, region: tuple[Expr, ...], lo: Expr, hi: Expr, ctx: Context
    ) -> Node:
        """The child of the multiple."""
        return fiber.child(fiber.pos * self.block(fiber) + floor_div(lo, fiber.level.step))

    def block(self, fiber: Fiber) -> Expr:
        """The multiples within the fiber."""
        return _before(fiber.dim, fiber.level.step)


def _before(i: Expr, step: int) -> Expr:
    """The number of multiples before an index."""
    return floor_div(i + (step - 1), step)


@MULTIPLES.holds
class Every(Level):
    """Child k of a fiber is element `k * step`; all other elements are the fill."""

    step: int = 2
    kind: ClassVar[Kind] = MULTIPLES
    is_injective: ClassVar[bool] = True
    is_partial: ClassVar[bool] = True
    reading = _Reading()
    writing = _Writing()

    def children(self, fibers: int, dim: int) -> int:
        """The multiples within all fibers."""
        return fibers * -(-dim // self.step)

    def misfits(self, entries: Written, dim: int) -> tuple[Array, str]:
        """Entries at other places."""
        beside = np.flatnonzero(entries.coordinate % self.step)
        return beside, f"is not at a multiple of {self.step}"

    def expand(self, fibers: Fibers, dim: int, buffers: tuple[Array, ...]) -> Entries:
        """The multiples."""
        count = -(-dim // self.step)
        begin = fibers.position * count
        fiber, place, child = segments(begin, np.full(len(begin), count))
        return Entries(fiber, place * self.step, child)
