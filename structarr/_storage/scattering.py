"""Stored values, written to their places in a dense array."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import prod
from typing import Final, TypeAlias

import numpy as np

from structarr._compiler.backend.call import call
from structarr._storage.coordinates import offsets
from structarr._storage.tensor import Tensor
from structarr.formats import (
    Coordinate,
    Dense,
    Diagonals,
    Element,
    Format,
    Level,
    RunList,
    Singleton,
    SparseList,
    Tiles,
)
from structarr.formats.entries import Array

Scatter: TypeAlias = Callable[[Tensor, Array], None]


def scatter(tensor: Tensor, out: Array) -> None:
    """
    Write the values that a tensor stores to an array of its shape in C order.

    Examples
    --------
    >>> from structarr import formats
    >>> csr = formats.parse("csr", 2)
    >>> a = Tensor.checked(csr, (2, 2), 0.0, ([0, 1, 2], [1, 0], [3.0, 4.0]))
    >>> out = np.zeros((2, 2))
    >>> scatter(a, out)
    >>> out.tolist()
    [[0.0, 3.0], [4.0, 0.0]]
    """
    if out.size:
        _scatter_of(tensor.format)(tensor, out)


@cache
def _scatter_of(format: Format) -> Scatter:
    kinds = tuple(map(type, format.levels))
    blocks = _inner(format)
    return _BY_LEVELS.get(kinds) or (_blocks(blocks) if blocks else _entries)


def _inner(format: Format) -> int:
    """The number of last axes that are stored as dense blocks, in C order."""
    count, last = 0, format.ndim - 1
    if type(format.levels[-1]) is not Element:
        return 0
    while count < last and format.order[last - count] == last - count:
        if not format.levels[last - count].arithmetic:
            break
        count += 1
    return count


def _entries(tensor: Tensor, out: Array) -> None:
    places, values = offsets(tensor)
    out.reshape(-1)[places] = values


def _blocks(count: int) -> Scatter:
    def scatter_blocks(tensor: Tensor, out: Array) -> None:
        fmt, axes, values = tensor.format, tensor.ndim - count, tensor.buffers[-1]
        size = prod(tensor.shape[axes:])
        numbers = np.arange(len(values) // size)
        outer = fmt.without(range(axes), Element())
        buffers = (*tensor.buffers[:-1], numbers)
        lists = Tensor(outer, tensor.shape[:axes], numbers.dtype, np.int64(-1), buffers)
        call("scatter_blocks", (*offsets(lists), values, size), (out.reshape(-1),), len(values))

    return scatter_blocks


def _rows(tensor: Tensor, out: Array) -> None:
    (*across, along), (ptr, idx, values) = _strides(tensor), tensor.buffers
    args = ptr, idx, values, *(across or (0,)), along
    call("scatter_rows", args, (out.reshape(-1),), len(idx))


def _coordinates(tensor: Tensor, out: Array) -> None:
    _, row, idx, values = tensor.buffers
    args = row, idx, values, *_strides(tensor)
    call("scatter_entries", args, (out.reshape(-1),), len(idx))


def _runs(tensor: Tensor, out: Array) -> None:
    (*across, along), (ptr, stop, values) = _strides(tensor), tensor.buffers
    args = ptr, stop, values, *(across or (0,)), along
    call("scatter_runs", args, (out.reshape(-1),), out.size)


def _tiles(tensor: Tensor, out: Array) -> None:
    (ptr, idx, values), (height, width) = tensor.buffers, tensor.format.levels[1].details
    args = ptr, idx, values, height, width, *_strides(tensor)
    call("scatter_tiles", args, (out.reshape(-1),), len(values))


def _diagonals(tensor: Tensor, out: Array) -> None:
    level, values, flat = tensor.format.levels[1], tensor.buffers[-1], out.reshape(-1)
    across, along = _strides(tensor)
    assert isinstance(level, Diagonals)
    rows, columns = tensor.dims
    for k, first, stop, stored in level.along(rows, columns, values):
        start = first * across + (first + k) * along
        end = start + (stop - first - 1) * (across + along) + 1
        flat[start : end : across + along] = stored


def _strides(tensor: Tensor) -> tuple[int, ...]:
    shape = tensor.shape
    return tuple([prod(shape[axis + 1 :]) for axis in tensor.format.order])


_BY_LEVELS: Final[dict[tuple[type[Level], ...], Scatter]] = {
    (SparseList, Element): _rows,
    (Dense, SparseList, Element): _rows,
    (RunList, Element): _runs,
    (Dense, RunList, Element): _runs,
    (Coordinate, Singleton, Element): _coordinates,
    (Dense, Tiles, Element): _tiles,
    (Dense, Diagonals, Element): _diagonals,
}
