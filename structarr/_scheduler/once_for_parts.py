"""Vectors that the sums of several parts of a join need: computed once, before these sums.

In `X.T @ (w[:, None] * X)`, with `w = v * np.exp(X @ b)` and categories side by side in `X`, each
block has a kernel of its own, and each of these would compute the weights again.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from structarr._compiler.options import current
from structarr._lazy.graph import Node, leaf
from structarr._lazy.rewrite.each_once import EachOnce
from structarr._lazy.rewrite.push_joins import is_vector
from structarr._scheduler.hoist import pays_once
from structarr._storage.tensor import Tensor


def with_vectors(node: Node, value: Callable[[Node], Tensor]) -> Node:
    """A sum over joins with the values of vectors that are dear enough for its parts to share."""
    uses = _parts(node)
    once = EachOnce()

    def within(part: Node) -> Node:
        return once(part, shared)

    def shared(part: Node) -> Node:
        if part.kind == "map" and is_vector(part):
            room = prod(part.shape) * part.dtype.itemsize <= current().densify_limit
            return leaf(value(part)) if room and pays_once(part, uses) else part
        return part.of([within(arg) for arg in part.args])

    return shared(node)


def _parts(node: Node) -> int:
    """The parts of the longest join in an expression, those of joins in it included."""
    inner = [_parts(arg) for arg in node.args]
    return sum(inner) if node.kind == "join" else max(inner, default=1)
