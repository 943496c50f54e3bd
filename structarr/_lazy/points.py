"""Elements at points: places on every axis that vary together."""

from __future__ import annotations

from collections.abc import Sequence

from structarr._lazy.graph import Node, again, note, operand
from structarr._storage.tensor import Tensor


def points(arg: Node, places: Sequence[Tensor]) -> Node:
    """The elements at the places in dense arrays, one for each axis, all in bounds."""
    args = arg, *map(operand, places)
    made = again("points", *args)
    if made is None:
        made = Node("points", args, None, places[0].shape, arg.dtype)
        note("points", made, *args)
    return made


def is_pointwise(node: Node) -> bool:
    """Whether an element of an expression is computed from those of arrays at the same place."""
    if node.kind == "permute":
        return bool(node.args[0].kind == "leaf")
    return node.kind in ("leaf", "constant", "map", "convert") and all(map(is_pointwise, node.args))
