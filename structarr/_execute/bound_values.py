"""The values of bounds on what a result stores, computed of the operands of a call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, Final

import numpy as np

from structarr._compiler.backend.python.host import HostExpressions, straight
from structarr._compiler.ir.expr import Expr
from structarr._compiler.ir.given import Given
from structarr._compiler.ir.node import Node
from structarr._compiler.options import current
from structarr._execute.arguments import number_of
from structarr._scheduler import counts
from structarr._scheduler.operands import Operands
from structarr._storage.coordinates import coordinates
from structarr._storage.tensor import Tensor
from structarr.formats.base import Format
from structarr.formats.entries import Array
from structarr.formats.kind import Children


def _hulls(tensor: Tensor, axis: int) -> tuple[Array, Array]:
    """The first index and the end of each fiber of an axis's level; empty ones end before them."""
    depth = tensor.format.order.index(axis)
    fibers = tensor.counts[depth - 1] if depth else 1
    buffers = tensor.level_buffers[depth]
    return tensor.format.levels[depth].hulls(fibers, tensor.shape[axis], buffers)


def _hull(
    tensors: Sequence[Tensor],
    modes: Sequence[tuple[int, int, Sequence[Any]]],
    shape: Sequence[int],
    start: bool,
) -> int:
    """The total width of the bands that hold what some operands store, fiber by fiber.

    An operand comes by its number, the axis of its bands and the distance of its elements from the
    result's, or the places of its fibers, mode by mode. `shape` is the result's down to the bands.
    The modes above are dense, and a fiber may be out of bounds. With `start`, all bands begin at 0.
    """
    *above, width = shape
    first, last = np.full(above, width), np.zeros(above, np.int64)
    for number, axis, (*moves, move) in modes:
        tensor = tensors[number]
        varying = _varying(tensor.format)[: len(above)]
        lengths = [tensor.dims[depth] for depth in varying]
        spans = list(zip(moves, above, lengths, strict=True))
        both = [_overlap(*span) for span in spans]
        mine, theirs = (tuple([one[side] for one in both]) for side in (0, 1))
        hulls = (np.minimum(one, tensor.shape[axis]) for one in _hulls(tensor, axis))
        begin, end = (one.reshape(lengths)[theirs] - move for one in hulls)
        begin, end = np.maximum(begin, 0), np.minimum(end, width)
        stored = begin < end
        first[mine] = np.minimum(first[mine], np.where(stored, begin, width))
        last[mine] = np.maximum(last[mine], np.where(stored, end, 0))
    return int(np.maximum(last - (0 if start else first), 0).sum())


def _overlap(move: Any, own: int, other: int) -> tuple[slice, Any]:
    """Where along a mode fibers of a result stand that an operand has, and which those are.

    They are moved by a number, or at an array of places.
    """
    if isinstance(move, np.ndarray):
        return slice(0, own), move
    return slice(max(-move, 0), max(other - move, 0)), slice(max(move, 0), max(move + own, 0))


def _covered(tensors: Sequence[Tensor], number: int, axis: int) -> int:
    """The number of indices that the intervals of an operand's level cover."""
    tensor = tensors[number]
    depth = tensor.format.order.index(axis)
    return tensor.format.levels[depth].covered(tensor.level_buffers[depth])


def _pairs(tensors: Sequence[Tensor], left: int, right: int) -> int:
    """The number of products of entries of a tensor's last mode and entries of those rows."""
    one, other = tensors[left], tensors[right]
    ptr, columns = one.level_buffers[_varying(one.format)[-1]]
    *above, last = _varying(other.format)
    whole: int = (len(ptr) - 1) * other.dims[last]
    if whole <= len(columns):  # to count takes longer than to make room that is not touched
        return whole
    ends = other.level_buffers[last][0]
    direct = all(other.format.levels[depth].kind.arithmetic for depth in above)
    if direct and len(columns) < len(ends):
        met = ends[columns + 1] - ends[columns]
    else:
        lengths = np.diff(ends)
        most = int(lengths.max(initial=0))
        if most < 2 or not direct:
            return len(columns) * most
        met = lengths[columns]
    count = int(met.sum(dtype=np.int64))
    if count * one.dtype.itemsize <= current().densify_limit:
        return count
    # A fiber of the result has at most as many elements as its length.
    before = np.concatenate([[0], np.cumsum(met, dtype=np.int64)])
    fibers = np.diff(before[ptr])
    return int(np.minimum(fibers, other.dims[last]).sum())


def _met(tensors: Sequence[Tensor], left: int, right: int) -> int:
    """The same of a matrix of any rows that list elements and another one, by rows of the first."""
    one, other = tensors[left], tensors[right]
    if not other.format.root.kind.arithmetic:
        return _met_in_entries(one, other)
    lengths = _by_place(other, 0)
    most = one.counts[-1] * int(lengths.max(initial=0))
    if most * one.dtype.itemsize <= current().densify_limit:
        return most
    axes, _ = coordinates(one)
    row, column = (axes[axis] for axis in one.format.order)
    fibers = np.bincount(row, lengths[column])
    return int(np.minimum(fibers, other.dims[1]).sum())


def _met_in_entries(one: Tensor, other: Tensor) -> int:
    """The same where the other matrix is a list of entries, of however many rows."""
    axes, _ = coordinates(other)
    rows, lengths = np.unique(axes[other.format.order[0]], return_counts=True)
    most = one.counts[-1] * int(lengths.max(initial=0))
    if most * one.dtype.itemsize <= current().densify_limit or not len(rows):
        return most
    axes, _ = coordinates(one)
    columns = axes[one.format.order[-1]]
    place = np.minimum(np.searchsorted(rows, columns), len(rows) - 1)
    return int(lengths[place][rows[place] == columns].sum())


def _varying(format: Format) -> list[int]:
    """The depths of all levels but constant ones."""
    return [depth for depth, level in enumerate(format.levels[:-1]) if not level.kind.is_constant]


def _within(tensors: Sequence[Tensor], number: int, first: int, count: int, step: int) -> int:
    """The number of children of each `step`th row of a range, whose operand is dense outermost.

    Rows out of bounds have no children.
    """
    ends = tensors[number].buffers[0]
    rows = range(len(ends) - 1)[max(first, first % step) : max(first + count, 0) : step]
    if not rows:
        return 0
    lo, hi = rows[0], rows[-1] + 1
    if step == 1:
        return int(ends[hi] - ends[lo])
    return int((ends[lo + 1 : hi + 1 : step] - ends[lo:hi:step]).sum(dtype=np.int64))


def _taken(tensors: Sequence[Tensor], number: int, places: int, depth: int) -> int:
    """The number of children of the fibers at some places, each as often as it is there."""
    tensor, wanted = tensors[number], tensors[places].buffers[-1]
    if tensor.ndim == 2:  # those at the places are asked alone
        before, given = tensor.format.levels[-2].before, (tensor.dims[1], tensor.level_buffers[-2])
        found = before(wanted + 1, *given) - before(wanted, *given)
    else:
        found = _by_place(tensor, depth)[wanted]
    return int(found.sum(dtype=np.int64))


def _by_place(tensor: Tensor, depth: int) -> Array:
    """How many children of the innermost level stand at each place of a dense level above it."""
    memo = tensor.memo
    key = ("children at places", depth)
    if key not in memo:
        *above, dim = tensor.dims
        fibers = np.arange(prod(above) + 1)
        ends = tensor.format.levels[-2].before(fibers, dim, tensor.level_buffers[-2])
        others = tuple([k for k in range(len(above)) if k != depth])
        memo[key] = np.diff(ends).reshape(above).sum(axis=others, dtype=np.int64)
    return memo[key]  # type: ignore[no-any-return]


def _elements(tensors: Sequence[Tensor], number: int) -> int:
    """An upper bound of the number of elements that differ from the fill."""
    tensor = tensors[number]
    counted = all(level.kind.children is Children.ELEMENTS for level in tensor.format.levels[:-1])
    return tensor.counts[-1] if counted and tensor.counts else prod(tensor.shape)


def length_of(dim: Expr, lengths: tuple[Given, ...]) -> Callable[[Sequence[Tensor], Operands], int]:
    """The function that computes a length from the operands of a call."""
    return straight("T, G", (), python_of(dim, lengths))


def python_of(bound: Expr, lengths: tuple[Given, ...]) -> str:
    """The Python expression of a bound.

    It reads the operands T of a call, the call's numbers G, the counts K of the operands' children,
    and the functions of `COUNTS`.
    """

    def listed(exprs: tuple[Expr, ...]) -> str:
        return f"[{', '.join(map(text, exprs))}]"

    def leaf(node: Node) -> str | None:
        match node:
            case Given():
                return number_of(node, lengths)
            case counts.Children(number=number, axis=axis):
                return f"K[{number}][{axis}]"
            case counts.Covered(number=number, axis=axis):
                return f"covered(T, {number}, {axis})"
            case counts.Elements(number=number):
                return f"elements(T, {number})"
            case counts.Within(number=number, first=first, rows=rows, step=step):
                return f"within(T, {number}, {text(first)}, {text(rows)}, {step})"
            case counts.Taken(number=number, places=places, depth=depth):
                return f"taken(T, {number}, {places}, {depth})"
            case counts.Places(number=number):
                return f"T[{number}].buffers[-1]"
            case counts.Pairs(number=number, matrix=matrix):
                return f"pairs(T, {number}, {matrix})"
            case counts.Met(number=number, matrix=matrix):
                return f"met(T, {number}, {matrix})"
            case counts.Hull(bands=bands, shape=shape, start=start):
                each = [f"({one.number}, {one.axis}, {listed(one.moves)})" for one in bands]
                return f"hull(T, [{', '.join(each)}], {listed(shape)}, {start})"
        return None

    text = HostExpressions(leaf).text
    return text(bound)


COUNTS: Final[dict[str, Callable[..., int]]] = {
    "hull": _hull,
    "pairs": _pairs,
    "met": _met,
    "covered": _covered,
    "elements": _elements,
    "within": _within,
    "taken": _taken,
}
"""The functions that expressions of bounds call, by their names there."""
