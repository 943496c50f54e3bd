"""Elementwise expressions of arrays with equal coordinates, as expressions of their stored values.

For example, a scaled matrix shares the coordinates of the matrix, and only its values are computed,
by one straight loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from structarr._compiler.options import current
from structarr._lazy.graph import Node
from structarr._lazy.rewrite.flatten_dense import KINDS, Flattening, dense, leaves
from structarr._storage.memo import OWN, derived
from structarr._storage.tensor import Tensor
from structarr._support.caches import MOST
from structarr.formats import Format
from structarr.formats.element import Element


def owner_of(node: Node, format: Format) -> Tensor | None:
    """One of the arrays of an elementwise expression, if all have equal coordinates.

    `format` is the result's, which must be the arrays' format.
    """
    if node.kind not in KINDS or not node.ndim:
        return None
    found = leaves(node)
    if not found:
        return None
    first = found[0]
    if first.format is not format or not _keeps_places(format) or not have_same_places(found):
        return None
    size = len(first.buffers[-1]) * node.dtype.itemsize
    return first if size <= current().densify_limit else None


def on_values(node: Node) -> Node:
    """The expression of vectors of stored values."""
    return Flattening(lambda tensor: values_of(tensor, 0)).of(node)


def restored(owner: Tensor, values: Tensor) -> Tensor:
    """An array with the coordinates of another, which nobody writes, and a vector of values."""
    buffers = (*owner.buffers[:-1], values.buffers[-1])
    result = Tensor(owner.format, owner.shape, values.dtype, values.fill, buffers)
    result.memo[OWN] = True
    return result


@derived("values")
def values_of(tensor: Tensor, _: int) -> Tensor:
    """The stored values of a tensor as a dense vector."""
    values = tensor.buffers[-1]
    fmt = dense(1, tensor.format.index)
    return Tensor(fmt, (len(values),), tensor.dtype, tensor.fill, (values,))


def places_of(tensor: Tensor) -> tuple[int, ...]:
    """The identity of a tensor's coordinates, valid as long as it lives."""
    found = tensor.memo.get("places")
    if found is None:
        parts = zip(tensor.format.levels[:-1], tensor.level_buffers, strict=False)
        found = tensor.memo["places"] = tuple(
            [id(buffer) for level, own in parts if not level.told for buffer in own]
        )
    return found


def have_same_places(tensors: Sequence[Tensor]) -> bool:
    """Whether arrays store at the same places."""
    return all(_same_places(tensors[0], one) for one in tensors[1:])


def _same_places(one: Tensor, other: Tensor) -> bool:
    return other is one or (
        other.format is one.format
        and other.shape == one.shape
        and places_of(other) == places_of(one)
    )


@lru_cache(MOST)
def _keeps_places(fmt: Format) -> bool:
    """Whether a format stores values beside coordinates, and nothing in values."""
    *levels, last = fmt.levels
    kinds = [level.kind for level in levels]
    whole = all(kind.maps_children for kind in kinds)
    return type(last) is Element and whole and not all(kind.arithmetic for kind in kinds)
