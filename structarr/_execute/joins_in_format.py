"""Joins of joins in a format that is asked for: the inner ones are computed in it, not by theirs.

What is side by side along another axis is joined by a kernel of its own. As an array by itself it
may be dense, though what is asked for leaves most of it out.
"""

from __future__ import annotations

from collections.abc import Callable

from structarr._execute.stand_ins import is_dense
from structarr._lazy.graph import Node, leaf
from structarr._lazy.rewrite.push_joins import has_join
from structarr._scheduler.expected_entries import all_dense
from structarr._storage.tensor import Tensor
from structarr.formats import Format


def with_parts(node: Node, fmt: Format, in_format: Callable[[Node], Tensor]) -> Node:
    """A join with the values of parts that would be dense by themselves, as `in_format` gives."""
    if node.kind != "join" or fmt.is_dense:
        return node
    parts = [leaf(in_format(one)) if _is_spread(one, node.data) else one for one in node.args]
    return node.of(parts)


def _is_spread(node: Node, axis: int) -> bool:
    """Whether a part is no join along the axis itself, and dense with parts that are not."""
    if node.sums or (node.kind == "join" and node.data == axis):
        return False
    return is_filled_up(node)


def is_filled_up(node: Node) -> bool:
    """Whether arrays side by side are dense as a whole, though some of them are not."""
    return has_join(node) and not all_dense(node) and is_dense(node)
