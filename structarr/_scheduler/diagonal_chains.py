"""Products of three matrices of diagonals: two are multiplied first, and then met by the third.

Two matrices of diagonals have a product of diagonals, which is computed diagonal by diagonal, by
vectors. A loop over three, as in `((a @ b) * c).sum()`, would merge rows of two of them for each
element of the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from structarr._lazy.graph import Node
from structarr._scheduler.product_order import Tree
from structarr.formats import Dense, Diagonals
from structarr.formats.kinds import WIDEST


def paired(
    tree: Tree, nodes: Sequence[Node], labels: Sequence[tuple[int, ...]], result: Sequence[int]
) -> Tree:
    """
    Return the order of the factors of a sum: by pairs, if they are three matrices of diagonals.

    Parameters
    ----------
    tree : tuple
        The order that was found.
    nodes, labels : sequence
        The factors, and the labels of their axes.
    result : sequence of int
        The labels of the result.
    """
    if len(nodes) != 3 or not all(isinstance(part, int) for part in tree):
        return tree
    offsets = [_offsets(node) for node in nodes]
    for one, other in combinations(range(3), 2):
        (third,) = {0, 1, 2} - {one, other}
        left = {*labels[one]} ^ {*labels[other]}
        if len(left) != 2 or left != {*labels[third]} or not offsets[third]:
            continue
        if {*labels[one]} & {*labels[other]} & {*result}:  # nothing is summed
            continue
        if offsets[one] and offsets[other] and _reach(offsets[one], offsets[other]):
            return ((one, other), third)
    return tree


def _offsets(node: Node) -> tuple[int, ...]:
    """The diagonals that a stored matrix has; none of others."""
    leaf = stored_in(node)
    levels = () if leaf is None or leaf.ndim != 2 else leaf.data.format.levels[:2]
    match levels:
        case (Dense(), Diagonals() as level):
            return level.known
    return ()


def _reach(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Whether a product of diagonals is stored as such, whichever way the factors are turned."""
    wide = one[-1] - one[0] + other[-1] - other[0] + 1
    return min(len(one) * len(other), wide) <= WIDEST


def stored_in(node: Node) -> Node | None:
    """The leaf of which a node is a view, or that it converts, if it is one."""
    while node.kind in ("convert", "expand", "squeeze", "permute"):
        node = node.args[0]
    return node if node.kind == "leaf" else None
