"""Rewritings of graphs that meet each node once, however often it is shared."""

from __future__ import annotations

from collections.abc import Callable

from structarr._lazy.node import Node


class EachOnce:
    """What nodes became, by their identities."""

    def __init__(self) -> None:
        # The node itself is kept too, so that its identity stays its own.
        self._found: dict[int, tuple[Node, Node]] = {}

    def __call__(self, node: Node, rewrite: Callable[[Node], Node]) -> Node:
        """What a node became, which is found by `rewrite` the first time."""
        known = self._found.get(id(node))
        if known is None:
            known = self._found[id(node)] = node, rewrite(node)
        return known[1]
