"""scipy.sparse in and out: what is kept, what is shared, and that nothing corrupted gets in."""

import copy
from itertools import chain
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as npst

import structarr as sa
from structarr._array import of_tensor, stored
from structarr._storage.coordinates import from_coordinates
from structarr._storage.dense import from_dense, to_dense
from structarr._storage.tensor import Tensor
from structarr.errors import DensificationError, FormatError
from structarr.formats import (
    Bitmap,
    Dense,
    Layout,
    RunList,
    SparseBand,
    SparseList,
    name_of,
    parse,
)
from structarr.interop.scipy import LAYOUTS, from_scipy, to_scipy

Array = np.ndarray[Any, Any]
DTYPES = ["bool", "int8", "uint16", "int64", "float32", "float64", "complex64", "complex128"]
NAMES = {"lil": "csr", "dok": "coo"}
SHAPES = st.tuples(st.integers(0, 6), st.integers(0, 6))

dense_arrays = st.sampled_from(DTYPES).flatmap(
    lambda dtype: npst.arrays(dtype, SHAPES, elements=st.integers(0, 1), fill=st.just(0))
)


def made(dense: Array, layout: str, kind: str) -> Any:
    """A scipy.sparse array or matrix of a layout."""
    return getattr(scipy.sparse, f"{layout}_{kind}")(dense)


def buffers_of(matrix: Any) -> dict[str, Any]:
    """A deep copy of all that a matrix keeps."""
    return copy.deepcopy(vars(matrix))


def assert_same_state(matrix: Any, before: dict[str, Any]) -> None:
    assert vars(matrix).keys() == before.keys()
    for name, value in before.items():
        np.testing.assert_equal(vars(matrix)[name], value, err_msg=name)


@pytest.mark.parametrize("kind", ["array", "matrix"])
@pytest.mark.parametrize("layout", LAYOUTS)
@given(dense=dense_arrays)
def test_every_layout_comes_in(dense: Array, layout: str, kind: str) -> None:
    matrix = made(dense, layout, kind)
    before = buffers_of(matrix)
    tensor = from_scipy(matrix)
    assert_same_state(matrix, before)
    assert name_of(tensor.format) == NAMES.get(layout, layout)
    assert (tensor.shape, tensor.dtype, tensor.fill) == (dense.shape, dense.dtype, 0)
    np.testing.assert_array_equal(to_dense(tensor), dense)


@pytest.mark.parametrize("layout", LAYOUTS)
@given(dense=dense_arrays, data=st.data())
def test_every_format_goes_out(dense: Array, layout: str, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(["dense", "csr", "csc", "dcsr", "dcsc", "coo"]))
    index = data.draw(st.sampled_from(["int32", "int64"]))
    coords = np.nonzero(dense)
    tensor = from_coordinates(coords, dense[coords], dense.shape, 0, parse(name, 2, index))
    matrix = to_scipy(tensor, layout)
    assert isinstance(matrix, getattr(scipy.sparse, f"{layout}_array"))
    assert matrix.dtype == dense.dtype
    np.testing.assert_array_equal(matrix.toarray(), dense)


@given(dense=dense_arrays)
def test_what_came_in_goes_out_by_default(dense: Array) -> None:
    for layout in ("csr", "csc", "coo", "bsr", "dia"):
        matrix = to_scipy(from_scipy(made(dense, layout, "matrix")))
        assert matrix.format == layout
        assert layout == "dia" or matrix.has_canonical_format
        np.testing.assert_array_equal(matrix.toarray(), dense)
    assert to_scipy(from_dense(dense)).format == "csr"


@pytest.mark.parametrize("index", ["int32", "int64"])
@pytest.mark.parametrize("layout", ["csr", "csc"])
def test_buffers_that_fit_are_shared(layout: str, index: str) -> None:
    buffers = np.array([1.0, 2.0]), np.array([0, 2], index), np.array([0, 1, 1, 2], index)
    for places in buffers[1:]:
        places.flags.writeable = False
    kind = getattr(scipy.sparse, f"{layout}_array")
    matrix = kind(buffers, shape=(3, 3))
    tensor = from_scipy(matrix)
    assert tensor.format.index == index
    for ours, theirs in zip(tensor.buffers, reversed(buffers), strict=True):
        assert np.shares_memory(ours, theirs)
    back = to_scipy(tensor)
    for out, theirs in zip((back.data, back.indices, back.indptr), buffers, strict=True):
        assert np.shares_memory(out, theirs)
        assert not out.flags.writeable
    assert matrix.data.flags.writeable
    copied = from_scipy(matrix, copy=True)
    for ours, theirs in zip(copied.buffers, reversed(buffers), strict=True):
        assert not np.shares_memory(ours, theirs)


def read_only_view(array: Array) -> Array:
    view = array.view()
    view.flags.writeable = False
    return view


@pytest.mark.parametrize("layout", ["csr", "csc", "coo", "bsr"])
@pytest.mark.parametrize("seen", [lambda array: array, read_only_view])
def test_coordinates_that_an_owner_writes_are_copied(layout: str, seen: Any) -> None:
    dense = np.array([[0, 2.0], [3.0, 0], [0, 1.0], [0, 0]])
    matrix = made(dense, layout, "array")
    names = ("indptr", "indices") if layout != "coo" else ("row", "col")
    owned = [getattr(matrix, name) for name in names]
    for name, places in zip(names, owned, strict=True):
        setattr(matrix, name, seen(places))
    tensor = from_scipy(matrix)
    matrix.data[...] = 7.0
    for places in owned:
        places[...] = 10**9
    with sa.options(tier="interpreted"):
        found = sa.matmul(of_tensor(tensor), np.ones(2)).tolist()
    assert found == [7.0, 7.0, 7.0, 0.0]


def test_coordinates_handed_out_stay_as_they_are() -> None:
    array = sa.asarray(np.eye(3), format="csr")
    handed = array.to_scipy()
    for places in (handed.indices, handed.indptr):
        with pytest.raises(ValueError, match="WRITEABLE"):
            places.flags.writeable = True
    assert np.shares_memory(stored(sa.asarray(handed)).buffers[1], handed.indices)


@pytest.mark.parametrize("layout", ["csr", "csc", "coo", "bsr", "dia", "lil", "dok"])
def test_a_copy_shares_nothing(layout: str) -> None:
    matrix = made(np.diag([1.0, 2.0]), layout, "array")
    copied = from_scipy(matrix, copy=True)
    for mine in copied.buffers:
        for name in ("data", "indices", "indptr", "offsets", "row", "col"):
            theirs = getattr(matrix, name, None)
            assert not isinstance(theirs, np.ndarray) or not np.shares_memory(mine, theirs)


@pytest.mark.parametrize("layout", ["csr", "csc", "bsr"])
def test_an_array_that_its_owner_gives_another_shape_is_no_other_one_of_ours(layout: str) -> None:
    random = np.random.default_rng(0)
    matrix = scipy.sparse.random_array((6, 6), density=0.5, rng=random, format=layout)
    for buffer in (matrix.indptr, matrix.indices):
        buffer.flags.writeable = False  # so that they are shared as well
    a, dense = sa.asarray(matrix), matrix.toarray()
    for buffer in (matrix.indices, matrix.data):
        buffer.shape = (*buffer.shape, 1)
    np.testing.assert_array_equal(a.todense(), dense)
    np.testing.assert_array_equal((a * 2).todense(), dense * 2)


@pytest.mark.parametrize("index", ["int32", "int64"])
def test_coordinates_and_blocks_are_shared(index: str) -> None:
    places = np.array([0, 2], index), np.array([1, 1], index)
    for one in places:
        one.flags.writeable = False
    coo = scipy.sparse.coo_array((np.array([1.0, 2.0]), places), shape=(3, 3))
    pointers = np.array([0, 1, 2], index)
    bsr = scipy.sparse.bsr_array((np.ones((2, 2, 3)), places[0], pointers), shape=(4, 9))
    for matrix in (coo, bsr):
        back = to_scipy(from_scipy(matrix))
        assert type(back) is type(matrix)
        assert np.shares_memory(back.data, matrix.data)
        assert not back.data.flags.writeable
    for mine, theirs in zip(to_scipy(from_scipy(coo)).coords, places, strict=True):
        assert np.shares_memory(mine, theirs)


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), max_size=8), st.booleans())
def test_unsorted_and_repeated_blocks_are_put_in_order(places: list[Any], logical: bool) -> None:
    places = sorted(places, key=lambda place: place[0])
    indptr = np.searchsorted([row for row, _ in places], np.arange(4))
    indices = np.array([column for _, column in places], np.int32)
    data = np.arange(len(places) * 6).reshape(-1, 2, 3) % 5
    data = data > 2 if logical else data
    matrix = scipy.sparse.bsr_array((data, indices, indptr), shape=(6, 12))
    before = buffers_of(matrix)
    tensor = from_scipy(matrix)
    assert_same_state(matrix, before)
    expected = np.zeros((6, 12), data.dtype)
    for block, (row, column) in zip(data, places, strict=True):
        expected[2 * row : 2 * row + 2, 3 * column : 3 * column + 3] += block
    np.testing.assert_array_equal(to_dense(tensor), expected)
    assert tensor.nstored == 6 * len(set(places))


def test_diagonals_of_a_huge_shape_are_refused() -> None:
    matrix = scipy.sparse.dia_array((np.ones((1, 5)), [0]), shape=(2**40, 2**40))
    with pytest.raises(DensificationError, match=r"convert the matrix with \.tocoo"):
        from_scipy(matrix)


@pytest.mark.parametrize("dtype", ["bool", "int16", "float64", "complex128"])
@pytest.mark.parametrize("shape", [(4, 6), (6, 4), (0, 4), (4, 0), (0, 0), (1, 1), (6, 6)])
@pytest.mark.parametrize("name", ["coo", "bsr", "dia", "csr", "csc"])
def test_a_format_comes_back_from_scipy(name: str, shape: tuple[int, int], dtype: str) -> None:
    rng = np.random.default_rng(sum(shape))
    dense = np.where(rng.random(shape) < 0.3, rng.integers(1, 5, shape), 0).astype(dtype)
    array = sa.asarray(dense).asformat(name)
    matrix = array.to_scipy()
    assert matrix.format == name
    back = sa.asarray(matrix)
    assert back.format == name
    assert back.dtype == dtype
    np.testing.assert_array_equal(back.todense(), dense)
    np.testing.assert_array_equal(matrix.toarray(), dense)


@pytest.mark.parametrize("name", ["hash", "band", "vbl", "ragged", "packbits", "bitmap", "rle"])
def test_other_formats_become_rows(name: str) -> None:
    dense = np.array([[0, 1.0, 2.0, 0], [0, 0, 0, 0], [3.0, 3.0, 3.0, 3.0]])
    matrix = sa.asarray(dense).asformat(name).to_scipy()
    assert matrix.format == "csr"
    np.testing.assert_array_equal(matrix.toarray(), dense)


@pytest.mark.parametrize("name", ["bsr", "dia", "coo"])
def test_a_transposed_matrix_goes_out_right(name: str) -> None:
    dense = np.triu(np.arange(16.0).reshape(4, 4))
    matrix = sa.asarray(dense).asformat(name).T.to_scipy()
    np.testing.assert_array_equal(matrix.toarray(), dense.T)


def test_read_only_results_compute() -> None:
    dense = np.array([[0, 1.0, 2.0], [3.0, 0, 0]])
    out = to_scipy(from_scipy(scipy.sparse.csr_array(dense)))
    np.testing.assert_array_equal(out @ np.ones(3), dense.sum(axis=1))
    np.testing.assert_array_equal((out + out.T.T).toarray(), 2 * dense)
    np.testing.assert_array_equal((out @ out.T).toarray(), dense @ dense.T)


@pytest.mark.parametrize("layout", ["csr", "csc"])
@given(data=st.data())
def test_unsorted_and_repeated_entries_are_put_in_order(layout: str, data: st.DataObject) -> None:
    rows, columns = data.draw(st.integers(0, 4)), data.draw(st.integers(1, 5))
    parts = data.draw(
        st.lists(st.lists(st.integers(0, columns - 1), max_size=6), min_size=rows, max_size=rows)
    )
    indptr = np.cumsum([0] + [len(part) for part in parts])
    indices = np.array(list(chain(*parts)), np.int64)
    values = data.draw(npst.arrays(np.float64, len(indices), elements=st.integers(0, 9)))
    shape = (rows, columns) if layout == "csr" else (columns, rows)
    expected = np.zeros((rows, columns))
    np.add.at(expected, (np.repeat(np.arange(rows), np.diff(indptr)), indices), values)
    matrix = getattr(scipy.sparse, f"{layout}_array")((values, indices, indptr), shape=shape)
    before = buffers_of(matrix)
    tensor = from_scipy(matrix)
    assert_same_state(matrix, before)
    np.testing.assert_array_equal(to_dense(tensor), expected if layout == "csr" else expected.T)
    # Entries whose values are or add up to zero stay.
    assert tensor.nstored == sum(len(set(part)) for part in parts)


@given(
    st.lists(st.integers(0, 3), min_size=1, max_size=4).map(tuple),
    st.data(),
)
def test_coo_arrays_of_any_axes(shape: tuple[int, ...], data: st.DataObject) -> None:
    places = list(np.ndindex(shape))
    entries = data.draw(st.lists(st.sampled_from(places), max_size=12)) if places else []
    coords = tuple(np.array(entries, np.int32).reshape(len(entries), len(shape)).T)
    values = np.arange(1, len(entries) + 1)
    expected = np.zeros(shape, np.int64)
    np.add.at(expected, coords, values)
    matrix = scipy.sparse.coo_array((values, coords), shape=shape)
    tensor = from_scipy(matrix)
    assert Layout(tensor.format) == "coo"
    assert tensor.format.index == matrix.coords[0].dtype
    np.testing.assert_array_equal(to_dense(tensor), expected)


@pytest.mark.parametrize("layout", ["coo", "csr", "dok"])
@given(
    dense=npst.arrays(np.float64, st.integers(0, 8), elements=st.integers(0, 1), fill=st.just(0))
)
def test_vectors(dense: Array, layout: str) -> None:
    tensor = from_scipy(made(dense, layout, "array"))
    assert Layout(tensor.format) == ("list" if layout == "csr" else "coo")
    np.testing.assert_array_equal(to_dense(tensor), dense)
    np.testing.assert_array_equal(to_scipy(tensor, layout).toarray(), dense)
    assert to_scipy(tensor).format == "coo"
    np.testing.assert_array_equal(to_scipy(from_dense(dense)).toarray(), dense)


def test_a_list_goes_out_as_a_shared_vector() -> None:
    tensor = Tensor.checked(parse("list", 1), (9,), 0, ([0, 2], [3, 5], [1.0, 0.0]))
    vector = to_scipy(tensor)
    assert np.shares_memory(vector.data, tensor.buffers[2])
    assert np.shares_memory(vector.coords[0], tensor.buffers[1])
    assert vector.nnz == 2


@pytest.mark.parametrize("blocks", [(1, 1), (2, 3), (4, 6)])
def test_blocks_keep_their_zeros(blocks: tuple[int, int]) -> None:
    dense = np.zeros((4, 6))
    dense[1, 4] = 5
    matrix = scipy.sparse.bsr_array(dense, blocksize=blocks)
    tensor = from_scipy(matrix)
    assert tensor.nstored == blocks[0] * blocks[1]
    np.testing.assert_array_equal(to_dense(tensor), dense)


def test_diagonals_keep_signs_of_zeros_and_are_added_up_where_they_come_twice() -> None:
    data = np.array([[-0.0, 1.0, np.nan], [-0.0, 2.0, np.inf], [3.0, 4.0, -0.0]])
    twice = scipy.sparse.dia_array((data, [0, 1, 2]), shape=(3, 3))
    twice.offsets = np.array([0, 1, 0])  # which SciPy does not make
    found = sa.asarray(twice).todense()
    assert found.tobytes() == np.array([[3, 2, 0], [0, 5, np.inf], [0, 0, np.nan]]).tobytes()
    alone = sa.asarray(scipy.sparse.dia_array((data[:1], [0]), shape=(3, 3)))
    assert np.signbit(alone.todense()[0, 0]) and np.isnan(alone.todense()[2, 2])


def test_diagonals_keep_their_zeros() -> None:
    matrix = scipy.sparse.dia_array((np.array([[1, 0, 3, 9, 9], [9, 4, 5, 6, 0]]), [0, 1]), (3, 5))
    tensor = from_scipy(matrix)
    assert tensor.nstored == 6
    np.testing.assert_array_equal(to_dense(tensor), matrix.toarray())


def test_entries_beyond_the_last_pointer_are_ignored() -> None:
    matrix = scipy.sparse.csr_array(np.eye(3))
    matrix.indices = np.append(matrix.indices, 99).astype(np.int32)
    matrix.data = np.append(matrix.data, 99.0)
    np.testing.assert_array_equal(to_dense(from_scipy(matrix)), np.eye(3))


def test_a_huge_shape_takes_no_memory() -> None:
    shape = (2**40, 2**41)
    coords = np.array([2**39]), np.array([7])
    tensor = from_scipy(scipy.sparse.coo_array(([1.5], coords), shape=shape))
    assert (tensor.shape, tensor.nbytes) == (shape, 40)


@pytest.mark.parametrize("level", [SparseBand, RunList, Bitmap, Dense, SparseList])
def test_stored_zeros_go_out_unless_dense_or_runs(level: Any) -> None:
    buffers: dict[Any, tuple[Any, ...]] = {
        SparseBand: ([0, 3], [1], [1.0, 0.0, 2.0]),
        RunList: ([0, 2], [4, 5], [0.0, 3.0]),
        Bitmap: (np.array([1, 1, 0, 0, 0], bool), [1.0, 0.0, 7.0, 7.0, 7.0]),
        Dense: ([0.0, 1.0, 0.0, np.nan, 0.0],),
        SparseList: ([0, 1], [2], [0.0]),
    }
    tensor = Tensor.checked(parse(level(), 1), (5,), 0, buffers[level])
    vector = to_scipy(tensor)
    assert vector.nnz == {SparseBand: 3, RunList: 1, Bitmap: 2, Dense: 2, SparseList: 1}[level]
    np.testing.assert_array_equal(vector.toarray(), to_dense(tensor))


@pytest.mark.parametrize("format", ["coo", "csf", "dense", "hash"])
@pytest.mark.parametrize("axes", [(0, 1, 2), (2, 0, 1)])
def test_more_than_two_axes_are_lists_of_coordinates(format: str, axes: tuple[int, ...]) -> None:
    dense = np.zeros((3, 4, 5))
    dense[[1, 0, 2], [2, 0, 3], [3, 1, 0]] = 5.0, 2.0, -1.0
    array = sa.asarray(dense, format=format).transpose(axes)
    made = array.to_scipy()
    assert made.format == "coo" and made.nnz == 3
    np.testing.assert_array_equal(made.toarray(), dense.transpose(axes))
    made.sum_duplicates()
    np.testing.assert_array_equal(sa.asarray(made).todense(), dense.transpose(axes))


def test_coordinates_of_three_axes_are_shared() -> None:
    places = tuple(np.array([[0, 1, 2], [2, 0, 3], [1, 3, 0]]))
    array = sa.from_coordinates(places, np.ones(3), (3, 4, 5), format="coo").compute()
    first, second = array.to_scipy(), array.to_scipy()
    assert np.shares_memory(first.data, second.data)
    assert all(map(np.shares_memory, first.coords, second.coords))


# What is refused


@pytest.mark.parametrize("dtype", [np.float16, np.longdouble, object])
def test_dtypes_that_are_not_stored(dtype: Any) -> None:
    matrix = scipy.sparse.csr_array(np.eye(2))
    matrix.data = matrix.data.astype(dtype)
    with pytest.raises(TypeError, match="is not supported: "):
        from_scipy(matrix)


def test_other_things_are_refused() -> None:
    with pytest.raises(TypeError, match=r"a scipy.sparse array or matrix is needed, not ndarray"):
        from_scipy(np.eye(2))


@pytest.mark.parametrize(
    ("shape", "fill", "layout", "message"),
    [
        ((3,), 1, None, "zero where nothing is stored, this one is 1.0: subtract the fill"),
        ((2, 2, 2), 0, "csr", "for 3 there is coo"),
        ((), 0, None, "one axis or more, not 0"),
        ((2, 2), 0, "xyz", "no layout 'xyz'; the layouts are csr"),
        ((2,), 0, "csc", "for one there are coo, csr, dok"),
    ],
)
def test_what_cannot_go_out(
    shape: tuple[int, ...], fill: float, layout: str | None, message: str
) -> None:
    tensor = from_coordinates([()] * len(shape), np.zeros(0), shape, fill, parse("csf", len(shape)))
    with pytest.raises(FormatError, match=message):
        to_scipy(tensor, layout)


def corrupted(layout: str, **changes: Any) -> Any:
    matrix = getattr(scipy.sparse, f"{layout}_array")(np.eye(4) + np.eye(4, k=1))
    for name, value in changes.items():
        setattr(matrix, name, value)
    return matrix


@pytest.mark.parametrize(
    ("layout", "changes", "message"),
    [
        ("csr", {"indices": np.array([0, 1, 1, 2, 2, 9, 3])}, r"entry 5, 9, is outside \[0, 4\)"),
        ("csc", {"indices": np.array([0, 0, 1, 1, -7, 2, 3])}, "entry 4, -7, is outside"),
        ("csr", {"indptr": np.array([0, 2, 4, 3, 7])}, "'indptr': entry 3, 3, is less"),
        ("csr", {"indptr": np.array([0, 2, 4, 7])}, "'indptr' must .* 5 entries"),
        ("csr", {"indptr": np.array([0, 2, 4, 6, 70])}, "ends with 70, but there are 7 indices"),
        ("csr", {"indptr": np.array([-1, 2, 4, 6, 7])}, "must start with 0"),
        ("csr", {"data": np.ones(3)}, r"data of shape \(3,\)"),
        ("csr", {"indices": np.zeros(7)}, "'indices' must be .* integers, not float64"),
        ("coo", {"coords": (np.zeros(7, int), np.full(7, 4))}, r"axis 1: entry 0, 4, is outside"),
        ("coo", {"data": np.ones(2)}, "axis 0 have shape"),
        ("bsr", {"indices": np.array([5])}, "entry 0, 5, is outside"),
        ("bsr", {"data": np.ones((1, 3, 3))}, "do not tile"),
        ("dia", {"offsets": np.array([0])}, r"offsets of shape \(1,\)"),
        ("dia", {"data": np.ones(3)}, "data of shape"),
        ("lil", {"rows": np.array([[0], [1], [2], [3, 4]], object)}, "as many entries"),
        ("lil", {"rows": np.array([None] * 4)}, "must be a list"),
        ("lil", {"data": np.array([["a", "b"]] * 3 + [["c"]], object)}, "is not of dtype float64"),
        ("dok", {"_dict": {(0, 7): 1.0}}, "axis 1: entry 0, 7, is outside"),
        ("dok", {"_dict": {(0, 1, 2): 1.0}}, "must have 2 indices"),
    ],
)
def test_corrupted_arrays_are_refused(layout: str, changes: dict[str, Any], message: str) -> None:
    if layout == "bsr":
        matrix: Any = scipy.sparse.bsr_array(np.ones((4, 4)), blocksize=(4, 4))
        for name, value in changes.items():
            setattr(matrix, name, value)
    else:
        matrix = corrupted(layout, **changes)
    with pytest.raises(
        FormatError, match=f"the scipy.sparse {layout} array is corrupted: .*{message}"
    ):
        from_scipy(matrix)


small = st.one_of(st.integers(-2, 6), st.sampled_from([2**31, -(2**31), 2**62, -(2**63)]))
anything = st.sampled_from(["int64", "int32", "uint8", "uint64"]).flatmap(
    lambda dtype: st.lists(small, max_size=7).map(lambda items: np.array(items, "i8").astype(dtype))
)


@pytest.mark.parametrize("layout", ["csr", "csc", "bsr"])
@given(indptr=anything, indices=anything, count=st.integers(0, 7))
def test_any_buffers_are_refused_or_read_right(
    layout: str, indptr: Array, indices: Array, count: int
) -> None:
    matrix = getattr(scipy.sparse, f"{layout}_array")((3, 5), dtype=float)
    values = np.arange(1.0, count + 1)
    matrix.indptr, matrix.indices = indptr, indices
    matrix.data = values[:, None, None] if layout == "bsr" else values
    try:
        got = to_dense(from_scipy(matrix))
    except FormatError:
        return
    expected = np.zeros((5, 3) if layout == "csc" else (3, 5))
    for row in range(len(expected)):
        for place in range(int(indptr[row]), int(indptr[row + 1])):
            expected[row, int(indices[place])] += values[place]
    np.testing.assert_array_equal(got, expected.T if layout == "csc" else expected)


@given(rows=anything, columns=anything, count=st.integers(0, 7))
def test_any_coordinates_are_refused_or_read_right(rows: Array, columns: Array, count: int) -> None:
    matrix = scipy.sparse.coo_array((3, 5), dtype=float)
    matrix.coords, matrix.data = (rows, columns), np.arange(1.0, count + 1)
    try:
        got = to_dense(from_scipy(matrix))
    except FormatError:
        return
    expected = np.zeros((3, 5))
    np.add.at(expected, (rows, columns), matrix.data)
    np.testing.assert_array_equal(got, expected)


@given(offsets=anything, width=st.integers(0, 7))
def test_any_diagonals_are_refused_or_read_right(offsets: Array, width: int) -> None:
    matrix = scipy.sparse.dia_array((3, 5), dtype=float)
    matrix.offsets, matrix.data = offsets, np.ones((len(offsets), width))
    try:
        got = to_dense(from_scipy(matrix))
    except FormatError:
        return
    expected = np.zeros((3, 5))
    for offset in offsets.astype(int):
        expected[:, :width] += np.eye(3, 5, k=int(np.clip(offset, -9, 9)))[:, :width]
    np.testing.assert_array_equal(got, expected)


def test_runs_of_zeros_are_not_expanded() -> None:
    n = 10**6
    for array in (sa.zeros((n, n)), sa.concat([sa.full((2, n), 0.0), sa.eye(n)]).asformat("rle")):
        count = n * (array.format == "rle")
        assert array.to_scipy("coo").nnz == count
    limited = sa.asarray(np.eye(3, 9)).asformat("sparse-rle")
    with sa.options(densify_limit=0):
        assert limited.to_scipy().nnz == 3


@pytest.mark.parametrize("array", [sa.tri(10**5), sa.triu(sa.full((10**5, 10**5), 2.0))])
def test_what_stands_for_many_entries_is_refused(array: sa.Array) -> None:
    with pytest.raises(DensificationError, match="densify_limit"):
        array.to_scipy()


@pytest.mark.parametrize("format", ["csr", "csc", "coo"])
def test_coordinates_are_made_of_lists_in_either_order(format: str) -> None:
    dense = np.where(np.random.default_rng(0).random((5, 7)) < 0.4, 1.5, 0.0)
    array = sa.asarray(dense, format=format)
    with sa.options(tier="interpreted"):
        found = array.to_scipy("coo")
    assert np.array_equal(found.toarray(), dense)
    assert found.has_canonical_format == (format != "csc")


@pytest.mark.parametrize("kind", ["csr", "csc"])
def test_many_indices_are_checked_as_few_are(kind: str) -> None:
    """By one loop over all: what falls from row to row does not count, and empty rows neither."""
    random = np.random.default_rng(0)
    given = scipy.sparse.random_array((12_000, 500), density=0.005, format=kind, rng=random)
    given.sort_indices()
    ptr = given.indptr
    assert np.diff(ptr).min() == 0 or kind == "csc"
    a = sa.asarray(given)
    assert a.format == kind and np.shares_memory(stored(a).buffers[-1], given.data)
    full = int(np.flatnonzero(np.diff(ptr) > 1)[7])
    swapped, outside, below, twice = (given.copy() for _ in range(4))
    here = slice(ptr[full], ptr[full] + 2)
    swapped.indices[here] = swapped.indices[here][::-1].copy()
    assert not np.shares_memory(stored(sa.asarray(swapped)).buffers[-1], swapped.data)
    np.testing.assert_array_equal(sa.asarray(swapped).todense(), swapped.toarray())
    twice.indices[ptr[full] + 1] = twice.indices[ptr[full]]
    np.testing.assert_array_equal(sa.asarray(twice).todense(), twice.toarray())
    outside.indices[ptr[full]] = 12_000
    below.indices[ptr[full]] = -1
    for wrong in (outside, below):
        with pytest.raises(FormatError, match=r"indices.*is outside"):
            sa.asarray(wrong)


@pytest.mark.parametrize("dtype", ["bool", "int8", "float32", "float64", "complex128"])
@pytest.mark.parametrize("layout", ["csr", "csc", "coo"])
def test_blocks_of_one_element_are_rows(layout: str, dtype: str) -> None:
    dense = np.array([[0, 2, 0], [1, 0, 0], [0, 0, 0], [3, 0, 1]]).astype(dtype)
    matrix = scipy.sparse.bsr_array(dense, blocksize=(1, 1))
    a = sa.asarray(matrix)
    for mine, theirs in ((a, dense), (a.T, dense.T), (a[:0], dense[:0])):
        found = mine.to_scipy(layout)
        np.testing.assert_array_equal(found.toarray(), theirs)
        assert found.dtype == dtype and not np.shares_memory(found.data, matrix.data)
    assert a.format == "bsr"
