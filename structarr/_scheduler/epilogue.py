"""Epilogues: what an expression does to each element of a sum, in the kernel that computes it.

`0.85 * (A @ x) + 0.15` is a map over a sum. Where the loops of the sum finish one element after the
other, each is mapped as it is finished; no array of the sums is made.
"""

from __future__ import annotations

from structarr._compiler.kernel_passes.vector_calls import VECTORS
from structarr._lazy.graph import Node


def totals_of(node: Node) -> list[Node]:
    """The sums whose elements the rest of an expression maps; none where it is no such map.

    Beside them stand numbers and dense arrays. What NumPy applies to vectors is better applied to a
    vector of the sums, so it is no such rest.
    """
    if node.kind != "map" or not node.sums:
        return []
    found: dict[int, Node] = {}
    return [*found.values()] if _fits(node, node, found) else []


def _fits(node: Node, root: Node, found: dict[int, Node]) -> bool:
    """Whether a part of an expression can be computed where an element of the sum is known."""
    match node.kind:
        case "constant":
            return True
        case "leaf":
            return bool(node.data.format.is_dense) and not node.data.is_constant
        case "convert":
            return _fits(node.args[0], root, found)
        case "map":
            op, _ = node.data
            return op.name not in VECTORS and all([_fits(arg, root, found) for arg in node.args])
        case "reduce":
            found[id(node)] = node
            return node.shape == root.shape
    return False
