"""Tensors: what they hold, what they refuse, and their dense and coordinate conversions."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as npst

import structarr as sa
from structarr._storage.coordinates import coordinates, from_coordinates
from structarr._storage.dense import from_dense, to_dense
from structarr._storage.tensor import Tensor
from structarr.errors import FormatError
from structarr.formats import (
    Bitmap,
    Dense,
    Format,
    Level,
    RunList,
    SparseBand,
    SparseList,
    parse,
)

CSR = ([0, 2, 2, 3], [0, 3, 1], [1.0, 2.0, 3.0])
DTYPES = ["bool", "int8", "uint8", "int32", "int64", "uint64"]
DTYPES += ["float32", "float64", "complex64", "complex128"]


def csr() -> Tensor:
    return Tensor.checked(parse("csr", 2), (3, 4), 0, CSR)


def test_properties() -> None:
    tensor = csr()
    assert (tensor.shape, tensor.ndim, tensor.dims) == ((3, 4), 2, (3, 4))
    assert (tensor.dtype, tensor.fill, type(tensor.fill)) == (np.float64, 0, np.float64)
    assert (tensor.nstored, tensor.nbytes) == (3, 80)
    assert [len(part) for part in tensor.level_buffers] == [0, 2, 1]
    assert repr(tensor).startswith("<Tensor csr of shape (3, 4), dtype float64")


def test_a_pickle_is_another_tensor_of_the_same_values() -> None:
    tensor = csr()
    back = pickle.loads(pickle.dumps(tensor))
    assert back != tensor
    assert back.format is tensor.format
    assert np.array_equal(to_dense(back), to_dense(tensor))


def test_copies() -> None:
    tensor = csr()
    assert copy.copy(tensor) is tensor
    deep = copy.deepcopy(tensor)
    for one, other in zip(deep.buffers, tensor.buffers, strict=True):
        assert not np.shares_memory(one, other)
        assert np.array_equal(one, other)


@given(st.permutations(range(3)))
def test_a_transposed_tensor_shares_the_buffers(axes: list[int]) -> None:
    dense = np.arange(24).reshape(2, 3, 4) % 5
    tensor = from_coordinates(np.nonzero(dense), dense[dense != 0], dense.shape, 0, parse("csf", 3))
    moved = tensor.transposed(axes)
    assert moved.buffers is tensor.buffers
    assert np.array_equal(to_dense(moved), dense.transpose(axes))
    assert np.array_equal(to_dense(moved.transposed(axes)), dense.transpose(axes).transpose(axes))


def test_a_transposition_needs_every_axis_once() -> None:
    with pytest.raises(ValueError, match="permutation"):
        csr().transposed((0, 0))


def test_a_bitmap_stores_what_it_marks() -> None:
    mask = np.array([True, False, True])
    bitmap = Tensor.checked(parse("bitmap", 1), (3,), 7, (mask, [1, 2, 3]))
    assert bitmap.nstored == 2
    assert to_dense(bitmap).tolist() == [1, 7, 3]
    blocks = Tensor.checked(parse(Bitmap(Dense()), 2), (3, 2), 0, (mask, np.arange(6)))
    assert blocks.nstored == 4
    assert to_dense(blocks).tolist() == [[0, 1], [0, 0], [4, 5]]


def test_right_buffers_are_copied_only_if_they_are_coordinates_that_change() -> None:
    buffers = [np.array(CSR[0]), np.array(CSR[1]), np.array(CSR[2])]
    for fixed in (False, True):
        for places in buffers[:-1]:
            places.flags.writeable = not fixed
        tensor = Tensor.checked(parse("csr", 2), (3, 4), 0, buffers)
        shared = [
            np.shares_memory(kept, given_)
            for kept, given_ in zip(tensor.buffers, buffers, strict=True)
        ]
        assert shared == [fixed, fixed, True]


def test_others_are_converted() -> None:
    ptr, idx, val = (np.repeat(part, 2)[::2] for part in CSR)
    tensor = Tensor.checked(
        parse("csr", 2, "int32"), (3, 4), 0, (ptr.astype(np.uint8), idx, val.astype(">f8"))
    )
    assert [buffer.dtype.str for buffer in tensor.buffers] == ["<i4", "<i4", "<f8"]
    assert all(buffer.flags.c_contiguous for buffer in tensor.buffers)
    assert np.array_equal(to_dense(tensor), to_dense(csr()))


@pytest.mark.parametrize(
    ("place", "buffer", "message"),
    [
        (0, [0, 2, 2], r"level 1 \(SparseList\) buffer 'ptr' must .*4 entries"),
        (0, [0, 2, 1, 3], r"level 1 \(SparseList\) buffer 'ptr': entry 2, 1, is less"),
        (0, [1, 2, 2, 3], "'ptr' must start with 0"),
        (0, [0, 2, 2, 4], r"'idx' must .*4 entries"),
        (0, [0.0, 2.0, 2.0, 3.0], "'ptr' must be int64, not float64"),
        (1, [0, 4, 1], r"buffer 'idx': entry 1, 4, is outside \[0, 4\).*; correct the buffer"),
        (1, [0, -1, 1], "'idx': entry 1, -1, is outside"),
        (1, [3, 3, 1], "'idx': entry 1, 3, does not exceed"),
        (1, [0, 2**63, 1], "'idx': entry 1, .* does not fit int64"),
        (2, [1.0, 2.0], r"level 2 \(Element\) buffer 'val' must .* 3 entries"),
        (2, [[1.0, 2.0, 3.0]], "'val' must have one dimension"),
    ],
)
def test_bad_buffers_are_named(place: int, buffer: Any, message: str) -> None:
    buffers: list[Any] = list(CSR)
    buffers[place] = np.array(buffer, np.uint64) if 2**63 in buffer else buffer
    with pytest.raises(FormatError, match=message):
        Tensor.checked(parse("csr", 2), (3, 4), 0, buffers)


@pytest.mark.parametrize(
    ("shape", "fill", "buffers", "error", "message"),
    [
        ((3,), 0, CSR, FormatError, "1 axes, but format csr has 2"),
        ((3, -4), 0, CSR, FormatError, "must not be negative"),
        ((3, 4.0), 0, CSR, TypeError, "shape must be a sequence of integers"),
        ((3, 2**63), 0, CSR, ValueError, "more places on an axis than int64 counts"),
        ((3, 4), "x", CSR, FormatError, "fill 'x' is not a value of dtype float64"),
        ((3, 4), 1j, CSR, FormatError, "fill 1j is not a value of dtype float64"),
        ((3, 4), 0, CSR[:2], FormatError, "has 3 buffers, not 2: .*'ptr'"),
        ((3, 4), 0, (*CSR[:2], ["a", "b", "c"]), TypeError, "not supported"),
        ((3, 4), 0.5, (*CSR[:2], [1, 2, 3]), FormatError, "not exact in dtype int64"),
    ],
)
def test_bad_arguments_are_refused(
    shape: Any, fill: Any, buffers: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        Tensor.checked(parse("csr", 2), shape, fill, buffers)


def test_coordinates_must_fit_the_index_dtype() -> None:
    narrow = parse("list", 1, "int32")
    with pytest.raises(FormatError, match="too long for int32 coordinates; use index='int64'"):
        Tensor.checked(narrow, (2**40,), 0, ([0, 0], [], []))


# Dense arrays


dense_arrays = st.sampled_from(DTYPES).flatmap(
    lambda dtype: npst.arrays(dtype, npst.array_shapes(min_dims=0, max_dims=4, min_side=0))
)


@given(dense_arrays, st.data())
def test_dense_arrays_come_back(array: np.ndarray[Any, Any], data: st.DataObject) -> None:
    axes = data.draw(st.permutations(range(array.ndim)))
    moved = array.transpose(axes)
    tensor = from_dense(moved)
    assert all(type(level) is Dense for level in tensor.format.levels[:-1])
    assert np.shares_memory(tensor.buffers[0], array) or not array.size
    back = to_dense(tensor)
    assert back.dtype == array.dtype
    assert back.flags.writeable
    assert back.flags.c_contiguous
    assert not np.shares_memory(back, array)
    np.testing.assert_array_equal(back, moved)


def test_dense_views_are_read_only_and_leave_the_array_writable() -> None:
    array = np.ones((2, 3))
    tensor = from_dense(array)
    assert tensor.format is parse("dense", 2)
    assert not tensor.buffers[0].flags.writeable
    assert array.flags.writeable


@pytest.mark.parametrize(
    "array",
    [np.arange(12)[::2], np.arange(12.0)[::-1], np.arange(3, dtype=">i4"), np.eye(4)[1:, 2:]],
)
def test_other_arrays_are_copied(array: np.ndarray[Any, Any]) -> None:
    tensor = from_dense(array)
    assert not np.shares_memory(tensor.buffers[0], array)
    assert tensor.buffers[0].dtype.isnative
    np.testing.assert_array_equal(to_dense(tensor), array)


@pytest.mark.parametrize("array", [np.array(["a"]), np.array([None]), np.zeros(2, "M8[s]")])
def test_arrays_of_no_numbers_are_refused(array: np.ndarray[Any, Any]) -> None:
    with pytest.raises(TypeError, match="is not supported: "):
        from_dense(array)


def test_a_masked_array_is_refused() -> None:
    with pytest.raises(TypeError, match="filled"):
        from_dense(np.ma.masked_equal([1, 2], 2))


# Coordinates


def stored_in(level: type[Level], dense: np.ndarray[Any, Any]) -> Tensor:
    """A vector in a format, made by hand; zeros are not stored where they need not be."""
    (at,) = np.nonzero(dense)
    if level is SparseBand:
        start, stop = (int(at[0]), int(at[-1]) + 1) if len(at) else (0, 0)
        buffers: tuple[Any, ...] = ([0, stop - start], [start], dense[start:stop])
    elif level is RunList:
        ends = np.flatnonzero(np.append(dense[1:] != dense[:-1], [True] * (len(dense) > 0))) + 1
        buffers = ([0, len(ends)], ends, dense[ends - 1])
    elif level is Bitmap:
        buffers = (dense != 0, dense)
    elif level is Dense:
        buffers = (dense,)
    else:
        buffers = ([0, len(at)], at, dense[at])
    return Tensor.checked(parse(level(), 1), dense.shape, 0, buffers)  # type: ignore[call-arg]


@pytest.mark.parametrize("level", [Dense, SparseList, SparseBand, RunList, Bitmap])
@given(dense=npst.arrays(np.int64, st.integers(0, 12), elements=st.integers(0, 2)))
def test_every_level_is_listed_by_coordinates(
    level: type[Level], dense: np.ndarray[Any, Any]
) -> None:
    tensor = stored_in(level, dense)
    np.testing.assert_array_equal(to_dense(tensor), dense)
    (coords,), values = coordinates(tensor)
    np.testing.assert_array_equal(dense[coords], values)
    assert len(coords) >= np.count_nonzero(dense)
    assert (np.diff(coords) > 0).all()


def test_runs_of_lists_repeat_their_children() -> None:
    tensor = Tensor.checked(
        parse(RunList(SparseList()), 2),
        (4, 3),
        0,
        ([0, 2], [3, 4], [0, 1, 3], [2, 0, 1], [5, 6, 7]),
    )
    assert to_dense(tensor).tolist() == [[0, 0, 5], [0, 0, 5], [0, 0, 5], [6, 7, 0]]


@st.composite
def trees(draw: st.DrawFn, ndim: int) -> Format:
    tree = parse("dense", 0).root
    for level in draw(st.lists(st.sampled_from([Dense, SparseList]), min_size=ndim, max_size=ndim)):
        tree = level(tree)
    order = tuple(draw(st.permutations(range(ndim))))
    return Format(tree, order, draw(st.sampled_from(["int32", "int64"])))


@given(st.data())
def test_coordinates_are_sorted_and_summed(data: st.DataObject) -> None:
    shape = data.draw(st.lists(st.integers(0, 4), max_size=4).map(tuple))
    places = list(np.ndindex(shape))
    entries = data.draw(st.lists(st.sampled_from(places), max_size=20)) if places else []
    coords = tuple(np.array(entries, np.int64).reshape(len(entries), len(shape)).T)
    dtype = data.draw(st.sampled_from(["bool", "uint8", "int64", "complex64"]))
    values = data.draw(npst.arrays(dtype, len(entries), elements=st.integers(0, 1)))
    expected = np.full(shape, dtype == "bool", dtype)
    for entry in entries:
        expected[entry] = 0
    for entry, value in zip(entries, values, strict=True):
        expected[entry] += value
    tensor = from_coordinates(coords, values, shape, dtype == "bool", data.draw(trees(len(shape))))
    np.testing.assert_array_equal(to_dense(tensor), expected)
    assert tensor.dtype == dtype


def test_a_shape_beyond_int64_places_is_sorted_too() -> None:
    shape = (2**40, 2**40)
    tensor = from_coordinates(([5, 2, 5], [7, 2**39, 7]), [1, 2, 3], shape, 0, parse("dcsr", 2))
    (rows, columns), values = coordinates(tensor)
    assert (rows.tolist(), columns.tolist(), values.tolist()) == ([2, 5], [2**39, 7], [2, 4])


@pytest.mark.parametrize("dim", [3, 2**16, 2**20, 2**50])
def test_many_entries_are_sorted_stably(dim: int) -> None:
    random = np.random.default_rng(dim)
    coords = tuple(random.integers(0, dim, (2, 1000)))
    coords[1][::2] = coords[1][0]
    values = 2.0 ** random.integers(-40, 40, 1000)
    tensor = from_coordinates(coords, values, (dim, dim), 0, parse("dcsr", 2))
    places = sorted(zip(*coords, strict=True))
    (rows, columns), _ = coordinates(tensor)
    assert list(zip(rows, columns, strict=True)) == list(dict.fromkeys(places))
    order = np.lexsort(coords[::-1])
    firsts = np.flatnonzero([n == 0 or place != places[n - 1] for n, place in enumerate(places)])
    assert np.array_equal(tensor.buffers[-1], np.add.reduceat(values[order], firsts))


@pytest.mark.parametrize(
    ("coords", "values", "message"),
    [
        (([0, 3], [0, 0]), [1, 2], r"axis 0: entry 1, 3, is outside \[0, 3\)"),
        (([0, 1], [0, -1]), [1, 2], "axis 1: entry 1, -1"),
        (([0, 1], [0]), [1, 2], "axis 1 have shape"),
        (([0.5, 1], [0, 1]), [1, 2], "axis 0 must be integers"),
        (([0, 1],), [1, 2], "1 arrays of coordinates"),
        (([0], [0]), [[1]], "values must have one dimension"),
    ],
)
def test_bad_coordinates_are_refused(coords: Any, values: Any, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        from_coordinates(coords, values, (3, 4), 0, parse("csr", 2))


def test_runs_are_not_built_from_coordinates() -> None:
    with pytest.raises(FormatError, match=r"not RunList; .*asformat"):
        from_coordinates(([0],), [1], (3,), 0, parse("rle", 1))


_numbers = st.one_of(st.integers(-1, 5), st.sampled_from([2**31 - 1, -(2**31)]))


@pytest.mark.parametrize("level", [SparseList, SparseBand, RunList])
@given(st.lists(_numbers, max_size=5), st.lists(_numbers, max_size=5), st.integers(0, 5))
def test_any_buffers_are_refused_or_lie_within_the_shape(
    level: type[Level], ptr: list[int], places: list[int], count: int
) -> None:
    format = parse(Dense(level()), 2, "int32")  # type: ignore[call-arg]
    fibers = max(len(ptr) - 1, 0)
    try:
        tensor = Tensor.checked(format, (fibers, 4), 0, (ptr, places, np.arange(count)))
    except FormatError:
        return
    for axis, coords in enumerate(coordinates(tensor)[0]):
        assert ((coords >= 0) & (coords < tensor.shape[axis])).all()


@pytest.mark.parametrize(
    "name", ["dense", "csr", "csc", "dcsr", "coo", "band", "vbl", "point", "rle"]
)
def test_magnitudes_are_the_bits_of_counts(name: str) -> None:
    values = np.zeros((5, 7))
    values[[0, 2, 3], [1, 1, 6]] = 2.0
    first, second = (sa.asarray(values, format=name)._tensor for _ in range(2))
    bits = first.magnitudes  # before anything is counted
    assert bits == tuple(one.bit_length() for one in first.counts)
    assert second.counts == first.counts
    assert second.magnitudes == bits
    assert first.transposed((1, 0)).counts == first.counts
