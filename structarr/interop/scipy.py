"""scipy.sparse arrays and matrices to tensors and back.

A matrix from outside may be corrupted, and SciPy's compiled routines then read out of bounds: only
NumPy touches its buffers before they are checked, and nothing here changes them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from itertools import chain
from typing import Any

import numpy as np
import scipy.sparse

from structarr import _dtypes
from structarr._tensor import Tensor
from structarr.errors import FormatError
from structarr.formats import Dense, RunList, checks, name_of, parse
from structarr.formats.entries import Array
from structarr.interop.coordinates import coordinates, from_coordinates

LAYOUTS = ("csr", "csc", "coo", "bsr", "dia", "lil", "dok")
_INT32, _INT64 = np.iinfo(np.int32).max, np.iinfo(np.int64).max


def from_scipy(matrix: Any, *, copy: bool = False) -> Tensor:
    """
    Make a tensor of any scipy.sparse array or matrix; what it stores, zeros too, stays stored.

    CSR and CSC keep their structure and, if indices are sorted without duplicates, their buffers.
    BSR, DIA and LIL become "csr". COO and DOK become lists at every level ("list", "dcsr",
    "csf"), which take no more memory than the entries. Duplicates are added up, on a copy.

    Parameters
    ----------
    matrix : scipy.sparse array or matrix
        It is not changed.
    copy : bool
        Whether to copy buffers that could be shared.

    Raises
    ------
    FormatError
        If its buffers contradict each other or its shape.
    TypeError
        If it is not a sparse array, or its dtype cannot be stored.

    Examples
    --------
    >>> import scipy.sparse
    >>> from_scipy(scipy.sparse.eye_array(3, format="csc"))
    <Tensor csc of shape (3, 3), dtype float64, fill 0.0: 3 stored, 52 bytes>
    """
    if not scipy.sparse.issparse(matrix):
        raise TypeError(f"a scipy.sparse array or matrix is needed, not {type(matrix).__name__}")
    _dtypes.check(matrix.dtype)
    try:
        tensor = _READERS[matrix.format](matrix)
    except FormatError as error:
        raise FormatError(
            f"the scipy.sparse {matrix.format} array is corrupted: {error}"
        ) from error
    if not copy:
        return tensor
    buffers = tuple(buffer.copy() for buffer in tensor.buffers)
    return Tensor(tensor.format, tensor.shape, tensor.dtype, tensor.fill, buffers)


def to_scipy(tensor: Tensor, layout: str | None = None) -> Any:
    """
    Make a scipy.sparse array of a tensor of one or two axes, whose fill is zero.

    Buffers that fit are shared, as read-only views. Zeros that a list, band or bitmap stores stay
    stored; those in dense parts and runs do not.

    Parameters
    ----------
    tensor : Tensor
        What to convert.
    layout : {"csr", "csc", "coo", "bsr", "dia", "lil", "dok"}, optional
        None stands for "csc" if the outermost level holds columns, "coo" for one axis, else "csr".

    Raises
    ------
    FormatError
        If the fill is not zero, there are not one or two axes, or the layout is unknown.

    Examples
    --------
    >>> import numpy as np
    >>> from structarr.interop.numpy import from_dense
    >>> to_scipy(from_dense(np.eye(3))).nnz
    3
    """
    chosen = _layout(tensor, layout)
    if tensor.fill != 0:
        raise FormatError(
            f"scipy.sparse arrays are zero where nothing is stored, this one is {tensor.fill}: "
            "subtract the fill first, or use .todense()"
        )
    if name_of(tensor.format) == chosen:
        return _compressed(tensor, chosen)
    made = _coo(tensor)
    return made if chosen == "coo" else made.asformat(chosen)


def _layout(tensor: Tensor, layout: str | None) -> str:
    if tensor.ndim not in (1, 2):
        raise FormatError(
            f"scipy.sparse takes one or two axes, not {tensor.ndim}: reshape, or use .todense()"
        )
    if layout is None:
        natural = "csc" if tensor.format.order == (1, 0) else "csr"
        return natural if tensor.ndim == 2 else "coo"
    if layout not in LAYOUTS:
        raise FormatError(f"layout must be one of {', '.join(LAYOUTS)}, not {layout!r}")
    if tensor.ndim == 1 and layout not in ("coo", "csr", "dok"):
        raise FormatError(f"layout {layout!r} is for two axes; for one there are coo, csr, dok")
    return layout


def _compressed(tensor: Tensor, layout: str) -> Any:
    ptr, idx, val = (_read_only(buffer) for buffer in tensor.buffers)
    kind = scipy.sparse.csr_array if layout == "csr" else scipy.sparse.csc_array
    made = kind((val, idx, ptr), shape=tensor.shape)
    # Spares SciPy the test, and the sorting in place that the views refuse.
    made.has_canonical_format = True
    return made


def _coo(tensor: Tensor) -> Any:
    if name_of(tensor.format) == "list" and tensor.ndim == 1:
        _, idx, val = tensor.buffers
        coords: tuple[Array, ...] = (_read_only(idx),)
        values = _read_only(val)
    else:
        coords, values = coordinates(tensor)
        if isinstance(tensor.format.levels[-2], (Dense, RunList)):
            kept = values != 0
            coords, values = tuple(coord[kept] for coord in coords), values[kept]
        index = tensor.format.index if max(tensor.shape) <= _INT32 else "int64"
        coords = tuple(coord.astype(index, copy=False) for coord in coords)
    made = scipy.sparse.coo_array((values, coords), shape=tensor.shape)
    made.has_canonical_format = tensor.format.order == tuple(range(tensor.ndim))
    return made


def _read_only(buffer: Array) -> Array:
    view = buffer.view()
    view.flags.writeable = False
    return view


def _from_compressed(matrix: Any) -> Tensor:
    shape = _shape(matrix)
    swapped = matrix.format == "csc"
    major, minor = shape if len(shape) == 2 else (1, shape[0])
    if swapped:
        major, minor = minor, major
    ptr, idx, val = _pruned(matrix, major)
    name = matrix.format if len(shape) == 2 else "list"
    checks.within(idx, "indices", 0, minor)
    if _increasing(ptr, idx):
        index = "int32" if ptr.dtype == idx.dtype == np.int32 else "int64"
        return Tensor.checked(parse(name, len(shape), index), shape, 0, (ptr, idx, val))
    rows = np.repeat(np.arange(major), np.diff(ptr))
    coords = ((rows, idx) if not swapped else (idx, rows))[2 - len(shape) :]
    return _sorted(coords, val, shape, name, _index_dtype(idx))


def _pruned(matrix: Any, major: int) -> tuple[Array, Array, Array]:
    """The three buffers, without what may lie beyond the last entry."""
    ptr, idx = _integers(matrix.indptr, "indptr"), _integers(matrix.indices, "indices")
    val = np.asarray(matrix.data)
    count = checks.pointers(ptr, "indptr", major)
    if val.ndim == 0 or min(len(idx), len(val)) < count:
        raise FormatError(
            f"buffer 'indptr' ends with {count}, but there are {len(idx)} indices and data of "
            f"shape {val.shape}"
        )
    return ptr, idx[:count], val[:count]


def _increasing(ptr: Array, idx: Array) -> bool:
    rises = np.ones(len(idx) + 1, bool)
    rises[1:-1] = idx[1:] > idx[:-1]
    rises[ptr] = True
    return bool(rises.all())


def _from_coo(matrix: Any) -> Tensor:
    shape = _shape(matrix)
    coords = tuple(_integers(coord, "coords") for coord in matrix.coords)
    return _sorted(coords, matrix.data, shape, "csf", _index_dtype(*coords))


def _from_dok(matrix: Any) -> Tensor:
    shape = _shape(matrix)
    keys = [key if isinstance(key, tuple) else (key,) for key in matrix.keys()]  # noqa: SIM118
    if any(len(key) != len(shape) for key in keys):
        raise FormatError(f"a key is not of {len(shape)} indices")
    coords = np.array(keys or np.zeros((0, len(shape)), np.int32)).T
    values = _listed(matrix.values(), matrix.dtype)
    return _sorted(tuple(coords), values, shape, "csf", _index_dtype(coords))


def _from_bsr(matrix: Any) -> Tensor:
    shape = _shape(matrix)
    data = np.asarray(matrix.data)
    if data.ndim != 3 or not all(data.shape[1:]) or any(np.mod(shape, data.shape[1:])):
        raise FormatError(f"blocks of shape {data.shape[1:]} do not tile shape {shape}")
    height, width = data.shape[1:]
    ptr, idx, blocks = _pruned(matrix, shape[0] // height)
    checks.within(idx, "indices", 0, shape[1] // width)
    row = np.repeat(np.arange(shape[0] // height), np.diff(ptr))
    rows = row[:, None, None] * height + np.arange(height)[:, None]
    columns = idx.astype(np.int64)[:, None, None] * width + np.arange(width)
    coords = tuple(np.broadcast_to(axis, blocks.shape).reshape(-1) for axis in (rows, columns))
    return _sorted(coords, blocks.reshape(-1), shape, "csr", _index_dtype(idx))


def _from_dia(matrix: Any) -> Tensor:
    shape = _shape(matrix)
    data, diagonals = np.asarray(matrix.data), _integers(matrix.offsets, "offsets")
    if data.ndim != 2 or diagonals.shape != data.shape[:1]:
        raise FormatError(f"data of shape {data.shape} for {diagonals.shape} diagonals")
    columns = np.arange(min(data.shape[1], shape[1]))
    rows = columns - diagonals.astype(np.int64)[:, None]
    diagonal, column = np.nonzero((rows >= 0) & (rows < shape[0]))
    coords = rows[diagonal, column], column
    return _sorted(coords, data[diagonal, column], shape, "csr", _index_dtype(diagonals))


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
    return _sorted((row, columns), values, shape, "csr", _index_dtype(row))


_READERS: dict[str, Callable[[Any], Tensor]] = {
    "csr": _from_compressed,
    "csc": _from_compressed,
    "coo": _from_coo,
    "bsr": _from_bsr,
    "dia": _from_dia,
    "lil": _from_lil,
    "dok": _from_dok,
}


def _sorted(
    coords: tuple[Array, ...], values: Any, shape: tuple[int, ...], name: str, index: str
) -> Tensor:
    if max((np.size(values), *shape)) > _INT32:
        index = "int64"
    return from_coordinates(coords, values, shape, 0, parse(name, len(shape), index))


def _shape(matrix: Any) -> tuple[int, ...]:
    return tuple(operator.index(dim) for dim in matrix.shape)


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


def _index_dtype(*buffers: Array) -> str:
    return "int32" if all(buffer.dtype == np.int32 for buffer in buffers) else "int64"


def _listed(values: Any, dtype: np.dtype[Any]) -> Array:
    try:
        return np.array(list(values), dtype)
    except (TypeError, ValueError, OverflowError) as error:
        raise FormatError(f"a value is not of dtype {dtype}: {error}") from error
