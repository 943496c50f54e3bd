"""Columns of frames, of pandas and of all that hands out Arrow's memory, without copies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from structarr._support import dtypes as _dtypes
from structarr._support.records import record
from structarr.formats.entries import Array
from structarr.interop import pandas as _pandas
from structarr.interop.columns import Column, joined


@record(slots=True, eq=False)
class FrameColumn:
    """
    A column of a frame.

    Parameters
    ----------
    name : str
        The column's.
    values : Array or Tensor
        Its numbers; of categories, the place of each row's, or -1.
    categories : tuple, optional
        The categories of such a column.
    """

    name: str
    values: Any
    categories: tuple[Any, ...] | None = None


def columns_of(frame: Any, missing: Any = None) -> list[FrameColumn]:
    """
    The columns of a frame, in order.

    Raises
    ------
    TypeError
        If it is no frame, or a column holds something else than numbers, truth values, categories
        and strings.
    ValueError
        If a number is missing and nothing stands for it.
    """
    if _pandas.is_pandas(frame) and frame.ndim == 2:
        return list(_of_pandas(frame, missing))
    if hasattr(frame, "__arrow_c_stream__"):
        return list(_of_arrow(frame, missing))
    raise TypeError(
        f"from_frame takes a frame of pandas or Polars or a table of Arrow, not "
        f"{type(frame).__name__}"
    )


def _of_pandas(frame: Any, missing: Any) -> Iterator[FrameColumn]:
    import pandas

    for label, series in frame.items():
        name, told = str(label), f"column {label!r}"
        if not isinstance(series.dtype, pandas.CategoricalDtype) and _is_text(series):
            series = series.astype("category")
        found = _pandas.column(told, series, missing, one_hot=True)
        if found.categories is not None:
            yield FrameColumn(name, found.values, tuple(series.cat.categories))
            continue
        if missing is not None:  # NaN is missing in columns that cannot tell it otherwise
            found = _without_nan(told, found, missing)
        if found.starts is not None:
            yield FrameColumn(name, joined([found], len(series), alone=False))
        else:
            yield FrameColumn(name, found.values)


def _without_nan(told: str, column: Column, missing: Any) -> Column:
    """A column of numbers with something in the place of each NaN."""
    values, fill = column.values, column.fill
    if values.dtype.kind not in "fc":
        return column
    values = _pandas.present(told, values, np.isnan(values), missing)
    if column.starts is not None and np.isnan(fill):
        fill = _pandas.present(told, np.array([fill]), np.ones(1, bool), missing)[0]
    return Column(values, column.starts, column.stops, fill)


def _is_text(series: Any) -> bool:
    """Whether a column is of texts, or of nothing that would tell what it is of."""
    import pandas

    if isinstance(series.dtype, pandas.ArrowDtype):
        import pyarrow

        own = series.dtype.pyarrow_dtype
        return _is_arrow_text(own) or bool(pyarrow.types.is_dictionary(own))
    is_object = series.dtype == object
    kind = pandas.api.types.infer_dtype(series, skipna=True) if is_object else ""
    return kind in ("string", "empty") or isinstance(series.dtype, pandas.StringDtype)


def _of_arrow(frame: Any, missing: Any) -> Iterator[FrameColumn]:
    try:
        import pyarrow
    except ImportError as error:
        raise ImportError(
            'frames of Arrow take pyarrow: pip install "structarr[frames]"'
        ) from error

    try:
        table = pyarrow.table(frame)
    except pyarrow.ArrowInvalid as error:
        if hasattr(frame, "columns"):
            raise TypeError(
                f"pyarrow reads no such frame: {error}; leave out the columns of types that Arrow "
                "has not, or make numbers or categories of them"
            ) from error
        # It hands out one column, as a series does.
        raise TypeError(
            f"from_frame takes a frame, not a column, as {type(frame).__name__} is: give a frame "
            "of it, as its method to_frame() does"
        ) from None
    for field, column in zip(table.schema, table.columns, strict=True):
        name = field.name
        if _is_arrow_text(column.type):
            yield _in_order(_dictionary(name, column.dictionary_encode()))
        elif pyarrow.types.is_dictionary(column.type):
            found = _dictionary(name, column)
            yield _in_order(found) if _is_without_order(field) else found
        else:
            yield FrameColumn(name, _numbers(name, _whole(column), missing))


def _is_arrow_text(kind: Any) -> bool:
    import pyarrow.types as types

    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def _is_without_order(field: Any) -> bool:
    """Whether categories come as the process met them: those of Polars, but for enumerations."""
    return any([key.startswith(b"_PL_CATEGORICAL") for key in field.metadata or ()])


def _whole(column: Any) -> Any:
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


def _dictionary(name: str, column: Any) -> FrameColumn:
    if not column.num_chunks:  # nor rows
        return FrameColumn(name, np.zeros(0, np.int64), ())
    whole = _whole(column.unify_dictionaries() if column.num_chunks > 1 else column)
    codes = whole.indices.cast("int64").fill_null(-1) if whole.null_count else whole.indices
    values = codes.to_numpy(zero_copy_only=False).astype(np.int64, copy=False)
    known: dict[Any, int] = {}
    every = whole.dictionary.to_pylist()
    places = [-1 if one is None else known.setdefault(one, len(known)) for one in every]
    if len(known) < len(every):  # some are the same, or none at all
        values = np.array([*places, -1])[values]
    return FrameColumn(name, values, tuple(known))


def _in_order(column: FrameColumn) -> FrameColumn:
    """A column with its categories sorted, as those of strings are."""
    assert column.categories is not None
    order = sorted(range(len(column.categories)), key=column.categories.__getitem__)
    ranks = np.full(len(order) + 1, -1)  # the last is that of no category
    ranks[order] = np.arange(len(order))
    categories = tuple([column.categories[k] for k in order])
    return FrameColumn(column.name, ranks[column.values], categories)


def _numbers(name: str, column: Any, missing: Any) -> Array:
    try:
        dtype = _dtypes.check(column.type.to_pandas_dtype())
    except (NotImplementedError, TypeError) as error:
        raise TypeError(
            f"column {name!r} is of {column.type}: leave it out, or make numbers or categories of "
            "it"
        ) from error
    if not column.null_count:
        given: Array = column.to_numpy(zero_copy_only=dtype.kind != "b")
        return given.astype(dtype, copy=False)
    absent = column.is_null().to_numpy(zero_copy_only=False)
    filled = column.fill_null(False if dtype.kind == "b" else 0)
    values = filled.to_numpy(zero_copy_only=False).astype(dtype, copy=False)
    found: Array = _pandas.present(f"column {name!r}", values, absent, missing)
    return found


def side_by_side(columns: Sequence[Array]) -> Array | None:
    """The matrix that neighbours in memory are columns of, as a view; None if they are none.

    Examples
    --------
    >>> block = np.arange(6.0).reshape(2, 3)
    >>> side_by_side([block[0], block[1]]).tolist()
    [[0.0, 3.0], [1.0, 4.0], [2.0, 5.0]]
    >>> side_by_side([block[0], block[1].copy()]) is None
    True
    """
    first = columns[0]
    if len(columns) == 1:
        return first[:, None]
    if any(one.dtype != first.dtype or one.strides != (first.itemsize,) for one in columns):
        return None
    start, step = first.ctypes.data, first.nbytes
    if any(one.ctypes.data != start + k * step for k, one in enumerate(columns)):
        return None
    if any(_owner(one) is not _owner(first) for one in columns):
        return None
    shape = len(first), len(columns)
    return np.lib.stride_tricks.as_strided(first, shape, (first.itemsize, step), writeable=False)


def _owner(array: Array) -> object:
    found: Any = array
    while isinstance(getattr(found, "base", None), np.ndarray):
        found = found.base
    return found
