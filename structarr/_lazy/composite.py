"""Composites: expressions of several operations, made of nodes by one look-up.

A function of arrays makes the same operations of arguments of the same structure. The first time
they are kept with holes for the arguments, and are filled in when something looks at them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Any, NamedTuple

from structarr._lazy.node import DType, Given, Node, Shape, args_of, nodes_of, remade
from structarr._storage.memo import RULED
from structarr._support.caches import room, table


class _Composite(NamedTuple):
    """The shared part of composites of equal structure.

    `picks` tells of each number or tensor that the composite is given which of its arguments' it
    is; those that are none of these stand for themselves. None where it is given all in order.
    """

    make: Callable[..., Node]
    shape: Shape
    dtype: DType
    number: int
    sums: int
    picks: tuple[int | Any, ...] | None


class _Own(NamedTuple):
    """A number or tensor of the composite itself."""

    value: Any


_composites: dict[Hashable, _Composite] = table()
_new = Node.__new__


def again(key: Hashable, nodes: tuple[Node, ...]) -> Node | None:
    """The composite of nodes that was noted of some of their structures; None if none was."""
    found = _composites.get((key, *[node.number for node in nodes]))
    if found is None:
        return None
    made = _new(Node)
    make, made.shape, made.dtype, made.number, sums, picks = found
    given: Given = ()
    for node in nodes:
        given += node.given
        sums += node.sums
    if picks is not None:
        given = tuple([one.value if type(one) is _Own else given[one] for one in picks])
    made.definition, made.given, made.sums, made.value = (make, nodes), given, sums, None
    return made


def of_one_again(key: Hashable, node: Node, starts: Given | None = None) -> Node | None:
    """The composite of one node, as most are: no lists are made for it.

    `starts` are places and lengths that it is given after what the node is given.
    """
    found = _composites.get((key, node.number))
    if found is None:
        return None
    made = _new(Node)
    make, made.shape, made.dtype, made.number, sums, picks = found
    given = node.given
    if starts is not None:
        given += starts
        make = partial(make, starts)
    if picks is not None:
        given = tuple([one.value if type(one) is _Own else given[one] for one in picks])
    made.definition = make, (node,)
    made.given = given
    made.sums = sums + node.sums
    made.value = None
    return made


def note(key: Hashable, made: Node, nodes: Sequence[Node]) -> None:
    """Note the composite of nodes that a key names, unless it has other operands than these.

    Other tensors may have been computed of these, but for those that a rule tells.
    """
    given = tuple([one for node in nodes for one in node.given])
    in_order = [*map(id, made.given)] == [*map(id, given)]
    # Then it is told though its node has an operand twice; equal places are one object by chance.
    alone = in_order and len(nodes) == 1 and _are_apart(given)
    picks = tuple(range(len(given))) if alone else _picks(made.given, given)
    if picks is None or len(set(nodes)) < len(nodes):
        return
    holes = [Node("hole", (), None, node.shape, node.dtype) for node in nodes]
    kept = _filled(made, dict(zip(map(id, nodes), holes, strict=True)))
    if not all([RULED in one.data.memo for one in nodes_of(kept) if one.kind == "leaf"]):
        return
    make = partial(_remade, kept, tuple(map(id, holes)), holes)
    _keep(key, make, made, nodes, None if picks == tuple(range(len(given))) else picks)


def note_part(
    key: Hashable, make: Callable[..., Node], made: Node, node: Node, starts: Given
) -> None:
    """Note a part of a node, which `make` makes of where and how long it is and of the node."""
    if not _are_in_order(made, node, starts):
        return
    if not _are_apart(node.given + starts):  # places that are equal may be in order by chance
        most = max([0, *[one for one in node.given if isinstance(one, int)]])
        others = tuple(
            [most + k if isinstance(one, int) else one for k, one in enumerate(starts, 1)]
        )
        if not (_are_apart(node.given) and _are_in_order(make(others, node), node, others)):
            return
    _keep(key, make, made, (node,), None)


def _are_in_order(made: Node, node: Node, starts: Given) -> bool:
    """Whether a part is given what its node is, and then places and lengths of its own."""
    given = node.given + starts
    return made.given == given and [*map(type, made.given)] == [*map(type, given)]


def _are_apart(given: Given) -> bool:
    """Whether no two places are equal."""
    places = [one for one in given if isinstance(one, int)]
    return len({*places}) == len(places)


def _keep(
    key: Hashable,
    make: Callable[..., Node],
    made: Node,
    nodes: Sequence[Node],
    picks: tuple[int | Any, ...] | None,
) -> None:
    if not (made.number and all([node.number for node in nodes])):
        return
    own = made.sums - sum([node.sums for node in nodes])
    parts = make, made.shape, made.dtype, made.number, own, picks
    room(_composites)[key, *[node.number for node in nodes]] = _Composite(*parts)


def _picks(made: Given, given: Given) -> tuple[int | Any, ...] | None:
    """Where each of what a composite is given is found; None where that is not certain."""
    places = {id(one): place for place, one in enumerate(given)}
    if len(places) < len(given):
        return None
    if any([isinstance(one, int) for one in given]) and list(map(id, made)) != list(map(id, given)):
        return None  # equal places are one object
    return tuple([places.get(id(one), _Own(one)) for one in made])


def _remade(kept: Node, holes: tuple[int, ...], alive: Sequence[Node], *nodes: Node) -> Node:
    del alive  # whose identities stay theirs as long as this function is kept
    return _filled(kept, dict(zip(holes, nodes, strict=True)))


def _filled(node: Node, made: dict[int, Node]) -> Node:
    """An expression with other nodes in place of some, by their identities."""
    found = made.get(id(node))
    if found is None:
        found = made[id(node)] = remade(node, [_filled(arg, made) for arg in args_of(node)])
    return found
