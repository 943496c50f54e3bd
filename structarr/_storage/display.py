"""Arrays as people read them: the tree of levels, then the values.

Small arrays show all their values, larger ones the first and last that they store, and dense ones
their corners. Only what is printed is looked up, so the time does not depend on the shape.
"""

from __future__ import annotations

from math import prod
from sys import maxsize
from typing import Final, NamedTuple

import numpy as np

from structarr._storage.coordinates import Buffers, coordinates, levels_above_leaf
from structarr._storage.pieces import Finder
from structarr._storage.tensor import Tensor
from structarr.errors import FormatError
from structarr.formats import Level, name_of
from structarr.formats.entries import Array

WHOLE: Final = 12  # the longest axis of which every index is shown
EDGE: Final = 3  # indices shown at each end of a longer axis
SLICES: Final = 2  # planes shown of a dense array of three or more axes
SMALL: Final = 256  # the most elements of an array that is shown whole
ENDS: Final = 4  # stored values shown from each end
_UNKNOWN: Final = ["values: too many to look one up in this format"]


class Corner(NamedTuple):
    """Some elements of a tensor, and whether each is stored."""

    values: Array
    stored: Array


def show(tensor: Tensor) -> str:
    """
    Return the facts of a tensor, its levels a line each, and its values or some of them.

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
        return _scalar(tensor)
    return "\n".join([tensor.summary(), *_tree(tensor), *_titled(tensor)])


def shown(tensor: Tensor) -> str:
    """
    Return the facts of a tensor and its values or some of them, between angle brackets.

    Examples
    --------
    >>> from structarr import formats
    >>> print(shown(Tensor.checked(formats.parse("list", ndim=1), (3,), 0, ([0, 1], [2], [7]))))
    <structarr.Array shape=(3,) dtype=int64 format=list nstored=1 fill=0
      .  .  7>
    """
    if not tensor.ndim:
        return f"<structarr.Array {_scalar(tensor)} dtype={tensor.dtype}>"
    layout = f"format={name_of(tensor.format)} nstored={tensor.nstored} fill={tensor.fill}"
    facts = f"<structarr.Array shape={tensor.shape} dtype={tensor.dtype} {layout}"
    return "\n".join([facts, *values_of(tensor)]) + ">"


def _scalar(tensor: Tensor) -> str:
    return str(coordinates(tensor)[1][0])


def is_small(shape: tuple[int, ...]) -> bool:
    """Whether all elements of an array of this shape are shown."""
    return max(shape, default=0) <= WHOLE and prod(shape) <= SMALL


def values_of(tensor: Tensor) -> list[str]:
    """The lines of the values, or of the first and last that are stored."""
    return _titled(tensor)[1:] if tensor.ndim else [_scalar(tensor)]


def rows_of_tree(tensor: Tensor) -> list[tuple[str, str, str]]:
    """The axis, the name and the counts of each level, the leaf last."""
    rows, fibers = [], 1
    for axis, (level, dim, buffers) in zip(
        tensor.format.order, levels_above_leaf(tensor), strict=True
    ):
        extent = f"{fibers:,} fiber{'s' if fibers != 1 else ''} of {dim:,}"
        fibers = level.stored(fibers, dim, buffers)
        counts = [f"{extent}: {fibers:,} stored", *_sizes(level, buffers)]
        rows.append((f"axis {axis}", _label(level), ", ".join(counts)))
    leaf = tensor.format.levels[-1]
    counts = [f"{fibers:,} value{'s' if fibers != 1 else ''}"]
    counts += _sizes(leaf, tensor.level_buffers[-1])
    return [*rows, ("leaf", _label(leaf), ", ".join(counts))]


def _tree(tensor: Tensor) -> list[str]:
    rows = rows_of_tree(tensor)
    width = max(len(label) for _, label, _ in rows)
    return [f"{axis:6}  {label:{width}}  {counts}" for axis, label, counts in rows]


def _label(level: Level) -> str:
    own = [f"{field}={getattr(level, field)!r}" for field in level._fields if field != "child"]
    return type(level).__name__ + (f"({', '.join(own)})" if own else "")


def _sizes(level: Level, buffers: Buffers) -> list[str]:
    return [
        f"{name} {buffer.dtype} {buffer.nbytes:,} bytes"
        for name, buffer in zip(level.buffers, buffers, strict=True)
    ]


def _titled(tensor: Tensor) -> list[str]:
    """The lines of values, and before them one that says what they are."""
    if not prod(tensor.shape):
        return [f"no values: axis {tensor.shape.index(0)} is empty"]
    if is_small(tensor.shape):
        corner = _whole(tensor)
        return _UNKNOWN if corner is None else _planes(tensor, corner)
    return _planes(tensor, _corner(tensor)) if tensor.format.is_dense else _ends(tensor)


def _planes(tensor: Tensor, corner: Corner) -> list[str]:
    """The first planes of the shown elements."""
    partial = not corner.stored.all()
    lines = [f'values ("." where nothing is stored: {tensor.fill}):' if partial else "values:"]
    leads = list(np.ndindex(*corner.values.shape[:-2]))[
        : SMALL if is_small(tensor.shape) else SLICES
    ]
    for lead in leads:
        if lead:
            lines.append(f"[{', '.join(map(str, lead))}, :, :]")
        lines += _plane(Corner(corner.values[lead], corner.stored[lead]), tensor.shape[-2:])
    more = prod(tensor.shape[:-2]) - len(leads)
    return [*lines, f"... and {more:,} more"] if more else lines


def _ends(tensor: Tensor) -> list[str]:
    """The first and the last stored values, with their indices."""
    finder = Finder(tensor)
    if not finder.knows:
        return _UNKNOWN
    sparse = any(level.kind.is_sparse for level in tensor.format.levels)
    rest = f", {tensor.fill} elsewhere" if sparse else ""
    found, all_of_them = finder.ends(ENDS)
    texts = _texts(found.values)
    places = [_place(start, stop) for start, stop in zip(found.starts, found.stops, strict=True)]
    width = max(map(len, places), default=0)
    lines = [
        f"  {place:{width}}  {text}".rstrip() for place, text in zip(places, texts, strict=True)
    ]
    if not lines:
        return [f"nothing is stored{rest}"]
    if all_of_them:
        return [f"stored values{rest}:", *lines]
    return [f"the first and last stored values{rest}:", *lines[:ENDS], "  ...", *lines[ENDS:]]


def _place(start: Array, stop: Array) -> str:
    """The indices of a piece; of several neighbours on an axis, the first and that after them."""
    each = zip(start.tolist(), stop.tolist(), strict=True)
    return f"({', '.join(str(a) if b == a + 1 else f'{a}:{b}' for a, b in each)})"


def _edges(dim: int) -> Array:
    """The shown indices of an axis."""
    every = (*range(EDGE), *range(dim - EDGE, dim)) if _cut(dim) else range(dim)
    return np.array(every)


def _cut(dim: int) -> bool:
    return dim > WHOLE


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


def _whole(tensor: Tensor) -> Corner | None:
    """All elements; None where the format does not list them."""
    try:
        coords, entries = coordinates(tensor)
    except FormatError:
        return None
    found = Corner(np.full(tensor.shape, tensor.fill, tensor.dtype), np.zeros(tensor.shape, bool))
    found.values[coords] = entries
    found.stored[coords] = True
    return found


def _corner(tensor: Tensor) -> Corner:
    """The elements of a dense tensor at the first indices, and the edges of the last two axes."""
    order = tensor.format.order
    planes = [np.arange(min(dim, SLICES)) for dim in tensor.shape[:-2]]
    asked = [*planes, *map(_edges, tensor.shape[-2:])]
    positions: Array = np.zeros(1, np.int64)
    for axis, dim in zip(order, tensor.dims, strict=True):
        positions = (positions[:, None] * dim + asked[axis]).reshape(-1)
    grid = positions.reshape([len(asked[axis]) for axis in order])
    grid = grid.transpose(sorted(range(tensor.ndim), key=order.__getitem__))
    return Corner(tensor.values_at(grid), np.ones(grid.shape, bool))
