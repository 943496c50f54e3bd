"""Lists with their axes in another order: entries are moved by counting, one pass an axis."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from structarr._compiler.backend.call import call
from structarr._storage.conform import differs
from structarr._storage.coordinates import (
    ENTRIES as ENTRIES,
    coordinates,
    from_sorted,
    nested,
)
from structarr._storage.density import check_pointers
from structarr._storage.entry_order import entry_order, longest_counted
from structarr._storage.kept_entries import MANY, kept_entries, kept_rows
from structarr._storage.memo import OWN
from structarr._storage.tensor import Tensor
from structarr._support.buffer_pool import empty
from structarr._support.caches import MOST
from structarr.formats import (
    Coordinate,
    Dense,
    Element,
    Format,
    Level,
    Singleton,
    SparseList,
)
from structarr.formats.entries import Array
from structarr.formats.kinds import LIST

Store = Callable[[Tensor, Format], Tensor]  # converts, with all stored values

ROWS = (Dense, SparseList, Element)
LISTS = (Dense, SparseList, Coordinate, Singleton)
_INT32 = np.iinfo(np.int32).max


def is_listed(tensor: Tensor) -> bool:
    """Whether a tensor is made of lists of coordinates, which `relisted` takes."""
    return _is_listed(tensor.format)


@lru_cache(MOST)
def _is_listed(format: Format) -> bool:
    *outer, last = format.levels
    return type(last) is Element and all(type(level) in LISTS for level in outer)


def is_rows(format: Format) -> bool:
    """Whether a format is of rows or columns as lists, one after the other."""
    return kinds_of(format) == ROWS


def is_entries(format: Format) -> bool:
    """Whether a format is of a matrix as one list of entries."""
    return kinds_of(format) == ENTRIES


def is_relisted(tensor: Tensor, format: Format) -> bool:
    """Whether a matrix becomes these lists in one pass over a list of its entries."""
    *outer, last = kinds_of(format)
    if tensor.ndim != 2 or last is not Element or not set(outer) <= set(LISTS):
        return False
    if format.index == "int32" and max(*tensor.shape, len(tensor.buffers[-1])) > _INT32:
        return False
    if format.order == tensor.format.order:
        return {kinds_of(tensor.format), kinds_of(format)} <= {ROWS, ENTRIES}
    levels = tensor.format.levels[:-1]
    varies = not any(level.kind.is_constant for level in levels)
    return varies and any(level.kind.is_sparse for level in levels)


def lists_of(format: Format) -> Format:
    """A format of lists in the same order of the axes."""
    dense = [level.kind.arithmetic for level in format.levels[:-2]]
    return nested([*dense, False][: format.ndim], format.order, format.index)


def reordered_lists(format: Format, axes: tuple[int, ...]) -> Format:
    """A format of lists in another order of the axes; entries stay entries."""
    if is_entries(format):
        return Format(format.root, axes, format.index)
    dense = [format.levels[0].kind is not LIST, *[False] * (len(axes) - 1)]
    return nested(dense, axes, format.index)


def pruned(tensor: Tensor) -> Tensor:
    """Lists without what equals the fill."""
    values = tensor.buffers[-1]
    is_counted = len(values) >= MANY and values.dtype.kind in "fiuc"
    if is_counted and call("count_unlike", (values, tensor.fill), (), len(values)) == len(values):
        return tensor
    kept = differs(values, tensor.fill)
    if kept.all():
        return tensor
    kinds, buffers = kinds_of(tensor.format), tensor.buffers
    if kinds == ROWS:
        parts = kept_rows(buffers[0], buffers[1], values, kept)
        return Tensor(tensor.format, tensor.shape, tensor.dtype, tensor.fill, parts)
    if kinds == ENTRIES:
        entries = kept_entries(buffers[1], buffers[2], values, kept)
        ptr = np.array([0, len(entries[0])], buffers[0].dtype)
        return Tensor(tensor.format, tensor.shape, tensor.dtype, tensor.fill, (ptr, *entries))
    by_axis, values = entries_of(tensor)
    kept = differs(values, tensor.fill)
    axes = [by_axis[axis][kept] for axis in tensor.format.order]
    return from_sorted(axes, values[kept], tensor.shape, tensor.fill, tensor.format)


def relisted(tensor: Tensor, format: Format, prune: bool = False) -> Tensor:
    """
    Return lists as other lists, or with their axes in another order, with all stored values.

    With `prune`, elements equal to the fill are left out.

    Examples
    --------
    >>> from structarr import formats
    >>> csr = formats.parse("csr", 2)
    >>> a = Tensor.checked(csr, (2, 3), 0.0, ([0, 2, 3], [0, 2, 2], [1.0, 2.0, 3.0]))
    >>> [one.tolist() for one in relisted(a, formats.parse("csc", 2)).buffers]
    [[0, 1, 1, 3], [0, 0, 1], [1.0, 2.0, 3.0]]
    """
    if tensor.ndim == 2 and format.order != tensor.format.order:
        found, kept = _transposed(tensor, format)
        if found is not None:
            return pruned(found) if prune and kept < len(found.buffers[-1]) else found
    tensor = pruned(tensor) if prune else tensor
    respelled = _respelled(tensor, format) if tensor.ndim == 2 else None
    if respelled is not None:
        return respelled
    by_axis, values = entries_of(tensor)
    order = _order(by_axis, tensor, format.order)
    axes = [by_axis[axis][order] for axis in format.order]
    return from_sorted(axes, values[order], tensor.shape, tensor.fill, format)


def _transposed(tensor: Tensor, format: Format) -> tuple[Tensor | None, int]:
    """A matrix in one pass over its entries, and how many of them are not the fill.

    The tensor is None for other levels, or axes that are too long. Entries are counted by rows in
    what becomes the pointers to them; only lists of entries, which have none, limit their number.
    """
    source, target, rows = kinds_of(tensor.format), kinds_of(format), tensor.dims[1]  # the result's
    idx, val = tensor.buffers[-2:]
    if not {source, target} <= {ROWS, ENTRIES}:
        return None, 0
    if rows > _longest(tensor):
        if target != ROWS:
            return None, 0
        check_pointers(rows, tensor.shape)
    slot = np.zeros(rows + 2, format.index)
    moved = empty(len(idx), np.dtype(format.index)), empty(len(val), val.dtype)
    first, name = (0, "transpose_rows") if source == ROWS else (1, "transpose_entries")
    inputs = tensor.buffers[first], idx, val, tensor.fill
    kept = call(name, inputs, (slot, *moved), len(idx))
    rows_first = rows_format(format.order, format.index)
    buffers = (slot[:-1], *moved)
    done = Tensor(rows_first, tensor.shape, tensor.dtype, tensor.fill, buffers)
    return _respelled(done, format), kept


def _longest(tensor: Tensor) -> int:
    """The longest axis that entries are sorted along in one pass; pointers to many are there."""
    return longest_counted(len(tensor.buffers[-1]) + len(tensor.buffers[0]))


def entries_of(tensor: Tensor) -> tuple[tuple[Array, ...], Array]:
    """
    Return what `coordinates` does of lists, more quickly for matrices.

    Examples
    --------
    >>> from structarr import formats
    >>> csr = formats.parse("csr", 2)
    >>> a = Tensor.checked(csr, (2, 3), 0.0, ([0, 2, 3], [0, 2, 2], [1.0, 2.0, 3.0]))
    >>> [one.tolist() for one in entries_of(a)[0]]
    [[0, 0, 1], [0, 2, 2]]
    """
    kinds = kinds_of(tensor.format)
    if kinds not in (ROWS, ENTRIES):
        return coordinates(tensor)
    idx, values = tensor.buffers[-2:]
    if kinds == ROWS:
        row = empty(len(idx), np.dtype(np.int64))
        call("spread_rows", (tensor.buffers[0],), (row,), len(idx) + len(tensor.buffers[0]))
    else:
        row = tensor.buffers[1].astype(np.int64, copy=False)
    found = row, idx.astype(np.int64, copy=False)
    return found if tensor.format.order == (0, 1) else found[::-1], values


def along_axes(tensor: Tensor) -> Tensor:
    """Lists in the order of their axes."""
    natural = tuple(range(tensor.ndim))
    if tensor.format.order == natural:
        return tensor
    dense = tensor.shape[0] <= _longest(tensor)
    flags = [dense, *[False] * (tensor.ndim - 1)]
    return relisted(tensor, nested(flags, natural, tensor.format.index))


def _respelled(tensor: Tensor, format: Format) -> Tensor | None:
    """Pointers to rows as a coordinate an entry, or back; all else is shared."""
    source, target = kinds_of(tensor.format), kinds_of(format)
    if tensor.format.order != format.order:
        return None
    if source == target == ROWS:
        own: tuple[Array, ...] = (tensor.buffers[0].astype(format.index, copy=False),)
    elif (source, target) == (ROWS, ENTRIES):
        ptr, idx, _ = tensor.buffers
        row = empty(len(idx), np.dtype(format.index))
        call("spread_rows", (ptr,), (row,), len(idx))
        own = (np.array([0, len(idx)], format.index), row)
    elif (source, target) == (ENTRIES, ROWS):
        ptr = np.zeros(tensor.dims[0] + 1, format.index)
        call("count_rows", (tensor.buffers[1],), (ptr,), len(tensor.buffers[1]))
        own = (ptr,)
    else:
        return None
    idx = tensor.buffers[-2].astype(format.index, copy=False)
    buffers = (*own, idx, tensor.buffers[-1])
    memo = {OWN: True} if OWN in tensor.memo else None
    return Tensor(format, tensor.shape, tensor.dtype, tensor.fill, buffers, memo)


@lru_cache(maxsize=1024)
def rows_format(order: tuple[int, ...], index: str) -> Format:
    """The format of lists of rows, one of whose index is of a dtype."""
    return Format(Dense(SparseList(Element())), order, index)


@lru_cache(maxsize=1024)
def kinds_of(format: Format) -> tuple[type[Level], ...]:
    return tuple(map(type, format.levels))


def _order(by_axis: tuple[Array, ...], tensor: Tensor, wanted: tuple[int, ...]) -> Array:
    """The permutation of the entries that puts them in another order of the axes.

    The last axes need no pass if their order stays.
    """
    place = [tensor.format.order.index(axis) for axis in wanted]
    passes = len(place)
    while passes and place[passes - 1 :] == sorted(place[passes - 1 :]):
        passes -= 1
    moved = wanted[:passes]
    lengths = [tensor.shape[axis] for axis in moved]
    return entry_order([by_axis[axis] for axis in moved], len(by_axis[0]), lengths)
