"""Expressions with another node in place of one of their parts."""

from __future__ import annotations

from structarr._lazy.node import Node
from structarr._lazy.rewrite.each_once import EachOnce


def with_other(node: Node, part: Node, other: Node) -> Node:
    """
    Return an expression with another node in place of one of its parts, wherever it uses that.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.asarray([1, 2])
    >>> total = a.sum()
    >>> made = with_other((total * total)._node, total._node, sa.asarray(5)._node)
    >>> made.sums, made.args[0] is made.args[1]
    (0, True)
    """
    return _changed(node, part, other, EachOnce())


def _changed(node: Node, part: Node, other: Node, once: EachOnce) -> Node:
    if node is part:
        return other
    return once(node, lambda one: one.of([_changed(arg, part, other, once) for arg in one.args]))
