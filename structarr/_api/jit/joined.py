"""Arrays side by side: what joins them, and the parts, which a trace takes one by one."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from structarr._array import Array
from structarr._lazy.graph import Node
from structarr._lazy.side_by_side import is_joined
from structarr._storage.tensor import Tensor


class Outline(NamedTuple):
    """An expression without its arrays; None in the place of each."""

    names: tuple[Hashable, ...]
    parts: tuple[Outline | None, ...]


def taken_apart(array: Array) -> tuple[Outline, list[Tensor]] | None:
    """The outline of an array of joined parts that was not looked at, and these; None of others."""
    node = array._node
    if array._tensor is not None or not is_joined(node):
        return None
    found: list[Tensor] = []
    outline = _outline(node, found)
    assert outline is not None  # a join is no array
    return outline, found


def _outline(node: Node, found: list[Tensor]) -> Outline | None:
    """The outline of an expression, whose arrays are appended; None of an array."""
    if node.kind == "leaf":
        found.append(node.data)
        return None
    names = node.kind, node.data, node.shape, node.dtype.str
    return Outline(names, tuple([_outline(arg, found) for arg in node.args]))


def put_together(outline: Outline, parts: Iterable[Array]) -> Array:
    """The array of an outline and parts."""
    return Array(_node(outline, iter(parts)))


def _node(outline: Outline | None, parts: Iterator[Array]) -> Node:
    if outline is None:
        return next(parts)._node
    kind, data, shape, dtype = outline.names
    args = tuple([_node(part, parts) for part in outline.parts])
    return Node(str(kind), args, data, shape, np.dtype(str(dtype)))  # type: ignore[arg-type]


def is_same(one: Any, own: Any) -> bool:
    """Whether a leaf of arguments is another, or the tensor of such a part."""
    return one is own or (isinstance(own, Array) and one is own._node.data)
