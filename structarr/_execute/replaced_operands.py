"""Expressions with other tensors in the places of some operands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from structarr._lazy.graph import Node, leaf
from structarr._storage.tensor import Tensor
from structarr._storage.views import twin


def replaced(node: Node, table: Mapping[Tensor, Tensor], settled: Mapping[int, Node]) -> Node:
    """The node with other tensors in the places of some, and of what is settled its value."""
    node = settled.get(id(node), node)
    if node.kind == "leaf":
        return leaf(table.get(node.data, node.data))
    return node.of([replaced(arg, table, settled) for arg in node.args])


def read_apart(node: Node, settled: dict[int, Node], seen: Counter[Tensor]) -> Node:
    """The node with a twin of each tensor wherever that is read again; itself if none is."""
    node = settled.get(id(node), node)
    if node.kind == "leaf":
        tensor = node.data
        number = seen[tensor]
        seen[tensor] += 1
        return leaf(twin(tensor, number)) if number else node
    return node.of([read_apart(arg, settled, seen) for arg in node.args])


def own_tensor(node: Node) -> Tensor | None:
    """The tensor that a node is, with its axes permuted if need be."""
    if node.kind == "leaf":
        return node.data  # type: ignore[no-any-return]
    if node.kind == "permute" and node.args[0].kind == "leaf":
        tensor: Tensor = node.args[0].data
        return tensor.transposed(node.data)
    return None
