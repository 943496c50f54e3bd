"""Tensors with their axes in another order."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

import numpy as np

from structarr._compiler.backend.call import call
from structarr._storage.coordinates import nested
from structarr._storage.density import check_size, fits
from structarr._storage.tensor import Tensor
from structarr._storage.tile_views import sides_of
from structarr._storage.transpose import is_listed, lists_of, relisted, reordered_lists
from structarr._support.buffer_pool import copied, empty
from structarr.formats import (
    Constant,
    Dense,
    Diagonals,
    Element,
    Format,
    Level,
    Pattern,
    SparseList,
    Tiles,
    parse,
)

Store = Callable[[Tensor, Format], Tensor]  # converts, with all stored values


def reorder(tensor: Tensor, axes: tuple[int, ...], store: Store) -> Tensor:
    """
    Return a tensor that stores the same with its axes in another order.

    Parameters
    ----------
    tensor : Tensor
        Of any format.
    axes : tuple of int
        From the outermost level; axes along which nothing varies may be left out.
    store : callable
        Converts without a change of the order.

    Raises
    ------
    DensificationError
        If runs would take a large dense array, the only way as yet to have them along another axis.
    """
    if len(axes) < tensor.ndim:
        return _reorder_varying(tensor, axes, store)
    if tensor.format.is_dense:
        return tensor if tensor.format.order == axes else _relaid(tensor, axes)
    if sides_of(tensor.format) is not None:
        return _reordered_tiles(tensor, axes)
    mirrored = tensor.format.levels[-2].mirrored if tensor.ndim == 2 else None
    if mirrored is not None and tensor.format.levels[-1].uniform:
        return _mirrored(tensor, mirrored, axes)
    if isinstance(mirrored, Diagonals) and type(tensor.format.levels[-1]) is Element:
        return _reordered_diagonals(tensor, mirrored, axes)
    if not any(level.kind.is_sparse for level in tensor.format.levels[:-1]):
        size = prod(tensor.shape) * tensor.dtype.itemsize
        what = f"a dense array, as runs of shape {tensor.shape} are needed along another axis,"
        check_size(size, what, "convert an operand with .asformat(...)", tensor.nbytes)
        return store(tensor, Format(parse("dense", len(axes)).root, axes, tensor.format.index))
    listed = tensor if is_listed(tensor) else store(tensor, lists_of(tensor.format))
    done = relisted(listed, _reordered(tensor, axes))
    if mirrored is None:
        return _without_values(done) if type(tensor.format.levels[-1]) is Pattern else done
    return store(done, Format(Dense(mirrored), axes, tensor.format.index))


def _reordered(tensor: Tensor, axes: tuple[int, ...]) -> Format:
    """Lists in another order of the axes; outermost too where pointers would fill the memory."""
    format = reordered_lists(tensor.format, axes)
    fit = fits(8 * tensor.shape[axes[0]])
    return format if fit else nested([False] * len(axes), axes, format.index)


def _relaid(tensor: Tensor, axes: tuple[int, ...]) -> Tensor:
    """A dense array with its axes in another order."""
    fmt = Format(tensor.format.root, axes, tensor.format.index)
    moved = tuple(tensor.format.order.index(axis) for axis in axes)
    laid = copied(tensor.buffers[0].reshape(tensor.dims).transpose(moved)).reshape(-1)
    return Tensor(fmt, tensor.shape, tensor.dtype, tensor.fill, (laid,))


def _reordered_tiles(tensor: Tensor, axes: tuple[int, ...]) -> Tensor:
    """A matrix in tiles with its axes in another order: tiles are moved, each transposed."""
    fmt, (ptr, idx, values) = tensor.format, tensor.buffers
    if fmt.order == axes:
        return tensor
    blocks = values.reshape(-1, *fmt.levels[1].details)
    lengths = len(ptr) - 1, tensor.dims[1] // blocks.shape[2]
    rows = Format(Dense(SparseList(Element())), fmt.order, fmt.index)
    numbers = np.arange(len(idx))
    shape = lengths if fmt.order == (0, 1) else lengths[::-1]
    places = Tensor(rows, shape, numbers.dtype, np.int64(-1), (ptr, idx, numbers))
    *own, moved = relisted(places, Format(rows.root, axes, fmt.index)).buffers
    made = Format(Dense(Tiles(Element(), *blocks.shape[:0:-1])), axes, fmt.index)
    turned = empty(values.size, values.dtype)
    within = np.arange(prod(blocks.shape[1:])).reshape(blocks.shape[1:]).T.ravel()
    call("turn_tiles", (values, moved, within), (turned,), values.size)
    return Tensor(made, tensor.shape, tensor.dtype, tensor.fill, (*own, turned))


def _reordered_diagonals(tensor: Tensor, mirrored: Diagonals, axes: tuple[int, ...]) -> Tensor:
    """
    A matrix of diagonals with its axes in another order: each is moved as a whole.

    It is stored along the shorter axis, which is the same one in either order, but by columns if
    both are as long.
    """
    (rows, columns), (offset, values), own = tensor.dims, tensor.buffers, tensor.format.levels[1]
    assert isinstance(own, Diagonals)
    moved = empty(len(values), tensor.dtype)  # what is outside of the matrix may be anything
    if rows != columns:
        each = len(offset), min(rows, columns)
        moved.reshape(each)[:] = values.reshape(each)[::-1]
    else:
        parts = reversed([*own.along(rows, columns, values)])
        for to, one in zip(mirrored.along(columns, rows, moved), parts, strict=True):
            to.values[:] = one.values
    fmt = Format(Dense(mirrored), axes, tensor.format.index)
    buffers = (-offset[::-1], moved)
    return Tensor(fmt, tensor.shape, tensor.dtype, tensor.fill, buffers)


def _without_values(tensor: Tensor) -> Tensor:
    """Lists of booleans, without their values: all stored are True."""
    format = tensor.format.without(range(tensor.ndim), Pattern())
    return Tensor(format, tensor.shape, tensor.dtype, tensor.fill, tensor.buffers[:-1])


def _mirrored(tensor: Tensor, level: Level, axes: tuple[int, ...]) -> Tensor:
    """The transpose of a matrix of one value: the level tells where it stands."""
    fmt = Format(Dense(level), axes, tensor.format.index)
    sizes = zip(level.buffers, level.sizes(0, 0, 0), strict=True)
    own = [level.blank(name, size, np.dtype(fmt.index)) for name, size in sizes]
    buffers = (*own, *tensor.level_buffers[-1])
    return Tensor(fmt, tensor.shape, tensor.dtype, tensor.fill, buffers)


def _reorder_varying(tensor: Tensor, axes: tuple[int, ...], store: Store) -> Tensor:
    """A tensor with only the varying axes reordered; constant ones are put outside."""
    kept = sorted(axes)
    order = tuple(kept.index(axis) for axis in tensor.format.order if axis in kept)
    depths = [k for k, axis in enumerate(tensor.format.order) if axis in kept]
    inner = Format(tensor.format.without(depths).root, order, tensor.format.index)
    shape = tuple(tensor.shape[axis] for axis in kept)
    part = Tensor(inner, shape, tensor.dtype, tensor.fill, tensor.buffers)
    done = reorder(part, tuple(kept.index(axis) for axis in axes), store)
    root, constant = done.format.root, tuple(k for k in range(tensor.ndim) if k not in kept)
    for _ in constant:
        root = Constant(root)
    outer = constant + tuple(kept[k] for k in done.format.order)
    fmt = Format(root, outer, done.format.index)
    return Tensor(fmt, tensor.shape, tensor.dtype, tensor.fill, done.buffers)
