"""Operations that would run more often than they have elements: computed by kernels of their own.

In `a.T @ (1 / (1 + np.exp(-t)))` each element of the vector meets all of a column of `a`, and in
`w / w.sum(axis=1)` the elements of `w` are needed in two kernels. What takes long is computed once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from structarr._compiler.kernel_passes.vector_calls import VECTORS
from structarr._compiler.options import current
from structarr._lazy import graph
from structarr._lazy.distributive import MOVED
from structarr._lazy.graph import Node, leaf
from structarr._lazy.rewrite.common_subexpressions import APART, unified
from structarr._scheduler.expected_entries import expected_entries
from structarr._scheduler.machine import times
from structarr._scheduler.other_fills import held_by

STORE: Final = 2.0  # nanoseconds to write an element, and to read it again
CHEAP: Final = 0.2  # nanoseconds of an instruction
SLOW: Final = 1.0  # nanoseconds of a division

_INSTRUCTIONS = """
    add subtract multiply negative positive absolute fabs square conjugate real imag where
    maximum minimum fmax fmin sign signbit copysign rint floor ceil trunc
    less less_equal greater greater_equal equal not_equal isnan isinf isfinite
    logical_and logical_or logical_xor logical_not
    bitwise_and bitwise_or bitwise_xor invert left_shift right_shift
    degrees rad2deg radians deg2rad
"""
PRICES: Final[Mapping[str, float]] = {
    **dict.fromkeys(_INSTRUCTIONS.split(), CHEAP),
    **dict.fromkeys(("divide", "floor_divide", "remainder", "sqrt", "reciprocal"), SLOW),
}
"""Nanoseconds of operators; all others are functions."""


def kept(node: Node, is_alike: Callable[[Node, Node], bool]) -> Node:
    """The node with dear operations that several of its kernels have, computed before, once.

    In `w / w.sum(axis=1)` the elements of `w` are added up by a kernel of their own.
    """
    if not node.sums or not _has_functions(node):
        return node
    (merged,) = unified([node])
    uses = _Uses()
    uses.visit(merged, 0)
    chosen = {id(one) for one in uses.maps.values() if one is not merged and uses.pays(one)}
    if not chosen:
        return node
    made = _Apart(chosen).of(merged)
    return made if is_alike(node, made) else node


class _Uses:
    """The operations of an expression, and the kernels in which each is computed."""

    def __init__(self) -> None:
        self.maps: dict[int, Node] = {}
        self._kernels: dict[int, set[int]] = {}

    def visit(self, node: Node, kernel: int) -> None:
        if node.kind in APART:
            kernel = id(node)
        known = self._kernels.setdefault(id(node), set())
        if kernel in known:
            return
        known.add(kernel)
        if node.kind == "map":
            self.maps[id(node)] = node
        for arg in node.args:
            self.visit(arg, kernel)

    def pays(self, node: Node) -> bool:
        """Whether an operation takes less time once, with its elements stored."""
        entries, again = expected_entries(node), len(self._kernels[id(node)]) - 1
        if not again or entries * node.dtype.itemsize > current().densify_limit:
            return False
        return again * entries * _price(node) > times().call + entries * STORE


class _Apart:
    """Puts the outermost of chosen operations into kernels of their own."""

    def __init__(self, chosen: set[int]) -> None:
        self._chosen = chosen
        self._done: dict[int, Node] = {}

    def of(self, node: Node) -> Node:
        found = self._done.get(id(node))
        if found is None:
            is_chosen = id(node) in self._chosen
            found = graph.first(node) if is_chosen else node.of([self.of(arg) for arg in node.args])
            self._done[id(node)] = found
        return found


def _has_functions(node: Node) -> bool:
    """Whether an expression has an operation that takes long."""
    own = node.kind == "map" and node.data[0].name not in PRICES
    return own or any(map(_has_functions, node.args))


def hoisted(node: Node, is_alike: Callable[[Node, Node], bool]) -> Node:
    """The node with dear operations that run too often computed before, by kernels of their own.

    `is_alike` says whether the values of two expressions have the same format; the node stays as it
    is where they do not.
    """
    sums = node.kind == "reduce"
    body = node.args[0] if sums else node
    if body.kind != "map" or not any(map(_is_dear, node.args if sums else body.args)):
        return node
    held = held_by(body)  # what is not stored is one value, for which there is no loop
    turns = expected_entries(body if held is None else leaf(held))
    made = node.of([_Hoisting(turns, sums).within(one) for one in node.args])
    return made if made is not node and is_alike(node, made) else node


class _Hoisting:
    """Finds what is computed before a loop that runs a number of times, which may add up.

    Before sums, NumPy applies functions to vectors, in a fraction of the time of as many calls.
    """

    def __init__(self, times: float, sums: bool) -> None:
        self._times, self._sums = times, sums
        self._done: dict[int, Node] = {}

    def within(self, node: Node) -> Node:
        """The node with what pays computed before; the largest operations are looked at first."""
        if node.kind not in ("map", "convert", *MOVED):
            return node
        found = self._done.get(id(node))
        if found is None:
            if node.kind == "map" and self._pays(node):
                found = graph.first(node)
            else:
                found = node.of([self.within(arg) for arg in node.args])
            self._done[id(node)] = found
        return found

    def _pays(self, node: Node) -> bool:
        """Whether an operation takes less time once for each of its elements, and a call."""
        entries, price = expected_entries(node), _price(node)
        if entries * node.dtype.itemsize > current().densify_limit:
            return False
        apart = _price(node, vectors=self._sums and held_by(node) is not None)
        if entries * 2 > self._times and apart == price:
            return False
        return self._times * price > times().call + entries * (apart + STORE)


def _is_dear(node: Node) -> bool:
    """Whether an operation, or one below it in the same loops, is more than an instruction."""
    if node.kind not in ("map", "convert", *MOVED):
        return False
    own = node.kind == "map" and PRICES.get(node.data[0].name, SLOW) > CHEAP
    return own or any(map(_is_dear, node.args))


def _price(node: Node, vectors: bool = False) -> float:
    """Nanoseconds to compute an element of an expression, in the loops that read its operands.

    With `vectors`, NumPy applies functions to vectors of arguments.
    """
    if node.kind not in ("map", "convert", *MOVED):
        return 0.0
    found = 0.0
    if node.kind == "map":
        name, ns = node.data[0].name, times()
        found = PRICES.get(name, ns.vector if vectors and name in VECTORS else ns.function)
    return found + sum([_price(arg, vectors) for arg in node.args])
