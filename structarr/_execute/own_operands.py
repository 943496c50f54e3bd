"""Operands of their own: values of parts, parts of tensors, twins of those read in two orders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from math import prod
from typing import Final, TypeAlias

from structarr._execute.stand_ins import replaced
from structarr._lazy.graph import Node, leaf
from structarr._lazy.joining import halved
from structarr._scheduler.array_expression import Builder
from structarr._scheduler.discordant import Discordant
from structarr._storage.memo import is_remembered
from structarr._storage.tensor import Tensor
from structarr._storage.transpose import is_rows
from structarr._storage.views import twin

InOrders: TypeAlias = Callable[[Mapping[Tensor, tuple[int, ...]]], Mapping[Tensor, Tensor]]

STORED: Final = ("leaf", "constant")

VIEWS: Final = ("convert", "expand", "permute", "slice", "squeeze")
"""Operations that loops over one operand take in."""

LESS: Final = 4
"""How many times as large a matrix is as a slice of it that is transposed by itself."""


def with_parts(
    node: Node,
    orders: Mapping[Tensor, tuple[int, ...]],
    settled: Mapping[int, Node],
    value: Callable[[Node], Tensor],
    is_part: bool,
) -> Node | None:
    """An expression with parts of arrays computed that are to be stored in other orders of axes.

    These are the elements at places of such an array, and small slices of a matrix; the expression
    itself only if it `is_part` of more than its value, as of that in a format. None where there are
    no such parts. What was put in order once is remembered, and read as a whole.
    """
    parts: list[Tensor] = []

    def change(one: Node) -> Node:
        one = settled.get(id(one), one)
        if one is node and not is_part:
            return one.of([change(arg) for arg in one.args])
        if one.kind == "take" and not orders.keys().isdisjoint(_tensors(one)):
            parts.append(value(one))
            return leaf(parts[-1])
        if one.kind == "slice":
            whole = settled.get(id(one.args[0]), one.args[0])
            if whole.kind == "leaf" and _is_new(whole.data, orders) and _is_small(one, whole):
                part = value(one)
                if part.format is whole.data.format:  # a result's depends on no length
                    parts.append(part)
                    return leaf(part)
        return one.of([change(arg) for arg in one.args])

    changed = change(node)
    return changed if parts else None


def _tensors(node: Node) -> list[Tensor]:
    if node.kind == "leaf":
        return [node.data]
    return [tensor for arg in node.args for tensor in _tensors(arg)]


def _is_new(tensor: Tensor, orders: Mapping[Tensor, tuple[int, ...]]) -> bool:
    """Whether a tensor has yet to be stored in another order."""
    return tensor in orders and not is_remembered(tensor, "order", orders[tensor])


def _is_small(part: Node, whole: Node) -> bool:
    """Whether a part of a matrix in rows is small beside it."""
    return is_rows(whole.data.format) and LESS * prod(part.shape) <= prod(whole.shape)


def transposed_in(
    node: Node,
    builder: Builder,
    order: Discordant,
    value: Callable[[Node], Tensor],
    in_orders: InOrders,
) -> Node:
    """The node with operands replaced by copies stored in the order of the loops.

    Parameters
    ----------
    node : Node
        An expression.
    builder : Builder
        Has its operands.
    order : Discordant
        Tells the orders of those that are read in another one.
    value : callable
        The value of a node.
    in_orders : callable
        Stores tensors in other orders of their axes.
    """
    if order.conflict:  # one operand in two orders: each reads a twin of its own
        apart = with_twins(node, builder.settled, Counter())
        return with_values(node, value) if apart is node else apart
    orders = {builder.tensors[number]: axes for number, axes in order.orders.items()}
    return replaced(node, in_orders(orders), builder.settled)


def with_twins(node: Node, settled: Mapping[int, Node], seen: Counter[Tensor]) -> Node:
    """The node with a twin of each tensor wherever that is read again; itself if none is."""
    node = settled.get(id(node), node)
    if node.kind == "leaf":
        tensor = node.data
        number = seen[tensor]
        seen[tensor] += 1
        return leaf(twin(tensor, number)) if number else node
    return node.of([with_twins(arg, settled, seen) for arg in node.args])


def with_values(node: Node, value: Callable[[Node], Tensor]) -> Node:
    """The node with the operations below its outermost one computed.

    Below a join of stored arrays are two joins of half of them. What a view is of takes a kernel as
    long as the view does: operations below that are computed, and only what is seen is combined.
    """
    if node.kind in VIEWS and any(_viewed(arg).kind not in STORED for arg in _combined(node)):
        return node.of([with_values(node.args[0], value)])
    if node.kind == "join" and all(arg.kind == "leaf" for arg in node.args):
        node = halved(node)
    return node.of([arg if arg.kind in STORED else leaf(value(arg)) for arg in node.args])


def _viewed(node: Node) -> Node:
    """What views of it are of."""
    while node.kind in VIEWS:
        node = node.args[0]
    return node


def _combined(node: Node) -> tuple[Node, ...]:
    """The operands of the elementwise operation or join that a node is a view of."""
    below = _viewed(node)
    return below.args if below.kind in ("map", "join") else ()


def own(node: Node) -> Tensor | None:
    """The tensor that a node is, with its axes permuted if need be."""
    if node.kind == "leaf":
        return node.data  # type: ignore[no-any-return]
    if node.kind == "permute" and node.args[0].kind == "leaf":
        tensor: Tensor = node.args[0].data
        return tensor.transposed(node.data)
    return None
