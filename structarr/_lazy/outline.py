"""Outlines: what operations of equal structure share, by which they are made with one look-up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from structarr._lazy.node import DType, Given, Node, Shape

_new = Node.__new__


class Outline(NamedTuple):
    """The shared part of operations of equal structure.

    `takes` has the conversions of the scalars beside nodes, and None for nodes; `sums` counts the
    sums that are no argument's. A defined operation has `make` for its kind and data.
    """

    takes: tuple[Callable[[Any], Any] | None, ...]
    make: Callable[..., Node] | None
    kind: str
    sums: int
    data: Any
    shape: Shape
    dtype: DType
    number: int


def outlined(outline: Outline, args: Sequence[Any]) -> Node:
    """The operation of an outline on nodes and Python scalars."""
    node = _new(Node)
    takes, make, kind, sums, data, node.shape, node.dtype, node.number = outline
    given: Given
    parts: tuple[Any, ...]
    if len(takes) == 2:  # what most have; the loop takes twice the time
        (first, second), (left, right) = takes, args
        if first is None:
            given = left.given
            sums += left.sums
        else:
            left = first(left)
            given = (left,)
        if second is None:
            given += right.given
            sums += right.sums
        else:
            right = second(right)
            given += (right,)
        parts = left, right
    else:
        given = parts = ()
        for arg, take in zip(args, takes, strict=True):
            if take is None:
                given += arg.given
                sums += arg.sums
            else:
                arg = take(arg)
                given += (arg,)
            parts += (arg,)
    node.given, node.sums, node.value = given, sums, None
    if make is None:
        node.kind, node.data, node.definition, node.parts = kind, data, None, parts
    else:
        node.definition = make, parts
    return node
