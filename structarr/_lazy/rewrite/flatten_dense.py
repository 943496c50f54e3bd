"""Elementwise expressions of dense arrays as expressions of vectors: one loop for all axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from math import prod

from structarr._compiler.options import current
from structarr._lazy.graph import Node, leaf
from structarr._lazy.rewrite.other_part import with_other
from structarr._storage.dense import to_dense
from structarr._storage.memo import derived
from structarr._storage.tensor import Tensor
from structarr._support.broadcasting import broadcast
from structarr._support.caches import MOST
from structarr.formats import Format, parse

KINDS = ("map", "convert")


def flat(node: Node) -> Node | None:
    """The expression of vectors whose elements are those of a dense array; None of any other.

    The sum of all elements of an array is the sum of the vector.
    """
    root, kinds = node, {*KINDS}
    if node.kind == "reduce" and not node.shape:
        root, kinds = node.args[0], {*KINDS, "leaf"}
    if root.kind not in kinds or root.ndim < 2:
        return None
    found = leaves(root)
    if found is None or not all(one.shape == root.shape and _is_plain(one.format) for one in found):
        return None
    if root is node and prod(node.shape) * node.dtype.itemsize > current().densify_limit:
        return None  # it may be refused, and the error tells its own shape
    made = Flattening(lambda tensor: shaped(tensor, (prod(tensor.shape),))).of(root)
    if root is node:
        return made
    op, _, start = node.data
    return Node("reduce", (made,), (op, (0,), start), (), node.dtype)


def with_dense_sums(
    node: Node, is_dense: Callable[[Node], bool], value: Callable[[Node], Tensor]
) -> Node:
    """The sum of all elements of an elementwise expression with the dense sums in it as leaves.

    They are computed before it in any case, and vectors may take their place then.
    """
    if node.kind != "reduce" or node.shape or node.args[0].ndim < 2:
        return node
    sums: dict[int, Node] = {}
    left = [node.args[0]]
    while left:
        one = left.pop()
        if one.kind in KINDS:
            left += one.args
        elif one.kind == "reduce" and one.shape == node.args[0].shape:
            sums[id(one)] = one
        elif one.kind not in ("leaf", "constant"):
            return node
    if not all(map(is_dense, sums.values())):
        return node
    for one in sums.values():
        node = with_other(node, one, leaf(value(one)))
    return node


def leaves(node: Node, kinds: Sequence[str] = KINDS) -> list[Tensor] | None:
    """The arrays of an expression of some kinds of nodes, in order; None of any other.

    It is elementwise by default.
    """
    if node.kind == "leaf":
        return [node.data]
    if node.kind != "constant" and node.kind not in kinds:
        return None
    parts = [leaves(arg, kinds) for arg in node.args]
    return None if None in parts else [one for part in parts for one in part or ()]


@lru_cache(MOST)
def _is_plain(fmt: Format) -> bool:
    return fmt.is_dense and fmt is dense(fmt.ndim, fmt.index)


@cache
def dense(ndim: int, index: str) -> Format:
    """The format of NumPy's arrays of so many axes."""
    return parse("dense", ndim, index)


class Flattening:
    """An elementwise expression with vectors for its arrays; `vector` gives an array's."""

    def __init__(self, vector: Callable[[Tensor], Tensor]) -> None:
        self._vector = vector
        self._made: dict[int, Node] = {}

    def of(self, node: Node) -> Node:
        """The expression of vectors. What is shared in it stays shared."""
        done = self._made.get(id(node))
        if done is None:
            done = self._made[id(node)] = self._flattened(node)
        return done

    def _flattened(self, node: Node) -> Node:
        if node.kind == "leaf":
            return leaf(self._vector(node.data))
        if node.kind == "constant":
            return node
        args = tuple([self.of(arg) for arg in node.args])
        shape = broadcast([arg.shape for arg in args])
        return Node(node.kind, args, node.data, shape, node.dtype)


@derived("shaped")
def shaped(tensor: Tensor, shape: tuple[int, ...]) -> Tensor:
    """A dense array with other axes, which shares the buffer where that is in C order."""
    fmt = dense(len(shape), tensor.format.index)
    natural = tensor.format.order == tuple(range(tensor.ndim))
    buffers = tensor.buffers if natural else (to_dense(tensor).reshape(-1),)
    return Tensor(fmt, shape, tensor.dtype, tensor.fill, buffers)
