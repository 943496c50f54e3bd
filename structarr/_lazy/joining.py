"""Joins of arrays along an axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from structarr._lazy.graph import Node, astype, broadcast_to, constant
from structarr._lazy.node import nodes_of
from structarr._lazy.structure import NONE
from structarr._storage.tensor import Tensor
from structarr._support.broadcasting import countable

MOST_JOINED: Final = 4
"""So many arrays are joined by one kernel, which has a loop for each; more are joined by halves."""

_UNIFORM: Final = frozenset(
    {"leaf", "constant", "map", "convert", "permute", "expand", "squeeze", "spread", "slice"}
)
"""Kinds of nodes that are one value everywhere if all their arguments are."""


def concatenate(args: Sequence[Node], axis: int, dtype: Any) -> Node:
    """The arguments one after the other along an axis."""
    kind = np.dtype(dtype)
    if len(args) > 1:
        args = _padded([astype(arg, kind) for arg in args], axis)
    if len(args) == 1:
        return astype(args[0], kind)
    if len(args) > MOST_JOINED:
        half = len(args) // 2
        parts = (concatenate(part, axis, kind) for part in (args[:half], args[half:]))
        return concatenate(tuple(parts), axis, kind)
    return _joined(args, axis)


def halved(join: Node) -> Node:
    """A join of more than two arrays as one of two joins."""
    half = len(join.args) // 2
    parts = (join.args[:half], join.args[half:])
    return _joined([_joined(part, join.data) for part in parts], join.data)


def _joined(args: Sequence[Node], axis: int) -> Node:
    """Arguments of one dtype, as they are, one after the other."""
    if len(args) == 1:
        return args[0]
    shape = list(args[0].shape)
    shape[axis] = sum(arg.shape[axis] for arg in args)
    return Node("join", tuple(args), axis, countable(tuple(shape)), args[0].dtype)


def _padded(args: Sequence[Node], axis: int) -> Sequence[Node]:
    """Arguments to be joined, of which those that are the others' fill are padding of the others.

    So zeros beside lists are not stored.
    """
    empty = [_is_uniform(arg) for arg in args]
    if not any(empty):
        return args
    if len({arg.fill.tobytes() for arg in args}) > 1:
        return args
    if all(empty):
        total = sum(arg.shape[axis] for arg in args)
        shape = countable((*args[0].shape[:axis], total, *args[0].shape[axis + 1 :]))
        return [broadcast_to(_common_fill(args), shape)]
    found: list[Node] = []
    first = empty.index(False)
    ends = [number for number in range(first + 1, len(args)) if not empty[number]]
    for number, end in zip([first, *ends], [*ends, len(args)], strict=True):
        before = 0 if found else sum(arg.shape[axis] for arg in args[:first])
        length = before + sum(arg.shape[axis] for arg in args[number:end])
        shape = countable((*args[0].shape[:axis], length, *args[0].shape[axis + 1 :]))
        places = tuple([before if k == axis else 0 for k in range(len(shape))])
        padding = args[number], _common_fill(args)
        found.append(Node("pad", padding, places, shape, args[number].dtype))
    return found


def _common_fill(args: Sequence[Node]) -> Node:
    """
    The fill that all arguments have, as a number.

    Where it comes of numbers, as in `x + c`, structure does not tell it: no expression of equal
    structure may be made with this one.
    """
    fill = constant(args[0].fill, args[0].dtype)
    if any(one.kind == "constant" for arg in args for one in nodes_of(arg)):
        fill.number = NONE
    return fill


def _is_uniform(node: Node) -> bool:
    """Whether every element is known to be the fill."""
    if node.definition is not None or node.kind not in _UNIFORM:
        return False
    if node.kind != "leaf":
        return all(_is_uniform(arg) for arg in node.args)
    tensor: Tensor = node.data
    return tensor.is_constant and tensor.constant.tobytes() == tensor.fill.tobytes()
