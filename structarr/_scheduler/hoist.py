"""Operations that would run more often than they have elements: computed by kernels of their own.

In `a.T @ (1 / (1 + np.exp(-t)))` each element of the vector meets all of a column of `a`, and in
`w / w.sum(axis=1)` the elements of `w` are needed in two kernels. What takes long is computed once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from typing import Final

from structarr._compiler.kernel_passes.vector_calls import VECTORS
from structarr._compiler.options import current
from structarr._lazy import graph
from structarr._lazy.distributive import MOVED
from structarr._lazy.graph import Node, leaf
from structarr._lazy.rewrite.common_subexpressions import APART, unified
from structarr._lazy.rewrite.on_stored_values import places_of
from structarr._scheduler.expected_entries import expected_entries
from structarr._scheduler.machine import times
from structarr._scheduler.other_fills import held_by
from structarr._storage.tensor import Tensor
from structarr.formats.kind import Children

STORE: Final = 2.0  # nanoseconds to write an element, and to read it again
IN_BLOCKS: Final = 3.0  # times as long as vectors: functions in straight loops, of short rows
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


def is_cheap_number(node: Node) -> bool:
    """Whether loops make a number anew in less time than a kernel of its own takes."""
    if node.definition is not None or node.kind != "map" or node.shape:
        return False
    return node.data[0].name in PRICES and all(
        [one.kind != "map" or is_cheap_number(one) for one in node.args]
    )


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
        return pays_once(node, again + 1)


def pays_once(node: Node, uses: int) -> bool:
    """Whether an operation takes less time once, with its values stored, than in so many loops."""
    entries = expected_entries(node)
    price = _price(node, IN_BLOCKS * times().vector)
    return (uses - 1) * entries * price > times().call + entries * STORE


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
    if body.kind != "map":
        return node
    merges = _merges(body)
    if not any(map(_is_dear, node.args)) and not (merges and body.data[0].name in VECTORS):
        return node
    turns = _visits(body)
    made = _Hoisting(turns, sums, merges).whole(node)
    return made if made is not node and is_alike(node, made) else node


def _merges(node: Node) -> bool:
    """Whether the loops of an expression have to merge lists, hence go element by element."""
    found: set[object] = set()
    stack = [node]
    while stack:
        one = stack.pop()
        if one.kind == "map" or one.kind in ("convert", *MOVED):
            stack += one.args
        elif one.kind == "leaf" and not one.data.format.is_dense:
            found.add(places_of(one.data) or id(one.data))
    return len(found) > 1


class _Hoisting:
    """Finds what is computed before a loop that runs a number of times, which may add up.

    NumPy applies functions to vectors, in a fraction of the time of as many calls. Loops that merge
    lists call them for each element.
    """

    def __init__(self, times: float, sums: bool, merges: bool) -> None:
        self._times, self._sums, self._merges = times, sums, merges
        self._done: dict[int, Node] = {}

    def whole(self, node: Node) -> Node:
        """The expression, of which all but the outermost operation may be computed before."""
        if self._merges and node.kind == "map" and node.data[0].name in VECTORS:
            argument = node.args[0]
            ns, entries = times(), expected_entries(node)
            if entries * (ns.function - ns.vector - STORE) > ns.call and _merges(argument):
                return node.of([graph.first(argument), *node.args[1:]])
        return self._parts(node)

    def _parts(self, node: Node) -> Node:
        return node.of([self.within(arg) for arg in node.args])

    def within(self, node: Node) -> Node:
        """The node with what pays computed before; the largest operations are looked at first."""
        if node.kind not in ("map", "convert", *MOVED):
            return node
        found = self._done.get(id(node))
        if found is None:
            if node.kind == "map" and self._pays(node):
                found = graph.first(node)
            else:
                found = self.whole(node) if node.kind == "map" else self._parts(node)
            self._done[id(node)] = found
        return found

    def _pays(self, node: Node) -> bool:
        """Whether an operation takes less time once for each of its elements, and a call."""
        held, ns = held_by(node), times()
        entries = expected_entries(node)
        if entries * node.dtype.itemsize > current().densify_limit:
            return False
        inside = ns.function if self._merges else IN_BLOCKS * ns.vector
        by_vectors = (self._sums or self._merges) and held is not None
        price = _price(node, inside)
        apart = _price(node, ns.vector if by_vectors else inside)
        if entries * 2 > self._times and apart == price:
            return False
        return self._times * price > ns.call + entries * (apart + STORE)


def _visits(node: Node) -> int:
    """How many elements loops over an expression visit: each of a mirrored one where it is read."""
    held = held_by(node)  # what is not stored is one value, for which there is no loop
    if held is None:
        return expected_entries(node)
    return prod(held.shape) if _is_mirrored(held) else expected_entries(leaf(held))


def _is_mirrored(tensor: Tensor) -> bool:
    return any(one.kind.children is Children.MIRRORED for one in tensor.format.levels)


def _is_dear(node: Node) -> bool:
    """Whether an operation, or one below it in the same loops, is more than an instruction."""
    if node.kind not in ("map", "convert", *MOVED):
        return False
    own = node.kind == "map" and PRICES.get(node.data[0].name, SLOW) > CHEAP
    return own or any(map(_is_dear, node.args))


def _price(node: Node, function: float) -> float:
    """Nanoseconds to compute an element of an expression; a `function` takes so many."""
    if node.kind not in ("map", "convert", *MOVED):
        return 0.0
    own = PRICES.get(node.data[0].name, function) if node.kind == "map" else 0.0
    return own + sum([_price(arg, function) for arg in node.args])
