"""Values that arrays computed, in the place of the parts of expressions whose values they are."""

from __future__ import annotations

from typing import Final

from structarr._lazy.graph import again, note
from structarr._lazy.leaves import operand
from structarr._lazy.node import Node

ALIKE: Final = frozenset(("map", "convert", "reduce", "permute", "expand", "squeeze"))
"""The kinds of nodes that are the same operation where their structure is."""


def with_values(node: Node) -> Node:
    """
    Return an expression with the sums in it that some array has computed as leaves; itself if none.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.asarray([[1, 0], [2, 3]], format="csr")
    >>> total = a.sum(axis=0)
    >>> doubled = 2 * total
    >>> with_values(doubled._node) is doubled._node
    True
    >>> total.tolist()
    [3, 3]
    >>> with_values(doubled._node).sums
    0
    """
    return _replaced(node, {})


def _replaced(node: Node, done: dict[int, Node]) -> Node:
    found = done.get(id(node))
    if found is None:
        found = done[id(node)] = _made(node, done)
    return found


def _made(node: Node, done: dict[int, Node]) -> Node:
    if node.value is not None:
        return operand(node.value)
    parts = node.parts if node.definition is None else node.definition[1]
    changed, given = False, []
    for one in parts:
        new = _replaced(one, done) if type(one) is Node and one.sums else one
        changed |= new is not one
        given.append(new)
    if not changed:
        return node
    if node.definition is not None:
        made: Node = node.definition[0](*given)
        return made
    ready = [new if type(new) is Node else own for new, own in zip(given, node.args, strict=True)]
    if node.kind not in ALIKE or not node.number:
        return node.of(ready)
    key = "with values", node.number
    found = again(key, *ready)
    if found is None:
        found = node.of(ready)
        note(key, found, *ready)
    return found
