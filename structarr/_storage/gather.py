"""
Lists read at places: fibers are found by their coordinates and copied one after the other.

Where the axes of the places are stored outermost, each place leads to a segment of the entries. A
list whose axes lie otherwise is put into that order first, but for columns in order, which are kept
in one pass.
"""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import Any, Final, NamedTuple

import numpy as np

from structarr._compiler.backend.call import call
from structarr._storage.as_rows import by_rows
from structarr._storage.coordinates import (
    from_sorted,
    levels_above_leaf,
    nested,
    with_room,
)
from structarr._storage.entry_order import longest_counted
from structarr._storage.tensor import Tensor
from structarr._storage.transpose import entries_of, is_entries, is_rows, relisted
from structarr._support.buffer_pool import copied, empty
from structarr._support.caches import MOST
from structarr.formats import Dense, Format, SparseList
from structarr.formats.entries import Array, segments

Places = dict[int, Array]

_SHORT: Final = 32  # entries of a row, in the mean, up to which each row is sorted by itself
_FEW: Final = 16  # times as many columns: where fewer are kept, it is guessed right of most entries
_LONGEST: Final = 1 << 31  # the columns that have half of a key
_FOUND: Final = 16  # places of a table are filled in the time of a search


def gather(tensor: Tensor, places: Places, at: int, format: Format) -> Tensor:
    """
    Return a list's elements at places of some axes.

    Parameters
    ----------
    tensor : Tensor
        Of lists of coordinates, as `transpose.is_listed` tells.
    places : dict
        For each such axis the places on it, all of one shape and none out of bounds.
    at : int
        Which axis of the result the first one of the places is; the axes that are left stand
        around them.
    format : Format
        Of the result, of lists or dense levels.

    Examples
    --------
    >>> from structarr import formats
    >>> csr = formats.parse("csr", 2)
    >>> a = Tensor.checked(csr, (2, 3), 0.0, ([0, 2, 3], [0, 2, 2], [1.0, 2.0, 3.0]))
    >>> [one.tolist() for one in gather(a, {0: np.array([1, 1])}, 0, csr).buffers]
    [[0, 1, 2], [2, 2], [3.0, 3.0]]
    """
    entries = len(tensor.buffers[-1])
    across = tensor.format.order[-1] in places  # for a few rows no pointers to all are made
    if across and is_entries(tensor.format) and tensor.dims[0] <= longest_counted(entries):
        tensor = by_rows(tensor, None)
    if len(places) == 1:
        (axis, wanted), *_ = places.items()
        inside = axis != tensor.format.order[0] and wanted.ndim == 1
        if inside and len(wanted) and 0 not in tensor.shape:
            rises = bool((wanted[1:] > wanted[:-1]).all())
            moved = _moved(tensor, axis, wanted) if at == axis and not rises else None
            if moved is not None:
                return _in_format(moved, format)
            tensor, wanted = _narrowed(tensor, axis, wanted, rises)
            if at == axis and rises and len(wanted) == tensor.shape[axis]:
                return _in_format(tensor, format)
            places = {axis: wanted}
    first = tuple(places)
    if set(tensor.format.order[: len(first)]) != set(first):
        rest = [axis for axis in tensor.format.order if axis not in places]
        dense = type(tensor.format.root) is Dense
        order = (*first, *rest)
        outer = dense and tensor.shape[order[0]] <= longest_counted(entries)
        flags = [outer, *[False] * (tensor.ndim - 1)]
        tensor = relisted(tensor, nested(flags, order, tensor.format.index))
    return _in_format(_copied(tensor, places, at, format), format)


def _moved(tensor: Tensor, axis: int, wanted: Array) -> Tensor | None:
    """
    Rows with columns in another order, none of them twice; None of other lists, or of long rows.

    Each row is sorted by itself, for which it has to be short: all together, they would be put in
    order by columns, moved, and put in order by rows again.
    """
    length, few = tensor.shape[axis], len(wanted) <= tensor.shape[axis] <= _LONGEST
    if not few or not is_rows(tensor.format):
        return None
    ptr, idx, _ = tensor.buffers
    rows, longest = len(ptr) - 1, int((ptr[1:] - ptr[:-1]).max(initial=0))
    short = len(idx) <= _SHORT * rows and longest <= _SHORT**2
    if not short or length > longest_counted(len(idx) + len(wanted)):
        return None
    numbers = np.full(length, -1, tensor.format.index)
    numbers[wanted] = np.arange(len(wanted))
    if np.count_nonzero(numbers >= 0) < len(wanted):
        return None
    shape = (*tensor.shape[:axis], len(wanted), *tensor.shape[axis + 1 :])
    return _kept_columns(tensor, numbers, shape, np.empty(longest + 1, np.int64))


def _in_format(tensor: Tensor, format: Format) -> Tensor:
    asked = with_room(format, tensor.shape, len(tensor.buffers[-1]))
    return tensor if tensor.format == asked else relisted(tensor, asked)


def _narrowed(tensor: Tensor, axis: int, wanted: Array, rises: bool) -> tuple[Tensor, Array]:
    """Lists with those places of an axis alone that are wanted, and the wanted ones among these.

    Those ascend as the places do, which may be known to rise.
    """
    length = tensor.shape[axis]
    if length > _FOUND * (len(tensor.buffers[-1]) + len(wanted)):
        numbers = None
        if rises:
            kept, among = wanted, np.arange(len(wanted))
        else:
            kept, among = np.unique(wanted, return_inverse=True)
    else:
        kept = wanted if rises else _each_once(wanted, length)
        if len(kept) == length:
            return tensor, wanted
        numbers = np.full(length, -1, tensor.format.index)
        among = np.arange(len(kept))
        numbers[kept] = among
        among = among if rises else numbers[wanted]
    shape = (*tensor.shape[:axis], len(kept), *tensor.shape[axis + 1 :])
    if numbers is not None and is_rows(tensor.format):
        return _kept_columns(tensor, numbers, shape), among
    axes, values = entries_of(tensor)
    if numbers is None:
        place = np.searchsorted(kept, axes[axis])
        stays = np.flatnonzero(kept[np.minimum(place, len(kept) - 1)] == axes[axis])
    else:
        place = numbers[axes[axis]]
        stays = np.flatnonzero(place >= 0)
    found = [place[stays] if k == axis else one[stays] for k, one in enumerate(axes)]
    in_order = [found[k] for k in tensor.format.order]
    return from_sorted(in_order, values[stays], shape, tensor.fill, tensor.format), among


def _each_once(places: Array, length: int) -> Array:
    """The places below a length that are there, in order."""
    known = np.zeros(length, bool)
    known[places] = True
    return np.flatnonzero(known)


def _kept_columns(
    tensor: Tensor, numbers: Array, shape: tuple[int, ...], keys: Array | None = None
) -> Tensor:
    """Rows with columns by their numbers, which ascend where there is no room for keys to sort."""
    ptr, idx, val = tensor.buffers
    made = tuple([empty(len(one), one.dtype) for one in tensor.buffers])
    if keys is None:
        few = _FEW * shape[tensor.format.order[1]] < len(numbers)
        name = "pick_columns" if few else "keep_columns"
        count = call(name, (ptr, idx, val, numbers), made, len(idx))
    else:
        count = call("move_columns", (ptr, idx, val, numbers), (keys, *made), 8 * len(idx))
        if count == len(idx):
            return Tensor(tensor.format, shape, tensor.dtype, tensor.fill, made)
    # Copies release the memory of the entries left out.
    own = made[0], copied(made[1][:count]), copied(made[2][:count])
    return Tensor(tensor.format, shape, tensor.dtype, tensor.fill, own)


class _Found(NamedTuple):
    """Segments of a level's children, one for each place."""

    begin: Array
    end: Array


def _copied(tensor: Tensor, places: Places, at: int, format: Format) -> Tensor:
    """The fibers at places of the outermost axes, in the order in which they are found."""
    around = next(iter(places.values())).shape
    kept, inner, format = _layout(tensor.format, tuple(places), at, len(around), format)
    lengths = [tensor.shape[axis] for axis in kept]
    shape = (*lengths[:at], *around, *lengths[at:])
    flat = {axis: one.reshape(-1).astype(np.int64, copy=False) for axis, one in places.items()}
    if not inner:
        number, values = _points(tensor, flat)
        return _listed(number, [], values, around, shape, tensor.fill, format)
    ptr, axes, values = _fibers(tensor, flat, inner)
    if len(around) == len(inner) == 1 and is_rows(format):
        made = with_room(format, shape, len(values))
        own = (one.astype(made.index, copy=False) for one in (ptr, axes[0]))
        return Tensor(made, shape, tensor.dtype, tensor.fill, (*own, values))
    number = np.repeat(np.arange(len(ptr) - 1), np.diff(ptr))
    return _listed(number, axes, values, around, shape, tensor.fill, format)


@lru_cache(MOST)
def _layout(
    own: Format, places: tuple[int, ...], at: int, around: int, format: Format
) -> tuple[list[int], list[int], Format]:
    """The axes of a list that are left, also in its order, and the format of what is found."""
    kept = [axis for axis in range(own.ndim) if axis not in places]
    inner = [axis for axis in own.order if axis not in places]
    moved = [kept.index(axis) + (kept.index(axis) >= at) * around for axis in inner]
    order = (*range(at, at + around), *moved)
    if order != format.order:
        outer = type(own.root) is Dense
        format = nested([outer, *[False] * (len(order) - 1)][: len(order)], order, format.index)
    return kept, inner, format


def _listed(
    number: Array,
    axes: list[Array],
    values: Array,
    around: tuple[int, ...],
    shape: tuple[int, ...],
    fill: Any,
    format: Format,
) -> Tensor:
    """Entries at the numbers of places, in order."""
    made = with_room(format, shape, len(values))
    if len(around) == 1 and type(made.root) is SparseList and made.ndim == 1:
        own = np.array([0, len(values)], made.index), number.astype(made.index), values
        return Tensor(made, shape, values.dtype, fill, own)
    outer = [number] if len(around) == 1 else np.unravel_index(number, around)
    return from_sorted([*outer, *axes], values, shape, fill, made)


def _points(tensor: Tensor, places: Places) -> tuple[Array, Array]:
    """The numbers of the places at which something is stored, and its values."""
    if is_rows(tensor.format):
        size = len(places[0])
        to, values = np.empty(size, np.int64), np.empty(size, tensor.dtype)
        wanted = [places[axis] for axis in tensor.format.order]
        inputs = *tensor.buffers, *wanted
        count = call("take_points", inputs, (to, values), 8 * size)
        return to[:count], copied(values[:count])
    begin, end = _segments(tensor, places)[-1]
    number = np.flatnonzero(end > begin)
    return number, tensor.buffers[-1][begin[number]]


def _fibers(tensor: Tensor, places: Places, inner: list[int]) -> tuple[Array, list[Array], Array]:
    """Where the entries of each place begin, their coordinates on inner axes, and their values."""
    if is_rows(tensor.format):
        (wanted,) = places.values()
        ptr, idx, val = tensor.buffers
        begins = np.empty(len(wanted) + 1, np.int64)
        count = call("place_rows", (ptr, wanted), (begins,), len(wanted))
        made = empty(count, idx.dtype), empty(count, val.dtype)
        inputs = ptr, idx, val, wanted, begins
        call("copy_rows", inputs, made, count + len(wanted))
        return begins, [made[0]], made[1]
    *_, (begin, end) = every = _segments(tensor, places)
    begins = np.concatenate(([0], np.cumsum(end - begin)))
    values = stretches(begin, begins, tensor.buffers[-1])
    if len(inner) == 1 and type(tensor.format.levels[-2]) is not Dense:
        return begins, [stretches(begin, begins, tensor.buffers[-2])], values
    depths = range(len(places), len(every))
    return begins, [_coordinates(tensor, every[depth], depth) for depth in depths], values


def _coordinates(tensor: Tensor, found: _Found, depth: int) -> Array:
    """The coordinates of a level's children in segments, once for each entry below them."""
    level, dim, buffers = list(levels_above_leaf(tensor))[depth]
    child = segments(found.begin, found.end - found.begin)[2]
    own = child % dim if type(level) is Dense else buffers[-1][child]
    begin, end = child, child + 1
    for below, length, lists in list(levels_above_leaf(tensor))[depth + 1 :]:
        if type(below) is Dense:
            begin, end = begin * length, end * length
        elif not below.continues_group:
            begin, end = lists[0][begin], lists[0][end]
    return np.repeat(own, end - begin)


def _segments(tensor: Tensor, places: Places) -> list[_Found]:
    """Where the children of each level at places of the outermost axes begin and end."""
    size = len(next(iter(places.values())))
    found, every = _Found(np.zeros(size, np.int64), np.ones(size, np.int64)), []
    for depth, (level, dim, buffers) in enumerate(levels_above_leaf(tensor)):
        begin, end = found
        if type(level) is Dense:
            if depth >= len(places):
                every.append(found := _Found(begin * dim, end * dim))
                continue
            there = end > begin
            inside = np.where(there, begin * dim + places[tensor.format.order[depth]], 0)
            every.append(found := _Found(inside, inside + there))
            continue
        if not level.continues_group:
            begin, end = (buffers[0][bound].astype(np.int64, copy=False) for bound in found)
        if depth < len(places):
            first, last = np.empty(size, np.int64), np.empty(size, np.int64)
            wanted = places[tensor.format.order[depth]]
            call("find_entries", (begin, end, buffers[-1], wanted), (first, last), 8 * size)
            begin, end = first, last
        every.append(found := _Found(begin, end))
    return every


def stretches(begin: Array, ptr: Array, source: Array) -> Array:
    """
    Return the stretches of a buffer that begin at some places, each where `ptr` says.

    Examples
    --------
    >>> stretches(np.array([5, 1]), np.array([0, 2, 3]), np.arange(10))
    array([5, 6, 1])
    """
    to = empty(int(ptr[-1]), source.dtype)
    call("copy_segments", (begin, ptr, source), (to,), len(to) + len(begin))
    return to


def separable(places: Places) -> dict[int, int] | None:
    """
    Return which axis of the places' shape each of them varies along, if no two share one.

    None where two vary along one axis, one varies along two, or fewer than two vary at all. What
    varies along no axis is left out.

    Examples
    --------
    >>> rows, columns = np.ix_([0, 2], [1, 3, 4])
    >>> pair = np.broadcast_arrays(rows, columns)
    >>> separable(dict(enumerate(pair)))
    {0: 0, 1: 1}
    """
    found: dict[int, int] = {}
    if next(iter(places.values())).ndim < 2:  # all vary along one axis
        return None
    for axis, one in places.items():
        varying = [
            k
            for k, (n, stride) in enumerate(zip(one.shape, one.strides, strict=True))
            if n != 1 and stride
        ]
        if len(varying) > 1 or prod(one.shape) == 0:
            return None
        found |= dict.fromkeys([axis], varying[0]) if varying else {}
    distinct = len(set(found.values())) == len(found)
    return found if distinct and len(found) > 1 else None
