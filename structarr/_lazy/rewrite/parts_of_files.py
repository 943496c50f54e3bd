"""Slices of mapped files as tensors of their own, of which alone the rows are checked and read."""

from __future__ import annotations

from structarr._lazy.graph import Node, leaf, permute, window
from structarr._lazy.rewrite.each_once import EachOnce
from structarr._lazy.rewrite.push_views import pushed
from structarr._storage.tensor import Tensor


def with_parts(node: Node, every: bool = False) -> Node:
    """
    The node with parts in the places of tensors that are read by parts, where it slices these.

    With `every`, of all tensors: a part tells how much is stored in its rows.

    A slice along the outermost mode of a tensor reads the rows from its first to its last one.

    Parameters
    ----------
    node : Node
        An expression.

    Returns
    -------
    Node
        With the same value; the node itself where it has no such slices.
    """
    if not (every or any([isinstance(one, Tensor) and one.by_parts for one in node.given])):
        return node
    return _walked(pushed(node), every, EachOnce())


def _walked(node: Node, every: bool, once: EachOnce) -> Node:
    return once(node, lambda one: _changed(one, every, once))


def _changed(node: Node, every: bool, once: EachOnce) -> Node:
    found = _sliced(node, every) if node.kind == "slice" else None
    if found is not None:
        return found
    return node.of([_walked(arg, every, once) for arg in node.args])


def _sliced(node: Node, every: bool) -> Node | None:
    """A slice of a part; None where it is of no tensor that is read by parts."""
    (arg,), (starts, steps) = node.args, node.data
    base = arg.args[0] if arg.kind == "permute" else arg
    if base.kind != "leaf" or not base.shape or 0 in node.shape:
        return None
    tensor: Tensor = base.data
    if not (every or tensor.by_parts):
        return None
    outer = tensor.format.order[0]
    axis = arg.data.index(outer) if arg.kind == "permute" else outer
    ends = starts[axis], starts[axis] + (node.shape[axis] - 1) * steps[axis]
    lo, hi = min(ends), max(ends) + 1
    if hi - lo == tensor.shape[outer]:
        return None
    part = tensor.part(lo, hi)
    if part is None:
        return None
    of = permute(leaf(part), arg.data) if arg.kind == "permute" else leaf(part)
    begins = (*starts[:axis], starts[axis] - lo, *starts[axis + 1 :])
    return window(of, begins, steps, node.shape)
