"""pydata/sparse: COO, GCXS and DOK to tensors and back, with their fill values."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._storage.buffers import settled
from structarr._storage.coordinates import from_coordinates
from structarr._storage.tensor import Tensor
from structarr._support import dtypes
from structarr.formats import Format, parse
from structarr.interop.foreign import AsStored, checked_layout
from structarr.interop.scipy import fixed, read_only


def takes(obj: object) -> bool:
    """Whether an object is a sparse array of pydata/sparse."""
    import sparse

    return isinstance(obj, sparse.SparseArray)


def tensor_of(obj: Any, fill: Any) -> Tensor:
    """
    Return a COO array as "coo", a GCXS matrix as "csr" or "csc"; others as lists of coordinates.

    Raises
    ------
    ValueError
        If another fill is asked for than the array's.
    """
    import sparse

    own = obj.fill_value
    if fill is not None and not dtypes.same(fill, own):
        raise ValueError(f"the array's fill_value is {own}, not {fill}: leave fill_value out")
    if isinstance(obj, sparse.GCXS) and obj.ndim == 2:
        return _compressed(obj)
    if not isinstance(obj, sparse.COO):
        obj = obj.asformat("coo")
    format = parse("coo", obj.ndim) if obj.ndim else parse("dense", 0)
    if not obj.ndim:
        value = obj.data[0] if len(obj.data) else own
        return Tensor.checked(format, (), own, (np.asarray([value], obj.dtype),), obj.dtype)
    return from_coordinates(tuple(obj.coords), obj.data, obj.shape, own, format)


def _compressed(obj: Any) -> Tensor:
    by_rows = tuple(obj.compressed_axes) == (0,)
    narrow = obj.indices.dtype == obj.indptr.dtype == np.int32
    index = "int32" if narrow else "int64"
    format = parse("csr" if by_rows else "csc", 2, index)
    buffers = (
        settled(obj.indptr.astype(index, copy=False)),
        settled(obj.indices.astype(index, copy=False)),
        obj.data,
    )
    return Tensor.checked(format, obj.shape, obj.fill_value, buffers)


def made(stored: AsStored, layout: str, name: str) -> Any:
    """Return an array of pydata/sparse, of the same fill value, sharing values where they fit."""
    import sparse

    kind = checked_layout(layout, ("coo", "gcxs"), "pydata/sparse")
    tensor = stored(None)
    if kind == "gcxs" and tensor.ndim == 2:
        by_columns = tensor.format.order == (1, 0)
        own = stored(_compressed_format(by_columns, tensor.format.index))
        ptr, idx, val = *map(fixed, own.buffers[:-1]), read_only(own.buffers[-1])
        return sparse.GCXS(
            (val, idx, ptr), own.shape, compressed_axes=(int(by_columns),), fill_value=own.fill
        )
    tensor = stored("coo") if tensor.ndim else tensor
    places = [tensor.buffers[1 + tensor.format.order.index(axis)] for axis in range(tensor.ndim)]
    values = tensor.buffers[-1]
    found = sparse.COO(
        np.array(places, np.intp).reshape(tensor.ndim, len(values)),
        read_only(values),
        shape=tensor.shape,
        fill_value=tensor.fill,
        has_duplicates=False,
        sorted=tensor.format.order == tuple(range(tensor.ndim)),
    )
    return found.asformat("gcxs") if kind == "gcxs" else found


def _compressed_format(by_columns: bool, index: str) -> Format:
    return parse("csc" if by_columns else "csr", 2, index)
