"""Stretches of arrays side by side, as arrays side by side of stretches of their parts.

The structure of a join has the lengths of its parts, and that of a slice is given where it starts:
an expression of both has no number, and is planned at each call. Rows of a part are a tensor that
shares its buffers, so a batch of rows of a design is as any other design of so many rows.
"""

from __future__ import annotations

from structarr._lazy.graph import Node
from structarr._lazy.rewrite.each_once import EachOnce
from structarr._lazy.rewrite.parts_of_files import with_parts
from structarr._lazy.rewrite.push_joins import has_join, stretch


def with_rows(node: Node) -> Node:
    """
    The node with joins of rows in the place of rows of joins; the same node if it has none.

    Slices with steps, and those of what no slice moves below, stay as they are.
    """
    made = _walked(node, EachOnce())
    return node if made is node else with_parts(made, every=True)


def _walked(node: Node, once: EachOnce) -> Node:
    return once(node, lambda one: _changed(one, once))


def _changed(node: Node, once: EachOnce) -> Node:
    if node.kind == "slice" and has_join(node):
        return _stretched(node)
    if not has_join(node):
        return node
    return node.of([_walked(arg, once) for arg in node.args])


def _stretched(node: Node) -> Node:
    """A slice as a stretch of what it is of, along one axis after the other."""
    made: Node = node.args[0]
    starts, steps = node.data
    if any(step != 1 for step in steps) or 0 in node.shape:
        return node
    for axis, (start, length) in enumerate(zip(starts, node.shape, strict=True)):
        made = stretch(made, axis, start, start + length, made.shape[axis])
    return made
