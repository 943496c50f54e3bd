"""Conversions between formats: every pair, what stays stored, what is shared, what is refused."""

from __future__ import annotations

from itertools import permutations, product
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import structarr as sa
from structarr._array import stored
from structarr._compiler.backend.kernel import statistics
from structarr._execute import compute
from structarr._lazy import graph
from structarr._storage.dense import to_dense
from structarr._storage.tensor import Tensor
from structarr.errors import DensificationError, FormatError
from structarr.formats import Dense, Element, Format, SparseList, SparsePoint, Tiles, parse

NAMES = ("csr", "csc", "coo", "dcsr", "dcsc", "bsr", "dia", "hash", "band", "vbl", "bitmap")
LISTS = ("csr", "csc", "coo", "dcsr", "dcsc")
SHAPES = [(6, 8), (0, 4), (4, 0), (1, 1), (3, 7)]


def random(shape: tuple[int, ...], dtype: str = "float64") -> np.ndarray[Any, Any]:
    rng = np.random.default_rng(len(shape) + sum(shape))
    return np.where(rng.random(shape) < 0.3, rng.integers(1, 5, shape), 0).astype(dtype)


def checked(array: sa.Array) -> Tensor:
    """The tensor, whose buffers keep all invariants."""
    tensor = array.compute()._tensor
    assert tensor is not None
    format = tensor.format
    return Tensor.checked(format, tensor.shape, tensor.fill, tensor.buffers, tensor.dtype)


TARGETS = ("csr", "csc", "coo", "bsr", "dia")
COMPILED = {("csr", "bsr"), ("dia", "bsr")}  # beside the interpreted ones, which are all
PAIRS = [(source, target, "interpreted") for source, target in product(NAMES, TARGETS)] + [
    pytest.param(*pair, "compiled", marks=[] if pair in COMPILED else pytest.mark.long)
    for pair in product(NAMES, TARGETS)
]


@pytest.mark.parametrize(("source", "target", "tier"), PAIRS)
def test_every_pair(source: str, target: str, tier: str) -> None:
    with sa.options(tier=tier):
        for shape in SHAPES if tier == "interpreted" else SHAPES[:2]:
            dense = random(shape)
            plain = sa.asarray(dense).asformat(source)
            for array in (plain, sa.asarray(dense.T.copy()).asformat(source).T):
                done = array.asformat(target)
                assert done.format == target
                np.testing.assert_array_equal(to_dense(checked(done)), dense)
                assert target in ("bsr", "dia") or done.nstored == np.count_nonzero(dense)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float32", "complex128"])
@pytest.mark.parametrize(("source", "target"), list(permutations(("csc", "coo", "bsr", "dia"), 2)))
def test_every_dtype(source: str, target: str, dtype: str) -> None:
    dense = random((6, 4), dtype)
    done = sa.asarray(dense).asformat(source).asformat(target)
    assert done.dtype == dtype
    np.testing.assert_array_equal(to_dense(checked(done)), dense)


@pytest.mark.parametrize(("source", "target"), list(product(LISTS, LISTS)))
def test_what_equals_the_fill_is_left_out(source: str, target: str) -> None:
    dense = np.array([[np.nan, 1.0, np.nan], [2.0, np.nan, 3.0]])
    data = sa.asarray(dense, format=source, fill_value=0.0)
    stored = data.compute()._tensor
    assert stored is not None
    same = Tensor(stored.format, (2, 3), stored.dtype, np.float64(np.nan), stored.buffers)
    array = sa.asarray(sa._array.of_tensor(same))
    done = array.asformat(target)
    np.testing.assert_array_equal(done.todense(), dense)
    assert source == target or done.nstored == 3


@pytest.mark.parametrize("name", ["csr", "coo"])
def test_a_transpose_within_an_expression_keeps_stored_zeros(name: str) -> None:
    rows = sa.from_coordinates(([0, 1, 1], [1, 0, 2]), [0.0, 2.0, 3.0], (3, 3), format="coo")
    tensor = rows.compute()._tensor
    assert tensor is not None
    moved = compute.reordered(tensor, (1, 0))
    assert moved.nstored == 3
    np.testing.assert_array_equal(to_dense(moved), rows.todense())


@pytest.mark.parametrize("name", ["csf", "list", "coo"])
@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_three_axes_in_every_order(name: str, order: tuple[int, ...]) -> None:
    dense = random((3, 4, 5))
    source = sa.asarray(dense).asformat(Format(parse(name, 3).root, order, "int32"))
    tensor = source.compute()._tensor
    assert tensor is not None
    for axes in permutations(range(3)):
        moved = compute.reordered(tensor, axes)
        assert moved.format.order == axes
        assert moved.format.index == "int32"
        again = Tensor.checked(moved.format, moved.shape, moved.fill, moved.buffers)
        np.testing.assert_array_equal(to_dense(again), dense)


def test_long_axes_are_sorted_by_digits() -> None:
    coords = [2**39, 5, 7, 5], [2**40, 3, 2**33, 2**17]
    array = sa.from_coordinates(coords, [1.0, 2.0, 3.0, 4.0], (2**40, 2**41))
    moved = checked(array.T.asformat("coo"))
    assert [buffer.tolist() for buffer in moved.buffers] == [
        [0, 4],
        [3, 2**17, 2**33, 2**40],
        [5, 5, 7, 2**39],
        [2.0, 4.0, 3.0, 1.0],
    ]


def test_rows_and_coordinates_share_their_entries() -> None:
    csr = sa.asarray(random((5, 6)), format="csr")
    coo = csr.asformat("coo")
    back = coo.asformat("csr")
    for array in (coo, back):
        checked(array)
        for mine, theirs in zip(stored(array).buffers[-2:], stored(csr).buffers[-2:], strict=True):
            assert np.shares_memory(mine, theirs)


def test_another_format_shares_no_values_that_others_write() -> None:
    matrix = scipy.sparse.csr_array(np.eye(3))
    shared = sa.asarray(matrix)
    for other in (shared.asformat("coo"), shared[:, [0, 1, 2]], shared.asformat("csc")):
        assert not np.shares_memory(stored(other).buffers[-1], matrix.data)


def test_small_matrices_are_converted_without_compiling() -> None:
    before = statistics()["compiled"]
    array = sa.asarray(random((5, 6)))
    for name in ("csr", "csc", "coo", "bsr", "dia", "csc"):
        array = array.asformat(name)
    assert statistics()["compiled"] == before


# Tiles


@pytest.mark.parametrize("side", [(2, 4), (3, 2), (1, 1), (6, 8), (6, 1), (None, 2), (3, None)])
def test_tiles_of_any_sides(side: tuple[int | None, int | None]) -> None:
    dense = random((6, 8))
    array = sa.asarray(dense).asformat(Dense(Tiles(height=side[0], width=side[1])))
    assert array.format == "bsr"
    tiles: Any = array.format.levels[1]
    height, width = tiles.height, tiles.width
    assert (side[0] or height, side[1] or width) == (height, width)
    occupied = dense.reshape(6 // height, height, 8 // width, width).any(axis=(1, 3)).sum()
    assert array.nstored == occupied * height * width
    np.testing.assert_array_equal(to_dense(checked(array)), dense)


def test_the_sides_that_take_the_fewest_bytes_are_taken() -> None:
    dense = np.kron(np.eye(5), np.ones((4, 4)))
    tiles: Any = sa.asarray(dense).asformat("bsr").format.levels[1]
    assert (tiles.height, tiles.width) == (4, 4)
    assert sa.asarray(dense).asformat("bsr").nstored == 80


def test_tiles_that_do_not_divide_the_shape_are_refused() -> None:
    with pytest.raises(FormatError, match=r"shape \(6, 8\) is no multiple .* height 4 and width 4"):
        sa.asarray(random((6, 8))).asformat(Dense(Tiles(height=4, width=4)))
    with pytest.raises(FormatError, match="must stand directly below Dense"):
        parse(SparseList(Tiles()), 2)


@pytest.mark.parametrize(
    ("ptr", "idx", "message"),
    [
        ([0, 1, 3], [0, 1, 1], "'idx': entry 2, 1, does not exceed"),
        ([0, 1, 2], [0, 2], r"'idx': entry 1, 2, is outside \[0, 2\)"),
        ([0, 2, 1], [0, 1], "'ptr': entry 2, 1, is less"),
        ([0, 1, 2, 2], [0, 1], "'ptr' must be one-dimensional with 3 entries"),
    ],
)
def test_corrupted_tiles_are_refused(ptr: list[int], idx: list[int], message: str) -> None:
    format = parse(Dense(Tiles(height=2, width=3)), 2)
    with pytest.raises(FormatError, match=message):
        Tensor.checked(format, (4, 6), 0, (ptr, idx, np.zeros(len(idx) * 6)))
    with pytest.raises(FormatError, match="height: 2 must divide the extent 5"):
        Tensor.checked(format, (5, 6), 0, (ptr, idx, np.zeros(len(idx) * 6)))


OTHERS = ("csc", "vbl", "sparse-rle", "bitmap", "bsr", "packbits", "hash", "ragged", "triu")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "other",
    [
        *("csr", "coo", "band", "rle", "dense", "dia", "symmetric"),
        *(pytest.param(name, marks=pytest.mark.long) for name in OTHERS),
    ],
)
@pytest.mark.parametrize("tiles", [(2, 3), pytest.param((3, 2), marks=pytest.mark.long)])
def test_tiles_beside_every_format(tiles: tuple[int, int], other: str) -> None:
    left, right = random((6, 6)), random((6, 7))[:, 1:]
    right = right + right.T if other == "symmetric" else np.triu(right)
    a = sa.asarray(left).asformat(Dense(Tiles(height=tiles[0], width=tiles[1])))
    b = sa.asarray(right).asformat(other)
    for one, x in ((a, left), (a.T, left.T)):
        for op in (np.multiply, np.add, np.minimum, np.greater, np.subtract):
            np.testing.assert_array_equal(op(one, b).todense(), op(x, right))
            np.testing.assert_array_equal(op(b, one).todense(), op(right, x))
        np.testing.assert_allclose((one @ b).todense(), x @ right)
        np.testing.assert_allclose((b @ one).todense(), right @ x)


def test_tiles_in_every_kind_of_expression() -> None:
    dense = random((6, 8))
    a = sa.asarray(dense).asformat(Dense(Tiles(height=3, width=4)))
    x, y = np.arange(8.0), np.arange(6.0)
    for axis in (0, 1, None):
        np.testing.assert_array_equal(np.asarray(a.sum(axis=axis)), dense.sum(axis=axis))
        np.testing.assert_array_equal(np.asarray(a.max(axis=axis)), dense.max(axis=axis))
    np.testing.assert_allclose(np.asarray(a @ x), dense @ x)
    np.testing.assert_allclose(np.asarray(y @ a), y @ dense)
    np.testing.assert_array_equal((a * x).todense(), dense * x)
    np.testing.assert_array_equal((a * y[:, None]).todense(), dense * y[:, None])
    np.testing.assert_array_equal(np.exp(a).todense(), np.exp(dense))
    np.testing.assert_array_equal(
        sa.concat((a, a), axis=0).todense(), np.concatenate((dense, dense))
    )
    np.testing.assert_array_equal(
        sa.concat((a, a), axis=1).todense(), np.concatenate((dense, dense), axis=1)
    )
    assert (a + a).format == "bsr"


@pytest.mark.parametrize("protocol", ["walk", "gallop", "locate"])
def test_tiles_by_every_protocol(protocol: str) -> None:
    left, right = random((6, 8)), random((6, 9))[:, 1:]
    tiles = sa.asarray(left).asformat(Dense(Tiles(height=3, width=2)))
    read = graph.protocol(tiles._node, protocol)
    other = sa.asarray(right, format="csr")._node
    for op, wanted in (("multiply", left * right), ("add", left + right)):
        done = compute.value(graph.elementwise(op, (read, other)))
        np.testing.assert_array_equal(to_dense(done), wanted)


def test_runs_along_another_axis_stay_behind_the_limit() -> None:
    runs = sa.asarray(np.ones((40, 40))).asformat("rle")
    tensor = runs.compute()._tensor
    assert tensor is not None
    with sa.options(densify_limit=100), pytest.raises(DensificationError, match="densify_limit"):
        compute.reordered(tensor, (1, 0))


def test_sums_that_vanish_are_left_out_of_a_format_that_demands_it() -> None:
    rows = np.array([[[2.0, 1.0], [0.0, 0.0]]])
    point = Format(SparsePoint(Dense(Element())), (0, 1))
    got = sa.sum(sa.asarray(rows), axis=0).asformat(point)
    checked(got)
    np.testing.assert_array_equal(got.todense(), rows[0])


def test_room_for_products_of_nothing() -> None:
    """A product over what is not stored is no longer one, where every element is."""
    nothing = sa.asarray(np.zeros((1, 2), bool), format="interval")
    got = sa.prod(nothing, axis=0).asformat("list")
    checked(got)
    np.testing.assert_array_equal(got.todense(), [0, 0])
