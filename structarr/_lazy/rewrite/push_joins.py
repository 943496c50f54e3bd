"""Joins above the operations on them: an operation on a join is the join of those on its parts.

So each part is computed by its own structure, and a sum over the axis of a join adds up sums of
parts. What a part is combined with along that axis is cut to its length. Where sums are a vector,
parts that one loop computes may stay together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise
from typing import Final, TypeAlias

from structarr._lazy import graph
from structarr._lazy.composed_start import ComposedStart
from structarr._lazy.graph import Node
from structarr._lazy.rewrite import dense_runs
from structarr._lazy.rewrite.each_once import EachOnce
from structarr._lazy.rewrite.together import is_together, runs_of
from structarr._storage.tensor import Tensor
from structarr._support.dtypes import identity_of

MOST: Final = 256
"""The most parts of a join that are computed one by one."""

AT_ONCE: Final = 4
"""So many sums of parts are added up by one kernel."""

Summed: TypeAlias = Callable[[Node], Node]
"""What becomes of a sum, or of another operation with sums, that has no joins."""


def has_joined_sum(node: Node) -> bool:
    """Whether something is a sum over an array that has a join in it."""
    if not node.sums:
        return False
    return any(map(has_join if node.kind == "reduce" else has_joined_sum, node.args))


def has_long_sum(node: Node) -> bool:
    """Whether something is a sum over a join that no single loop computes."""
    if not node.sums:
        return False
    if node.kind != "reduce":
        return any(map(has_long_sum, node.args))
    return any(map(_has_long_join if is_one_loop(node) else has_join, node.args))


def is_one_loop(node: Node) -> bool:
    """Whether parts of a reduction may be computed together.

    Extremes have to know whether all elements are stored, so each part is better read by columns.
    A matrix with blocks for each pair of parts is computed block by block.
    """
    if node.data[0].idempotent:
        return False
    return is_vector(node) or (node.ndim == 2 and _joins(node) == 1)


def _joins(node: Node) -> int:
    """How often joins stand in an expression; those within joins count with them."""
    return 1 if node.kind == "join" else sum(map(_joins, node.args))


def has_join(node: Node) -> bool:
    """Whether there is a join among what a node is made of."""
    return node.kind == "join" or any(map(has_join, node.args))


def _has_long_join(node: Node) -> bool:
    """Whether there is one that no single loop computes."""
    if node.kind == "join":
        return not is_together(node)
    return any(map(_has_long_join, node.args))


Onto: TypeAlias = Callable[[Node, Node], Node | None]
"""The map of what others come to and a sum, and that sum: its value where one kernel computes it.

What others come to is nobody's afterwards.
"""


class Pushing:
    """A walk that moves joins up; `summed` is told of each sum of a part, and of each vector.

    Where `onto` adds the sum of a part to the total of others, it is not told of that. If parts may
    be `together`, those that one loop computes are left in joins of their own, and so are `dense`
    ones next to each other.
    """

    def __init__(
        self,
        summed: Summed,
        onto: Onto | None = None,
        together: bool = False,
        dense: bool = False,
    ) -> None:
        self._summed, self._onto, self._together, self._dense = summed, onto, together, dense
        self._has_join = _has_long_join if together else has_join
        self._once = EachOnce()

    def __call__(self, node: Node) -> Node:
        """The node with its joins on top, as far as they can be."""
        return self._once(node, self._pushed)

    def _pushed(self, node: Node) -> Node:
        if not self._has_join(node):
            return self._summed(node) if node.sums and is_vector(node) else node
        args = [self(arg) for arg in node.args]
        if node.kind == "join":
            return self._regrouped([p for arg in args for p in parts_of(arg, node.data)], node.data)
        found = self._above(node.of(args))
        return node if found is None else found

    def _regrouped(self, parts: Sequence[Node], axis: int) -> Node:
        """A join of parts, of which those that one loop computes may be a join by themselves."""
        if self._together or self._dense:
            parts = [one for part in parts for one in parts_of(part, axis)]  # of joins of joins
            parts = [part for part in parts if part.shape[axis]] or parts[:1]
        if self._together:
            parts = [joined(run, axis) for run in runs_of(parts, axis)]
        if self._dense:
            parts = [joined(run, axis) for run in dense_runs.runs_of(parts)]
        return joined(parts, axis)

    def _above(self, node: Node) -> Node | None:
        """An operation with the joins among its arguments above it; None if it stays."""
        args = node.args
        number = next((k for k, arg in enumerate(args) if self._is_apart(arg)), None)
        if number is None:
            return self._summed(node) if node.kind == "reduce" else node
        join = args[number]
        axis, place = join.data, _place(node, join)
        if place is None and node.kind == "slice":
            return self._sliced(node, join)
        if place is None:
            return self._added(node, join) if node.kind == "reduce" else None
        parts: list[Node] = []
        for start, stop in bounds(join):
            own = [
                stretch(arg, axis + arg.ndim - join.ndim, start, stop, join.shape[axis])
                if node.kind == "map"
                else parts_of(arg, axis)[len(parts)]
                if k == number
                else arg
                for k, arg in enumerate(args)
            ]
            shape = (*node.shape[:place], stop - start, *node.shape[place + 1 :])
            made = self._above(_resized(node, own, shape))
            if made is None:
                return None
            parts.append(made)
        return joined(parts, place)

    def _is_apart(self, node: Node) -> bool:
        """Whether a node is a join whose parts are computed one by one."""
        if node.kind != "join" or (self._dense and dense_runs.is_run(node)):
            return False
        return not (self._together and is_together(node))

    def _sliced(self, node: Node, join: Node) -> Node | None:
        """A slice that cuts the axis of a join: slices of the parts that it meets, in its order."""
        axis, (starts, steps) = join.data, node.data
        found: list[tuple[int, Node]] = []
        for part, (first, last) in zip(join.args, bounds(join), strict=True):
            every = range(starts[axis], starts[axis] + node.shape[axis] * steps[axis], steps[axis])
            begin, count = _met(every, first, last)
            if not count:
                continue
            # What equals a start that is given by chance is another where that is another.
            start = ComposedStart(-first, 1, every[begin]) if first else every[begin]
            own = (*starts[:axis], start, *starts[axis + 1 :])
            lengths = _cut(node, axis, count)
            made = self._above(graph.window(part, own, steps, lengths, ComposedStart))
            if made is None:
                return None
            found.append((begin, made))
        if not found:
            return graph.window(join.args[0], (0,) * node.ndim, steps, node.shape)
        return joined([made for _, made in sorted(found, key=lambda one: one[0])], axis)

    def _added(self, node: Node, join: Node) -> Node | None:
        """A reduction over the axis of a join: of its parts, combined; None if that is another."""
        op, _, start = node.data
        if not op.associative or start.value != identity_of(op.name, node.dtype):
            return None
        total: Node | None = None
        # Sums of dense parts, which are not computed by our kernels, are what others add to.
        parts = sorted(join.args, key=_is_not_dense) if op.commutative else join.args
        for number, part in enumerate(parts, 1):
            own = node.of([part])
            added = None if total is None else self._added_onto(own, total)
            if added is not None:
                total = added
                continue
            found = self._above(own)
            if found is None:
                return None
            total = found if total is None else self._combined(own, total, found)
            if number % AT_ONCE == 0:  # so that few sums of parts are held at once
                total = self._settled(total)
        return total

    def _added_onto(self, own: Node, total: Node) -> Node | None:
        """The sums of a part, added to the total of others; None where that is apart.

        A matrix may be a block that stands for another one as well, but where one factor has parts.
        """
        both = own, total
        if self._onto is None or any(map(self._has_join, both)):
            return None
        if not (is_vector(own) or self._together):
            return None
        return self._onto(_both(own, total, own), own)

    def _combined(self, node: Node, total: Node, found: Node) -> Node:
        both = _both(node, total, found)
        return self._above(both) or both

    def _settled(self, node: Node) -> Node:
        if node.kind == "join":
            return joined([self._settled(part) for part in node.args], node.data)
        return node if node.kind == "leaf" else self._summed(node)


def _both(node: Node, total: Node, found: Node) -> Node:
    """Two reductions, combined as the elements of one are."""
    kind = node.dtype.name
    return Node("map", (total, found), (node.data[0], (kind, kind)), node.shape, node.dtype)


def _is_not_dense(part: Node) -> bool:
    given = [one for one in part.given if isinstance(one, Tensor)]
    if dense_runs.is_run(part):
        return False
    return has_join(part) or not all([one.format.is_dense for one in given])


def bounds(join: Node) -> list[tuple[int, int]]:
    """Where each part of a join begins and ends."""
    ends = accumulate([part.shape[join.data] for part in join.args])
    return list(pairwise([0, *ends]))


def parts_of(node: Node, axis: int) -> tuple[Node, ...]:
    """The parts of a join along an axis; anything else is its own only part."""
    return node.args if node.kind == "join" and node.data == axis else (node,)


def joined(parts: Sequence[Node], axis: int) -> Node:
    """The parts, those with elements, one after the other along an axis."""
    parts = [part for part in parts if part.shape[axis]] or parts[:1]
    if len(parts) == 1:
        return parts[0]
    total = sum([part.shape[axis] for part in parts])
    shape = (*parts[0].shape[:axis], total, *parts[0].shape[axis + 1 :])
    return Node("join", tuple(parts), axis, shape, parts[0].dtype)


def _place(node: Node, join: Node) -> int | None:
    """Which axis of an operation's result is that of a join; None if it has none, or cuts it."""
    axis: int = join.data
    length = join.shape[axis]
    match node.kind:
        case "map" | "convert" | "spread" | "lead":
            place = axis + node.ndim - join.ndim
            return place if node.shape[place] == length else None
        case "permute":
            return int(node.data.index(axis))
        case "expand":
            return [k for k in range(node.ndim) if k not in node.data][axis]
        case "squeeze":
            return _left(axis, node.data)
        case "reduce":
            return _left(axis, node.data[1])
        case "take" if node.data.axis != axis:
            return axis
        case "slice" if node.shape[axis] == length and node.data[1][axis] == 1:
            return axis
    return None


def _left(axis: int, gone: Sequence[int]) -> int | None:
    """The place of an axis without some others; None if it is one of them."""
    return None if axis in gone else axis - sum([k < axis for k in gone])


def _met(every: range, first: int, last: int) -> tuple[int, int]:
    """Where the numbers of a range that are within bounds begin among all, and how many there are.

    Examples
    --------
    >>> _met(range(9, -1, -2), 2, 6), _met(range(0, 3), 5, 9)
    ((2, 2), (3, 0))
    """
    step = every.step
    ahead, behind = (first, last) if step > 0 else (-last + 1, -first + 1)
    start = every.start if step > 0 else -every.start
    begin, end = (max(0, -((start - one) // abs(step))) for one in (ahead, behind))
    return min(begin, len(every)), max(0, min(end, len(every)) - begin)


def _resized(node: Node, args: Sequence[Node], shape: graph.Shape) -> Node:
    """The same operation on parts of its arguments."""
    if node.kind == "slice":
        starts, steps = node.data
        return graph.window(args[0], starts, steps, shape)
    return Node(node.kind, tuple(args), node.data, shape, node.dtype)


def stretch(arg: Node, axis: int, start: int, stop: int, length: int) -> Node:
    """What an argument has of an axis, from a start to a stop; all where it is broadcast."""
    if axis < 0 or arg.shape[axis] != length or (stop - start == length):
        return arg
    inner = arg.args[0] if arg.args else arg
    match arg.kind:
        case "join" if arg.data == axis:
            return _of_join(arg, start, stop)
        case "join":
            return joined([stretch(one, axis, start, stop, length) for one in arg.args], arg.data)
        case "map" | "convert":
            own = [
                stretch(one, axis + one.ndim - arg.ndim, start, stop, length) for one in arg.args
            ]
            return _resized(arg, own, _cut(arg, axis, stop - start))
        case "expand":
            place = axis - sum([k < axis for k in arg.data])
            return graph.expand_dims(stretch(inner, place, start, stop, length), arg.data)
        case "permute":
            return graph.permute(stretch(inner, arg.data[axis], start, stop, length), arg.data)
    starts = tuple([start if k == axis else 0 for k in range(arg.ndim)])
    return graph.window(arg, starts, (1,) * arg.ndim, _cut(arg, axis, stop - start))


def _of_join(join: Node, start: int, stop: int) -> Node:
    """A stretch of a join along its axis."""
    found = []
    for part, (first, last) in zip(join.args, bounds(join), strict=True):
        low, high = max(start, first), min(stop, last)
        if low < high:
            found.append(stretch(part, join.data, low - first, high - first, last - first))
    return joined(found, join.data) if found else stretch(join.args[0], join.data, 0, 0, -1)


def _cut(arg: Node, axis: int, length: int) -> graph.Shape:
    return (*arg.shape[:axis], length, *arg.shape[axis + 1 :])


def is_vector(node: Node) -> bool:
    """Whether a node has at most one axis along which it has several elements."""
    return sum([n > 1 for n in node.shape]) < 2
