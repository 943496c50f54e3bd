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

_products: dict[tuple[str, int, int, int, bool], int] = table()
"""The structures of products that were read, of which nothing else tells one from another, by the
name of the product, the structures of the factors, the place of the one that is NumPy's, and
whether its axes are as they lie."""


def read_at_once(name: str, array: object, other: Any, place: int) -> Array | graph.Node | None:
    """The product of an array with one of NumPy's, which is factor `1 - place`.

    Where that is copied, the node of the copy; None where no product of operands like these was
    asked for before.
    """
    if type(array) is not Array or not array._plain or array._cost >= CHAIN_LIMIT:
        return None
    if WATCHER.get() is not None:  # a trace has to know what it reads
        return None
    whole, lent = None, lent_tensor(other)
    if lent is None:
        whole = turned(other) if type(other) is np.ndarray else None
        lent = None if whole is None else lent_tensor(whole)
    if lent is None:
        return None
    mine = array._node
    key = name, mine.number, lent.memo["number"], place, whole is None
    number = _products.get(key)
    if number is not None:  # no node is made for what most are
        found = value_again(number, (lent, *mine.given) if place else (*mine.given, lent))
        if found is not None:
            return Array(graph.leaf(found), 0, found)
    theirs = graph.operand(lent) if whole is None else swapped(graph.operand(lent))
    if theirs is None:
        return None
    node = graph.again(name, theirs, mine) if place else graph.again(name, mine, theirs)
    is_copied = None if node is None else decided(node, lent.nbytes)
    if is_copied:
        made = graph.operand(copied(other if whole is None else whole))
        return made if whole is None else swapped(made)
    if node is None or is_copied is None:
        return None
    if is_told(node.number):
        room(_products, light=True)[key] = node.number
    return Array._of(value_of(node, array._cost + 1))
