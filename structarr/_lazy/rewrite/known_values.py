"""Values that arrays computed, in the place of the parts of expressions whose values they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from weakref import ref

from structarr._lazy.graph import again, note
from structarr._lazy.leaves import operand
from structarr._lazy.node import Node, args_of, remade
from structarr._storage.tensor import Tensor

KNOWN: Final[set[ref[Node]]] = set()
"""The nodes that have values and are parts of expressions: mostly none, and nobody has to look."""

ALIKE: Final = frozenset(("map", "convert", "reduce", "permute", "expand", "squeeze"))
"""The kinds of nodes that are the same operation where their structure is."""


def know(node: Node, value: Tensor) -> None:
    """Keep the value of a part for the expressions that have it."""
    node.value = value
    KNOWN.add(ref(node, KNOWN.discard))


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
    done: dict[int, Node] = {}

    def known(one: Node) -> Node:
        found = done.get(id(one))
        if found is None:
            found = done[id(one)] = made(one)
        return found

    def made(one: Node) -> Node:
        if one.value is not None:
            return operand(one.value)
        # Scalars beside nodes are made nodes only where something was found.
        parts = one.parts if one.definition is None else one.definition[1]
        sums = [part for part in parts if type(part) is Node and part.sums]
        if all([known(part) is part for part in sums]):
            return one
        return _of(one, [known(arg) if arg.sums else arg for arg in args_of(one)])

    return known(node)


def _of(node: Node, args: Sequence[Node]) -> Node:
    """A node with other arguments, which is looked up where its structure tells all about it."""
    if not node.number or (node.definition is None and node.kind not in ALIKE):
        return remade(node, args)
    if node.definition is not None and _has_own(node):
        made: Node = node.definition[0](*args)
        return made
    key = "with values", node.number
    found = again(key, *args)
    if found is None:
        found = remade(node, args)
        note(key, found, *args)
    return found


def _has_own(node: Node) -> bool:
    """Whether a definition has starts or numbers of its own, which its structure does not tell."""
    given = [one for arg in args_of(node) for one in arg.given]
    return [*map(id, node.given)] != [*map(id, given)]
