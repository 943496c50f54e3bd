"""The rewritings of an expression that need no price of its products, in order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from structarr._execute.stand_ins import is_alike
from structarr._lazy.graph import Node
from structarr._lazy.rewrite import common_subexpressions, push_views, reshapes
from structarr._scheduler import hoist, kronecker, push_masks, stored_slices, takes
from structarr._storage.tensor import Tensor

Value: TypeAlias = Callable[[Node], Tensor]


def _without_firsts(node: Node, value: Value) -> Node:
    while node.kind == "first":
        node = node.args[0]
    return node


def _narrowed(node: Node, value: Value) -> Node:
    return push_views.pushed(node)


def _masked(node: Node, value: Value) -> Node:
    return push_masks.masked(node)


def _kept(node: Node, value: Value) -> Node:
    return hoist.kept(node, is_alike)


def _shared(node: Node, value: Value) -> Node:
    return common_subexpressions.shared([node], value)[0] if node.sums > 1 else node


PASSES: Final[tuple[Callable[[Node, Value], Node], ...]] = (
    _without_firsts,
    reshapes.applied,
    kronecker.applied,
    _narrowed,
    takes.placed,
    stored_slices.applied,
    _masked,
    _kept,
    _shared,
)
"""What makes an expression one of the same value that is expected to take less time, in order."""
