"""What levels say of their buffers to the host."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr import formats
from structarr._array import stored
from structarr._compiler.ir.expr import Helper, Lit
from structarr._compiler.runtime.packed import ramp
from structarr.errors import FormatError
from structarr.formats import (
    Dense,
    Diagonals,
    Element,
    Format,
    Level,
    SparseInterval,
    Symmetric,
    Tiles,
    Triangular,
    parse,
)
from structarr.formats.entries import NOWHERE, Fibers

LEVELS = [one for one in vars(formats).values() if isinstance(one, type) and issubclass(one, Level)]


@pytest.mark.parametrize("kind", [one for one in LEVELS if one.octets])
def test_octets_are_kept_as_bytes(kind: type[Level]) -> None:
    level = kind(Element())
    array = sa.asarray(np.array([[0, 0, 1, 1], [1, 0, 0, 0]])).asformat(
        Format(Dense(level), (0, 1))
    )
    buffers = dict(zip(level.buffers, stored(array).level_buffers[1], strict=True))
    kept = {name: level.kept_as(name, "int64") for name in level.buffers}
    assert kept == {name: one.dtype.name for name, one in buffers.items()}
    assert {kept[name] for name in level.octets} == {"uint8"}


def test_elements_before_a_fiber_are_those_of_its_blocks() -> None:
    rows = np.array([[1, 1, 0, 1], [0, 0, 0, 0], [0, 2, 2, 0]])
    array = stored(sa.asarray(rows).asformat("vbl"))
    level, buffers = array.format.levels[1], array.level_buffers[1]
    assert level.before(np.arange(4), 4, buffers).tolist() == [0, 3, 3, 5]


def test_buffers_begin_as_zeros_unless_all_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(np, "empty", lambda *args: np.full(*args[:1], 99, *args[1:]))
    level = sa.asarray(np.eye(3), format="csr").format.levels[1]
    for name in level.buffers:
        found = level.blank(name, 3, np.dtype(np.int64)).tolist()
        assert found == [99 if name in level.uninitialized else 0] * 3


@pytest.mark.parametrize("kind", [one for one in LEVELS if one.buffers])
def test_places_are_what_is_kept_as_indices(kind: type[Level]) -> None:
    level = kind(Element()) if not kind.leaf else kind()
    kept = [level.kept_as(name, "int64") for name in level.buffers]
    assert level.has_places is (not level.leaf and "int64" in kept)


def test_no_diagonals_have_no_hull() -> None:
    begin, end = Diagonals(Element(), ()).hulls(3, 5, ())
    assert (begin.tolist(), end.tolist()) == ([NOWHERE] * 3, [0] * 3)


def test_hulls_of_diagonals_are_within_the_matrix() -> None:
    begin, end = Diagonals(Element(), (-1, 0, 1)).hulls(3, 5, ())
    assert (begin.tolist(), end.tolist()) == ([0, 0, 1], [2, 3, 4])
    begin, end = Diagonals(Element(), (-2,)).hulls(3, 5, ())
    assert (begin.tolist(), end.tolist()) == ([NOWHERE, NOWHERE, 0], [0, 0, 1])
    begin, end = Diagonals(Element(), (3, 4)).hulls(3, 5, ())
    assert (begin.tolist(), end.tolist()) == ([3, 4, NOWHERE], [5, 5, 0])


@pytest.mark.parametrize(("rows", "columns"), [(3, 5), (5, 3)])
def test_places_of_diagonals_beyond_the_matrix_stand_for_nothing(rows: int, columns: int) -> None:
    """Each place stands for a column, or for a row where there are fewer of these."""
    offsets = np.array([-3, 0, 3])
    level = Diagonals(Element(), (-3, 0, 3))
    found = level.multiplicity(rows, columns, (offsets,))
    along = [(offset, k) for offset in offsets for k in range(3)]
    places = [(k, k + offset) if rows < columns else (k - offset, k) for offset, k in along]
    assert found.tolist() == [0 <= i < rows and 0 <= j < columns for i, j in places]
    told = level.whereabouts(np.arange(9), rows, columns, (offsets,))
    assert (told.stop - told.start).tolist() == found.tolist()


def test_diagonals_of_entries_are_those_that_hold_them() -> None:
    entries: Any = SimpleNamespace(coordinate=np.array([1, 3, 0]), above=np.array([2, 1, 1]))
    found = Diagonals(Element()).concrete(entries, 4)
    assert found.offsets == (-1, 2)
    assert [len(one.misfits(entries, 4)[0]) for one in (found, Diagonals(Element(), (2,)))] == [
        0,
        2,
    ]


@pytest.mark.parametrize("k", [-1, 0, 2])
def test_kernels_make_room_for_a_lower_triangle_as_the_host_counts_it(k: int) -> None:
    level, rows, dim = Triangular(Element(), "lower", k), Lit("int64", 4), Lit("int64", 5)
    total = level.writing.total(SimpleNamespace(level=level, dim=dim), rows)  # type: ignore[arg-type]
    assert isinstance(total, Helper) and total.name == "ramp"
    assert ramp(*(one.value for one in total.args)) == level.children(4, 5)


def test_entries_of_tiles_are_those_of_a_loop() -> None:
    ptr, idx, rows = np.array([0, 1, 3]), np.array([1, 0, 1]), np.arange(4)
    found = Tiles(Element(), 2, 3).expand(Fibers(rows, rows, rows * 0, 4), 6, (ptr, idx))
    assert list(zip(*(part.tolist() for part in found), strict=True)) == [
        (row, idx[tile] * 3 + k, tile * 6 + row % 2 * 3 + k)
        for row in rows
        for tile in range(ptr[row // 2], ptr[row // 2 + 1])
        for k in range(3)
    ]


@pytest.mark.parametrize(("name", "covers"), [("rle", True), ("csr", False), ("dense", False)])
def test_what_fibers_of_runs_stand_for_is_written_in_full(name: str, covers: bool) -> None:
    format = parse(name, 2)
    assert [format.covers(depth) for depth in range(3)] == [covers, covers, False]


def test_children_of_a_triangle_are_where_its_rows_have_them() -> None:
    found = Symmetric(Element()).whereabouts(np.arange(6), 3, 3, ())
    assert [one.tolist() for one in found] == [
        *([0, 1, 1, 2, 2, 2], [0, 0, 1, 0, 1, 2], [1, 1, 2, 1, 2, 3]),
    ]


def test_a_triangle_mirrored_is_the_other_beside_the_same_diagonal() -> None:
    upper = Triangular(Element(), "upper", 1)
    assert upper.mirrored == Triangular(Element(), "lower", -1)
    assert upper.mirrored.mirrored == upper  # type: ignore[attr-defined]


def test_a_leaf_has_a_value_for_each_fiber_and_nothing_below() -> None:
    assert Element().used(3, 5, ()) == ((3,), 0)


def test_a_run_begins_within_its_fiber() -> None:
    level, stop = SparseInterval(Element()), np.array([3])
    assert level.validate(1, 3, (np.array([3]), stop)) == 1
    with pytest.raises(FormatError, match="buffer 'start'"):
        level.validate(1, 3, (np.array([4]), stop))
