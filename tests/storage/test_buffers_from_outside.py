"""Buffers of any alignment, byte order, stride, owner and class, by every road into an array."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest
import scipy.sparse
from numpy.lib.stride_tricks import as_strided

import structarr as sa
from structarr._array import of_tensor, stored
from structarr._storage.tensor import Tensor
from structarr.interop import files

Array: TypeAlias = np.ndarray

DATA = np.array([[0, 2, 0, 0], [1, 0, 3, 3], [0, 0, 0, 4], [5, 6, 0, 0], [0, 0, 7, 0]])
X = np.arange(1.0, 5.0)


class Own(np.ndarray):
    """A class of somebody else's, whose arithmetic is not NumPy's."""

    def __add__(self, other: Any) -> Any:
        raise AssertionError("a subclass's own arithmetic was used")

    __mul__ = __matmul__ = __add__  # type: ignore[assignment]


def shifted(array: Array) -> Array:
    """The elements one byte further than an address at which they may lie."""
    memory = np.empty(array.nbytes + 1 + array.itemsize, np.uint8)
    start = (1 - memory.ctypes.data) % array.itemsize  # of bytes nothing is misplaced
    held = memory[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    held[...] = array
    return held


def read_only(array: Array) -> Array:
    held = shifted(array)
    held.flags.writeable = False
    return held


DEFECTS: dict[str, Callable[[Array], Array]] = {
    "shifted": shifted,
    "shifted, read-only": read_only,
    "swapped": lambda array: array.astype(array.dtype.newbyteorder()),
    "shifted, swapped": lambda array: shifted(array.astype(array.dtype.newbyteorder())),
    "backward": lambda array: np.flip(np.flip(array).copy()),
    "strided": lambda array: np.repeat(array, 2, axis=-1)[..., ::2],
    "in columns": lambda array: np.asfortranarray(array),
    "from bytes": lambda array: np.frombuffer(array.tobytes(), array.dtype).reshape(array.shape),
    "of a subclass": lambda array: array.view(Own),
    "C's other integer": lambda array: array.astype("q") if array.dtype == "l" else array,
}


@pytest.fixture(params=["interpreted", "compiled"])
def tier(request: pytest.FixtureRequest) -> Any:
    with sa.options(tier=request.param):
        yield request.param


def works(array: Any, wanted: Array = DATA) -> None:
    """Kernels read the array right, whose buffers are as kernels take them."""
    for buffer in stored(array).buffers:
        assert type(buffer) is np.ndarray
        assert buffer.dtype.isnative and buffer.flags.c_contiguous
        assert buffer.ctypes.data % buffer.dtype.alignment == 0
        memoryview(buffer)[:0].tolist()  # which refuses formats of what is not aligned
    np.testing.assert_array_equal(array @ X, wanted @ X)
    np.testing.assert_array_equal(np.asarray(array), wanted)


def test_a_defect_is_one() -> None:
    with pytest.raises(NotImplementedError, match="unsupported format"):
        memoryview(shifted(np.arange(3)))[0]
    with pytest.raises(NotImplementedError, match="unsupported format"):
        memoryview(shifted(np.zeros(0, int)))[:0].tolist() or memoryview(shifted(X))[0]
    assert shifted(X).flags.c_contiguous


@pytest.mark.parametrize("defect", DEFECTS)
def test_dense_arrays(defect: str, tier: str) -> None:
    bad = DEFECTS[defect](DATA)
    works(sa.asarray(bad))
    works(sa.asarray(bad, copy=True))
    works(sa.asarray(bad, format="csr"))
    ours = sa.asarray(DATA, format="csr")
    bad = DEFECTS[defect](DATA.astype(np.float64))
    np.testing.assert_array_equal(np.asarray(ours + bad), 2 * DATA)
    np.testing.assert_array_equal(np.asarray(ours @ DEFECTS[defect](X)), DATA @ X)


@pytest.mark.parametrize("defect", DEFECTS)
@pytest.mark.parametrize("format", ["csr", "rle", "coo", "band", "bitmap", "vbl", "hash", "bsr"])
def test_buffers_of_every_level(format: str, defect: str) -> None:
    given = stored(sa.asarray(DATA.astype(float), format=format))
    with sa.options(tier="interpreted"):
        for bad in range(len(given.buffers)):
            buffers = list(given.buffers)
            buffers[bad] = DEFECTS[defect](buffers[bad])
            tensor = Tensor.checked(given.format, given.shape, 0.0, buffers)
            works(of_tensor(tensor))
            works(of_tensor(copy.deepcopy(tensor)))


def test_buffers_are_shared_where_they_can_be() -> None:
    given = stored(sa.asarray(DATA.astype(float), format="csr"))
    buffers = [buffer.copy() for buffer in given.buffers]  # of which none is a view
    for places in buffers[:-1]:
        places.flags.writeable = False
    made = Tensor.checked(given.format, given.shape, 0.0, buffers)
    assert all(one is other for one, other in zip(made.buffers, buffers, strict=True))
    dense = np.ones((3, 4))
    assert np.shares_memory(stored(sa.asarray(dense)).buffers[0], dense)
    assert np.shares_memory(stored(sa.asarray(dense.T)).buffers[0], dense)
    with pytest.raises(ValueError, match="unaligned"):
        sa.asarray(shifted(dense), copy=False)


@pytest.mark.parametrize("defect", DEFECTS)
@pytest.mark.parametrize("layout", ["csr", "csc", "coo", "bsr", "dia"])
def test_arrays_of_scipy(layout: str, defect: str) -> None:
    parts = {"coo": ("data", "row", "col"), "dia": ("data", "offsets")}
    for part in parts.get(layout, ("data", "indices", "indptr")):
        theirs = scipy.sparse.csr_matrix(DATA.astype(float)).asformat(layout)
        setattr(theirs, part, DEFECTS[defect](getattr(theirs, part)))
        with sa.options(tier="compiled" if layout == "csr" else "interpreted"):
            works(sa.asarray(theirs))


def test_memory_that_others_hand_over() -> None:
    for array in (np.ones(3), np.arange(4), np.arange(6, dtype=np.int32).reshape(2, 3)[:, 1]):
        bad = shifted(array)
        np.testing.assert_array_equal(np.asarray(sa.from_dlpack(bad) * 1), array)


def pickled(array: Any, shift: int) -> Any:
    """The array by a pickle whose buffers lie some bytes beyond where they would."""
    beside: list[pickle.PickleBuffer] = []
    data = pickle.dumps(array, protocol=5, buffer_callback=beside.append)
    handed = [memoryview(b"-" * shift + one.raw().tobytes())[shift:] for one in beside]
    return pickle.loads(data, buffers=handed)


@pytest.mark.parametrize("shift", [0, 1, 3, 4])
@pytest.mark.parametrize("format", ["dense", "csr", "csc", "rle", "coo", "bitmap", "band"])
def test_buffers_beside_a_pickle(format: str, shift: int) -> None:
    with sa.options(tier="compiled" if format == "csr" else "interpreted"):
        works(pickled(sa.asarray(DATA.astype(float), format=format), shift))
        lazy = sa.asarray(DATA.astype(float), format=format) * 2
        works(pickled(lazy, shift), 2 * DATA)


def test_nothing_beside_a_pickle(tier: str) -> None:
    """What has no elements lies somewhere, too."""
    for format in ("csr", "coo", "dense", "list"):
        empty = pickled(
            sa.asarray(np.zeros((3, 0)), format=format if format != "list" else None), 1
        )
        np.testing.assert_array_equal(np.asarray(empty @ np.zeros(0)), np.zeros(3))
    none = pickled(sa.asarray(np.zeros((3, 4)), format="csr"), 1)
    np.testing.assert_array_equal(np.asarray(none @ X), np.zeros(3))
    np.testing.assert_array_equal(np.asarray(none + none), np.zeros((3, 4)))


def test_files_of_another_byte_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = files.write_array

    def swapping(archive: Any, name: str, array: Array) -> None:
        write(archive, name, array.astype(array.dtype.newbyteorder()))

    monkeypatch.setattr(files, "write_array", swapping)
    for format in ("dense", "csr", "rle", "bitmap"):
        sa.save(tmp_path / "a.npz", sa.asarray(DATA.astype(float), format=format))
        with sa.options(tier="interpreted"):
            works(sa.load(tmp_path / "a.npz"))


@pytest.mark.parametrize("defect", DEFECTS)
def test_what_says_where(defect: str) -> None:
    """Indices, coordinates, counts and masks are buffers, too."""
    bad, data = DEFECTS[defect], DATA.astype(float)
    rows, columns = np.array([3, 0, 1]), np.array([1, 1, 2])
    with sa.options(tier="interpreted"):
        for format in ("csr", "rle", "dense"):
            ours = sa.asarray(data, format=format)
            same(ours[bad(rows)], data[rows])
            same(ours[:, bad(columns)], data[:, columns])
            same(ours[bad(rows), bad(columns)], data[rows, columns])
            same(ours[bad(data > 2)], data[data > 2])
            same(np.take(ours, bad(columns), axis=1), np.take(data, columns, axis=1))
            same(np.repeat(ours, bad(np.array([1, 0, 2, 1, 1])), axis=0), data[[0, 2, 2, 3, 4]])
            same(np.searchsorted(ours[3, ::-1], bad(X)), np.searchsorted(data[3, ::-1], X))
            written = sa.asarray(data, format=format).copy()
            written[bad(rows)] = bad(np.ones((3, 4)))
            wanted = data.copy()
            wanted[rows] = 1
            same(written, wanted)
        made = sa.from_coordinates((bad(rows), bad(columns)), bad(X[:3]), (5, 4))
        same(made @ X, [0 + 2 * 2, 3 * 3, 0, 1 * 2, 0])
        out = bad(np.zeros(5))
        if out.flags.writeable and type(out) is np.ndarray:
            np.matmul(sa.asarray(data, format="csr"), X, out=out)
            same(out, data @ X)


def same(found: Any, wanted: Any) -> None:
    np.testing.assert_array_equal(np.asarray(found), wanted)


def test_programs_take_them(tier: str) -> None:
    for defect in DEFECTS.values():
        found = sa.loops("y[i] += A[i, j] * x[j]", A=defect(DATA.astype(float)), x=defect(X))
        np.testing.assert_array_equal(np.asarray(found), DATA @ X)


def test_pieces_take_them() -> None:
    data = np.zeros((3000, 40))
    data[::3, ::5] = 1 + np.arange(1000)[:, None]
    ours = pickled(sa.asarray(data, format="csr"), 1)
    with sa.options(threads=2, tier="compiled"):
        np.testing.assert_array_equal(np.asarray((ours * 2).sum(axis=1)), 2 * data.sum(axis=1))


def test_masked_arrays_are_refused() -> None:
    masked = np.ma.masked_array(X, [0, 1, 0, 0])
    given = stored(sa.asarray(X, format="list"))
    for call in (
        lambda: sa.asarray(masked),
        lambda: sa.asarray(X) + masked,
        lambda: Tensor.checked(given.format, given.shape, 0.0, (*given.buffers[:-1], masked)),
        lambda: sa.from_coordinates((np.arange(4),), masked, (4,)),
    ):
        with pytest.raises(TypeError, match="masked"):
            call()


def test_elements_in_one_place(tier: str) -> None:
    """A buffer all of whose elements lie at one address is no contiguous one."""
    alike = as_strided(np.array([3.0]), (5, 4), (0, 0))
    works(sa.asarray(alike), np.full((5, 4), 3.0))
    works(sa.asarray(np.broadcast_to(X, (5, 4)), format="csr"), np.broadcast_to(X, (5, 4)))
