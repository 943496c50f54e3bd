"""Buffers and trees of levels that are refused, by what they say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._array import stored
from structarr._execute.allocation import check_room
from structarr._storage.coordinates import in_order
from structarr._storage.invariants import validate
from structarr._storage.ragged_rows import offsets_of
from structarr.errors import FormatError
from structarr.formats import (
    Bitmap,
    Dense,
    Element,
    Format,
    Function,
    Reading,
    SparseBand,
    SparseList,
    Symmetric,
    checks,
)
from structarr.formats.entries import Fibers
from structarr.formats.fit import check_tree


class Unreadable(Element):
    """A leaf that says nothing of how it is read."""

    reading = Reading()  # type: ignore[assignment]


def from_outside() -> None:
    made = sa.operator(lambda i: i / 2, name="halves", dtype="float64")
    level = Function(op=made.op.name)
    root = np.zeros(1, np.int64)
    fibers = Fibers(root, root, root, 1)
    level.evaluate(fibers, level.expand(fibers, 3, ()), lambda places: np.ones(len(places)))


def many_entries() -> None:
    """Of as many as int32 does not count, though they take no memory here."""
    places, values = (np.broadcast_to(one, 1 << 31) for one in (np.int64(0), 1.0))
    in_order([places], values, (3,), 0.0, Format(SparseList(Element()), (0,), "int32"))


def many_positions() -> None:
    long = (1 << 40, 1 << 40)
    validate(Format(Dense(Dense(Element())), (0, 1)), long, long, ((), (), (np.ones(1),)))


REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "truth values": (
        lambda: Bitmap(Element()).validate(1, 3, (np.zeros(3, np.int8),)),
        "buffer 'mask' must be bool, not int8",
    ),
    "a square": (lambda: Symmetric(Element()).validate(2, 3, ()), "holds square matrices, not 2"),
    "runs": (
        lambda: checks.covering(np.array([0, 1, 1]), np.array([3]), 1, 3),
        r"buffer 'ptr': fiber 1 has no segment to cover \[0, 3\)",
    ),
    "runs of a later fiber": (
        lambda: checks.covering(np.array([0, 1, 1, 2]), np.array([3, 3]), 2, 3),
        r"buffer 'ptr': fiber 1 has no segment to cover \[0, 3\)",
    ),
    "a leaf": (lambda: check_tree((Dense(Unreadable()), Unreadable())), "Unreadable cannot be the"),
    "ragged rows": (
        lambda: offsets_of(stored(sa.asarray([[1.0, 0.0]], format="csr"))),
        "rows of unlike lengths are stored as ragged, not",
    ),
    "an operator": (from_outside, "level Function: store 'halves.*' by .asformat"),
    "an unknown operator": (
        lambda: Function(op="nowhere").operator,
        "level Function: there is no operator 'nowhere'; define it first",
    ),
    "the starts of bands": (
        lambda: SparseBand().validate(2, 9, (np.array([0, 1, 2]), np.array([3]))),
        "buffer 'start'",
    ),
    "many entries": (many_entries, "2147483648 entries do not fit int32; use index='int64'"),
    "many positions": (many_positions, "is too large: 1208925819614629174706176 positions"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_said(name: str) -> None:
    refused, said = REFUSED[name]
    with pytest.raises(FormatError, match=said):
        refused()


def test_a_level_from_outside_that_tells_no_looplet() -> None:
    class Silent(Bitmap):
        reading = Reading()  # type: ignore[assignment]

    held = sa.asarray([1.0, 2.0], format=Format(Silent(Element()), (0,)))
    with pytest.raises(NotImplementedError, match="level Silent is not read: give it a `reading`"):
        sa.loops("y[i] = h[locate(i)]", h=held)


def test_a_kernel_that_wrote_beyond_its_room_is_told_of() -> None:
    """None does so; the check is what would tell."""
    check_room(3, 3)
    with pytest.raises(RuntimeError, match="a kernel wrote 5 entries into room for 3"):
        check_room(3, 5)
