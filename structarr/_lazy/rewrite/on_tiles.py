"""Elementwise expressions of matrices in tiles, as expressions of arrays by tiles.

Their loops go over tiles, and within one over a block; the result is stored in tiles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from structarr._lazy.graph import Node, constant_of, leaf, permute
from structarr._lazy.rewrite.flatten_dense import KINDS
from structarr._storage.tensor import Tensor
from structarr._storage.tile_views import Sides, by_tiles, sides_of
from structarr._storage.views import expanded, permuted
from structarr._support.broadcasting import broadcast
from structarr.formats import Format

Parts = Iterator[Tensor | Node]


class OnTiles:
    """A rewriting of expressions.

    Parameters
    ----------
    retiled : callable
        From a matrix in tiles to the same in tiles of other sides, by rows.
    is_dense : callable
        Whether the value of a node is dense.
    value : callable
        The value of a node.
    """

    def __init__(
        self,
        retiled: Callable[[Tensor, Sides], Tensor],
        is_dense: Callable[[Node], bool],
        value: Callable[[Node], Tensor],
    ) -> None:
        self._retiled, self._is_dense, self._value = retiled, is_dense, value
        self._made: dict[int, tuple[Node, Node]] = {}  # by identity, which the first keeps alive
        self._sides: Sides = (1, 1)

    def format_of(self, node: Node) -> Format | None:
        """The format of the largest tiles of an expression, whose sides all others' divide.

        None of an expression that is not of tiles, dense arrays and numbers.
        """
        if node.kind not in KINDS or node.ndim != 2:
            return None
        parts = list(self._parts(node))
        found = [(one, part.format) for part in parts if (one := _sides(part)) is not None]
        if not found:
            return None
        sides = [one for one, _ in found]
        self._sides = max(sides)
        if any(side % own for one in sides for side, own in zip(self._sides, one, strict=True)):
            return None
        if not all(map(self._is_read_by_tiles, parts)):
            return None
        return found[sides.index(self._sides)][1]

    def _parts(self, node: Node) -> Parts:
        """The arrays of an expression, and what is no elementwise operation of arrays."""
        if node.kind in KINDS or _is_moved(node):
            for arg in node.args[0].args if _is_moved(node) else node.args:
                yield from self._parts(arg)
        elif node.kind != "constant":
            own = _own(node)
            yield node if own is None else own

    def _is_read_by_tiles(self, part: Tensor | Node) -> bool:
        if isinstance(part, Node):
            return part.ndim <= 2 and self._is_dense(part)
        plain = part.is_constant or part.format.is_dense
        return part.ndim <= 2 and (plain or _sides(part) is not None)

    def of(self, node: Node) -> Node:
        """The expression by tiles of one that has a format. What is shared stays shared."""
        done = self._made.get(id(node))
        if done is None:
            done = self._made[id(node)] = node, self._tiled(node)
        return done[1]

    def _tiled(self, node: Node) -> Node:
        if node.kind == "constant":
            return node
        if _is_moved(node):
            arg, axes = node.args[0], node.data
            args = [permute(one, axes) if one.ndim else one for one in arg.args]
            node = Node(arg.kind, tuple(args), arg.data, node.shape, node.dtype)
        if node.kind in KINDS:
            args = [self.of(one) for one in node.args]
            shape = broadcast([arg.shape for arg in args])
            return Node(node.kind, tuple(args), node.data, shape, node.dtype)
        own = _own(node)
        return self._array(self._value(node) if own is None else own)

    def _array(self, tensor: Tensor) -> Node:
        if tensor.is_constant:
            return constant_of(tensor)
        if tensor.ndim < 2:
            tensor = expanded(tensor, tuple(range(2 - tensor.ndim)))
        own = sides_of(tensor.format)
        # An axis of length one is broadcast: it has one tile, of side one.
        height, width = self._sides
        sides = 1 if tensor.shape[0] == 1 else height, 1 if tensor.shape[1] == 1 else width
        if own not in (None, sides) or (own and tensor.format.order == (1, 0)):
            tensor = self._retiled(tensor, sides)
        return leaf(by_tiles(tensor, self._sides))


def _sides(part: Tensor | Node) -> Sides | None:
    return None if isinstance(part, Node) else sides_of(part.format)


def _is_moved(node: Node) -> bool:
    """Whether a node permutes the axes of an elementwise operation of matrices and numbers."""
    if node.kind != "permute" or node.args[0].kind not in KINDS:
        return False
    return all(one.ndim in (0, node.ndim) for one in node.args[0].args)


def _own(node: Node) -> Tensor | None:
    """The array that a node is, perhaps with its axes permuted or with new ones."""
    if node.kind == "leaf":
        return node.data  # type: ignore[no-any-return]
    if node.kind not in ("permute", "expand") or node.args[0].kind != "leaf":
        return None
    view = permuted if node.kind == "permute" else expanded
    return view(node.args[0].data, node.data)
