"""Matrices by tiles: arrays of four axes, two of places of tiles and two of places within one.

Of a matrix in tiles of height h and width w, element (i, j) is element (i // h, j // w, i % h,
j % w) of such an array. Buffers are shared: tiles, one after another, are lists of dense blocks.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from typing import TypeAlias

import numpy as np

from structarr._compiler.backend.call import call
from structarr._storage.memo import derived
from structarr._storage.tensor import Tensor
from structarr._storage.views import expanded
from structarr._support.buffer_pool import empty
from structarr._support.caches import MOST
from structarr.formats import Constant, Dense, Element, Format, Level, SparseList, Tiles
from structarr.formats.dense import Side
from structarr.formats.entries import differ

Sides: TypeAlias = tuple[int, int]


def sides_of(format: Format) -> Sides | None:
    """The height and width of a matrix's tiles; None of other formats."""
    levels = format.levels
    if format.ndim != 2 or type(levels[1]) is not Tiles or type(levels[2]) is not Element:
        return None
    height, width = levels[1].sides
    return (height, width) if format.order == (0, 1) else (width, height)


@derived("by tiles")
def by_tiles(tensor: Tensor, sides: Sides) -> Tensor:
    """A matrix in tiles, or a dense one, as an array of axes by tiles."""
    outer, inner = zip(*map(_divided, tensor.shape, sides), strict=True)
    fmt = _format_by_tiles(tensor.format, inner)
    return Tensor(fmt, (*outer, *inner), tensor.dtype, tensor.fill, tensor.buffers)


@lru_cache(MOST)
def _format_by_tiles(format: Format, inner: Sides) -> Format:
    order: tuple[int, ...] = (0, 1, 2, 3)
    if sides_of(format) is not None:
        root: Level = Dense(SparseList(Side(Side(Element(), inner[1]), inner[0])))
    else:
        first, last = format.order
        root = Dense(Side(Dense(Side(Element(), inner[last])), inner[first]))
        order = (first, first + 2, last, last + 2)
    return Format(root, order, format.index)


Split: TypeAlias = tuple[tuple[int, ...], tuple[tuple[int, ...], ...], int]
"""The side by which each axis is split, or 0; the places of its parts; how many there are."""


@derived("split")
def split(tensor: Tensor, detail: Split) -> Tensor:
    """A matrix in tiles, or a dense array, with axes split by tiles, and others of length one."""
    sides, places, ndim = detail
    parts: list[tuple[int, ...]] = [
        _divided(n, side) if side else (n,) for n, side in zip(tensor.shape, sides, strict=True)
    ]
    lengths = dict(zip(chain(*places), chain(*parts), strict=True))
    shape = tuple([lengths[one] for one in sorted(lengths)])
    fmt = _format_of_split(tensor.format, tuple([one[1:] for one in parts]), places)
    made = Tensor(fmt, shape, tensor.dtype, tensor.fill, tensor.buffers)
    new = tuple([k for k in range(ndim) if k not in lengths])
    seen = expanded(made, new) if new else made  # which has an origin of its own
    return Tensor(seen.format, seen.shape, seen.dtype, seen.fill, seen.buffers)


@lru_cache(MOST)
def _format_of_split(
    format: Format, inner: tuple[tuple[int, ...], ...], places: tuple[tuple[int, ...], ...]
) -> Format:
    """The format of an array whose axes are split, by the sides within, if any, of each."""
    if sides_of(format) is not None:
        first, last = format.order
        root: Level = Dense(SparseList(Side(Side(Element(), *inner[last]), *inner[first])))
        order = [places[axis][k] for k in (0, 1) for axis in (first, last)]
    else:
        root = Element()
        for axis in reversed(format.order):
            for length in inner[axis]:
                root = Side(root, length)
            root = Dense(root)
        order = [place for axis in format.order for place in places[axis]]
    kept = sorted(order)
    return Format(root, tuple([kept.index(one) for one in order]), format.index)


def _divided(length: int, side: int) -> tuple[int, int]:
    """The number of tiles along an axis, and their side; an axis of length one has one of one."""
    return (1, 1) if length == 1 else (length // side, side)


@derived("in tiles")
def in_tiles(tensor: Tensor, detail: None) -> Tensor:
    """The matrix that an array by tiles stands for, of lists of blocks."""
    height, width = tensor.shape[2:]
    fmt = _format_in_tiles(height, width, tensor.format.index)
    shape = tensor.shape[0] * height, tensor.shape[1] * width
    return Tensor(fmt, shape, tensor.dtype, tensor.fill, tensor.buffers)


@lru_cache(MOST)
def _format_in_tiles(height: int, width: int, index: str) -> Format:
    return Format(Dense(Tiles(Element(), height, width)), (0, 1), index)


@derived("told tiles")
def told_tiles(tensor: Tensor, detail: None) -> Tensor:
    """
    A matrix in tiles without those of nothing but its fill.

    Examples
    --------
    >>> fmt = _format_in_tiles(1, 2, "int64")
    >>> buffers = [0, 2], [0, 1], [0.0, 0.0, 3.0, 0.0]
    >>> a = Tensor.checked(fmt, (1, 4), 0.0, buffers)
    >>> [one.tolist() for one in told_tiles(a, None).buffers]
    [[0, 1], [1], [3.0, 0.0]]
    """
    (ptr, idx, values), (height, width) = tensor.buffers, tensor.format.levels[1].details
    tiles = values.reshape(-1, height * width)
    kept = differ(tiles, tensor.fill).any(axis=1)
    if kept.all():
        return tensor
    before = np.zeros(len(idx) + 1, ptr.dtype)
    np.cumsum(kept, out=before[1:])
    left = np.flatnonzero(kept)
    buffers = before[ptr], idx[left], tiles[left].reshape(-1)
    return Tensor(tensor.format, tensor.shape, tensor.dtype, tensor.fill, buffers)


def are_lists_of_blocks(format: Format) -> bool:
    """Whether a format stores lists of dense blocks, as tiles do."""
    if format.order != (0, 1, 2, 3):
        return False
    outer, tiles, *inner, last = format.levels
    full = all(type(level) in (Dense, Side, Constant) for level in (outer, *inner))
    return full and type(tiles) is SparseList and type(last) is Element


def tiles_of(tensor: Tensor) -> Tensor:
    """A matrix with an element for each tile of another one; values stand for nothing."""
    ptr, idx, _ = tensor.buffers
    fmt = Format(Dense(SparseList(Element())), tensor.format.order, tensor.format.index)
    sides = sides_of(tensor.format)
    assert sides is not None
    shape = tuple([n // side for n, side in zip(tensor.shape, sides, strict=True)])
    return Tensor(fmt, shape, idx.dtype, idx.dtype.type(-1), (ptr, idx, idx))


@derived("in larger tiles")
def in_larger_tiles(tensor: Tensor, sides: Sides) -> Tensor:
    """A matrix in tiles, stored by rows, in tiles whose sides are multiples of its own."""
    if sides_of(tensor.format) == sides:
        return tensor
    tiles, (ptr, idx, values) = tensor.format.levels[1], tensor.buffers
    (height, width), (rows, columns) = tiles.details, _ratios(sides, tiles.details)
    index, count = ptr.dtype, tensor.shape[1] // sides[1]
    column = np.repeat(np.arange(count, dtype=index), columns)
    slot, to_ptr = np.full(count, -1, index), np.zeros(tensor.shape[0] // sides[0] + 1, index)
    to_idx = empty(len(idx), index)
    call("find_tiles", (ptr, idx, column, rows), (slot, to_ptr, to_idx), len(idx))
    to_idx = to_idx[: to_ptr[-1]].copy()
    moved = np.full(len(to_idx) * sides[0] * sides[1], tensor.fill, values.dtype)
    given = (ptr, idx, values, column, height, width, rows, columns)
    call("move_tiles", given, (to_ptr, to_idx, slot, moved), len(values))
    fmt = Format(Dense(Tiles(Element(), *sides)), (0, 1), tensor.format.index)
    return Tensor(fmt, tensor.shape, tensor.dtype, tensor.fill, (to_ptr, to_idx, moved))


def _ratios(sides: Sides, own: Sides) -> Sides:
    return sides[0] // own[0], sides[1] // own[1]
