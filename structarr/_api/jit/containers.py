"""Containers of arrays: the leaves of nested tuples, lists, dictionaries and dataclasses."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, NamedTuple

import numpy as np

from structarr._api.jit.joined import put_together, taken_apart
from structarr._array import Array


class Tree(NamedTuple):
    """The tree of a container; equal for containers that differ in leaves alone.

    Attributes
    ----------
    kind : type or None
        Of the container; None for a leaf.
    names : tuple
        The keys of a dictionary, the fields of a dataclass.
    parts : tuple of Tree
        Its elements.
    """

    kind: type | None
    names: tuple[Hashable, ...]
    parts: tuple[Tree, ...]


LEAF = Tree(None, (), ())


def flattened(value: Any, leaves: list[Any], joined: bool = False) -> Tree:
    """The tree of a container, whose leaves are appended to a list.

    Where arrays may be `joined`, one of parts that lie side by side is a container of these.

    Examples
    --------
    >>> leaves = []
    >>> tree = flattened((1, {"a": 2}), leaves)
    >>> leaves, built(tree, [3, 4])
    ([1, 2], (3, {'a': 4}))
    """
    kind = type(value)
    if kind is np.ndarray or (kind is Array and (not joined or value._tensor is not None)):
        leaves.append(value)  # what most are
        return LEAF
    if kind is tuple or kind is list or (isinstance(value, tuple) and hasattr(kind, "_fields")):
        return Tree(kind, (), tuple([flattened(one, leaves, joined) for one in value]))
    if kind is dict:
        parts = tuple([flattened(one, leaves, joined) for one in value.values()])
        return Tree(kind, tuple(value), parts)
    if is_dataclass(kind):
        names = tuple([one.name for one in fields(value)])
        held = [getattr(value, one) for one in names]
        return Tree(kind, names, tuple([flattened(one, leaves, joined) for one in held]))
    apart = taken_apart(value) if joined and kind is Array else None
    if apart is not None:
        leaves += apart[1]
        return Tree(kind, (apart[0],), (LEAF,) * len(apart[1]))
    leaves.append(value)
    return LEAF


def built(tree: Tree, leaves: Sequence[Any]) -> Any:
    """The container of a tree with some leaves."""
    return _built(tree, iter(leaves))


def _built(tree: Tree, leaves: Iterator[Any]) -> Any:
    kind, names, parts = tree
    if kind is None:
        return next(leaves)
    values = [_built(part, leaves) for part in parts]
    if kind is tuple or kind is list:
        return kind(values)
    if kind is Array:
        return put_together(names[0], values)  # type: ignore[arg-type]
    if kind is dict:
        return dict(zip(names, values, strict=True))
    if not names:
        return kind(*values)
    made: Any = object.__new__(kind)  # without __init__, which may do more than set fields
    for name, value in zip(names, values, strict=True):
        object.__setattr__(made, str(name), value)
    return made


def rebuilding(tree: Tree) -> Callable[[Sequence[Any]], Any]:
    """The function from leaves to the container of a tree, quick for one leaf."""
    if tree is LEAF:
        return lambda leaves: leaves[0]
    if tree.kind is tuple and all(part is LEAF for part in tree.parts):
        return tuple
    return lambda leaves: built(tree, leaves)
