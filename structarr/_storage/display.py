"""Arrays as people read them: the tree of levels, then a corner of the values.

Only what is printed is looked up, so the time does not depend on the shape.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from math import prod
from sys import maxsize
from typing import Any, Final, NamedTuple

import numpy as np

from structarr._storage.coordinates import Buffers, coordinates, levels_above_leaf
from structarr._storage.tensor import Tensor
from structarr.errors import FormatError
from structarr.formats import Bitmap, Dense, Level, RunList, SparseBand, SparseList
from structarr.formats.entries import Array

EDGE: Final = 3  # indices shown at each end of an axis
SLICES: Final = 2  # planes shown of an array of three or more axes
LISTED: Final = 2**22  # the most entries that are listed to look up the shown ones


class Corner(NamedTuple):
    """Some elements of a tensor, and whether each is stored."""

    values: Array
    stored: Array


def show(tensor: Tensor) -> str:
    """
    Return the facts of a tensor, its levels a line each, and the corners of its values.

    A tensor without axes is shown as its scalar.

    Examples
    --------
    >>> from structarr import formats
    >>> csr = formats.parse("csr", ndim=2)
    >>> print(show(Tensor.checked(csr, (2, 3), 0, ([0, 1, 3], [2, 0, 1], [1.0, 2.0, 3.5]))))
    csr of shape (2, 3), dtype float64, fill 0.0: 3 stored, 72 bytes
    axis 0  Dense       1 fiber of 2: 2 stored
    axis 1  SparseList  2 fibers of 3: 3 stored, ptr int64 24 bytes, idx int64 24 bytes
    leaf    Element     3 values, val float64 24 bytes
    values ("." where nothing is stored: 0.0):
       .    .  1.
     2.   3.5   .
    """
    if not tensor.ndim:
        return str(_by_levels(tensor, ()).values[()])
    return "\n".join([tensor.summary(), *_tree(tensor), *_values(tensor)])


def _tree(tensor: Tensor) -> list[str]:
    labels = [_label(level) for level in tensor.format.levels]
    width = max(map(len, labels))
    lines, fibers = [], 1
    for axis, label, (level, dim, buffers) in zip(
        tensor.format.order, labels, levels_above_leaf(tensor), strict=False
    ):
        extent = f"{fibers:,} fiber{'s' if fibers != 1 else ''} of {dim:,}"
        fibers = level.stored(fibers, dim, buffers)
        counts = [f"{extent}: {fibers:,} stored", *_sizes(level, buffers)]
        lines.append(f"axis {axis}  {label:{width}}  {', '.join(counts)}")
    leaf = tensor.format.levels[-1]
    counts = [f"{fibers:,} value{'s' if fibers != 1 else ''}"]
    counts += _sizes(leaf, tensor.level_buffers[-1])
    return [*lines, f"leaf    {labels[-1]:{width}}  {', '.join(counts)}"]


def _label(level: Level) -> str:
    own = [f"{field}={getattr(level, field)!r}" for field in level._fields if field != "child"]
    return type(level).__name__ + (f"({', '.join(own)})" if own else "")


def _sizes(level: Level, buffers: Buffers) -> list[str]:
    return [
        f"{name} {buffer.dtype} {buffer.nbytes:,} bytes"
        for name, buffer in zip(level.buffers, buffers, strict=True)
    ]


def _values(tensor: Tensor) -> list[str]:
    if not prod(tensor.shape):
        return [f"no values: axis {tensor.shape.index(0)} is empty"]
    # Axes are cut before, as NumPy's iterator lists every index of every axis.
    leads = list(islice(np.ndindex(*(min(dim, SLICES) for dim in tensor.shape[:-2])), SLICES))
    edges = [_edges(dim) for dim in tensor.shape[-2:]]
    corners = [_corner(tensor, [*map(np.atleast_1d, lead), *edges]) for lead in leads]
    shown = [corner for corner in corners if corner is not None]
    if not shown:
        return ["values: too many to look one up in this format"]
    partial = any(not corner.stored.all() for corner in shown)
    lines = [f'values ("." where nothing is stored: {tensor.fill}):' if partial else "values:"]
    for lead, corner in zip(leads, shown, strict=True):
        if lead:
            lines.append(f"[{', '.join(map(str, lead))}, :, :]")
        lines += _plane(corner, tensor.shape[-2:])
    more = prod(tensor.shape[:-2]) - len(leads)
    return [*lines, f"... and {more:,} more"] if more else lines


def _edges(dim: int) -> Array:
    """The shown indices of an axis."""
    every = (*range(EDGE), *range(dim - EDGE, dim)) if _cut(dim) else range(dim)
    return np.array(every)


def _cut(dim: int) -> bool:
    return dim > 2 * EDGE


def _plane(corner: Corner, shape: tuple[int, ...]) -> list[str]:
    columns = corner.values.shape[-1]
    cells = _cells(corner)
    rows = [cells[at : at + columns] for at in range(0, len(cells), columns)]
    if _cut(shape[-1]):
        rows = [[*row[:EDGE], "...", *row[EDGE:]] for row in rows]
    lines = [("  " + "  ".join(row)).rstrip() for row in rows]
    if len(shape) == 2 and _cut(shape[0]):
        lines.insert(EDGE, "  ...")
    return lines


def _cells(corner: Corner) -> list[str]:
    """The elements as texts of one width, with a point in place of what is not stored."""
    stored = corner.stored.reshape(-1)
    texts = _texts(corner.values.reshape(-1)[stored])
    width = max(map(len, texts), default=1)
    point = max((text.find(".") for text in texts), default=-1)
    blank = ".".rjust(point + 1 if point >= 0 else width).ljust(width)
    found = iter(texts)
    return [next(found) if here else blank for here in stored]


def _texts(values: Array) -> list[str]:
    """Values as NumPy prints them, by its options, with their decimal points aligned."""
    if not values.size:
        return []
    joined = np.array2string(values, separator="|", threshold=maxsize, max_line_width=maxsize)
    texts = joined[1:-1].split("|")
    width = max(map(len, texts))
    return [text.rjust(width) for text in texts]


def _corner(tensor: Tensor, asked: Sequence[Array]) -> Corner | None:
    """The elements at the product of ascending indices of each axis, if they are found quickly."""
    if all(type(level) in _CHILDREN for level in tensor.format.levels[:-1]):
        return _by_levels(tensor, asked)
    try:
        return _by_entries(tensor, asked) if _is_listed(tensor) else None
    except FormatError:
        return None


def _by_levels(tensor: Tensor, asked: Sequence[Array]) -> Corner:
    order = tensor.format.order
    positions: Array = np.zeros(1, np.int64)
    for axis, (level, dim, buffers) in zip(order, levels_above_leaf(tensor), strict=True):
        below = np.full((len(positions), len(asked[axis])), -1)
        there = positions >= 0
        below[there] = _CHILDREN[type(level)](positions[there], asked[axis], dim, buffers)
        positions = below.reshape(-1)
    grid = positions.reshape([len(asked[axis]) for axis in order])
    grid = grid.transpose(sorted(range(tensor.ndim), key=order.__getitem__))
    stored = grid >= 0
    values = np.full(grid.shape, tensor.fill, tensor.dtype)
    values[stored] = tensor.values_at(grid[stored])
    return Corner(values, stored)


def _by_entries(tensor: Tensor, asked: Sequence[Array]) -> Corner:
    coords, entries = coordinates(tensor)
    places = [
        np.minimum(np.searchsorted(indices, coord), len(indices) - 1)
        for indices, coord in zip(asked, coords, strict=True)
    ]
    shown = np.ones(len(entries), bool)
    for indices, place, coord in zip(asked, places, coords, strict=True):
        shown &= indices[place] == coord
    here = tuple(place[shown] for place in places)
    shape = tuple(map(len, asked))
    corner = Corner(np.full(shape, tensor.fill, tensor.dtype), np.zeros(shape, bool))
    corner.values[here] = entries[shown]
    corner.stored[here] = True
    return corner


def _is_listed(tensor: Tensor) -> bool:
    """Whether listing all that a tensor stores takes little time and memory."""
    if prod(tensor.shape) <= LISTED:
        return True
    fibers = 1
    for level, dim, buffers in levels_above_leaf(tensor):
        fibers = level.stored(fibers, dim, buffers)
        # Listing takes an entry for each index of a run or a rule.
        if fibers > LISTED or level.writing.accepts_runs or level.kind.is_rule:
            return False
    return True


def _of_dense(fibers: Array, asked: Array, dim: int, buffers: Buffers) -> Array:
    children: Array = fibers[:, None] * dim + asked
    return children


def _of_bitmap(fibers: Array, asked: Array, dim: int, buffers: Buffers) -> Array:
    children = _of_dense(fibers, asked, dim, ())
    return np.where(buffers[0][children], children, -1)


def _of_band(fibers: Array, asked: Array, dim: int, buffers: Buffers) -> Array:
    ofs, start = buffers
    first = ofs[fibers][:, None]
    place = asked - start[fibers][:, None]
    inside = (place >= 0) & (place < ofs[fibers + 1][:, None] - first)
    return np.where(inside, first + place, -1)


def _of_list(fibers: Array, asked: Array, dim: int, buffers: Buffers) -> Array:
    ptr, idx = buffers
    children = np.full((len(fibers), len(asked)), -1)
    for row, begin, end in zip(children, ptr[fibers], ptr[fibers + 1], strict=True):
        at = begin + _search(idx[begin:end], asked)
        found = at < end
        found[found] = idx[at[found]] == asked[found]
        row[found] = at[found]
    return children


def _of_runs(fibers: Array, asked: Array, dim: int, buffers: Buffers) -> Array:
    ptr, stop = buffers
    ends = zip(ptr[fibers], ptr[fibers + 1], strict=True)
    runs = [begin + _search(stop[begin:end], asked + 1) for begin, end in ends]
    return np.array(runs, np.int64).reshape(len(fibers), len(asked))


def _search(ascending: Array, asked: Array) -> Array:
    # In the array's dtype; otherwise NumPy copies the long array to the wider dtype.
    return np.searchsorted(ascending, asked.astype(ascending.dtype))


# Arrays of the children of each fiber at the wanted indices, -1 for none.
_CHILDREN: dict[type[Level], Callable[[Array, Array, int, Buffers], Any]] = {
    Bitmap: _of_bitmap,
    Dense: _of_dense,
    RunList: _of_runs,
    SparseBand: _of_band,
    SparseList: _of_list,
}
