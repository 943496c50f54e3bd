"""Products, computed at once, with arrays of NumPy's that are too long to copy."""

from __future__ import annotations

from structarr._api.core.borrowed import is_read
from structarr._api.core.expressions import CHAIN_LIMIT
from structarr._api.core.operands import lent_tensor
from structarr._array import WATCHER, Array, value_again, value_of
from structarr._execute.expression_key import is_told
from structarr._lazy import graph
from structarr._support.caches import room, table

_products: dict[tuple[str, int, int, int], int] = table()
"""The structures of products that were read, of which nothing else tells one from another, by the
name of the product, the structures of the factors, and the place of the one that is NumPy's."""


def read_at_once(name: str, array: object, other: object, place: int) -> Array | None:
    """The product of an array with one of NumPy's, which is factor `1 - place`.

    None where that is copied, or no product of operands like these was asked for before.
    """
    if type(array) is not Array or not array._plain or array._cost >= CHAIN_LIMIT:
        return None
    if WATCHER.get() is not None:  # a trace has to know what it reads
        return None
    lent = lent_tensor(other)
    if lent is None:
        return None
    mine = array._node
    key = name, mine.number, lent.memo["number"], place
    number = _products.get(key)
    if number is not None:  # no node is made for what most are
        found = value_again(number, (lent, *mine.given) if place else (*mine.given, lent))
        if found is not None:
            return Array(graph.leaf(found), 0, found)
    theirs = graph.operand(lent)
    factors = (theirs, mine) if place else (mine, theirs)
    node = graph.again(name, *factors)
    if node is None or not is_read(node, lent.nbytes):
        return None
    if is_told(node.number):
        room(_products, light=True)[key] = node.number
    return Array._of(value_of(node, array._cost + 1))
