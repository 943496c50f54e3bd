"""The layouts of scipy.sparse, read into tensors of the same structure.

A matrix from outside may be corrupted, and SciPy's compiled routines then read out of bounds: only
NumPy touches its buffers before they are checked, and nothing here changes them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import lru_cache
from itertools import chain
from typing import Any, Final

import numpy as np

from structarr._compiler.backend.call import call
from structarr._storage.buffers import conformed, sealed
from structarr._storage.coordinates import checked_values, from_coordinates
from structarr._storage.density import check_size
from structarr._storage.entry_order import changes, entry_order
from structarr._storage.invariants import checked_shape
from structarr._storage.sorted_entries import entries_in
from structarr._storage.tensor import Tensor
from structarr._support import dtypes
from structarr.errors import FormatError
from structarr.formats import Dense, Diagonals, Element, Format, Tiles, checks, parse
from structarr.formats.entries import Array

MANY: Final = 1 << 13
"""Indices from which they are checked by one loop, not by NumPy in several."""

_INT32, _INT64 = np.iinfo(np.int32).max, np.iinfo(np.int64).max


def _from_compressed(matrix: Any) -> Tensor:
    shape = _shape(matrix)
    swapped = matrix.format == "csc"
    major, minor = shape if len(shape) == 2 else (1, shape[0])
    if swapped:
        major, minor = minor, major
    ptr, idx, val = _pruned(matrix, major)
    name = matrix.format if len(shape) == 2 else "list"
    if _increasing(ptr, idx, minor):
        index = _index_dtype(shape, ptr, idx)
        format = parse(name, len(shape), index)
        return _of_valid(format, shape, (ptr, idx), val)
    rows = np.repeat(np.arange(major, dtype=ptr.dtype), np.diff(ptr))
    rows.flags.writeable = False
    coords = ((rows, idx) if not swapped else (idx, rows))[2 - len(shape) :]
    return _sorted(coords, val, shape, name, idx)


def _of_valid(
    format: Format, shape: tuple[int, ...], places: tuple[Array, ...], val: Array
) -> Tensor:
    """A tensor of coordinates that were checked and that nobody can write, and of any values."""
    if val.ndim != 1:
        raise FormatError(f"buffer 'data' must have one dimension, not shape {val.shape}")
    index, dtype = np.dtype(format.index), dtypes.check(val.dtype)
    buffers = *[one.astype(index, copy=False) for one in places], conformed(val, dtype)
    return Tensor(format, checked_shape(shape, format), dtype, dtypes.zero(dtype), buffers)


def _own(buffer: Any, name: str) -> Array:
    """Integers that nobody can write."""
    return sealed(_integers(buffer, name))


def _pruned(matrix: Any, major: int) -> tuple[Array, Array, Array]:
    """The three buffers, cut at the last entry."""
    ptr, idx = _own(matrix.indptr, "indptr"), _own(matrix.indices, "indices")
    val = np.asarray(matrix.data)
    count = checks.pointers(ptr, "indptr", major)
    if val.ndim == 0 or min(len(idx), len(val)) < count:
        raise FormatError(
            f"buffer 'indptr' ends with {count}, but there are {len(idx)} indices and data of "
            f"shape {val.shape}"
        )
    # Views of what is not our own, as others may give their array another shape or dtype.
    if len(idx) > count or idx is matrix.indices:
        idx = idx[:count]
    return ptr, idx, val[:count]


def _increasing(ptr: Array, idx: Array, dim: int) -> bool:
    """Whether the indices of each row increase; all have to be below the length of an axis.

    Raises
    ------
    FormatError
        If one is not.
    """
    if len(idx) >= MANY:
        falls = call("count_falls", (ptr, idx, dim), (), len(idx))
        if falls >= 0:
            return bool(falls == 0)
    checks.within(idx, "indices", 0, dim)
    rises = np.empty(len(idx) + 1, bool)
    np.greater(idx[1:], idx[:-1], out=rises[1:-1])
    rises[ptr] = True
    return bool(rises.all())


def _from_coo(matrix: Any) -> Tensor:
    shape = _shape(matrix)
    coords = tuple([_integers(coord, "coords") for coord in matrix.coords])
    return _sorted(coords, matrix.data, shape, "coo", *coords)


def _from_dok(matrix: Any) -> Tensor:
    shape = _shape(matrix)
    keys = [key if isinstance(key, tuple) else (key,) for key in matrix.keys()]  # noqa: SIM118
    if any(len(key) != len(shape) for key in keys):
        raise FormatError(f"each key must have {len(shape)} indices")
    coords = np.array(keys or np.zeros((0, len(shape)), np.int32)).T
    values = _listed(matrix.values(), matrix.dtype)
    return _sorted(tuple(coords), values, shape, "coo", coords)


def _from_bsr(matrix: Any) -> Tensor:
    shape = _shape(matrix)
    data = np.asarray(matrix.data)
    if data.ndim != 3 or not all(data.shape[1:]) or any(np.mod(shape, data.shape[1:])):
        raise FormatError(f"blocks of shape {data.shape[1:]} do not tile shape {shape}")
    height, width = data.shape[1:]
    ptr, idx, blocks = _pruned(matrix, shape[0] // height)
    if not _increasing(ptr, idx, shape[1] // width):
        ptr, idx, blocks = _sorted_blocks(ptr, idx, blocks)
    format = _of_tiles(height, width, _index_dtype(shape, ptr, idx))
    return _of_valid(format, shape, (ptr, idx), blocks.reshape(-1))


def _sorted_blocks(ptr: Array, idx: Array, blocks: Array) -> tuple[Array, Array, Array]:
    """Blocks in order, those at one place added up."""
    row = np.repeat(np.arange(len(ptr) - 1), np.diff(ptr))
    order = entry_order([row, idx], len(idx))
    row, idx = row[order], idx[order]
    first = np.flatnonzero(changes([row, idx], len(idx)))
    summed = np.add.reduceat(blocks[order], first, axis=0, dtype=blocks.dtype)
    return np.searchsorted(row[first], np.arange(len(ptr))).astype(ptr.dtype), idx[first], summed


def _from_dia(matrix: Any) -> Tensor:
    shape = rows, columns = _shape(matrix)
    data, diagonals = np.asarray(matrix.data), _integers(matrix.offsets, "offsets")
    if data.ndim != 2 or diagonals.shape != data.shape[:1]:
        raise FormatError(f"data of shape {data.shape} and offsets of shape {diagonals.shape}")
    inside = [k for k in diagonals.tolist() if -rows < k < columns]
    offsets = tuple(sorted(set(inside)))
    format = _of_diagonals(offsets, _index_dtype(shape, diagonals))
    own = np.array(offsets, format.index)
    if columns <= rows and data.shape[1] == columns and offsets == tuple(diagonals.tolist()):
        return _of_valid(format, shape, (own,), data.reshape(-1))
    level: Any = format.levels[1]
    size = level.children(rows, columns) * data.dtype.itemsize
    what = f"an array of the diagonals of shape {shape}"
    check_size(size, what, "convert the matrix with .tocoo() first", 4 * data.nbytes)
    values, seen = np.zeros(size // data.dtype.itemsize, data.dtype), set[int]()
    places = {one.offset: one for one in level.along(rows, columns, values)}
    for given, offset in zip(data, diagonals.tolist(), strict=True):
        if offset in places:
            _, first, stop, stored = places[offset]
            part = given[first + offset : stop + offset]
            if offset in seen:  # SciPy adds up what it stores twice
                stored[: len(part)] += part
            else:
                stored[: len(part)] = part
            seen.add(offset)
    return _of_valid(format, shape, (own,), values)


@lru_cache(maxsize=256)
def _of_tiles(height: int, width: int, index: str) -> Format:
    return Format(Dense(Tiles(Element(), height, width)), (0, 1), index)


@lru_cache(maxsize=256)
def _of_diagonals(offsets: tuple[int, ...], index: str) -> Format:
    return Format(Dense(Diagonals(Element(), offsets)), (0, 1), index)


def _from_lil(matrix: Any) -> Tensor:
    shape = _shape(matrix)
    rows, data = list(matrix.rows), list(matrix.data)
    if not all(isinstance(row, list) for row in rows + data):
        raise FormatError("each row must be a list of columns and a list of values")
    lengths = [len(row) for row in rows]
    if len(rows) != shape[0] or lengths != [len(row) for row in data]:
        raise FormatError("rows and data must have as many entries, row by row")
    row = np.repeat(np.arange(shape[0], dtype=np.int32), lengths)
    columns = _integers(list(chain(*rows)) or np.zeros(0, np.int32), "rows")
    values = _listed(chain(*data), matrix.dtype)
    return _sorted((row, columns), values, shape, "csr", row)


READERS: dict[str, Callable[[Any], Tensor]] = {
    "csr": _from_compressed,
    "csc": _from_compressed,
    "coo": _from_coo,
    "bsr": _from_bsr,
    "dia": _from_dia,
    "lil": _from_lil,
    "dok": _from_dok,
}


def _sorted(
    coords: tuple[Array, ...], values: Any, shape: tuple[int, ...], name: str, *given: Array
) -> Tensor:
    """A tensor of coordinates in any order, as wide as the given ones."""
    format = parse(name, len(shape), _index_dtype(shape, *given))
    if np.size(values) >= MANY:
        return entries_in(format, coords, checked_values(values), shape, 0, lent=True)
    return from_coordinates(coords, values, shape, 0, format)


def _shape(matrix: Any) -> tuple[int, ...]:
    return tuple(map(operator.index, matrix.shape))


def _integers(buffer: Any, name: str) -> Array:
    array = np.asarray(buffer)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise FormatError(
            f"buffer {name!r} must be a one-dimensional array of integers, not {array.dtype} of "
            f"shape {array.shape}"
        )
    if array.dtype in (np.int32, np.int64):
        return array
    if array.dtype.kind == "u" and array.max(initial=0) > _INT64:
        raise FormatError(f"buffer {name!r}: {array.max()} does not fit int64")
    return array.astype(np.int64)


def _index_dtype(shape: tuple[int, ...], *buffers: Array) -> str:
    for buffer in buffers:
        if buffer.dtype != np.int32 or buffer.size > _INT32:
            return "int64"
    return "int32" if max(shape, default=0) <= _INT32 else "int64"


def _listed(values: Any, dtype: np.dtype[Any]) -> Array:
    try:
        return np.array(list(values), dtype)
    except (TypeError, ValueError, OverflowError) as error:
        raise FormatError(f"a value is not of dtype {dtype}: {error}") from error
