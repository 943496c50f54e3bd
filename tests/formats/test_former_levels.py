"""Levels in the style of former versions, which have the methods of their parts, still work."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pytest

import structarr as sa
from structarr.cin import (
    INDEX,
    TRUE,
    Expr,
    Fiber,
    Helper,
    Line,
    Node,
    Set,
    Store,
    Var,
    both,
    eq,
    lt,
)
from structarr.formats import Dense, Level, SparseList
from structarr.formats.appending import begin_child, keep_child
from structarr.formats.entries import Array, Entries, Fibers, segments, wide
from structarr.formats.former import FORMER
from structarr.formats.writing import Writing
from structarr.looplets import Case, Context, Let, Lookup, Looplet, Switch, function

DATA = np.array([[0.0, 1.0, 2.0, 0.0], [0.0, 0.0, 0.0, 0.0], [3.0, 0.0, 0.0, 4.0]])

with pytest.warns(DeprecationWarning) as WARNED:

    class Sought(Level):
        """Fiber p owns `at[ptr[p]:ptr[p + 1]]`, and is searched at each index."""

        buffers: ClassVar[tuple[str, ...]] = ("ptr", "at")
        kind: ClassVar[str] = "list"
        appends: ClassVar[bool] = True
        ends: ClassVar[str] = "ptr"
        counters: ClassVar[tuple[str, ...]] = ("n",)
        optional_children: ClassVar[bool] = True
        stores_nonfill_only: ClassVar[bool] = True
        protocols: ClassVar[tuple[str, ...]] = (*Level.protocols, "seek")

        def locate(self, fiber: Fiber, ctx: Context) -> Looplet:
            ptr, at = fiber.buffer("ptr"), fiber.buffer("at")
            begin, end = ptr[fiber.pos], ptr[fiber.pos + 1]

            def find(i: Expr) -> Node:
                q = Var(INDEX, "?q")
                here = Case(both(lt(q, end), eq(at[q], i)), fiber.child(q))
                found = Switch((here, Case(TRUE, fiber.fill)))
                return Let(q, Helper(INDEX, "bisect", (at, i, begin, end)), found)

            return Lookup(function("i", find))

        def seek(self, fiber: Fiber, ctx: Context) -> Looplet:
            return self.walk(fiber, ctx)

        def open(self, fiber: Fiber, ctx: Context) -> None:
            super().open(fiber, ctx)

        def place(
            self, fiber: Fiber, region: tuple[Expr, ...], lo: Expr, hi: Expr, ctx: Context
        ) -> Node:
            count = ctx.counter(fiber)
            if fiber.level.child.leaf:
                return fiber.child(count, self._append(fiber, lo, ctx))
            begin_child(fiber.child(count), ctx)
            return fiber.child(count)

        def commit(
            self, fiber: Fiber, lo: Expr, hi: Expr, child: Node, wrote: bool, ctx: Context
        ) -> None:
            assert isinstance(child, Fiber)
            keep_child(child, self._append(fiber, lo, ctx), wrote, ctx)

        def _append(self, fiber: Fiber, index: Expr, ctx: Context) -> tuple[Line, ...]:
            count = ctx.counter(fiber)
            return (Store(fiber.buffer("at"), count, index), Set(count, count + 1))

        def sizes(self, fibers: int, dim: int, entries: int) -> tuple[int, ...]:
            return fibers + 1, entries + 1

        def used(
            self, fibers: int, dim: int, counts: tuple[int, ...]
        ) -> tuple[tuple[int, ...], int]:
            return (fibers + 1, counts[0]), counts[0]

        def stored(self, fibers: int, dim: int, buffers: tuple[Array, ...]) -> int:
            return len(buffers[1])

        def expand(self, fibers: Fibers, dim: int, buffers: tuple[Array, ...]) -> Entries:
            ptr, at = wide(buffers)
            begin = ptr[fibers.position]
            fiber, _, child = segments(begin, ptr[fibers.position + 1] - begin)
            return Entries(fiber, at[child], child)

    class Told(SparseList):
        """A list whose methods come after those of the class above."""

        def gallop(self, fiber: Fiber, ctx: Context) -> Looplet:
            return super().gallop(fiber, ctx)

        def place(self, fiber: Fiber, *args: Any) -> Node:
            return super().place(fiber, *args)

    class Again(Told):
        """The same once more."""

        def place(self, fiber: Fiber, *args: Any) -> Node:
            return super().place(fiber, *args)


@pytest.mark.parametrize("level", [Sought, Told, Again])
def test_a_level_with_methods_of_its_own_is_read_and_written(level: type[Level]) -> None:
    with sa.options(tier="interpreted"):
        for tree in (Dense(level()), level(level())):
            a = sa.asarray(DATA, format=tree)
            np.testing.assert_array_equal((a * 2 + a).asformat(tree).todense(), DATA * 3)
            np.testing.assert_array_equal(sa.sum(a * sa.asarray(DATA), axis=1), (DATA**2).sum(1))
            led = sa.protocols.gallop(a) * a
            np.testing.assert_array_equal(led.todense(), DATA**2)


def test_a_protocol_of_a_level_is_kept() -> None:
    with sa.options(tier="interpreted"):
        a = sa.asarray(DATA[0], format=Sought())
        assert sa.protocols.by(a, "seek").sum() == 3


def test_each_class_is_warned_of_its_parts() -> None:
    told = [str(one.message) for one in WARNED]
    assert "Sought: locate, protocols of a level are deprecated; give it a reading" in told[0]
    assert "Sought: appends" in told[1]
    assert len(told) == 5


def test_capabilities_are_read_from_the_level_with_a_warning() -> None:
    with pytest.warns(DeprecationWarning, match="SparseList.appends is deprecated: .* writing.app"):
        assert SparseList().appends
    assert {"appends", "ends", "place", "walk", "read", "open_region"} <= FORMER


@pytest.mark.parametrize(
    ("flags", "clause"),
    [
        ({"ends": "ptr"}, "are of levels that append"),
        ({"appends": True}, "has `ends` and `counters`"),
        ({"regions": True}, "are opened by `open_region`"),
        ({"drops_fill": False, "prefills": True}, "no child is left unwritten"),
        ({"optional_children": True, "prefills": True}, "does not exist is not prefilled"),
    ],
)
def test_capabilities_that_contradict_each_other_are_refused(
    flags: dict[str, Any], clause: str
) -> None:
    with pytest.raises(TypeError, match=f"Odd: .*{clause}"):
        type("Odd", (Writing,), flags)
