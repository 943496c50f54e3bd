"""Formats that do not take every array: checks of the entries, and fields that are left open."""

from __future__ import annotations

from math import prod

import numpy as np

from structarr._compiler.backend.call import call
from structarr._storage.coordinates import coordinates, from_sorted
from structarr._storage.density import check_pointers
from structarr._storage.entry_order import changes, entry_order
from structarr._storage.kept_entries import kept_rows
from structarr._storage.tensor import Tensor
from structarr.errors import FormatError
from structarr.formats import Dense, Element, Format, Level, SparseList, name_of
from structarr.formats.entries import Array, Rows, Written, differ, signs_differ


def conform(tensor: Tensor, format: Format) -> Format:
    """
    Return the format with its open fields decided, or raise for the first misfit.

    Parameters
    ----------
    tensor : Tensor
        Of lists, with its axes in the format's order.
    format : Format
        Where it is to be stored.

    Raises
    ------
    FormatError
        With the first element that the format cannot hold.

    Examples
    --------
    >>> import numpy as np
    >>> from structarr import formats
    >>> from structarr._storage.coordinates import from_coordinates
    >>> csr = formats.parse("csr", 2)
    >>> tensor = from_coordinates(([0, 1], [1, 2]), [1.0, 2.0], (3, 3), 0.0, csr)
    >>> conform(tensor, formats.parse("dia", 2)).levels[1].offsets
    (1,)
    """
    if not tensor.format.levels[-1].buffers:
        return format
    quick = _settled(tensor, format)
    if quick is not None:
        return quick
    by_axis, values = coordinates(tensor)
    kept = np.flatnonzero(differs(values, tensor.fill))
    axes = [by_axis[axis][kept] for axis in format.order]
    values = values[kept]
    dims = tuple(tensor.shape[axis] for axis in format.order)
    levels = list(format.levels)
    for depth, level in enumerate(levels[:-1]):
        if not level.is_partial:
            continue
        if level.square and dims[depth] != dims[depth - 1]:
            raise FormatError(
                f"format {name_of(format)} is for square matrices, not shape {tensor.shape}"
            )
        place, entries = _written(level, depth, dims, axes, values)
        known = None
        if level.prepares:
            known = level.settled(prepared_rows(tensor, format), tensor.dtype.itemsize, call)
        levels[depth] = known or level.concrete(entries, dims[depth])
        bad, problem = levels[depth].misfits(entries, dims[depth])
        if len(bad):
            first = int(place[bad.min()])
            at = dict(zip(format.order, (int(axis[first]) for axis in axes), strict=True))
            index = ", ".join(str(at[axis]) for axis in range(tensor.ndim))
            raise FormatError(
                f"cannot be stored as {name_of(format)}: a[{index}] = {values[first]} {problem}"
            )
    root = levels[-1]
    for level in reversed(levels[:-1]):
        root = level.above(root)
    return Format(root, format.order, format.index)


def rows_of(tensor: Tensor) -> Rows:
    """The columns of all elements other than the fill, of a matrix of lists below a dense level."""
    ptr, idx, val = tensor.buffers
    kept = differs(val, tensor.fill)
    if not kept.all():
        ptr, idx, _ = kept_rows(ptr, idx, kept, kept)
    return Rows(ptr, idx, tensor.dims[1])


def prepared_rows(tensor: Tensor, format: Format) -> Rows:
    """The same for a format whose rows stand in each index of levels along which nothing varies."""
    *constant, outer, inner = format.order
    if not constant:
        return rows_of(tensor)
    by_axis, values = coordinates(tensor)
    first = np.all([by_axis[axis] == 0 for axis in constant], axis=0)
    shape = tensor.shape[outer], tensor.shape[inner]
    csr = Format(Dense(SparseList(Element())), (0, 1), tensor.format.index)
    places = [by_axis[axis][first] for axis in (outer, inner)]
    return rows_of(from_sorted(places, values[first], shape, tensor.fill, csr))


def _settled(tensor: Tensor, format: Format) -> Format | None:
    """The format of a matrix, if its inner level can tell by the rows alone."""
    if format.ndim != 2 or not format.levels[1].is_partial or format.levels[0].is_partial:
        return None
    if [type(level) for level in tensor.format.levels] != [Dense, SparseList, Element]:
        return None
    check_pointers(max(tensor.shape), tensor.shape)  # levels count by rows and by columns
    level = format.levels[1].settled(rows_of(tensor), tensor.dtype.itemsize, call)
    return None if level is None else Format(format.root.above(level), format.order, format.index)


def differs(values: Array, fill: object) -> Array:
    """A mask of the values other than the fill, by the sign of zeros too; NaN equals NaN."""
    other: Array = differ(values, fill)
    if values.dtype.kind not in "fc" or other.all():
        return other
    other |= signs_differ(values, fill)
    return other


def _written(
    level: Level, depth: int, dims: tuple[int, ...], axes: list[Array], values: Array
) -> tuple[Array, Written]:
    """The entries for a level to store, and their places among all elements.

    An entry of a level above others stands for all elements below it. A constant level, and a level
    whose children belong to another fiber, too, are treated as the last level.
    """
    order = list(range(depth + 1))
    last = depth == len(dims) - 1
    if level.kind.is_constant:
        order, last = [k for k in range(len(dims)) if k != depth] + [depth], True
    elif level.kind.is_mirrored:
        pair = [depth - 1, depth]
        order, last = [k for k in range(len(dims)) if k not in pair] + pair, True
    place: Array = np.arange(len(values))
    if order != sorted(order):
        place = entry_order([axes[k] for k in order], len(values))
    above = [axes[k][place] for k in order[:-1]]
    coordinate = axes[depth][place]
    if not last:
        new = changes([*above, coordinate], len(place))
        place, coordinate, above = place[new], coordinate[new], [axis[new] for axis in above]
    fiber, fibers = _numbered(above, [dims[k] for k in order[:-1]], len(place))
    outer = above[-1] if above else np.zeros(len(place), np.int64)
    extent = dims[depth - 1] if depth else 1
    return place, Written(fiber, outer, coordinate, values[place], fibers, extent)


def _numbered(above: list[Array], dims: list[int], count: int) -> tuple[Array, int]:
    """The fiber of each entry: by its place in an array where that is countable, else by order."""
    if not above:
        return np.zeros(count, np.int64), 1
    if prod(dims) < 2**62:
        number: Array = np.zeros(count, np.int64)
        for axis, dim in zip(above, dims, strict=True):
            number = number * dim + axis
        return number, prod(dims)
    number = np.cumsum(changes(above, count)) - 1
    return number, int(number[-1]) + 1 if count else 0
