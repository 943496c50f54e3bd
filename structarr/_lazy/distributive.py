"""Products over which sums distribute, as nodes of the graph."""

from __future__ import annotations

from structarr._lazy.graph import Node

DISTRIBUTES = {"add": "multiply", "logical_or": "logical_and"}
"""The operators that add, with those that multiply."""

MOVED = ("expand", "squeeze", "permute", "spread")
"""The kinds of nodes that say where the elements of a factor lie."""


def multiplies(node: Node) -> bool:
    """Whether a node is a product over which sums distribute."""
    return node.kind == "map" and node.data[0].name in DISTRIBUTES.values()
