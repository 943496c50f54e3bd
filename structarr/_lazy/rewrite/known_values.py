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
    return _known(node, {})


def _known(node: Node, done: dict[int, Node]) -> Node:
    """The same, with what was found of other nodes of the expression, by their identities."""
    found = done.get(id(node))
    if found is not None:
        return found
    if node.value is not None:
        found = operand(node.value)
    else:
        # Scalars beside nodes are made nodes only where something was found.
        parts = node.parts if node.definition is None else node.definition[1]
        others: list[tuple[int, Node]] = []
        for place, part in enumerate(parts):
            if type(part) is Node and part.sums:
                other = _known(part, done)
                if other is not part:
                    others.append((place, other))
        found = node
        if others:
            args = [*args_of(node)]
            for place, other in others:
                args[place] = other
            found = _of(node, args)
    done[id(node)] = found
    return found


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
