"""Rooms of results in runs, and of those whose operands leave whole fibers out."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._array import of_tensor, stored
from structarr._execute.executor import Executor
from structarr._execute.steps import last_call
from structarr._storage.tensor import Tensor
from structarr.formats import (
    Bitmap,
    Constant,
    Dense,
    Element,
    Format,
    Hash,
    Level,
    PackBits,
    RunList,
    SparseBand,
    SparseInterval,
    SparseList,
    SparseVBL,
)

ROWS = np.zeros((5, 6))
ROWS[3] = [1.0, 0.0, 2.0, 2.0, 0.0, 1.0]
ABOVE: dict[str, Callable[[Level], Level]] = {
    "hash": lambda level: Hash(level),
    "list": lambda level: SparseList(level),
    "bitmap": lambda level: Bitmap(level),
    "band": lambda level: SparseBand(level),
    "blocks": lambda level: SparseVBL(level),
}


@pytest.mark.parametrize("above", ABOVE)
@pytest.mark.parametrize("runs", [RunList, PackBits])
def test_fibers_that_are_not_stored_are_runs_of_fill(above: str, runs: Any) -> None:
    with sa.options(tier="interpreted"):
        rows = sa.asarray(ROWS).asformat(Format(ABOVE[above](runs()), (0, 1)))
        for asked in (Dense(RunList()), Dense(PackBits()), SparseList(RunList())):
            got = rows.asformat(Format(asked, (0, 1)))
            np.testing.assert_array_equal(got.todense(), ROWS)
        for result, want in ((rows + 1, ROWS + 1), (rows * rows, ROWS * ROWS), (-rows, -ROWS)):
            np.testing.assert_array_equal(result.asformat("rle").todense(), want)
        same = np.repeat(ROWS[:, None], 4, axis=1)
        wide = sa.asarray(same).asformat(Format(Constant(ABOVE[above](runs())), (1, 0, 2)))
        np.testing.assert_array_equal(wide.asformat("rle").todense(), same)


@pytest.mark.parametrize("length", [1, 2, 3])
def test_short_runs_of_fibers_that_are_not_stored(length: int) -> None:
    """Packed, a run of two takes the room of two."""
    nothing = np.zeros((2, 3, length))
    with sa.options(tier="interpreted"):
        for level in (Bitmap(SparseList(Constant())), SparseList(SparseList(Constant()))):
            given = sa.asarray(nothing).asformat(Format(level, (0, 1, 2)))
            got = given.asformat(Format(Dense(Dense(PackBits())), (0, 1, 2)))
            np.testing.assert_array_equal(got.todense(), nothing)


CUBE = np.arange(125.0).reshape(5, 5, 5) % 7
FORMATS: dict[str, Level] = {
    "runs": RunList(Dense(Dense())),
    "runs of lists": RunList(Dense(SparseList())),
    "runs below": Dense(RunList(Dense())),
}


@pytest.mark.parametrize("name", FORMATS)
def test_diagonals_across_runs(name: str) -> None:
    """Within a run elements differ where the diagonal goes on along the other axis."""
    data = np.repeat(CUBE[:1], 5, axis=0) if name != "runs below" else np.repeat(CUBE[:, :1], 5, 1)
    with sa.options(tier="interpreted"):
        cube = sa.asarray(data).asformat(Format(FORMATS[name], (0, 1, 2)))
        for axes in ((0, 1), (0, 2), (1, 2)):
            for offset in (0, 1, -2):
                got = np.diagonal(cube, offset, *axes)
                np.testing.assert_array_equal(got.todense(), np.diagonal(data, offset, *axes))


def test_diagonals_across_runs_of_empty_fibers() -> None:
    nothing = np.zeros((5, 5, 3))
    with sa.options(tier="interpreted"):
        for level in (RunList(Dense(SparseInterval())), RunList(Constant(SparseInterval()))):
            cube = sa.asarray(nothing).asformat(Format(level, (0, 1, 2)))
            for offset in (0, 1, -2):
                got = np.diagonal(cube[1:], offset)
                want = np.diagonal(nothing[1:], offset)
                np.testing.assert_array_equal(got.todense(), want)


@pytest.mark.parametrize("fill", [0.0, 2.0, np.nan])
@pytest.mark.parametrize("shape", [(0, 2, 0), (2, 3, 2)])
def test_joined_blocks_store_what_their_parts_store(fill: float, shape: tuple[int, ...]) -> None:
    data = np.full(shape, fill)
    data[:1, 1:2, :1] = 5.0
    with sa.options(tier="interpreted"):
        blocks = sa.asarray(data, fill_value=fill).asformat(
            Format(SparseVBL(Hash(Dense())), (1, 2, 0))
        )
        for axis in (0, 2):
            got = np.append(blocks, blocks, axis=axis).compute()
            np.testing.assert_array_equal(got.todense(), np.append(data, data, axis=axis))
            assert got.nstored <= 2 * blocks.nstored


def test_places_along_two_axes_have_room() -> None:
    cube = np.arange(60.0).reshape(3, 4, 5) % 3
    array = sa.asarray(cube).asformat(Format(Dense(Dense(SparseList(Element()))), (0, 1, 2)))
    rows, columns = np.array([2, 0, 2, 1]), np.array([3, 3, 0, 1, 3])
    with sa.options(tier="interpreted"):
        found = (array[rows][:, columns] * 2.0).todense()
        np.testing.assert_array_equal(found, cube[rows][:, columns] * 2)


def test_stretches_have_room_between_all_others() -> None:
    whole, teeth = np.ones(20), np.tile([0.0, 2.0], 10)
    one, other = (sa.asarray(x[None], format="sparse-rle") for x in (whole, teeth))
    with sa.options(tier="interpreted"):
        np.testing.assert_array_equal((one + other).todense(), (whole + teeth)[None])


def test_rows_that_one_run_stands_for_have_room_where_others_cut_it() -> None:
    rows = Format(RunList(SparseList(Element())), (0, 1))
    same, unlike = np.tile([1.0, 0, 2, 0, 3, 0], (6, 1)), np.eye(6)
    one, other = (sa.asarray(x).asformat(rows) for x in (same, unlike))
    with sa.options(tier="interpreted"):
        found = (one + other).asformat(rows)
        np.testing.assert_array_equal(found.todense(), same + unlike)


def _runs_of_rows(lengths: list[int], rows: np.ndarray) -> sa.Array:
    """A matrix whose rows are repeated, each stored once."""
    lists = stored(sa.asarray(rows, format="csr")).buffers
    buffers = [np.array([0, len(lengths)]), np.cumsum(lengths), *lists]
    shape = (sum(lengths), rows.shape[1])
    runs = Format(RunList(SparseList()), (0, 1))
    return of_tensor(Tensor.checked(runs, shape, 0.0, buffers))


def test_rows_that_are_runs_are_stored_once_for_each_row() -> None:
    """Beside single elements, and cut by runs of another operand."""
    rows = np.array([[1.0, 2, 0, 3, 0, 0], [0, 0, 1, 0, 0, 0]])
    others = np.array([[0.0, 0, 0, 0, 1, 2], [0, 0, 0, 0, 2, 1]] * 14)
    data, other = np.repeat(rows, [90, 50], axis=0), np.repeat(others, 5, axis=0)
    with sa.options(tier="interpreted"):
        a, b = _runs_of_rows([90, 50], rows), _runs_of_rows([5] * 28, others)
        product = a * sa.asarray(np.ones(data.shape), format="csr")
        np.testing.assert_array_equal(product.todense(), data)
        np.testing.assert_array_equal((a + b).todense(), data + other)


def test_runs_of_two_take_the_room_of_two_packed_values() -> None:
    pairs = np.repeat([[1.0, 2, 3, 4, 5, 6, 7, 8]], 2, axis=1)
    one = np.full(pairs.shape, 2.0)
    with sa.options(tier="interpreted"):
        runs, packed = sa.asarray(pairs, format="rle"), sa.asarray(one, format="packbits")
        found = (runs * packed).asformat("packbits")
        np.testing.assert_array_equal(found.todense(), pairs * one)


def test_a_column_is_a_run_in_each_row() -> None:
    """Its rows have room for a run each, however long they are."""
    rows, n = np.zeros((4, 1)), 1000
    rows[1] = 3.0
    with sa.options(tier="interpreted"):
        column = sa.asarray(rows, format="csr")
        ramp = sa.asarray(np.repeat([[1.0, 2.0]], n // 2, axis=1).repeat(4, 0), format="rle")
        call = last_call(Executor().planner.plan((column + ramp)._node))
        assert call is not None
        ((*_, values),) = call.pick.plan.rooms(call.given, ((4, n),))
        assert len(values) <= 40


@pytest.mark.parametrize("name", ["sparse-rle", "csr"])
def test_rows_that_are_taken_of_runs_have_room(name: str) -> None:
    data = np.repeat(ROWS, 4, axis=1)
    rows = np.array([3, 3, 1, 3])
    with sa.options(tier="interpreted"):
        a, ones = sa.asarray(data, format=name), sa.asarray(np.ones((4, 24)), format="csr")
        found = a[sa.asarray(rows)] * ones
        np.testing.assert_array_equal(found.todense(), data[rows])
