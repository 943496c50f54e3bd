"""Stored tensors as runs, fiber by fiber along any axis, for measuring them by NumPy.

Dense tensors are read in chunks. Reading others takes time proportional to what they store; stored
runs along their fibers stay runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any, NamedTuple

import numpy as np

from structarr._compiler.ir.node import Node
from structarr._storage.coordinates import coordinates
from structarr._storage.dense import to_dense
from structarr._storage.entry_order import entry_order
from structarr._storage.tensor import Tensor
from structarr.formats import Dense, Element, Format, Level, SparseList
from structarr.formats.entries import Array, differ, segments
from structarr.formats.kind import Repeat
from structarr.formats.sizes import Order as Order, Place

_CHUNK = 1 << 18  # elements
_ROWS = 24  # divides the rows of a chunk, so that no tile of 2, 3, 4, 6 or 8 rows is in two


class Runs(NamedTuple):
    """
    Maximal runs of equal elements, those of the fill left out, in the order of their places.

    Attributes
    ----------
    outer : tuple of array
        The coordinates of each run's fiber.
    start, stop : array
        The run is `[start, stop)`.
    values : array
        A value each.
    """

    outer: tuple[Array, ...]
    start: Array
    stop: Array
    values: Array

    def where(self, chosen: Array) -> Runs:
        """The runs that a mask or places choose."""
        outer = tuple(coordinate[chosen] for coordinate in self.outer)
        return Runs(outer, self.start[chosen], self.stop[chosen], self.values[chosen])

    def opens(self) -> list[Array]:
        """Masks of the first runs at their coordinates, by the number of outer axes."""
        first = np.zeros(len(self.start), bool)
        first[:1] = True
        found = [first]
        for coordinate in self.outer:
            first = first.copy()
            first[1:] |= coordinate[1:] != coordinate[:-1]
            found.append(first)
        return found


class Fibers:
    """
    The elements of a tensor, to be read along any axis and as often as one likes.

    Examples
    --------
    >>> import numpy as np
    >>> from structarr._storage.dense import from_dense
    >>> fibers = Fibers(from_dense(np.array([[0, 2, 2], [0, 0, 2]])))
    >>> [runs.start.tolist() for runs in fibers.runs((0, 1))]
    [[1, 2]]
    >>> [runs.stop.tolist() for runs in fibers.runs((1, 0))]
    [[1, 2]]
    """

    def __init__(self, tensor: Tensor) -> None:
        self.shape, self.fill = tensor.shape, tensor.fill
        # Sorting a quarter of all elements takes longer than reading all.
        dense = tensor.format.is_dense or prod(tensor.shape) <= 4 * tensor.nstored
        self._dense = _view(tensor) if dense else None
        self._listed: dict[Order, Runs] = {}
        if not dense:
            self._listed[tensor.format.order] = _listed(tensor)

    def runs(self, order: Order) -> Iterator[Runs]:
        """Yield the runs along the last axis of an order, in chunks of whole fibers."""
        if 0 in self.shape:
            return
        if self._dense is None:
            yield _merged(self._in_order(order))
            return
        view = self._dense.transpose(order)
        length = _rows(view.shape)
        for first in range(0, view.shape[0], length):
            yield _runs(view[first : first + length], first, self.fill)

    def mirror(self, conjugate: bool = False) -> str:
        """Return where a square matrix is not its own transpose, as text; empty if it is."""
        if 0 in self.shape:
            return ""
        found = self._unlike(conjugate) if self._dense is None else self._asymmetry(conjugate)
        if found is None:
            return ""
        (i, j), one, other = found
        return f"a[{i}, {j}] = {one} but a[{j}, {i}] = {other}"

    def _in_order(self, order: Order) -> Runs:
        if order not in self._listed:
            own, runs = next(iter(self._listed.items()))
            self._listed[order] = _sorted(elements_of(runs), own, order)
        return self._listed[order]

    def _asymmetry(self, conjugate: bool) -> tuple[Place, Any, Any] | None:
        view = self._dense
        assert view is not None
        length = _rows(view.shape)
        for first in range(0, len(view), length):
            # The block right of the diagonal is compared with the one below it.
            rows = view[first : first + length, first:]
            columns = view[first:, first : first + length].T
            found = np.argwhere(differ(rows, columns.conj() if conjugate else columns))
            if len(found):
                i, j = (int(part) + first for part in found[0])
                return (i, j), view[i, j], view[j, i]
        return None

    def _unlike(self, conjugate: bool) -> tuple[Place, Any, Any] | None:
        rows = elements_of(self._in_order((0, 1)))
        columns = elements_of(self._in_order((1, 0)))
        mirrored = columns.values.conj() if conjugate else columns.values
        unlike = (rows.outer[0] != columns.outer[0]) | (rows.start != columns.start)
        unlike |= differ(rows.values, mirrored)
        if not unlike.any():
            return None
        k = int(np.argmax(unlike))
        here = int(rows.outer[0][k]), int(rows.start[k])
        there = int(columns.outer[0][k]), int(columns.start[k])
        one = rows.values[k] if here <= there else self.fill
        other = columns.values[k] if there <= here else self.fill
        return min(here, there), one, other


def _view(tensor: Tensor) -> Array:
    order, levels = tensor.format.order, tensor.format.levels
    if not (type(levels[-1]) is Element and all(type(level) is Dense for level in levels[:-1])):
        return to_dense(tensor)
    axes = sorted(range(tensor.ndim), key=order.__getitem__)
    return tensor.buffers[-1].reshape(tensor.dims).transpose(axes)


def _rows(dims: tuple[int, ...]) -> int:
    """The number of the outermost axis' coordinates in a chunk."""
    if len(dims) == 1:
        return dims[0]
    return max(1, _CHUNK // prod(dims[1:]) // _ROWS) * _ROWS


def _runs(chunk: Array, first: int, fill: Any) -> Runs:
    """The runs of a chunk whose outermost coordinates begin at `first`."""
    dim = chunk.shape[-1]
    flat = np.ascontiguousarray(chunk).reshape(-1)
    new = np.empty(len(flat), bool)
    new[1:] = differ(flat[1:], flat[:-1])
    new[::dim] = True
    start = np.flatnonzero(new)
    stop = np.append(start[1:], len(flat))
    values = flat[start]
    kept = differ(values, fill)
    start, stop = start[kept], stop[kept]
    fiber = start // dim
    start -= fiber * dim
    stop -= fiber * dim
    return Runs(_outer(fiber, chunk.shape[:-1], first), start, stop, values[kept])


def _outer(fiber: Array, dims: tuple[int, ...], first: int) -> tuple[Array, ...]:
    if not dims:
        return ()
    found: list[Array] = []
    for dim in reversed(dims[1:]):
        above = fiber // dim
        found.append(fiber - above * dim)
        fiber = above
    return (fiber + first, *reversed(found))


def stored_runs(tensor: Tensor, order: Order) -> Runs:
    """
    Return all stored runs of a tensor, those of fill too, in the order of their places.

    Stored runs are kept if the last axis of the order is the last one stored.

    Examples
    --------
    >>> from structarr._storage.dense import from_dense
    >>> runs = stored_runs(from_dense(np.array([[0, 2], [5, 6]])), (1, 0))
    >>> runs.outer[0].tolist(), runs.start.tolist(), runs.values.tolist()
    ([0, 0, 1, 1], [0, 1, 0, 1], [0, 5, 2, 6])
    """
    own = tensor.format.order
    runs = _stored(tensor)
    runs = runs if order[-1] == own[-1] else elements_of(runs)
    return runs if order == own else _sorted(runs, own, order)


def _listed(tensor: Tensor) -> Runs:
    """The stored runs other than the fill, along the tensor's innermost axis."""
    runs = _stored(tensor)
    return runs.where(differ(runs.values, tensor.fill))


def _stored(tensor: Tensor) -> Runs:
    """The stored runs, along the tensor's innermost axis."""
    spans = _spans(tensor)
    by_axis, values = coordinates(_with_list(tensor, spans) if spans else tensor)
    *outer, last = (by_axis[axis] for axis in tensor.format.order)
    runs = Runs(tuple(outer), last, last + 1, values)
    if spans:
        stop = spans["stop"].astype(np.int64)[last]
        start = spans["start"].astype(np.int64)[last] if "start" in spans else _after(stop, runs)
        runs = runs._replace(start=start, stop=stop)
    return runs.where(runs.stop > runs.start)


def _spans(tensor: Tensor) -> dict[str, Array]:
    """The bounds of the runs of an innermost level that stores any; else none."""
    level, buffers, dim = tensor.format.levels[-2], tensor.level_buffers[-2], tensor.dims[-1]
    named = dict(zip(level.buffers, buffers, strict=True))
    if level.kind.repeat is Repeat.PACK:  # some children are runs, some an element
        fibers = (1, *tensor.counts)[-2]
        told = level.whereabouts(np.arange(tensor.counts[-1]), fibers, dim, buffers)
        if told is None:
            return {}
        ptr = level.before(np.arange(fibers + 1), dim, buffers)
        return {"ptr": ptr, "start": told.start, "stop": told.stop}
    return named if "stop" in named and not set(named) - {"ptr", "start", "stop"} else {}


def _with_list(tensor: Tensor, spans: dict[str, Array]) -> Tensor:
    """The tensor with a list of the runs' numbers in place of its runs, which stay whole."""

    def changed(node: Node) -> Node:
        if not isinstance(node, Level):
            return node
        return SparseList(node.child) if node.child.leaf else node.rebuild(changed)

    root = changed(tensor.format.root)
    assert isinstance(root, Level)
    format = Format(root, tensor.format.order, "int64")
    count = len(spans["stop"])
    ptr = spans.get("ptr", np.arange(count + 1))
    *above, _, leaf = tensor.level_buffers
    buffers = (*(buffer for part in above for buffer in part), ptr, np.arange(count), *leaf)
    return Tensor(format, tensor.shape, tensor.dtype, tensor.fill, buffers)


def _after(stop: Array, runs: Runs) -> Array:
    """The starts of runs that cover their fibers."""
    return np.where(runs.opens()[-1], 0, np.append(0, stop[:-1]))


def _merged(runs: Runs) -> Runs:
    """Runs with equal neighbours joined."""
    joined = ~runs.opens()[-1]
    joined[1:] &= runs.start[1:] == runs.stop[:-1]
    joined[1:] &= ~differ(runs.values[1:], runs.values[:-1])
    last = np.append(~joined[1:], True)[: len(joined)]
    return runs.where(~joined)._replace(stop=runs.stop[last])


def elements_of(runs: Runs) -> Runs:
    """Return a run for each element."""
    length = runs.stop - runs.start
    if (length == 1).all():
        return runs
    which, _, start = segments(runs.start, length)
    outer = tuple(coordinate[which] for coordinate in runs.outer)
    return Runs(outer, start, start + 1, runs.values[which])


def _sorted(runs: Runs, own: Order, order: Order) -> Runs:
    """Elements, or runs along the own last axis, in another order."""
    by_axis = dict(zip(own, (*runs.outer, runs.start), strict=True))
    # A stable sort: within equal other coordinates, the last axis is in order already.
    places = entry_order([by_axis[axis] for axis in order[:-1]], len(runs.start))
    *outer, last = (by_axis[axis][places] for axis in order)
    stop = last + (runs.stop - runs.start)[places]
    return Runs(tuple(outer), last, stop, runs.values[places])
