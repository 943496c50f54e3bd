"""Slices and diagonals of sums, as sums of slices and diagonals: only what is looked at is summed.

Of `(a @ b)[0]` one row of `a` is multiplied, and the diagonal of `a @ b.T` is the sums of `a * b`
by rows. Views of products that are summed are products of views of their factors. What is read by
the compiler anyway, in loops over a part, stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from structarr._lazy import graph
from structarr._lazy.composed_start import ComposedStart
from structarr._lazy.distributive import multiplies
from structarr._lazy.graph import Node
from structarr._lazy.rewrite.each_once import EachOnce

Places: TypeAlias = Sequence[int | None]  # of axes in a result; None of one that is left out
Part: TypeAlias = tuple[int, int, int]  # of an axis: its start, step and length


def pushed(node: Node) -> Node:
    """The node with slices and diagonals of sums moved below the sums."""
    return _Pushing().walk(node) if node.sums else node


class _Pushing:
    """A walk over a graph that meets each node once."""

    def __init__(self) -> None:
        self._once = EachOnce()

    def walk(self, node: Node) -> Node:
        if not node.sums:
            return node
        return self._once(node, self._moved)

    def _moved(self, node: Node) -> Node:
        if node.kind == "slice":
            starts, steps = node.data
            return self._unless_same(_sliced(node.args[0], starts, steps, node.shape), node)
        if node.kind == "diagonal":
            return self._unless_same(_diagonal(node.args[0], node.data), node)
        if node.kind == "squeeze":
            return _squeezed(self.walk(node.args[0]), node.data)
        return node.of([self.walk(arg) for arg in node.args])

    def _unless_same(self, moved: Node, node: Node) -> Node:
        """The node after its view has moved as far as it does."""
        if moved.kind == node.kind:  # the view stays where it is
            return node.of([self.walk(arg) for arg in node.args])
        return self.walk(moved)


def _sliced(
    arg: Node, starts: tuple[int, ...], steps: tuple[int, ...], lengths: tuple[int, ...]
) -> Node:
    """A slice of a node, moved below the operations that have sums."""
    parts = list(zip(starts, steps, lengths, strict=True))
    below = arg.args[0] if arg.args else arg
    match arg.kind if arg.sums and 0 not in lengths else "":
        case "reduce":
            left = iter(parts)
            axes = arg.data[1]
            every = [(0, 1, n) if k in axes else next(left) for k, n in enumerate(below.shape)]
            part = _factors(below, every)
            return Node("reduce", (part,), arg.data, lengths, arg.dtype)
        case "map" | "convert":
            args = [_window(one, _beside(one, arg, parts)) for one in arg.args]
            return _resized(arg, args, lengths)
        case "permute":
            inner = dict(zip(arg.data, parts, strict=True))
            return graph.permute(_window(below, [inner[k] for k in range(arg.ndim)]), arg.data)
        case "expand":
            kept = [part for k, part in enumerate(parts) if k not in arg.data]
            return graph.expand_dims(_window(below, kept), arg.data)
        case "squeeze":
            left = iter(parts)
            every = [(0, 1, 1) if k in arg.data else next(left) for k in range(below.ndim)]
            return graph.squeeze(_window(below, every), arg.data)
    return graph.window(arg, starts, steps, lengths, ComposedStart)


def _beside(one: Node, node: Node, parts: Sequence[Part]) -> list[Part]:
    """The parts of an argument's axes that are broadcast to parts of an operation's."""
    own = zip(parts[node.ndim - one.ndim :], one.shape, strict=True)
    return [part if n > 1 else (0, 1, n) for part, n in own]


def _factors(arg: Node, parts: Sequence[Part]) -> Node:
    """A part of what is summed: of a product, that of its factors."""
    if multiplies(arg):
        args = [_factors(one, _beside(one, arg, parts)) for one in arg.args]
        return _resized(arg, args, tuple([n for _, _, n in parts]))
    if arg.kind == "expand" and not arg.sums:
        kept = [part for k, part in enumerate(parts) if k not in arg.data]
        return graph.expand_dims(_factors(arg.args[0], kept), arg.data)
    return _window(arg, parts)


def _window(arg: Node, parts: Sequence[Part]) -> Node:
    starts, steps, lengths = zip(*parts, strict=True) if parts else ((), (), ())
    return (
        _sliced(arg, starts, steps, lengths)
        if arg.sums
        else graph.window(arg, starts, steps, lengths, ComposedStart)
    )


def _resized(node: Node, args: Sequence[Node], shape: tuple[int, ...]) -> Node:
    """An elementwise operation on parts of its arguments."""
    return Node(node.kind, tuple(args), node.data, shape, node.dtype)


def _diagonal(arg: Node, places: tuple[int, ...]) -> Node:
    """A diagonal of a node, moved below the operations that have sums."""
    below = arg.args[0] if arg.args else arg
    lengths = dict(zip(places, arg.shape, strict=True))
    shape = tuple(lengths[k] for k in range(len(lengths)))
    match arg.kind if arg.sums else "":
        case "reduce":
            operator, axes, start = arg.data
            left, new = iter(places), iter(range(len(shape), len(shape) + len(axes)))
            every = tuple(next(new) if k in axes else next(left) for k in range(below.ndim))
            summed = tuple(range(len(shape), len(shape) + len(axes)))
            inner = _diagonal(below, every)
            return Node("reduce", (inner,), (operator, summed, start), shape, arg.dtype)
        case "map" | "convert":
            args = [_laid(one, arg, places, len(shape)) for one in arg.args]
            return _resized(arg, args, shape)
        case "permute":
            inner_places = dict(zip(arg.data, places, strict=True))
            return _diagonal(below, tuple(inner_places[k] for k in range(arg.ndim)))
        case "expand":
            kept = [place for k, place in enumerate(places) if k not in arg.data]
            return _arranged(below, kept, len(shape))
    return graph.diagonal(arg, places)


def _laid(one: Node, node: Node, places: tuple[int, ...], rank: int) -> Node:
    """An argument of an elementwise operation, along the diagonal of that."""
    skip = node.ndim - one.ndim
    if not one.ndim:
        return one
    return _arranged(
        one,
        [
            None if n == 1 != node.shape[skip + k] else places[skip + k]
            for k, n in enumerate(one.shape)
        ],
        rank,
    )


def _arranged(arg: Node, places: Places, rank: int) -> Node:
    """A node whose axes go along places of a result, with length one where it has none."""
    arg = graph.squeeze(arg, tuple(k for k, place in enumerate(places) if place is None))
    kept = [place for place in places if place is not None]
    order = sorted(set(kept))
    own = tuple(order.index(place) for place in kept)
    if len(order) < len(kept):
        arg = _diagonal(arg, own)
    else:
        arg = graph.permute(arg, tuple(own.index(k) for k in range(len(own))))
    return graph.expand_dims(arg, tuple(k for k in range(rank) if k not in order))


def _squeezed(arg: Node, axes: tuple[int, ...]) -> Node:
    """A node without axes of length one, which go as far down as its sums."""
    below = arg.args[0] if arg.args else arg
    match arg.kind if arg.sums else "":
        case "reduce":
            operator, summed, start = arg.data
            left = [k for k in range(below.ndim) if k not in summed]
            gone = {left[k] for k in axes}
            own = [k for k in range(below.ndim) if k not in gone]
            inner = _thinner(below, tuple(sorted(gone)))
            places = tuple([own.index(k) for k in summed])
            shape = tuple([n for k, n in enumerate(arg.shape) if k not in axes])
            return Node("reduce", (inner,), (operator, places, start), shape, arg.dtype)
        case "map" | "convert":
            return _thinner(arg, axes)
    return graph.squeeze(arg, axes)


def _thinner(arg: Node, axes: tuple[int, ...]) -> Node:
    """An operation on arguments without axes of length one."""
    if arg.kind in ("map", "convert"):
        skips = [arg.ndim - one.ndim for one in arg.args]
        args = [
            _thinner(one, tuple([k - skip for k in axes if k >= skip]))
            for one, skip in zip(arg.args, skips, strict=True)
        ]
        shape = tuple([n for k, n in enumerate(arg.shape) if k not in axes])
        return _resized(arg, args, shape)
    if arg.kind == "expand":
        own = [k for k in range(arg.ndim) if k not in axes]
        old = [k for k in range(arg.ndim) if k not in arg.data]
        below = graph.squeeze(arg.args[0], tuple([old.index(k) for k in axes if k in old]))
        return graph.expand_dims(below, tuple([own.index(k) for k in arg.data if k in own]))
    return _squeezed(arg, axes)
