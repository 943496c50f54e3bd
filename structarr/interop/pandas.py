"""Frames, series and extension arrays of pandas to tensors and back.

Only values are converted: an array has no labels of rows and columns.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from typing import Any

import numpy as np

from structarr._storage.coordinates import coordinates
from structarr._storage.dense import to_dense
from structarr._storage.tensor import Tensor
from structarr._support import dtypes as _dtypes
from structarr.errors import FormatError
from structarr.formats.kinds import BLOCKS
from structarr.interop.columns import Column, joined


def is_pandas(value: Any) -> bool:
    """Whether a value is a frame, a series, or an array of one of pandas' own types."""
    # pandas is not imported: unless it is loaded, no value is of its types.
    pandas = sys.modules.get("pandas")
    if pandas is None or not hasattr(pandas, "api"):
        return False
    own = (pandas.DataFrame, pandas.Series, pandas.api.extensions.ExtensionArray)
    return isinstance(value, own)


def is_plain(obj: Any) -> bool:
    """Whether NumPy reads an object of pandas as it is: its values are of one dtype of NumPy's."""
    dtypes = set(obj.dtypes) if obj.ndim == 2 else {obj.dtype}
    return len(dtypes) == 1 and all(
        isinstance(dtype, np.dtype) and dtype.kind in "biufc" for dtype in dtypes
    )


def from_pandas(obj: Any, missing: Any = None, *, one_hot: bool = False) -> Tensor:
    """
    Make a tensor of a frame, of a series, or of an array of pandas.

    A frame of dense columns becomes a dense array, stored by columns. Sparse columns keep their
    layout: "csc" if the index of any lists integers, else blocks by columns, with a dense column as
    one block. Columns of different fill values become runs.

    Parameters
    ----------
    obj : DataFrame, Series or ExtensionArray
        Of numbers, truth values, or categories.
    missing : scalar, optional
        What stands for a missing value of a nullable dtype or of a category; None for NaN in
        columns of floating-point numbers, and for a refusal in others.
    one_hot : bool
        Whether a column of categories becomes a column for each, as one of texts always does; else
        it is the categories' values. They come after the others, as of `pandas.get_dummies`, in a
        frame as lists; a series becomes "point".

    Raises
    ------
    TypeError
        If a column holds something else, by name.
    ValueError
        If a value is missing and nothing stands for it.
    """
    import pandas

    if isinstance(obj, pandas.DataFrame):
        named = [(f"column {name!r}", column) for name, column in obj.items()]
    else:
        series = obj if isinstance(obj, pandas.Series) else pandas.Series(obj, copy=False)
        name = "the series" if series.name is None else f"series {series.name!r}"
        named = [(name, series)]
    columns = [column(name, one, missing, one_hot) for name, one in named]
    columns.sort(key=lambda one: one.categories is not None)
    return joined(columns, len(obj), alone=not isinstance(obj, pandas.DataFrame))


def column(name: str, series: Any, missing: Any, one_hot: bool) -> Column:
    """A series, of categories by their codes if they are to be `one_hot`."""
    import pandas

    dtype = series.dtype
    if isinstance(dtype, pandas.SparseDtype):
        return _sparse(name, series.array)
    if not isinstance(dtype, pandas.CategoricalDtype):
        return Column(_dense(name, series, missing))
    codes = series.cat.codes.to_numpy()
    if one_hot or not pandas.api.types.is_numeric_dtype(series.cat.categories.dtype):
        return Column(codes, categories=len(series.cat.categories))
    values = _dense(f"{name}, categories", series.cat.categories.to_series(), missing)
    return Column(present(name, values[codes] if len(values) else values, codes < 0, missing))


def _sparse(name: str, array: Any) -> Column:
    fill, values = array.fill_value, array.sp_values
    dtype = _checked(name, values.dtype)
    if fill is None or fill != fill:
        fill, least = np.nan, np.float32 if dtype.kind in "fc" else np.float64
        dtype = np.result_type(dtype, least)
    index, values = array.sp_index, values.astype(dtype, copy=False)
    if hasattr(index, "blocs"):
        return Column(values, index.blocs, index.blocs + index.blengths, fill)
    return Column(values, index.indices, None, fill)


def _dense(name: str, series: Any, missing: Any) -> Any:
    if isinstance(series.dtype, np.dtype):
        _checked(name, series.dtype)
        return series.to_numpy()
    dtype = _checked(name, getattr(series.dtype, "numpy_dtype", np.dtype(object)), series.dtype)
    absent = series.isna().to_numpy()
    return present(name, series.to_numpy(dtype, na_value=dtype.type(0)), absent, missing)


def present(name: str, values: Any, absent: Any, missing: Any) -> Any:
    """The values, with something in place of those that are missing.

    Raises
    ------
    ValueError
        If nothing stands for them, or something that is not exact.
    """
    if not absent.any():
        return values
    if missing is None and values.dtype.kind not in "fc":
        raise ValueError(
            f"{name}: the value in row {int(np.argmax(absent))} is missing, and {values.dtype} has "
            "no NaN; give a value for it, as in missing=0"
        )
    given = np.nan if missing is None else missing
    try:
        value = _dtypes.scalar(given, values.dtype)
    except (OverflowError, TypeError, ValueError):
        value = None
    if value is None or (value != given and value == value):
        raise ValueError(f"{name}: missing={given!r} is not exact in {values.dtype}; give another")
    filled = values.copy() if len(values) == len(absent) else np.zeros(len(absent), values.dtype)
    filled[absent] = value
    return filled


def _checked(name: str, dtype: Any, shown: Any = None) -> np.dtype[Any]:
    try:
        return _dtypes.check(dtype)
    except TypeError as error:
        raise TypeError(
            f"{name}, of dtype {dtype if shown is None else shown}: {error}; or leave it out, or "
            'make it .astype("category"), of which structarr.from_pandas makes a column for each '
            "category"
        ) from error


def to_pandas(tensor: Tensor, index: Any = None, columns: Any = None, *, sparse: bool) -> Any:
    """
    Make a series of a tensor of one axis, a frame of one of two.

    Parameters
    ----------
    tensor : Tensor
        What to convert; if `sparse`, with a level that leaves something out.
    index, columns : index-like, optional
        The labels; for one axis, `columns` is the name.
    sparse : bool
        Whether the columns are to be sparse, with the tensor's fill value.

    Raises
    ------
    FormatError
        If there are not one or two axes.
    """
    import pandas

    if tensor.ndim not in (1, 2):
        raise FormatError(f"pandas takes one or two axes, not {tensor.ndim}: reshape first")
    values: Any = _columns(tensor) if sparse else to_dense(tensor)
    if tensor.ndim == 1:
        return pandas.Series(values[0] if sparse else values, index, name=columns, copy=False)
    if not sparse:
        return pandas.DataFrame(values, index, columns, copy=False)
    labels = pandas.RangeIndex(tensor.shape[0]) if index is None else index
    frame = pandas.DataFrame(dict(enumerate(values)), labels, copy=False)
    frame.columns = pandas.RangeIndex(tensor.shape[1]) if columns is None else columns
    return frame


def _columns(tensor: Tensor) -> list[Any]:
    """A sparse array of pandas for each column."""
    coords, values = coordinates(tensor)
    rows, places = coords[0], coords[1] if tensor.ndim == 2 else np.zeros_like(coords[0])
    if tensor.ndim == 2 and tensor.format.order == (0, 1):
        order = np.argsort(places, kind="stable")
        rows, places, values = rows[order], places[order], values[order]
    count = tensor.shape[1] if tensor.ndim == 2 else 1
    ends = np.searchsorted(places, np.arange(count + 1)).tolist()
    kind = "block" if tensor.format.levels[-2].kind is BLOCKS else "integer"
    return [
        _sparse_array(rows[begin:end], values[begin:end], tensor, kind)
        for begin, end in pairwise(ends)
    ]


def _sparse_array(rows: Any, values: Any, tensor: Tensor, kind: str) -> Any:
    import pandas

    kinds = pandas.arrays.SparseArray
    length, fill = tensor.shape[0], tensor.fill.item()
    if hasattr(kinds, "from_indices"):
        return kinds.from_indices(values, rows, length, fill, kind)
    # Before pandas 3.1 the type of the index had no public maker.
    index = type(kinds([0]).sp_index)(length, rows.astype(np.int32))
    own = index if kind == "integer" else index.to_block_index()
    return kinds(values, sparse_index=own, dtype=pandas.SparseDtype(tensor.dtype, fill))
