"""Each level by itself: what its buffers mean, told by a loop, and how broken ones are refused."""

import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._array import stored
from structarr.errors import FormatError
from structarr.formats import (
    Bitmap,
    Constant,
    Coordinate,
    Dense,
    Diagonals,
    Element,
    Hash,
    Hermitian,
    Level,
    PackBits,
    Pattern,
    Ragged,
    RunList,
    Singleton,
    SparseBand,
    SparseInterval,
    SparseList,
    SparsePoint,
    SparseRunList,
    SparseVBL,
    Symmetric,
    Triangular,
    parse,
)
from structarr.formats.entries import NOWHERE, Fibers

FIBERS, DIM = 3, 5
Entry = tuple[int, int, int]  # fiber, coordinate, child

BUFFERS: dict[Level, tuple[list[int], ...]] = {
    SparsePoint(): ([2, -1, 0],),
    SparseInterval(): ([1, 0, 2], [4, 0, 5]),
    SparseVBL(): ([0, 2, 2, 3], [2, 5, 4], [0, 2, 3, 5]),
    SparseRunList(): ([0, 2, 2, 3], [0, 3, 1], [2, 4, 5]),
    Ragged(): ([0, 2, 2, 7],),
    SparseBand(): ([0, 2, 2, 5], [3, 1, 0]),
    SparseList(): ([0, 2, 2, 3], [1, 4, 0]),
    RunList(): ([0, 2, 3, 5], [3, 5, 5, 1, 5]),
    PackBits(): ([0, 2, 3, 5], [3, 5, 5, 1, 5], [0, 1, 3, 4, 5, 9]),
    Hash(): ([0, 2, 2, 3], [1, 4, 0], [1, 0, -1, -1, 2, -1]),
    Coordinate(): ([0, 2, 2, 3], [1, 4, 0]),
    Singleton(): ([1, 4, 0],),
    Diagonals(offsets=(-1, 2)): ([-1, 2],),
    Triangular(side="upper", k=1): (),
    Triangular(side="lower", k=-1): (),
    Constant(): (),
}


def name(value: Any) -> str:
    return repr(value) if not isinstance(value, Level) else type(value).__name__


def arrays(buffers: tuple[list[int], ...]) -> tuple[np.ndarray, ...]:
    return tuple(np.array(buffer, np.int64) for buffer in buffers)


def looped(level: Level, buffers: tuple[list[int], ...]) -> list[Entry]:
    """What the buffers store, one by one."""
    found: list[Entry] = []
    for p in range(FIBERS):
        match level:
            case SparsePoint():
                (idx,) = buffers
                found += [(p, idx[p], p)] if idx[p] >= 0 else []
            case SparseInterval():
                start, stop = buffers
                found += [(p, i, p) for i in range(start[p], stop[p])]
            case SparseVBL():
                ptr, stop, ofs = buffers
                for b in range(ptr[p], ptr[p + 1]):
                    begin = stop[b] - (ofs[b + 1] - ofs[b])
                    found += [(p, i, ofs[b] + i - begin) for i in range(begin, stop[b])]
            case SparseRunList():
                ptr, start, stop = buffers
                for q in range(ptr[p], ptr[p + 1]):
                    found += [(p, i, q) for i in range(start[q], stop[q])]
            case Ragged():
                (ofs,) = buffers
                found += [(p, i, ofs[p] + i) for i in range(ofs[p + 1] - ofs[p])]
            case SparseBand():
                ofs, start = buffers
                found += [(p, start[p] + k, ofs[p] + k) for k in range(ofs[p + 1] - ofs[p])]
            case RunList():
                ptr, stop = buffers
                for q in range(ptr[p], ptr[p + 1]):
                    begin = stop[q - 1] if q > ptr[p] else 0
                    found += [(p, i, q) for i in range(begin, stop[q])]
            case PackBits():
                ptr, stop, ofs = buffers
                begin = 0
                for s in range(ptr[p], ptr[p + 1]):
                    one = ofs[s + 1] - ofs[s] == 1
                    each = range(begin, stop[s])
                    found += [(p, i, ofs[s] + (0 if one else i - begin)) for i in each]
                    begin = stop[s]
            case Hash() | Coordinate() | SparseList():
                ptr, idx = buffers[:2]
                found += [(p, idx[q], q) for q in range(ptr[p], ptr[p + 1])]
            case Singleton():
                found.append((p, buffers[0][p], p))
            case Diagonals():
                at = [(p + k, q) for q, k in enumerate(buffers[0])]
                each = [(i, q * min(FIBERS, DIM) + (i if DIM <= FIBERS else p)) for i, q in at]
                found += [(p, i, child) for i, child in each if 0 <= i < DIM]
            case Triangular(_, side, k):
                columns = range(max(p + k, 0), DIM) if side == "upper" else range(p + k + 1)
                found += [(p, i, len(found) + n) for n, i in enumerate(columns)]
            case Constant():
                found += [(p, i, p) for i in range(DIM)]
    return found


@pytest.mark.parametrize("level", BUFFERS, ids=name)
def test_stored_entries_are_those_of_a_loop(level: Level) -> None:
    buffers, rows = arrays(BUFFERS[level]), np.arange(FIBERS)
    every = Fibers(rows, rows, np.zeros(FIBERS, np.int64), FIBERS)
    found = level.expand(every, DIM, buffers)
    expected = looped(level, BUFFERS[level])
    assert list(zip(*(part.tolist() for part in found), strict=True)) == expected
    count = level.validate(FIBERS, DIM, buffers)
    assert count == level.stored(FIBERS, DIM, buffers)
    assert all(0 <= child < count for _, _, child in expected)


@pytest.mark.parametrize("level", BUFFERS, ids=name)
def test_children_tell_where_they_are_and_for_how_many_they_stand(level: Level) -> None:
    buffers = arrays(BUFFERS[level])
    count = level.validate(FIBERS, DIM, buffers)
    places: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    for p, i, child in looped(level, BUFFERS[level]):
        places[child].append((p, i))
    told = level.whereabouts(np.arange(count), FIBERS, DIM, buffers)
    if told is not None:
        found = [
            [(p, i) for i in range(begin, end)]
            for p, begin, end in zip(*(part.tolist() for part in told), strict=True)
        ]
        assert found == places
    times = level.multiplicity(FIBERS, DIM, buffers)
    if times is not None:
        assert np.broadcast_to(times, count).tolist() == [len(one) for one in places]


@pytest.mark.parametrize("level", BUFFERS, ids=name)
def test_entries_of_some_fibers(level: Level) -> None:
    rows = np.array([2, 0])
    if isinstance(level, Triangular | Diagonals):
        rows = np.sort(rows)
    some = Fibers(rows, rows, np.zeros(2, np.int64), FIBERS)
    found = level.expand(some, DIM, arrays(BUFFERS[level]))
    expected = looped(level, BUFFERS[level])
    picked = [(k, i, q) for k, row in enumerate(rows) for p, i, q in expected if p == row]
    assert list(zip(*(part.tolist() for part in found), strict=True)) == picked


@pytest.mark.parametrize("level", [one for one in BUFFERS if one.has_hulls], ids=name)
def test_hulls_are_from_the_first_entry_to_the_last(level: Level) -> None:
    begin, end = level.hulls(FIBERS, DIM, arrays(BUFFERS[level]))
    for p in range(FIBERS):
        mine = [i for fiber, i, _ in looped(level, BUFFERS[level]) if fiber == p]
        if mine:
            whole = isinstance(level, Diagonals)  # those of the first and the last diagonal
            assert begin[p] <= min(mine) if whole else begin[p] == min(mine)
            assert end[p] == max(mine) + 1
        else:
            assert (begin[p], end[p]) == (NOWHERE, 0)


def test_bands_are_their_own_hulls() -> None:
    begin, end = SparseBand().hulls(3, 9, (np.array([0, 2, 2, 3]), np.array([4, 5, 7])))
    assert (begin.tolist(), end.tolist()) == ([4, NOWHERE, 7], [6, 0, 8])


def test_a_triangle_is_mirrored_at_its_diagonal() -> None:
    assert Triangular(Element(), "upper", 2).mirrored == Triangular(Element(), "lower", -2)
    assert Triangular(Element(), "lower", 2).mirrored == Triangular(Element(), "upper", -2)


def test_rows_of_a_triangle_that_are_empty_have_no_hull() -> None:
    begin, end = Triangular(Element(), "upper", 3).hulls(3, 5, ())
    assert (begin.tolist(), end.tolist()) == ([3, 4, NOWHERE], [5, 5, 0])
    begin, end = Triangular(Element(), "lower", -1).hulls(3, 5, ())
    assert (begin.tolist(), end.tolist()) == ([NOWHERE, 0, 0], [0, 1, 2])


def test_marks_tell_how_often_a_child_of_a_bitmap_counts() -> None:
    mask = np.array([True, False, True])
    assert Bitmap().multiplicity(1, 3, (mask,)) is mask


@pytest.mark.parametrize("level", [SparseInterval(), SparseRunList()], ids=name)
def test_covered_are_all_entries(level: Level) -> None:
    assert level.covered(arrays(BUFFERS[level])) == len(looped(level, BUFFERS[level]))


BROKEN: list[tuple[Level, int, int, int, str]] = [
    (SparsePoint(), 0, 1, 5, "buffer 'idx': entry 1, 5, is outside"),
    (SparsePoint(), 0, 0, -2, "buffer 'idx': entry 0, -2, is outside"),
    (SparseInterval(), 0, 1, -1, "buffer 'start': entry 1, -1, is outside"),
    (SparseInterval(), 1, 2, 6, "buffer 'stop': entry 2, 6, is outside"),
    (SparseInterval(), 1, 0, 0, "the run of fiber 0 ends at 0, before its start 1"),
    (SparseVBL(), 0, 0, 1, "buffer 'ptr' must start with 0, not 1"),
    (SparseVBL(), 0, 2, 1, "buffer 'ptr': entry 2, 1, is less than the one before it"),
    (SparseVBL(), 1, 1, 6, "buffer 'stop': entry 1, 6, is outside"),
    (SparseVBL(), 1, 0, 1, "buffer 'start': entry 0, -1, is outside"),
    (SparseVBL(), 2, 1, 0, "buffer 'stop': entry 0, 2, does not exceed the start"),
    (SparseVBL(), 2, 1, 4, "buffer 'ofs': entry 2, 3, is less than the one before it"),
    (SparseRunList(), 1, 1, 1, "buffer 'start': entry 1, 1, is before the end of the one before"),
    (SparseRunList(), 2, 0, 0, "buffer 'stop': entry 0, 0, is outside"),
    (SparseRunList(), 2, 1, 3, "buffer 'stop': entry 1, 3, does not exceed the start"),
    (Ragged(), 0, 0, 1, "buffer 'ofs' must start with 0, not 1"),
    (Ragged(), 0, 3, 8, "fiber 2 has 6 elements, more than the extent 5"),
    (SparseBand(), 0, 0, 1, "buffer 'ofs' must start with 0, not 1"),
    (SparseBand(), 1, 2, 3, "the band of fiber 2 starts at 3 and is 3 wide: outside [0, 5)"),
    (SparseBand(), 1, 1, -1, "the band of fiber 1 starts at -1 and is 0 wide: outside [0, 5)"),
    (SparseList(), 1, 1, 1, "buffer 'idx': entry 1, 1, does not exceed the one before it in its"),
    (SparseList(), 1, 2, 5, "buffer 'idx': entry 2, 5, is outside"),
    (RunList(), 1, 3, 0, "buffer 'stop': entry 3, 0, is outside"),
    (RunList(), 1, 2, 4, "buffer 'stop': the last segment of fiber 1 must end at 5"),
    (RunList(), 1, 0, 5, "buffer 'stop': entry 1, 5, does not exceed the one before it"),
    (PackBits(), 1, 0, 5, "buffer 'stop': entry 1, 5, does not exceed the one before it"),
    (PackBits(), 1, 4, 4, "the last segment of fiber 2 must end at 5"),
    (PackBits(), 2, 4, 4, "buffer 'ofs': segment 3 has 0 values for 1 indices"),
    (Hash(), 1, 1, 1, "buffer 'idx': entry 1, 1, does not exceed the one before it in its fiber"),
    (Hash(), 1, 2, 5, "buffer 'idx': entry 2, 5, is outside"),
    (Hash(), 2, 5, 2, "buffer 'table': slot 5 is 2, not -1"),
    (Coordinate(), 1, 2, -1, "buffer 'idx': entry 2, -1, is outside"),
    (Singleton(), 0, 1, 5, "buffer 'idx': entry 1, 5, is outside"),
    (Diagonals(offsets=(-1, 2)), 0, 0, 0, "must increase, and be those of the format"),
]


@pytest.mark.parametrize(("level", "number", "place", "value", "message"), BROKEN, ids=name)
def test_a_broken_buffer_is_refused(
    level: Level, number: int, place: int, value: int, message: str
) -> None:
    buffers = arrays(BUFFERS[level])
    buffers[number][place] = value
    with pytest.raises(FormatError, match=re.escape(message)):
        level.validate(FIBERS, DIM, buffers)


@pytest.mark.parametrize("level", [one for one, own in BUFFERS.items() if own], ids=name)
def test_a_buffer_that_is_too_short_is_refused(level: Level) -> None:
    for number, buffer in enumerate(arrays(BUFFERS[level])):
        buffers = list(arrays(BUFFERS[level]))
        buffers[number] = buffer[:-1]
        with pytest.raises(FormatError, match=r"must be one-dimensional with|buffer '"):
            level.validate(FIBERS, DIM, tuple(buffers))


def test_entries_of_coo_are_sorted_and_each_is_there_once() -> None:
    coo = parse("coo", 2)
    for rows, columns, message in (
        ([1, 0], [0, 0], r"entry 1, \(0, 0\) in storage order, comes after a larger one"),
        ([1, 1], [2, 2], r"entry 1, \(1, 2\) in storage order, occurs twice"),
    ):
        with pytest.raises(FormatError, match=message):
            sa._storage.tensor.Tensor.checked(coo, (2, 3), 0.0, ([0, 2], rows, columns, [1.0, 2.0]))


SQUARE = np.array([[1.0, 2, 0], [0, 1, 0], [2, 0, 0]])
MISFITS: list[tuple[Any, np.ndarray, str]] = [
    ("triu", SQUARE, r"a\[2, 0\] = 2.0 lies below diagonal 0"),
    ("tril", SQUARE, r"a\[0, 1\] = 2.0 lies above diagonal 0"),
    (Dense(Triangular(side="upper", k=1)), SQUARE, r"a\[0, 0\] = 1.0 lies below diagonal 1"),
    ("symmetric", SQUARE, r"a\[0, 1\] = 2.0 has no equal mirror image"),
    ("hermitian", np.array([[0, 1j], [1j, 0]]), r"a\[0, 1\] = 1j has no equal mirror image"),
    ("hermitian", np.array([[1j, 0], [0, 0]]), r"a\[0, 0\] = 1j has no equal mirror image"),
    (Dense(Diagonals(offsets=(0, 1))), SQUARE, r"a\[2, 0\] = 2.0 lies on none of the diagonals"),
    ("point", SQUARE, r"a\[0, 1\] = 2.0 is the second of its fiber, which can hold one"),
    ("interval", SQUARE, r"a\[0, 1\] = 2.0 does not continue the one run of its fiber"),
    ("interval", np.array([[3.0, 0, 3]]), r"a\[0, 2\] = 3.0 does not continue the one run"),
    ("constant", SQUARE, r"a\[0, 0\] = 1.0 along an axis that must hold one value throughout"),
    ("symmetric", SQUARE[:2], r"is for square matrices, not shape \(2, 3\)"),
]


@pytest.mark.parametrize(("format", "data", "message"), MISFITS, ids=name)
def test_what_does_not_fit_is_named(format: Any, data: np.ndarray, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        sa.asarray(data, format=format)
    with pytest.raises(FormatError, match=message):
        sa.asarray(sa.asarray(data, format="csr"), format=format)


ILLEGAL: list[tuple[Level, str]] = [
    (Singleton(), "Singleton must stand directly below Coordinate or Singleton, not outermost"),
    (Dense(Singleton()), "below Coordinate or Singleton, not below Dense"),
    (Coordinate(Dense()), "Coordinate takes Singleton or the leaf below, not Dense"),
    (Coordinate(Singleton(SparseList())), "Singleton takes Singleton or the leaf below"),
    (PackBits(Dense()), "PackBits must be the last above the leaf, not above Dense"),
    (SparseInterval(Dense()), "SparseInterval must be the last above the leaf"),
    (SparseRunList(SparseList()), "SparseRunList must be the last above the leaf"),
    (Dense(Hermitian(Dense())), "Hermitian must be the last above the leaf"),
    (Triangular(), "Triangular must stand directly below Dense, not outermost"),
    (SparseList(Symmetric()), "Symmetric must stand directly below Dense, not below SparseList"),
    (
        Dense(Dense(Diagonals())),
        "Diagonals must be level 1, counted from 0 and without Constant levels",
    ),
    (
        SparsePoint(RunList()),
        "children that are never written: RunList, which stores every element",
    ),
    (Dense(Diagonals(Dense(RunList()))), "apart: RunList, which is written row by row"),
    (Dense(Diagonals(SparseList())), "apart: SparseList, which is written row by row"),
]


@pytest.mark.parametrize(("tree", "message"), ILLEGAL, ids=name)
def test_trees_that_make_no_sense_are_refused(tree: Level, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        parse(tree, _depth(tree))


def _depth(tree: Level) -> int:
    return 0 if tree.leaf else 1 + _depth(tree.child)


def test_a_pattern_holds_what_is_not_false() -> None:
    mask = np.array([[True, False], [False, True]])
    array = sa.asarray(mask).asformat(Dense(SparseList(Pattern())))
    np.testing.assert_array_equal(array.todense(), mask)
    assert array.nstored == 2
    for format in (Dense(Dense(Pattern())), RunList(SparseList(Pattern()))):
        with pytest.raises(FormatError, match="Pattern can be written below levels that store"):
            sa.asarray(mask).asformat(format).compute()
    with pytest.raises(FormatError, match="Pattern holds bool arrays of fill False"):
        sa.asarray(mask * 1.0).asformat(Dense(SparseList(Pattern()))).compute()


@pytest.mark.parametrize("level", [SparseList(Pattern()), Bitmap(Pattern())], ids=name)
@pytest.mark.parametrize("source", ["dense", "csf"])
@pytest.mark.parametrize("shape", [(2, 3, 4), (0, 1, 1), (1, 2, 2)])
def test_a_pattern_holds_of_reductions_what_is_not_false(
    level: Level, source: str, shape: tuple[int, ...]
) -> None:
    outer = Dense(level)
    dense = np.zeros(shape)
    dense[:1, 0, 0] = 1
    dense[-1:, -1, -1] = 2
    array = sa.asarray(dense, format=source)
    np.testing.assert_array_equal(np.any(array, axis=0).asformat(outer).todense(), dense.any(0))
    several = (array != 0).astype(int).sum(axis=0) > 1
    np.testing.assert_array_equal(several.asformat(outer).todense(), (dense != 0).sum(0) > 1)


READ = (*(one for one in BUFFERS if not one.below), SparseList(), SparseBand(), Bitmap(), RunList())


@pytest.mark.parametrize("level", READ, ids=name)
@pytest.mark.parametrize("by", [sa.walk, sa.gallop, sa.locate])
def test_each_protocol_reads_the_same(level: Level, by: Callable[[Any], Any]) -> None:
    """Also of a fiber that is read in part, from the middle on."""
    data = np.array([0, 0, 3.0, 3, 0, 0, 0])
    if isinstance(level, SparsePoint):
        data[3] = 0
    if isinstance(level, Constant):
        data[:] = 3
    other = np.array([1.0, 0, 2, 0, 4, 0, 0])
    with sa.options(tier="interpreted"):
        array = sa.asarray(data, format=level)
        for beside in ("dense", "list", "rle", "vbl"):
            own = sa.asarray(other, format=beside)
            np.testing.assert_array_equal((by(array) * own).todense(), data * other)
            assert float((by(array) * own).sum()) == (data * other).sum()
            wide = sa.asarray(np.tile(other, 2), format=beside)
            joined = sa.concatenate([by(array), own])
            expected = (np.concatenate([data, other]) * np.tile(other, 2)).sum()
            assert float((joined * wide).sum()) == expected


def test_blocks_tell_the_elements_before_fibers() -> None:
    """By which an array of blocks is cut into pieces of equal work."""
    data = np.array([[1, 1, 0, 1], [0, 0, 0, 0], [0, 1, 1, 1]], float)
    tensor = stored(sa.asarray(data, format="vbl"))
    level, (_, buffers, *_) = tensor.format.levels[1], tensor.level_buffers
    before = level.before(np.array([0, 1, 2, 3]), 4, buffers)
    np.testing.assert_array_equal(before, [0, 3, 3, 6])


def test_a_row_of_blocks_of_one_part_is_that_part() -> None:
    part = [np.array([0, 1]), np.array([5]), np.array([0, 2]), np.array([1.0, 2.0])]
    found = SparseVBL(Element()).continued([part])
    assert [one.tolist() for one in found] == [one.tolist() for one in part]


@pytest.mark.parametrize(("order", "offsets"), [((0, 1), (-2, 1, 2)), ((1, 0), (-2, -1, 2))])
def test_diagonals_are_decided_in_the_order_of_the_axes(order: Any, offsets: Any) -> None:
    ranges = np.array([-2, 1]), np.array([-1, 3])
    at: Any = SimpleNamespace(
        matrix=SimpleNamespace(diagonals=ranges), profile=SimpleNamespace(order=order)
    )
    assert Diagonals(Element()).decided(at).known == offsets
