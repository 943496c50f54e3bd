"""Elementwise expressions of arrays that store at the same places: computed on what they store.

A scaled matrix has the coordinates of the matrix, and shares them; only its values are computed, by
one straight loop.
"""

from __future__ import annotations

from functools import cache

from structarr import _graph
from structarr._config import current
from structarr._derived import derived
from structarr._graph import Node, leaf
from structarr._plan import OWN
from structarr._tensor import Tensor
from structarr.formats import Format, parse
from structarr.formats.element import Element

KINDS = ("map", "convert")
WORDS = {"dense", "list", "blocks", "band", "ragged", "upper", "lower", "symmetric"}


def owner_of(node: Node) -> Tensor | None:
    """One of the arrays of an elementwise expression, if all store at the same places."""
    if node.kind not in KINDS or not node.ndim:
        return None
    found: list[Tensor] = []
    if not _collect(node, found):
        return None
    first, *others = found
    alike = _keeps_places(first.format) and all(_same_places(first, one) for one in others)
    size = len(first.buffers[-1]) * node.dtype.itemsize if alike else 0
    return first if alike and size <= current().densify_limit else None


def on_values(node: Node) -> Node:
    """The expression of vectors of what the arrays store."""
    if node.kind == "leaf":
        return leaf(values_of(node.data, 0))
    if node.kind == "constant":
        return node
    args = tuple([on_values(arg) for arg in node.args])
    shape = _graph.broadcast([arg.shape for arg in args])
    return Node(node.kind, args, node.data, shape, node.dtype)


def restored(owner: Tensor, values: Tensor) -> Tensor:
    """An array that stores a vector at the places of another.

    Coordinates that a kernel wrote are shared. Others may be somebody's who writes to them later.
    """
    places = owner.buffers[:-1]
    if OWN not in owner.memo:
        places = tuple([buffer.copy() for buffer in places])
    buffers = (*places, values.buffers[-1])
    result = Tensor(owner.format, owner.shape, values.dtype, values.fill, buffers)
    result.memo[OWN] = True
    return result


@derived("values")
def values_of(tensor: Tensor, _: int) -> Tensor:
    """What a tensor stores, as a dense vector."""
    values = tensor.buffers[-1]
    fmt = _vector(tensor.format.index)
    return Tensor(fmt, (len(values),), tensor.dtype, tensor.fill, (values,))


def places_of(tensor: Tensor) -> tuple[int, ...]:
    """What tells the places at which a tensor stores from all others, as long as it lives."""
    return tuple([id(buffer) for buffer in tensor.buffers[:-1]])


def _collect(node: Node, found: list[Tensor]) -> bool:
    """Whether an expression is elementwise; its arrays are added."""
    if node.kind == "leaf":
        found.append(node.data)
        return True
    if node.kind == "constant":
        return True
    return node.kind in KINDS and all([_collect(arg, found) for arg in node.args])


def _same_places(one: Tensor, other: Tensor) -> bool:
    return other is one or (
        other.format is one.format
        and other.shape == one.shape
        and places_of(other) == places_of(one)
    )


@cache
def _keeps_places(fmt: Format) -> bool:
    """Whether a format stores values beside coordinates, and nothing in values."""
    *levels, last = fmt.levels
    words = {level.word for level in levels}
    return type(last) is Element and words <= WORDS and words != {"dense"}


@cache
def _vector(index: str) -> Format:
    return parse("dense", 1, index)
