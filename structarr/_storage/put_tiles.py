"""Matrices in tiles with other values at some points; tiles are added where there are none."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from structarr._compiler.backend.call import call
from structarr._storage.change import Change, Patch, Renewal
from structarr._storage.put import put
from structarr._storage.tensor import Tensor
from structarr._support.buffer_pool import empty
from structarr.formats import Dense, Element, Format, SparseList
from structarr.formats.entries import Array


def put_in_tiles(tensor: Tensor, places: Sequence[Array], values: Array) -> Change:
    """
    Return the change of a matrix in tiles that gets other values at points; tiles stay.

    Parameters
    ----------
    tensor : Tensor
        A matrix in tiles, as `tile_views.sides_of` tells.
    places : sequence of array
        The coordinates of the points on each axis, in any order; of points that are there more
        than once the last one counts.
    values : array
        A value for each point, of the tensor's dtype.

    Examples
    --------
    >>> from structarr import formats
    >>> bsr = Format(formats.Dense(formats.Tiles(Element(), 2, 2)), (0, 1))
    >>> a = Tensor.checked(bsr, (2, 4), 0, ([0, 1], [0], [1, 2, 3, 4]))
    >>> there = np.array([1, 0]), np.array([0, 3])
    >>> [one.tolist() for one in put_in_tiles(a, there, np.array([8, 9])).made().buffers]
    [[0, 2], [0, 1], [1, 2, 8, 4, 0, 9, 0, 0]]
    """
    height, width = tensor.format.levels[1].details
    row, column = [places[axis].astype(np.int64, copy=False) for axis in tensor.format.order]
    tiles = row // height, column // width
    size, old = height * width, tensor.buffers[-1]
    count = len(tensor.buffers[1])
    each = np.arange(count + len(row))
    numbers = _numbers(tensor, height, width, each)
    stored, tile = _found(numbers, tiles)
    inner = row % height * width + column % width
    if len(stored) == len(row):
        return Patch(tensor, tile * size + inner, values)
    new = np.delete(np.arange(len(row)), stored)
    added = np.full(len(new), count)
    numbers = put(numbers, [tiles[0][new], tiles[1][new]], added).made()
    ptr, idx, before = numbers.buffers
    _, tile = _found(_with_numbers(numbers, each), tiles)
    made = empty(len(idx) * size, old.dtype)
    blocks = made.reshape(-1, size)
    if count:
        old.reshape(-1, size).take(before, axis=0, out=blocks, mode="clip")
    blocks[tile[new]] = tensor.fill
    made[tile * size + inner] = values
    format = Format(tensor.format.root, tensor.format.order, ptr.dtype.name)
    buffers = ptr, idx, made
    return Renewal(tensor, Tensor(format, tensor.shape, tensor.dtype, tensor.fill, buffers))


def _numbers(tensor: Tensor, height: int, width: int, each: Array) -> Tensor:
    """The numbers of a matrix's tiles, as lists of rows; `each` are all numbers."""
    ptr, idx, _ = tensor.buffers
    rows = Format(Dense(SparseList(Element())), (0, 1), tensor.format.index)
    shape = tensor.dims[0] // height, tensor.dims[1] // width
    return Tensor(rows, shape, np.dtype(np.int64), np.int64(-1), (ptr, idx, each[: len(idx)]))


def _with_numbers(rows: Tensor, each: Array) -> Tensor:
    """The same rows with the numbers of their entries."""
    ptr, idx, _ = rows.buffers
    return Tensor(rows.format, rows.shape, rows.dtype, rows.fill, (ptr, idx, each[: len(idx)]))


def _found(rows: Tensor, places: Sequence[Array]) -> tuple[Array, Array]:
    """Which of some points rows store, and their values."""
    size = len(places[0])
    to, values = np.empty(size, np.int64), np.empty(size, rows.dtype)
    count = call("take_points", (*rows.buffers, *places), (to, values), 8 * size)
    return to[:count], values[:count]
