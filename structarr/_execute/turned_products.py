"""Products of two matrices of lists that no order of loops reads as they are stored.

One of them has to be put in another order first: the left one, for a result by rows. If the right
one is much smaller, that is turned instead, the product computed by columns, and its result turned.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Final, TypeAlias

from structarr._execute.stand_ins import StandIns
from structarr._execute.steps import Derive, Step
from structarr._lazy.graph import Node, permute
from structarr._scheduler.array_expression import Builder
from structarr._storage.tensor import Tensor
from structarr._storage.transpose import is_rows

GAIN: Final = 4
"""How many times as many entries have to be moved if the result is not turned."""

Orders: TypeAlias = Mapping[Tensor, tuple[int, ...]]


def flipped(node: Node) -> Node:
    """A sum of two axes with these swapped."""
    (arg,), (_, axes, _) = node.args, node.data
    order = list(range(arg.ndim))
    one, other = (k for k in order if k not in axes)
    order[one], order[other] = other, one
    return Node("reduce", (permute(arg, tuple(order)),), node.data, node.shape[::-1], node.dtype)


def unflipped(step: Step) -> Step:
    """The step of a matrix in the order of its axes, of that of its transpose."""
    return Derive("order", Derive("view", step, (1, 0)), (0, 1))


def is_turned(node: Node, builder: Builder, orders: Orders) -> bool:
    """
    Whether the flipped sum is to be computed, which has the other operand turned, and its result.

    Parameters
    ----------
    node : Node
        An expression.
    builder : Builder
        Has its operands.
    orders : mapping
        The operands that would be put in other orders.
    """
    if node.kind != "reduce" or node.ndim != 2 or len(orders) != 1 or len(builder.tensors) != 2:
        return False
    (moved,) = orders
    kept = next(one for one in builder.tensors if one is not moved)
    rows = all(is_rows(one.format) and one.ndim == 2 for one in (moved, kept))
    if not rows or not _is_by_rows(node) or not _is_by_rows(flipped(node)):
        return False
    (arg,), (_, axes, _) = node.args, node.data
    terms = moved.counts[-1] * kept.counts[-1] // max(1, prod([arg.shape[axis] for axis in axes]))
    return bool(GAIN * (kept.counts[-1] + terms) < moved.counts[-1])


def _is_by_rows(node: Node) -> bool:
    """Whether the structure of a sum's operands makes its value one of rows."""
    format = StandIns()(node).format
    return is_rows(format) and format.order == (0, 1)
