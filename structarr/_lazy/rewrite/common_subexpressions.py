"""Common subexpressions of several results, or of several parts of one: computed once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence

from structarr._lazy.distributive import DISTRIBUTES, MOVED, multiplies
from structarr._lazy.graph import Node, leaf
from structarr._storage.tensor import Tensor

APART = ("reduce", "slide", "scan", "first")
"""The kinds of nodes that are computed before what they are part of, by kernels of their own."""


def shared(nodes: Sequence[Node], value: Callable[[Node], Tensor]) -> list[Node]:
    """The nodes with sums and convolutions that occur several times replaced by their values.

    Factors of products of sums are not replaced, as the order of multiplication may make them
    unnecessary, unless they are computed anyway.
    """
    if _are_distinct(nodes):
        return list(nodes)
    merged = unified(nodes)
    uses = _Uses()
    for node in merged:
        uses.visit(node, False, True)
    common = {key for key, count in uses.counts.items() if count > 1}
    common |= uses.certain & uses.factors
    common |= {id(node) for node in merged} & uses.factors
    if not common:
        return merged
    settled = _Settled(common, value)
    return [settled(node) for node in merged]


def unified(nodes: Sequence[Node]) -> list[Node]:
    """The nodes with one node for all that are equal in them."""
    same = _Same()
    return [same(node) for node in nodes]


def _are_distinct(nodes: Sequence[Node]) -> bool:
    """Whether no two sums can be the same: quick, and false too often."""
    seen: set[Hashable] = set()
    left = list(nodes)
    while left:
        node = left.pop()
        if node.kind in APART:
            key = node.kind, node.data, node.shape, node.dtype
            if key in seen:
                return False
            seen.add(key)
        left += [arg for arg in node.args if arg.sums]
    return True


class _Same:
    """Makes equal expressions the same node."""

    def __init__(self) -> None:
        self._known: dict[Hashable, Node] = {}
        self._done: dict[int, Node] = {}
        self._kept: list[Node] = []  # kept alive, so that identities stay unique

    def __call__(self, node: Node) -> Node:
        found = self._done.get(id(node))
        if found is None:
            found = node.of([self(arg) for arg in node.args])
            found = self._done[id(node)] = self._known.setdefault(_key(found), found)
            self._kept.append(node)
        return found


def _key(node: Node) -> Hashable:
    if node.kind == "leaf":
        return "leaf", id(node.data)
    if node.kind == "constant":
        return "constant", node.dtype, node.data.tobytes()
    return node.kind, tuple(map(id, node.args)), node.data, node.shape, node.dtype


class _Uses:
    """The number of uses of each node, those computed in any case, and factors of products."""

    def __init__(self) -> None:
        self.counts: Counter[int] = Counter()
        self.certain: set[int] = set()
        self.factors: set[int] = set()
        self._seen: set[tuple[int, int]] = set()

    def visit(self, node: Node, is_factor: bool, is_certain: bool, kernel: int = 0) -> None:
        """Note a node and those below it; what several kernels have in common counts for each."""
        if node.kind in APART:
            if is_factor:
                self.factors.add(id(node))
            else:
                self.counts[id(node)] += 1
                if is_certain:
                    self.certain.add(id(node))
            is_certain, kernel = False, id(node)
        place = id(node), kernel
        if place in self._seen:
            return  # nodes below are computed with it
        self._seen.add(place)
        if node.kind not in MOVED:
            is_factor = _has_factors(node)
        for arg in node.args:
            if arg.sums:
                self.visit(arg, is_factor, is_certain, kernel)


def _has_factors(node: Node) -> bool:
    """Whether sums that are arguments of a node become factors of one product with it."""
    if node.kind == "reduce":
        return node.data[0].name in DISTRIBUTES
    return multiplies(node)


class _Settled:
    """Replaces nodes by their values, the inner ones first."""

    def __init__(self, common: set[int], value: Callable[[Node], Tensor]) -> None:
        self._common, self._value = common, value
        self._done: dict[int, Node] = {}

    def __call__(self, node: Node) -> Node:
        if id(node) not in self._done:
            found = node.of([self(arg) for arg in node.args])
            if id(node) in self._common:
                found = leaf(self._value(found))
            self._done[id(node)] = found
        return self._done[id(node)]
