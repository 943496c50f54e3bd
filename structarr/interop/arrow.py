"""Apache Arrow, and Polars by it: arrays, lists, runs, categories, sparse tensors; and back.

Values are shared, and so are offsets and coordinates in buffers that Arrow says nobody can write:
those of files, of messages and of other libraries.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from structarr._storage.buffers import settled
from structarr._storage.coordinates import from_coordinates
from structarr._storage.dense import from_dense
from structarr._storage.ragged_rows import from_offsets, offsets_of, ragged
from structarr._storage.tensor import Tensor
from structarr._support import dtypes
from structarr.errors import FormatError
from structarr.formats import Format, name_of, parse
from structarr.interop.columns import Column, joined
from structarr.interop.foreign import AsStored, checked_layout


def takes(obj: object) -> bool:
    """Whether an object is an array, a column, a table or a sparse tensor."""
    return _is_polars(obj) or hasattr(obj, "to_numpy") or hasattr(obj, "combine_chunks")


def _is_polars(obj: object) -> bool:
    return type(obj).__module__.startswith("polars.") and hasattr(obj, "to_arrow")


def tensor_of(obj: Any, fill: Any) -> Tensor:
    """
    Return lists as ragged rows, runs as runs, categories as "point", sparse tensors as they are.

    Raises
    ------
    FormatError
        If there are texts or records, which are not stored.
    ValueError
        If a value is missing, and no fill says what stands for it.
    """
    import pyarrow

    if _is_polars(obj):
        obj = obj.to_arrow()
    elif not isinstance(obj, pyarrow.lib._Weakrefable):
        obj = pyarrow.array(obj)  # by the C data interface
    if isinstance(obj, pyarrow.RecordBatch):
        obj = pyarrow.Table.from_batches([obj])
    if isinstance(obj, pyarrow.Table):
        columns = [_column(obj.column(name), name, fill) for name in obj.column_names]
        columns.sort(key=lambda column: column.categories is not None)
        return joined(columns, obj.num_rows, alone=False)
    reader = _SPARSE.get(type(obj).__name__)
    if reader is not None:
        return reader(obj, fill)
    array = _in_one(obj)
    return _of_array(array, fill)


def _in_one(obj: Any) -> Any:
    """A column as an array in one piece."""
    import pyarrow

    if isinstance(obj, pyarrow.ChunkedArray):
        obj = obj.unify_dictionaries()
        if obj.num_chunks == 1:
            return obj.chunk(0)
        return pyarrow.concat_arrays(obj.chunks) if obj.num_chunks else obj.combine_chunks()
    return obj.storage if isinstance(obj, pyarrow.ExtensionArray) else obj


def _of_array(array: Any, fill: Any) -> Tensor:
    import pyarrow.types as kinds

    kind = array.type
    if kinds.is_dictionary(kind):
        return joined([_categories(array)], len(array), alone=True)
    if kinds.is_run_end_encoded(kind):
        return _runs(array, fill)
    if kinds.is_list(kind) or kinds.is_large_list(kind):
        return _lists(array, fill)
    if kinds.is_fixed_size_list(kind):
        inner = array.flatten()
        values = _numbers(inner, fill, "a list")
        return from_dense(values.reshape(len(array), kind.list_size))
    return from_dense(_numbers(array, fill, "the array"))


def _lists(array: Any, fill: Any) -> Tensor:
    import pyarrow.types as kinds

    offsets = []
    while kinds.is_list(array.type) or kinds.is_large_list(array.type):
        if array.null_count:
            raise ValueError("a list is missing: fill it by pyarrow.compute.fill_null(x, [])")
        offsets.append(_places(array.offsets))
        array = array.values
    return from_offsets(_numbers(array, fill, "a list"), offsets, (), 0 if fill is None else fill)


def _runs(array: Any, fill: Any) -> Tensor:
    if array.offset or not len(array):
        return from_dense(_numbers(array.to_pandas().to_numpy(), fill, "the runs"))
    stops = _places(array.run_ends)
    count = int(np.searchsorted(stops, len(array))) + 1
    values = _numbers(array.values, fill, "the runs")[:count]
    index = "int32" if stops.dtype == np.int32 else "int64"
    stops = stops[:count].astype(index, copy=False)
    if stops[-1] != len(array):
        stops = np.append(stops[:-1], stops.dtype.type(len(array)))
    buffers = np.array([0, count], index), settled(stops), values
    return Tensor.checked(parse("rle", 1, index), (len(array),), 0, buffers)


def _categories(array: Any) -> Column:
    if array.null_count:
        codes = array.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    else:
        codes = _places(array.indices)
    return Column(codes, categories=len(array.dictionary))


def _places(array: Any) -> Any:
    """Integers, none of them missing, over the buffer, which tells whether anybody can write it."""
    kind, buffer = np.dtype(array.type.to_pandas_dtype()), array.buffers()[1]
    if buffer is None or not len(array):
        return np.zeros(len(array), kind)
    return np.frombuffer(buffer, kind, len(array), array.offset * kind.itemsize)


def _column(chunks: Any, name: str, fill: Any) -> Column:
    import pyarrow.types as kinds

    array = _in_one(chunks)
    if kinds.is_dictionary(array.type):
        return _categories(array)
    return Column(_numbers(array, fill, f"column {name!r}"))


def _numbers(array: Any, fill: Any, what: str) -> Any:
    """The values as NumPy's array, with a fill where they are missing."""
    if isinstance(array, np.ndarray):
        dtypes.check(array.dtype)
        return array
    if array.null_count:
        if fill is None:
            raise ValueError(
                f"{what} lacks a value: give one for it, as fill_value=0, or fill_value=numpy.nan"
            )
        array = array.fill_null(fill)
    try:
        values = array.to_numpy(zero_copy_only=False)
        dtypes.check(values.dtype)
    except (TypeError, NotImplementedError) as error:
        raise FormatError(
            f"{what} is of type {array.type}, which is not stored: {error}; .dictionary_encode() "
            "makes categories of texts, and records are a column each"
        ) from error
    return values


def _coo(obj: Any, fill: Any) -> Tensor:
    values, coords = obj.to_numpy()
    value = 0 if fill is None else fill
    axes = tuple(np.ascontiguousarray(coords.T))
    return from_coordinates(axes, values.reshape(-1), obj.shape, value, parse("coo", obj.ndim))


def _compressed(name: str) -> Callable[[Any, Any], Tensor]:
    def read(obj: Any, fill: Any) -> Tensor:
        values, *places = obj.to_numpy()
        index = "int32" if all(one.dtype == np.int32 for one in places) else "int64"
        own = [one.reshape(-1).astype(index, copy=False) for one in places]
        format = parse(name, 2, index)
        return Tensor.checked(
            format, obj.shape, 0 if fill is None else fill, (*own, values.reshape(-1))
        )

    return read


_SPARSE: Final[dict[str, Callable[[Any, Any], Tensor]]] = {
    "SparseCOOTensor": _coo,
    "SparseCSRMatrix": _compressed("csr"),
    "SparseCSCMatrix": _compressed("csc"),
    "Tensor": lambda obj, fill: from_dense(obj.to_numpy()),
}

_LAYOUTS: Final = ("array", "list", "run_end_encoded", "dictionary", "coo", "csr", "csc")


def made(stored: AsStored, layout: str, name: str) -> Any:
    """
    Return an array of Arrow's, or a series of Polars', in the layout nearest to the format.

    Raises
    ------
    FormatError
        If the layout has no place for the array.
    """
    tensor = stored(None)
    kind = checked_layout(layout or _natural(tensor.format), _LAYOUTS, "Arrow")
    array = _WRITERS[kind](stored)
    if name != "polars":
        return array
    import polars

    return polars.from_arrow(array)


def _natural(format: Format) -> str:
    own = name_of(format)
    table = {"rle": "run_end_encoded", "csr": "csr", "csc": "csc", "coo": "coo", "ragged": "list"}
    if own == "rle" and format.ndim > 1:
        return "array"
    if own.startswith("point") and format.ndim == 2:
        return "dictionary"
    return table.get(own, "array")


def _to_array(stored: AsStored) -> Any:
    import pyarrow

    tensor = stored("dense")
    values = tensor.buffers[-1].reshape(tensor.shape)
    array = pyarrow.array(values.reshape(-1))
    for length in reversed(values.shape[1:]):
        array = pyarrow.FixedSizeListArray.from_arrays(array, length)
    return array


def _to_lists(stored: AsStored) -> Any:
    import pyarrow

    tensor = stored(None)
    offsets, values = offsets_of(stored(ragged(tensor.ndim, tensor.format.index)))
    array = pyarrow.array(values)
    for own in reversed(offsets):
        kind = pyarrow.ListArray if own.dtype == np.int32 else pyarrow.LargeListArray
        array = kind.from_arrays(pyarrow.array(own), array)
    return array


def _to_runs(stored: AsStored) -> Any:
    import pyarrow

    _, stops, values = stored("rle").buffers
    return pyarrow.RunEndEncodedArray.from_arrays(pyarrow.array(stops), pyarrow.array(values))


def _to_dictionary(stored: AsStored) -> Any:
    import pyarrow

    tensor = stored("point")
    codes = tensor.buffers[0]
    absent = codes < 0
    indices = pyarrow.array(np.where(absent, 0, codes), mask=absent)
    return pyarrow.DictionaryArray.from_arrays(indices, pyarrow.array(np.arange(tensor.shape[1])))


def _to_coo(stored: AsStored) -> Any:
    import pyarrow

    tensor = stored("coo")
    places = [tensor.buffers[1 + tensor.format.order.index(axis)] for axis in range(tensor.ndim)]
    coords = np.ascontiguousarray(np.stack(places, axis=1))
    return pyarrow.SparseCOOTensor.from_numpy(tensor.buffers[-1], coords, tensor.shape)


def _to_compressed(name: str) -> Callable[[AsStored], Any]:
    def write(stored: AsStored) -> Any:
        import pyarrow

        ptr, idx, val = stored(name).buffers
        kind = pyarrow.SparseCSRMatrix if name == "csr" else pyarrow.SparseCSCMatrix
        return kind.from_numpy(val, ptr, idx, shape=stored(None).shape)

    return write


_WRITERS: Final[dict[str, Callable[[AsStored], Any]]] = {
    "array": _to_array,
    "list": _to_lists,
    "run_end_encoded": _to_runs,
    "dictionary": _to_dictionary,
    "coo": _to_coo,
    "csr": _to_compressed("csr"),
    "csc": _to_compressed("csc"),
}
