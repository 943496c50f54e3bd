"""The expected number of entries of expressions."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from structarr._lazy.distributive import DISTRIBUTES
from structarr._lazy.graph import Node
from structarr._lazy.rewrite.flatten_dense import leaves
from structarr._lazy.rewrite.on_stored_values import places_of
from structarr._storage.tensor import Tensor


def expected_entries(node: Node) -> int:
    """About how many elements of a node differ from its fill, or are stored."""
    size = prod(node.shape)
    if node.kind == "leaf":
        return _stored(node.data)
    if node.kind in ("convert", "permute", "expand", "squeeze", "reshape", "first"):
        return expected_entries(node.args[0])
    if node.kind == "join":
        return sum(map(expected_entries, node.args))
    if node.kind == "kron":
        return prod(map(expected_entries, node.args))
    if node.kind in ("slice", "take"):
        whole = prod(node.args[0].shape)
        return round(expected_entries(node.args[0]) * size / whole) if whole else 0
    if node.kind == "map" and node.fill:
        return min(_together(node), size)
    if node.kind == "map":
        # What is broadcast stores the same again and again.
        parts: list[int] = [
            expected_entries(arg) * size // max(1, prod(arg.shape))
            for arg in _deciding(node)
            if arg.ndim
        ]
        if not parts:
            return size
        if node.data[0].name in DISTRIBUTES.values():
            return min(*parts, size)
        return min(sum(parts), _together(node), size)
    return size


def _deciding(node: Node) -> Sequence[Node]:
    """The operands that decide where an operation's value differs from its fill.

    What a condition chooses where it is not its fill is no more than the condition stores.
    """
    if node.data[0].name != "where":
        return node.args
    cond, yes, no = node.args
    return cond, yes if cond.fill else no


def _together(node: Node) -> int:
    """The elements that an elementwise expression's arrays store, equal places counted once.

    All that there are, of any other expression.
    """
    found = leaves(node)
    if not found or any(one.shape != node.shape for one in found):
        return prod(node.shape)
    apart = {places_of(one) or (id(one),): one for one in found}
    return sum(map(_stored, apart.values()))


def _stored(tensor: Tensor) -> int:
    """The elements that an array stores; all of one that is dense, or stands for a value."""
    counts = () if tensor.format.is_dense else tensor.counts
    return counts[-1] if counts else prod(tensor.shape)


def all_dense(node: Node) -> bool:
    """Whether an expression has nothing but dense operands, so that its value is dense.

    What repeats an array along an axis may be stored once for all of it.
    """
    if node.kind == "leaf":
        return bool(node.data.format.is_dense)
    return node.kind != "spread" and all(all_dense(arg) for arg in node.args)
