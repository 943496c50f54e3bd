"""Merges of many lists: parts are computed first, as a kernel has an arm for each set of lists.

A sum of ten sparse arrays would have 1,023 places to be in, of some lists that store there and
others that do not. Sums of a few of them are computed by kernels of their own, in the order that is
written, so that no sum is rounded in another way.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Final

from structarr._lazy import graph
from structarr._lazy.graph import Node
from structarr._lazy.rewrite.on_stored_values import places_of
from structarr._scheduler.push_masks import annihilates

MOST: Final = 31
"""The arms of a merge, those of five lists whose elements all matter."""

ELSEWHERE: Final = ("slice", "take", "permute", "expand", "squeeze", "reshape")
"""The kinds of nodes that read elements of another one at other places."""


def bounded(node: Node, is_alike: Callable[[Node, Node], bool]) -> Node:
    """The node, with parts of merges that would have too many arms computed before.

    `is_alike` says whether the values of two expressions have the same format; the node stays as it
    is where they do not.
    """
    if len(_lists(node)) <= MOST.bit_length():
        return node
    made = _Bounding().of(node)
    return made if made is not node and is_alike(node, made) else node


def _lists(node: Node, seen: dict[int, frozenset[object]] | None = None) -> frozenset[object]:
    """What tells apart the coordinates of an expression's arrays that are not dense.

    Rows of one array, and slices of it that begin elsewhere, are lists of their own.
    """
    seen = {} if seen is None else seen
    known = seen.get(id(node))
    if known is not None:
        return known
    if node.kind == "leaf":
        tensor = node.data
        own = () if tensor.format.is_dense else (places_of(tensor) or id(tensor),)
        found: frozenset[object] = frozenset(own)
    else:
        found = frozenset().union(*[_lists(arg, seen) for arg in node.args])
        if node.kind in ELSEWHERE:
            read = node.kind, node.data, *[id(arg) for arg in node.args[1:]]
            found = frozenset([(*read, one) for one in found])
    seen[id(node)] = found
    return found


class _Bounding:
    """Counts the arms of each operation, and computes the parts with most of them first."""

    def __init__(self) -> None:
        self._done: dict[int, Node] = {}
        self._arms: dict[int, int] = {}

    def of(self, node: Node) -> Node:
        """A node that has no merge of too many arms."""
        found = self._done.get(id(node))
        if found is None:
            args = [self.of(arg) for arg in node.args]
            found = node.of(args)
            while node.kind == "map" and self._count(found) > MOST:
                most = max(range(len(args)), key=lambda place: self._arms[id(args[place])])
                if args[most].kind != "map":
                    break
                args[most] = graph.first(args[most])
                self._arms[id(args[most])] = 1
                found = node.of(args)
            self._done[id(node)] = found
            self._arms[id(found)] = self._count(found)
        return found

    def _count(self, node: Node) -> int:
        """The sets of lists whose elements a node takes together."""
        if node.kind == "leaf":
            return int(not node.data.format.is_dense)
        if node.kind in ("reduce", "slide", "first", "constant"):
            return int(node.kind != "constant")  # a value of its own
        counts = [self._arms[id(arg)] for arg in node.args]
        if node.kind != "map":
            return max(counts, default=1)
        needed = [n > 0 and annihilates(node, place) for place, n in enumerate(counts)]
        arms = prod([n if one else n + 1 for n, one in zip(counts, needed, strict=True)])
        return arms if any(needed) else arms - 1  # where none stores, nothing is done
