"""Products with arrays of NumPy's that are long: read at once, or copied where that pays."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._api.core.borrowed import decided
from structarr._api.core.copies import copied, turned
from structarr._api.core.expressions import CHAIN_LIMIT
from structarr._api.core.operands import lent_tensor, swapped
from structarr._array import WATCHER, Array, value_again, value_of
from structarr._execute.expression_key import is_told
from structarr._lazy import graph
from structarr._support.caches import room, table

_products: dict[tuple[str, int, int, int], int] = table()
"""The structures of products that were read, of which nothing else tells one from another, by the
name of the product, the structures of the factors, and the place of the one that is NumPy's."""


def read_at_once(name: str, array: object, other: Any, place: int) -> Array | graph.Node | None:
    """The product of an array with one of NumPy's, which is factor `1 - place`.

    Where that is copied, the node of the copy; None where no product of operands like these was
    asked for before.
    """
    if type(array) is not Array or not array._plain or array._cost >= CHAIN_LIMIT:
        return None
    if WATCHER.get() is not None:  # a trace has to know what it reads
        return None
    mine = array._node
    lent = lent_tensor(other)
    if lent is None:
        return _copied_turned(name, mine, other, place)
    key = name, mine.number, lent.memo["number"], place
    number = _products.get(key)
    if number is not None:  # no node is made for what most are
        found = value_again(number, (lent, *mine.given) if place else (*mine.given, lent))
        if found is not None:
            return Array(graph.leaf(found), 0, found)
    node = _again(name, mine, graph.operand(lent), place)
    is_copied = None if node is None else decided(node, lent.nbytes)
    if is_copied:
        return graph.operand(copied(other))
    if node is None or is_copied is None:
        return None
    if is_told(node.number):
        room(_products, light=True)[key] = node.number
    return Array._of(value_of(node, array._cost + 1))


def _copied_turned(name: str, mine: graph.Node, other: Any, place: int) -> graph.Node | None:
    """The node of a copy of a long matrix with its axes swapped, where one like it was copied."""
    whole = turned(other) if type(other) is np.ndarray else None
    lent = None if whole is None else lent_tensor(whole)
    if whole is None or lent is None or not other.flags.writeable:
        return None
    theirs = swapped(graph.operand(lent))
    node = None if theirs is None else _again(name, mine, theirs, place)
    if node is None or not decided(node, lent.nbytes):
        return None
    return swapped(graph.operand(copied(whole)))


def _again(name: str, mine: graph.Node, theirs: graph.Node, place: int) -> graph.Node | None:
    return graph.again(name, theirs, mine) if place else graph.again(name, mine, theirs)
