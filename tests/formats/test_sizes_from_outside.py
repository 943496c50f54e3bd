"""Sizes that a level from outside tells, and formats in it that `auto` finds by its name."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pytest

import structarr as sa
from structarr._storage.auto_format import candidates, choose, refusals
from structarr._storage.dense import from_dense
from structarr._storage.statistics import measure
from structarr.cin import TRUE, Expr, Fiber, Node, eq
from structarr.formats import InPlace, Level, Reading, name_table
from structarr.formats.entries import Array, Entries, Fibers, Written
from structarr.formats.sizes import Orders, Placement, Size, own_order
from structarr.looplets import Case, Context, Lookup, Looplet, Switch, function


class FinalReading(Reading):
    """The one child, at the last index."""

    def locate(self, fiber: Fiber, ctx: Context) -> Looplet:
        """A comparison."""
        return Lookup(function("i", lambda i: self._at(fiber, i)))

    def _at(self, fiber: Fiber, i: Expr) -> Node:
        here = Case(eq(i, fiber.dim - 1), fiber.child(fiber.pos))
        return Switch((here, Case(TRUE, fiber.fill)))


class FinalWriting(InPlace):
    """The one child."""

    def place(
        self, fiber: Fiber, region: tuple[Expr, ...], lo: Expr, hi: Expr, ctx: Context
    ) -> Node:
        """The one child."""
        return fiber.child(fiber.pos)


class Final(Level):
    """Fiber p stores child p at its last index."""

    kind: ClassVar[str] = "list"
    is_partial: ClassVar[bool] = True
    reading = FinalReading()
    writing = FinalWriting()

    def children(self, fibers: int, dim: int) -> int:
        """One a fiber."""
        return fibers

    def expand(self, fibers: Fibers, dim: int, buffers: tuple[Array, ...]) -> Entries:
        """The last element of each fiber."""
        every = np.arange(len(fibers.position))
        return Entries(every, np.full(len(every), dim - 1), fibers.position)

    def misfits(self, entries: Written, dim: int) -> tuple[Array, str]:
        """Entries before the last index."""
        return np.flatnonzero(entries.coordinate < dim - 1), "is not the last of its fiber"

    def size_at(self, at: Placement) -> Size | str:
        """One child a fiber, if each element is the only one and reaches the end."""
        if at.counts.elements == at.counts.fibers and at.counts.reach == at.counts.fibers * at.dim:
            return self.size_of(at)
        return "an element is not the last of its fiber"


class Twice(Level):
    """Each child twice, which `auto` tries in the stored order alone."""

    buffers: ClassVar[tuple[str, ...]] = ("mask",)
    flags: ClassVar[tuple[str, ...]] = ("mask",)
    orders: ClassVar[Orders] = staticmethod(own_order)

    def sizes(self, fibers: int, dim: int, entries: int) -> tuple[int, ...]:
        """A mark a fiber."""
        return (fibers,)

    def children(self, fibers: int, dim: int) -> int:
        """Two an element."""
        return 2 * fibers * dim

    def size_at(self, at: Placement) -> Size:
        """All children."""
        return self.size_of(at)


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(name_table, "NAMES", dict(name_table.NAMES))
    sa.formats.register("final", Final)
    sa.formats.register("twice", Twice)


@pytest.mark.usefixtures("registered")
def test_auto_takes_a_level_from_outside_that_is_the_smallest() -> None:
    array = np.zeros((6, 5))
    array[:, 4] = [1.0, 0.0, 3.0, 4.0, 5.0, 6.0]
    with sa.options(tier="interpreted"):
        stored = sa.asarray(array, format="auto")
        assert stored.format == "final"
        assert stored.nbytes == 6 * 8
        np.testing.assert_array_equal(np.asarray(stored * 2), array * 2)
    assert choose(from_dense(array)).name == "final"


@pytest.mark.usefixtures("registered")
def test_a_level_from_outside_says_why_it_cannot_hold_an_array() -> None:
    measures = measure(from_dense(np.eye(3)))
    assert ("final", "an element is not the last of its fiber") in refusals(measures)
    assert "final" not in {one.name for one in candidates(measures)}


@pytest.mark.usefixtures("registered")
def test_masks_and_orders_are_told_by_the_level() -> None:
    measures = measure(from_dense(np.eye(3, 4)))
    twice = [(one.name, one.nbytes) for one in candidates(measures) if "twice" in one.name]
    assert twice == [("twice", 3 + 24 * 8)]


def test_levels_without_a_name_are_not_tried() -> None:
    measures = measure(from_dense(np.eye(3)))
    names = {one.name for one in candidates(measures)} | {one.name for one in refusals(measures)}
    assert not {"final", "twice", "hash"} & names
