"""Arrays as lists of entries, for operations that no loop nest expresses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from structarr._array import NumPyArray
from structarr._execute import compute
from structarr._execute.dense_values import dense_values, values_to_read
from structarr._lazy import graph
from structarr._storage.coordinates import (
    coordinates,
    from_coordinates,
    is_listed as is_listed,
    nested as nested,
    with_room as with_room,
)
from structarr._storage.dense import dense_view, from_dense
from structarr._storage.density import check_density
from structarr._storage.reshape import flat as flat, unflat as unflat
from structarr._storage.sorted_entries import entries_in
from structarr._storage.tensor import Tensor
from structarr._storage.transpose import lists_of
from structarr._support.caches import MOST
from structarr.formats import Dense, Element, Format, SparseList
from structarr.formats.kinds import BLOCKS

Shape = tuple[int, ...]


def dense_of(tensor: Tensor) -> NumPyArray:
    """The elements, unless that takes far more memory than the tensor does."""
    check_density(tensor)
    return dense_values(tensor)


def dense_to_read(tensor: Tensor) -> NumPyArray:
    """The elements, which the tensor may share; see `dense_of`."""
    if dense_view(tensor) is None:
        check_density(tensor)
    return values_to_read(tensor)


def listed(
    axes: Sequence[NumPyArray], values: NumPyArray, shape: Shape, fill: object, like: Format
) -> Tensor:
    """A tensor of entries in any format; by a kernel, if NumPy does not build the format."""
    return converted(entries_in(built_of(like), axes, values, shape, fill), like)


def converted(tensor: Tensor, format: Format) -> Tensor:
    """A tensor in a format; itself if it is stored so."""
    return tensor if tensor.format is format else compute.in_format(graph.leaf(tensor), format)


@lru_cache(MOST)
def built_of(format: Format) -> Format:
    """The format itself if `from_coordinates` builds it, else one of dense levels and lists."""
    plain = all(
        type(level) in (Dense, SparseList, Element) or level.starts_group or level.continues_group
        for level in format.levels
    )
    if plain and not any(level.kind is BLOCKS for level in format.levels):
        return format
    return nested(
        [level.kind.arithmetic for level in format.levels[:-1]], format.order, format.index
    )


def in_lists(tensor: Tensor) -> Tensor:
    """A tensor as lists in the order in which it is stored."""
    format = lists_of(tensor.format)
    if is_listed(tensor):
        return converted(tensor, format)
    axes, values = coordinates(tensor)
    return from_coordinates(axes, values, tensor.shape, tensor.fill, format)


def alike(left: Any, right: Any) -> NumPyArray:
    """A mask of equal values; NaN equals NaN."""
    return np.asarray((left == right) | ((left != left) & (right != right)))


def mapped(tensor: Tensor, function: Callable[[NumPyArray], NumPyArray]) -> Tensor:
    """Return a function of the elements, one by one, in the format that they are stored in."""
    if any(level.kind.is_rule or level.kind.conjugates for level in tensor.format.levels):
        tensor = from_dense(dense_of(tensor))
    if not tensor.format.levels[-1].buffers:
        tensor = converted(tensor, tensor.format.without(range(tensor.ndim), Element()))
    *places, values = tensor.buffers
    found, fill = function(values), function(np.full(1, tensor.fill, tensor.dtype))[0]
    return Tensor(tensor.format, tensor.shape, found.dtype, fill, (*places, found))
