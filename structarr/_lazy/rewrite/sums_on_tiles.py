"""Sums of products of matrices in tiles, as sums of arrays whose axes are split by tiles.

Each axis that tiles divide becomes two: the place of a tile, and the place within it. Loops over
the latter have a known number of turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple, TypeAlias

from structarr._lazy.graph import Node, constant_of, diagonal, expand_dims, leaf
from structarr._lazy.rewrite.flatten_dense import KINDS
from structarr._storage.tensor import Tensor
from structarr._storage.tile_views import sides_of, split
from structarr._support.broadcasting import broadcast

Axes: TypeAlias = tuple[int, ...]
"""Of each axis of a node, the axis of the sum's argument along which it lies."""


def sum_on_tiles(node: Node) -> Node | None:
    """The sum of a product with a matrix in tiles, by tiles; None of any other expression."""
    if node.kind != "reduce":
        return None
    arg = node.args[0]
    sides = _sides(arg, [])
    return None if sides is None else _Split(arg.ndim, sides).sum(node)


def diagonal_on_tiles(node: Node) -> Node | None:
    """The vector of an expression with a diagonal of tiles, by tiles; None of any other."""
    found: list[_Read] = []
    sides = _sides(node, found) if node.ndim == 1 else None
    if sides is None or not any([len({*axes}) < len(axes) for _, axes in found]):
        return None
    return _Split(1, sides).of(node, (0,))


def _sides(node: Node, found: list[_Read]) -> dict[int, int] | None:
    """The sides of tiles along the axes of an expression; None where it is not read by tiles."""
    if not _read(node, tuple(range(node.ndim)), found):
        return None
    sides: dict[int, int] = {}
    for tensor, axes in found:
        for axis, side in zip(axes, sides_of(tensor.format) or (), strict=False):
            if sides.setdefault(axis, side) != side:
                return None
    return sides if max(sides.values(), default=1) > 1 else None


class _Read(NamedTuple):
    """An array that an expression reads."""

    tensor: Tensor
    axes: Axes


def _read(node: Node, axes: Axes, found: list[_Read]) -> bool:
    """List what an expression reads; whether that is dense arrays, numbers and tiles alone."""
    if node.kind == "constant":
        return True
    if node.kind == "leaf":
        tensor: Tensor = node.data
        found.append(_Read(tensor, axes))
        known = tensor.format.is_dense or sides_of(tensor.format) is not None
        return known or tensor.is_constant
    below = _below(node, axes)
    pairs = zip(node.args, below, strict=True) if below is not None else ()
    return below is not None and all([_read(arg, own, found) for arg, own in pairs])


def _below(node: Node, axes: Axes) -> list[Axes] | None:
    """The axes of a node's arguments; None of operations that are not read by tiles."""
    if node.kind in KINDS or node.kind == "spread":
        return [axes[len(axes) - arg.ndim :] for arg in node.args]
    if node.kind == "expand":
        return [tuple([axis for k, axis in enumerate(axes) if k not in node.data])]
    if node.kind == "permute":
        return [tuple([axes[node.data.index(k)] for k in range(node.ndim)])]
    if node.kind == "diagonal":
        return [tuple([axes[place] for place in node.data])]
    return None


class _Split:
    """Expressions with axes split by tiles of some sides."""

    def __init__(self, ndim: int, sides: dict[int, int]) -> None:
        self._sides = sides
        self._places: list[Axes] = []
        for axis in range(ndim):
            first = sum(map(len, self._places))
            self._places.append((first, first + 1) if axis in sides else (first,))
        self._ndim = sum(map(len, self._places))

    def sum(self, node: Node) -> Node:
        """A sum, whose result has its axes split as well."""
        (arg,), (op, axes, start) = node.args, node.data
        made = self.of(arg, tuple(range(arg.ndim)))
        gone = tuple([place for axis in axes for place in self._places[axis]])
        shape = tuple([n for k, n in enumerate(made.shape) if k not in gone])
        return Node("reduce", (made,), (op, gone, start), shape, node.dtype)

    def of(self, node: Node, axes: Axes) -> Node:
        """An expression that lies along some axes."""
        if node.kind == "constant":
            return node
        if node.kind == "leaf":
            return self._array(node.data, axes)
        below = _below(node, axes)
        assert below is not None  # as `_read` found
        args = [self.of(arg, own) for arg, own in zip(node.args, below, strict=True)]
        if node.kind not in KINDS:
            return args[0]
        shape = broadcast([arg.shape for arg in args])
        return Node(node.kind, tuple(args), node.data, shape, node.dtype)

    def _array(self, tensor: Tensor, axes: Sequence[int]) -> Node:
        if tensor.is_constant:
            return constant_of(tensor)
        places = tuple([self._places[axis] for axis in axes])
        sides = tuple([self._sides.get(axis, 0) for axis in axes])
        if len({*axes}) == len(axes):
            return leaf(split(tensor, (sides, places, self._ndim)))
        along = list(chain(*places))  # some of them twice
        numbers = iter(range(len(along)))
        apart = tuple([tuple([next(numbers) for _ in one]) for one in places])
        left = sorted({*along})
        whole = leaf(split(tensor, (sides, apart, len(along))))
        new = tuple([k for k in range(self._ndim) if k not in left])
        return expand_dims(diagonal(whole, tuple(map(left.index, along))), new)
