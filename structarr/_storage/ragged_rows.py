"""Rows of unlike lengths as tensors: of nested lists, or of values and offsets; and back."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np

from structarr._storage.buffers import settled
from structarr._storage.tensor import Tensor
from structarr._support import dtypes
from structarr.errors import FormatError
from structarr.formats import Dense, Element, Format, Level, Ragged
from structarr.formats.entries import Array


def from_offsets(
    values: Any, offsets: Sequence[Any], lengths: Sequence[int | None] = (), fill: Any = 0
) -> Tensor:
    """
    Make a tensor of the values of all rows, one after the other, and of where each row begins.

    Parameters
    ----------
    values : Array
        Of one axis; shared.
    offsets : sequence of Array
        Of each ragged axis, the outermost first; one more than there are rows. Shared where
        nobody can write them.
    lengths : sequence of int, optional
        Of the ragged axes; None stands for the longest row.
    fill : scalar
        What stands beyond a row's end.

    Raises
    ------
    FormatError
        If offsets decrease, or lie outside what they point into.

    Examples
    --------
    >>> from_offsets(np.array([1.0, 2.0, 3.0]), [np.array([0, 2, 2, 3])])
    <Tensor ragged of shape (3, 2), dtype float64, fill 0.0: 3 stored, 56 bytes>
    """
    values = np.asarray(values)
    if values.ndim != 1:
        raise FormatError(f"values must have one axis, not shape {values.shape}")
    dtypes.check(values.dtype)
    found, begin, end = [], 0, None
    for axis, given in enumerate(offsets, 1):
        own = _checked(given, axis)[begin : None if end is None else end + 1]
        begin, end = int(own[0]), int(own[-1])
        found.append(own if begin == 0 else own - begin)
    if end is not None and end > len(values):
        raise FormatError(f"offsets end with {end}, but there are {len(values)} values")
    longest = [int(np.diff(own).max(initial=0)) for own in found]
    asked = [*lengths, *[None] * (len(longest) - len(lengths))]
    shape = (len(found[0]) - 1, *_extents(longest, asked))
    narrow = all(own.dtype == np.int32 for own in found)
    index = "int32" if narrow and max(shape) <= np.iinfo(np.int32).max else "int64"
    format = Format(_tree(len(found)), tuple(range(len(shape))), index)
    buffers = *(settled(own.astype(index, copy=False)) for own in found), values[begin:end]
    return Tensor.checked(format, shape, dtypes.scalar(fill, values.dtype), buffers)


def _checked(given: Any, axis: int) -> Array:
    own = np.asarray(given)
    if own.ndim != 1 or own.dtype.kind not in "iu" or not len(own):
        raise FormatError(
            f"the offsets of axis {axis} must be integers along one axis, one more than there are "
            f"rows, not {own.dtype} of shape {own.shape}"
        )
    if own[0] < 0 or np.any(own[1:] < own[:-1]):
        raise FormatError(f"the offsets of axis {axis} must not decrease, nor be below zero")
    return own


def _extents(longest: Sequence[int], asked: Sequence[int | None]) -> list[int]:
    for axis, (most, length) in enumerate(zip(longest, asked, strict=True), 1):
        if length is not None and length < most:
            raise FormatError(f"axis {axis} has length {length}, but a row of {most} elements")
    return [most if length is None else length for most, length in zip(longest, asked, strict=True)]


def _tree(depth: int) -> Level:
    root: Level = Element()
    for _ in range(depth):
        root = Ragged(root)
    return Dense(root)


def from_lists(rows: Sequence[Any], dtype: Any = None, fill: Any = 0) -> Tensor:
    """
    Make a tensor of nested lists of numbers, of which those of one depth may differ in length.

    Raises
    ------
    ValueError
        If numbers and lists stand side by side.
    TypeError
        If the numbers' dtype cannot be stored.

    Examples
    --------
    >>> from_lists([[1, 2], [], [3]])
    <Tensor ragged of shape (3, 2), dtype int64, fill 0: 3 stored, 56 bytes>
    """
    offsets: list[Array] = []
    flat = list(rows)
    while any(_is_row(one) for one in flat):
        if not all(_is_row(one) for one in flat):
            raise ValueError(
                f"numbers and rows stand side by side at depth {len(offsets) + 1} of the lists: "
                "nest all numbers equally deep"
            )
        offsets.append(np.cumsum([0, *map(len, flat)]))
        flat = list(chain.from_iterable(flat))
    values = np.asarray(flat, dtype if dtype is not None or flat else np.float64)
    return from_offsets(values.astype(dtypes.check(values.dtype), copy=False), offsets, (), fill)


def _is_row(one: Any) -> bool:
    return isinstance(one, (list, tuple)) or (isinstance(one, np.ndarray) and one.ndim > 0)


def _is_ragged(format: Format) -> bool:
    """Whether all axes but the first are ragged, and the first dense."""
    kinds = [type(level) for level in format.levels]
    inner = kinds[1:-1]
    own = kinds[0] is Dense and kinds[-1] is Element and bool(inner)
    return own and format.order == tuple(range(format.ndim)) and {*inner} == {Ragged}


def ragged(ndim: int, index: str = "int64") -> Format:
    """Return the format of rows of unlike lengths on every axis but the first."""
    return Format(_tree(ndim - 1), tuple(range(ndim)), index)


def offsets_of(tensor: Tensor) -> tuple[list[Array], Array]:
    """
    Return the offsets of all axes but the first, and the values of all rows.

    Raises
    ------
    FormatError
        If the format is another than that of `ragged`.

    Examples
    --------
    >>> offsets, values = offsets_of(from_lists([[1, 2], [], [3]]))
    >>> offsets[0].tolist(), values.tolist()
    ([0, 2, 2, 3], [1, 2, 3])
    """
    if not _is_ragged(tensor.format):
        raise FormatError(f"rows of unlike lengths are stored as ragged, not {tensor.format}")
    *offsets, values = tensor.buffers
    return list(offsets), values
