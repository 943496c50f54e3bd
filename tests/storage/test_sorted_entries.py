"""Arrays of entries in any order: counted into rows, or sorted axis by axis."""

import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp

import structarr as sa
from structarr._array import stored
from structarr._storage import entry_order, entry_ranges, sorted_entries
from structarr._storage.tensor import Tensor
from structarr._support.memory_account import free_all
from structarr.errors import FormatError
from structarr.formats import name_of
from structarr.interop import layouts

RANDOM = np.random.default_rng(0)
SHAPES = [(20, 30), (1, 50), (3, 200), (10, 4, 5), (70,)]


@pytest.mark.parametrize("dtype", ["float64", "int8", "bool", "complex64"])
@pytest.mark.parametrize("shape", SHAPES)
def test_values_at_one_place_are_added_up(dtype, shape):
    with sa.options(tier="interpreted"):
        for count, index in ((0, "int32"), (5, "int64"), (100, "uint8"), (300, "int32")):
            coords = tuple(RANDOM.integers(0, n, count).astype(index) for n in shape)
            values = RANDOM.integers(0, 3, count).astype(dtype)
            for fill in (0, 1):
                agrees(coords, values, shape, fill)


def agrees(coords, values, shape, fill):
    there, sums = np.zeros(shape, bool), np.zeros(shape, values.dtype)
    there[coords] = True
    np.add.at(sums, coords, values)
    want = np.where(there, sums, values.dtype.type(fill))
    for format in ("coo", "csr", "csc", "dcsr") if len(shape) == 2 else ("coo", "list"):
        array = sa.from_coordinates(coords, values, shape, format=format, fill_value=fill)
        tensor = stored(array)
        Tensor.checked(tensor.format, tensor.shape, tensor.fill, tensor.buffers)
        assert array.format == format and np.array_equal(array.todense(), want)
        stays = there if format == "coo" else want != fill
        assert array.nstored == np.count_nonzero(stays)


@pytest.mark.parametrize("dtype", ["float64", "int8", "bool", "complex64"])
@pytest.mark.parametrize("layout", ["coo", "csr", "csc"])
def test_matrices_of_scipy_in_no_order_are_counted_into_rows(layout, dtype, monkeypatch):
    count, shape = layouts.MANY, (90, 110)
    coords = [RANDOM.integers(0, n, count).astype("int32") for n in shape]
    values = RANDOM.integers(0, 3, count).astype(dtype)
    if layout == "coo":
        matrix = sp.coo_array((values, coords), shape)
    else:  # rows of entries that are in no order, some at one place
        inner, long = (coords[1], 90) if layout == "csr" else (coords[0], 110)
        ptr = np.minimum(np.arange(long + 1) * 95, count).astype("int32")
        ptr[-1] = count
        matrix = getattr(sp, f"{layout}_array")((values, inner, ptr), shape)
    monkeypatch.setattr(sorted_entries, "entry_order", None)
    tensor = stored(sa.asarray(matrix))
    Tensor.checked(tensor.format, tensor.shape, tensor.fill, tensor.buffers)
    assert name_of(tensor.format) == layout and tensor.format.index == "int32"
    rows, columns = matrix.tocoo().coords
    assert tensor.nstored == len(set(zip(rows.tolist(), columns.tolist(), strict=True)))
    sums = np.zeros(shape, dtype)
    np.add.at(sums, (rows, columns), matrix.tocoo().data)
    assert np.array_equal(sa.asarray(matrix).todense(), sums)


@pytest.mark.parametrize("dtype", ["float32", "int8", "bool", "complex128"])
@pytest.mark.parametrize("index", ["int32", "int64", "uint16"])
def test_entries_are_split_by_ranges_of_rows(dtype, index, monkeypatch):
    monkeypatch.setattr(entry_ranges, "RANGE", 3)
    monkeypatch.setattr(entry_ranges, "DIGIT", 3)
    monkeypatch.setattr(entry_ranges, "PART", 50)
    for shape in ((300, 200), (1, 300), (300, 1), (4, 20000)):
        coords = tuple(RANDOM.integers(0, n, 500).astype(index) for n in shape)
        coords[0][:300] = coords[0][0]  # one row has more than all others
        agrees(coords, RANDOM.integers(0, 3, 500).astype(dtype), shape, 0)


def test_equal_places_are_added_in_the_order_of_the_entries():
    rows, columns = RANDOM.integers(0, 3, 4000), RANDOM.integers(0, 4, 4000)
    values = 10.0 ** RANDOM.integers(-12, 12, 4000)
    found = sa.from_coordinates((rows, columns), values, (3, 4)).todense()
    for i, j in np.ndindex(3, 4):
        ones = values[(rows == i) & (columns == j)]
        assert found[i, j] == np.add.reduceat(ones, [0])[0]


def test_an_index_out_of_range_is_named_by_where_it_was_given():
    rows, columns = RANDOM.integers(0, 50, (2, 500))
    columns[321] = -7
    with pytest.raises(FormatError, match=r"axis 1: entry 321, -7, is outside \[0, 50\)"):
        sa.from_coordinates((rows, columns), np.ones(500), (50, 50))
    found = rows.copy(), np.abs(columns)
    sa.from_coordinates(found, np.ones(500), (50, 50), format="csr")
    assert np.array_equal(found, (rows, np.abs(columns)))


def test_memory_of_entries_in_no_order_is_little_beside_them():
    count, shape = 10**6, (10**5, 10**5)
    coords = [RANDOM.integers(0, n, count, dtype=np.int32) for n in shape]
    values = RANDOM.random(count)
    with sa.options(tier="compiled"):
        sa.from_coordinates(coords, values, shape, format="csr")
        free_all()
        tracemalloc.start()
        try:
            array = sa.from_coordinates(coords, values, shape, format="csr")
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert peak + 16 * count <= 1.5 * (array.nbytes + 16 * count)


def test_axes_that_are_too_long_to_count_along():
    coords = RANDOM.integers(0, 4, 100) * 2**38, RANDOM.integers(0, 4, 100) * 2**39
    with sa.options(tier="interpreted"):
        array = sa.from_coordinates(coords, np.ones(100), (2**40, 2**41))
        assert array.nstored == len(set(zip(*coords, strict=True)))
        assert float(array.sum()) == 100


ROWS = RANDOM.integers(0, 5, 100)


@pytest.mark.parametrize(
    ("coords", "duplicates", "says"),
    [
        ((ROWS, [*ROWS[:99], 30]), "sum", r"axis 1: entry 99, 30, is outside \[0, 30\)"),
        ((ROWS, ROWS[:99]), "sum", r"axis 1 have shape \(99,\); one for each of the 100"),
        ((ROWS * 1.0, ROWS), "sum", "axis 0 must be integers, not float64"),
        ((ROWS[::-1], ROWS[::-1]), "raise", "entries .* and .* are both at"),
    ],
)
def test_what_is_no_place(coords, duplicates, says):
    with pytest.raises(FormatError, match=says):
        sa.from_coordinates(coords, np.ones(100), (20, 30), duplicates=duplicates)


def test_entries_of_scipy_in_order_are_checked_and_copied_once(monkeypatch):
    """Nobody else can change the coordinates; a change of the matrix's own is not seen."""
    count = 10 * layouts.MANY
    places = np.sort(RANDOM.choice(10**6, count, replace=False))
    matrix = sp.coo_array((np.ones(count), np.divmod(places.astype(np.int32), 1000)), (1000, 1000))
    wanted, checks = matrix.toarray(), []
    checked = sorted_entries.checked_axis
    monkeypatch.setattr(
        sorted_entries, "checked_axis", lambda *args: checks.append(args[1]) or checked(*args)
    )
    monkeypatch.setattr(sorted_entries, "from_coordinates", None)
    array = sa.asarray(matrix)
    assert array.format == "coo" and checks == []  # one loop copies them and looks at the copies
    for one in matrix.coords:
        one.flags.writeable = False
    np.testing.assert_array_equal(sa.asarray(matrix).todense(), wanted)
    assert checks == [0, 1]
    for one in matrix.coords:
        one.flags.writeable = True
    matrix.coords[0][:] = 10**6
    np.testing.assert_array_equal(array.todense(), wanted)
    with pytest.raises(FormatError, match="coordinates of axis 0: entry 0, 1000000, is outside"):
        sa.asarray(matrix)


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
def test_what_is_copied_is_looked_at_to_the_end(tier):
    count = entry_order.LONG + 1500
    rows, columns = np.divmod(np.arange(0, 3 * count, 3), 1000)
    shape = int(rows[-1]) + 1, 1000

    def made(at=0, row=0, column=0):
        matrix = sp.coo_array((np.arange(1.0, count + 1), (rows, columns)), shape, copy=True)
        matrix.coords[0][at] += row
        matrix.coords[1][at] += column
        return sa.asarray(matrix).to_scipy(), matrix.coords

    with sa.options(tier=tier):
        for at in (0, 1023, 1024, 1025, count - 1):
            found, (i, j) = made(at)
            np.testing.assert_array_equal(found.coords, (i, j))
            for row, column in ((shape[0], 0), (-shape[0], 0), (0, 1000), (0, -2000)):
                with pytest.raises(FormatError, match=f"entry {at}, .* is outside"):
                    made(at, row, column)
        found, (i, j) = made(count - 1, -1)  # out of order
        np.testing.assert_array_equal(found.toarray()[i, j], np.arange(1.0, count + 1))
        found, (i, j) = made(count - 1, 0, -3)  # twice at a place
        assert found.nnz == count - 1 and found.data[-1] == 2 * count - 1


def test_coordinates_in_order_stay_the_callers_own():
    rows, columns = np.divmod(np.arange(0, 5000, 3), 100)
    array = sa.from_coordinates((rows, columns), np.ones(len(rows)), (50, 100))
    wanted = array.todense()
    rows[:], columns[:] = 10**9, -1
    np.testing.assert_array_equal(array.todense(), wanted)
