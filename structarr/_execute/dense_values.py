"""All elements of a tensor as NumPy's array: by a kernel where most of them are stored in runs,
bands, blocks or tiles, which a list of coordinates would spell out one by one."""

from __future__ import annotations

from collections.abc import Hashable
from math import prod
from typing import Final

from structarr._compiler.options import current
from structarr._execute import compute
from structarr._execute.entries_by_rows import lists_by_rows
from structarr._execute.stand_ins import is_dense
from structarr._lazy.graph import Node, leaf
from structarr._lazy.node import nodes_of
from structarr._lazy.rewrite.flatten_dense import dense
from structarr._lazy.structure import NONE
from structarr._storage.dense import dense_view, to_dense
from structarr._storage.density import check_memory
from structarr._storage.memo import ORIGIN, OWN
from structarr._storage.tensor import Tensor
from structarr._storage.transpose import is_entries, is_listed
from structarr._support.caches import room, table
from structarr.formats.entries import Array

_listed: dict[Hashable, bool] = table()  # whether values of a structure are stored in lists

_plain: dict[int, bool] = table()
"""The structures of sums that go over no list of entries."""

PLAIN: Final = frozenset(("leaf", "constant", "map", "convert", "reduce", "permute", "expand"))
"""The kinds of nodes of expressions that no rewriting has to make ready for kernels."""

VIEWS: Final = frozenset(("diagonal", "slice"))
"""The kinds of nodes that are read at other places, in diagonals."""

FEW: Final = 1 << 14
"""The number of elements below which coordinates take no longer than to call a kernel."""


def dense_values(tensor: Tensor) -> Array:
    """Return a tensor's values as a fresh, writable array in C order."""
    check_memory(tensor)
    made = _by_kernel(tensor)
    if made is None:
        return to_dense(tensor)
    values = made.buffers[0]
    if OWN not in made.memo or ORIGIN in made.memo or not values.flags.writeable:
        return to_dense(made)
    return values.reshape(tensor.shape)  # which nobody else has


def values_to_read(tensor: Tensor) -> Array:
    """Return a tensor's values as an array that is only read, which the tensor may share."""
    view = dense_view(tensor)
    if view is None:
        made = _by_kernel(tensor)
        view = None if made is None else dense_view(made)
    return to_dense(tensor) if view is None else view


def dense_to_read(node: Node) -> Tensor | None:
    """The dense value of a diagonal, or of a sum over lists of entries, that is stored in lists.

    It is computed at once, where its lists would be computed to be copied. None of others.
    """
    ndim = len(node.shape)
    if not ndim or (ndim > 1 and not node.sums) or node.number in _plain:
        return None
    if node.number == NONE or (node.sums and not _has_few_rows(node)):
        return None
    key = node.number, current().planned
    listed = _listed.get(key)
    if listed is None:
        listed = room(_listed)[key] = _is_listed(node)
    if not listed or prod(node.shape) * node.dtype.itemsize > current().densify_limit:
        return None
    return compute.in_format(node, dense(node.ndim, "int64"))


def _has_few_rows(node: Node) -> bool:
    """Whether a sum goes over lists of entries that are read by rows, as their shapes allow."""
    if any(isinstance(one, Tensor) and is_entries(one.format) for one in node.given):
        return bool(lists_by_rows(node))
    room(_plain, light=True)[node.number] = True  # whatever the values: calls ask for this alone
    return False


def _is_listed(node: Node) -> bool:
    """Whether an expression is a diagonal or a sum, and its value certainly no dense one."""
    kinds = {one.kind for one in nodes_of(node)}
    if not node.sums:
        return node.kind == "diagonal" and kinds <= {"leaf", *VIEWS} and not is_dense(node)
    return kinds <= PLAIN and not is_dense(node)


def _by_kernel(tensor: Tensor) -> Tensor | None:
    """The values in C order, if a kernel takes less time to find them, and not too much memory."""
    size = prod(tensor.shape)
    if size < FEW or tensor.format.is_dense or tensor.is_constant or is_listed(tensor):
        return None
    if size * tensor.dtype.itemsize > current().densify_limit:
        return None
    return compute.in_format(leaf(tensor), dense(tensor.ndim, tensor.format.index))
