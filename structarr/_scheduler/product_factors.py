"""The factors of a sum of products: nodes with a label for each axis, and what they store."""

from __future__ import annotations

from collections.abc import Hashable
from math import prod
from typing import TypeAlias

from structarr._lazy.graph import Node
from structarr._scheduler.expected_entries import all_dense, expected_entries
from structarr._scheduler.product_loops import Factor, Labels
from structarr.formats.base import Format

Places: TypeAlias = tuple[int | None, ...]
"""The labels of a node's axes; None for a broadcast axis."""


def array_of(node: Node) -> Hashable:
    """The key of a factor's array: equal for factors of the same array, of one dtype."""
    if node.kind == "convert" and node.args[0].kind == "leaf":
        return node.args[0].data, node.dtype
    return node.data if node.kind == "leaf" else node


def measured(node: Node, labels: Labels) -> Factor:
    """A node with a label for each axis, on which the order of factors depends."""
    size = float(prod(node.shape))
    stored = min(float(expected_entries(node)), size)
    if all_dense(node):
        return Factor(labels, stored)
    if node.kind == "join":
        return _side_by_side(node, stored, labels)
    held_by = node.args[0] if node.kind in ("take", "slice", "convert") else node
    lists: Labels = labels
    nested: Labels = ()
    if held_by.kind == "leaf":
        held: Format = held_by.data.format
        nested = tuple(labels[axis] for axis in held.order)
        levels = zip(nested, held.levels, strict=False)
        lists = tuple(k for k, level in levels if not level.arithmetic)
    if node.fill:  # what is not stored is multiplied, too
        stored, lists = size, ()
    return Factor(labels, stored, lists, nested)


def _side_by_side(join: Node, stored: float, labels: Labels) -> Factor:
    """Stored arrays side by side, of which loops follow the levels where all agree on them."""
    parts = [measured(one, labels) for one in join.args]
    lists = tuple([k for k in labels if any([k in one.lists for one in parts])])
    nested = {one.nested for one in parts if not one.dense}
    return Factor(labels, stored, lists, nested.pop() if len(nested) == 1 else ())


def broadcast(arg: Node, node: Node, labels: Places) -> Places:
    """The labels of an argument's axes, by those of the node's that it is broadcast to."""
    skip = node.ndim - arg.ndim
    lengths = zip(arg.shape, node.shape[skip:], labels[skip:], strict=True)
    return tuple(None if n == 1 != length else label for n, length, label in lengths)
