"""Outlines: what operations of equal structure share, by which they are made with one look-up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from structarr._lazy.node import DType, Given, Node, Shape

Outline: TypeAlias = Callable[..., Node]
"""From the nodes and Python scalars that an operation is applied to, to its node."""

Take: TypeAlias = Callable[[Any], Any] | None
"""The conversion of a scalar; None for a node."""

FEW: Final = 64
"""The scalars of an operation that are kept as they were converted."""

_new = Node.__new__


def _converted(known: dict[Any, Any], take: Callable[[Any], Any], value: Any) -> Any:
    """A scalar's conversion, which is kept unless another scalar may equal this one."""
    made = take(value)
    if len(known) < FEW and value and type(value) is not complex:  # -0.0 equals 0.0
        known[value] = made
    return made


def outline(
    takes: Sequence[Take],
    make: Callable[..., Node] | None,
    kind: str,
    sums: int,
    data: Any,
    shape: Shape,
    dtype: DType,
    number: int,
) -> Outline:
    """
    The outline of operations on nodes and Python scalars.

    Most have one or two operands, and are written out: what tells one from the other takes as long
    as making the node.

    Parameters
    ----------
    takes : sequence of callable or None
        What each operand is.
    make : callable or None
        What makes an operation of its operands when it is asked for, if that is not by its kind and
        data.
    kind, data, shape, dtype, number
        Of the nodes.
    sums : int
        The sums that are no operand's.
    """

    def of_node(arg: Node) -> Node:
        node = _new(Node)
        node.kind, node.data, node.parts = kind, data, (arg,)
        node.shape, node.dtype, node.number = shape, dtype, number
        node.given = arg.given
        node.sums = sums + arg.sums
        node.definition = node.value = None
        return node

    def of_nodes(left: Node, right: Node) -> Node:
        node = _new(Node)
        node.kind, node.data, node.parts = kind, data, (left, right)
        node.shape, node.dtype, node.number = shape, dtype, number
        node.given = left.given + right.given
        node.sums = sums + left.sums + right.sums
        node.definition = node.value = None
        return node

    known: dict[Any, Any] = {}

    def of_scalar_and_node(value: Any, right: Node) -> Node:
        left = known.get(value)
        if left is None:
            left = _converted(known, first, value)
        node = _new(Node)
        node.kind, node.data, node.parts = kind, data, (left, right)
        node.shape, node.dtype, node.number = shape, dtype, number
        node.given = left, *right.given
        node.sums = sums + right.sums
        node.definition = node.value = None
        return node

    def of_node_and_scalar(left: Node, value: Any) -> Node:
        right = known.get(value)
        if right is None:
            right = _converted(known, last, value)
        node = _new(Node)
        node.kind, node.data, node.parts = kind, data, (left, right)
        node.shape, node.dtype, node.number = shape, dtype, number
        node.given = *left.given, right
        node.sums = sums + left.sums
        node.definition = node.value = None
        return node

    def defined_by_nodes(left: Node, right: Node) -> Node:
        assert make is not None
        node = _new(Node)
        node.definition = make, (left, right)
        node.shape, node.dtype, node.number = shape, dtype, number
        node.given = left.given + right.given
        node.sums = sums + left.sums + right.sums
        node.value = None
        return node

    def of_any(*args: Any) -> Node:
        given: Given = ()
        parts: tuple[Any, ...] = ()
        total = sums
        for arg, take in zip(args, takes, strict=True):
            if take is None:
                given += arg.given
                total += arg.sums
                parts += (arg,)
            else:
                value = take(arg)
                given += (value,)
                parts += (value,)
        node = _new(Node)
        if make is None:
            node.kind, node.data, node.parts, node.definition = kind, data, parts, None
        else:
            node.definition = make, parts
        node.shape, node.dtype, node.number = shape, dtype, number
        node.given, node.sums, node.value = given, total, None
        return node

    if len(takes) == 1 and takes[0] is make is None:
        return of_node
    if len(takes) != 2:
        return of_any
    first: Any
    last: Any
    first, last = takes
    if make is not None:
        return defined_by_nodes if first is last is None else of_any
    if first is None:
        return of_nodes if last is None else of_node_and_scalar
    return of_scalar_and_node if last is None else of_any
