"""All elements of a tensor as NumPy's array: by a kernel where most of them are stored in runs,
bands, blocks or tiles, which a list of coordinates would spell out one by one."""

from __future__ import annotations

from collections.abc import Hashable
from math import prod
from typing import Final, NamedTuple

from structarr._compiler.options import current
from structarr._execute import compute
from structarr._execute.entries_by_rows import lists_by_rows
from structarr._execute.stand_ins import is_dense
from structarr._lazy.graph import Node, leaf
from structarr._lazy.node import nodes_of
from structarr._lazy.rewrite.flatten_dense import KINDS, dense
from structarr._lazy.structure import NONE
from structarr._storage.dense import dense_view, to_dense
from structarr._storage.density import check_memory
from structarr._storage.memo import ORIGIN, OWN
from structarr._storage.tensor import Tensor
from structarr._storage.transpose import is_entries, is_listed
from structarr._support.caches import room, table
from structarr.formats import Format
from structarr.formats.entries import Array


class _Read(NamedTuple):
    """How a value that is stored in lists is read: dense."""

    format: Format
    size: int  # in bytes
    asks: bool  # whether it is so of some operands alone


_listed: dict[Hashable, _Read | None] = table()
"""How expressions of a structure are read: None of those that are computed in their formats."""

_NEW: Final = _Read(dense(1, "int64"), 0, False)

PLAIN: Final[dict[int, bool]] = table()
"""The structures of expressions that are read as they are computed, whatever the options."""

KERNELS: Final = frozenset(
    ("leaf", "constant", "map", "convert", "reduce", "permute", "expand", "take")
)
"""The kinds of nodes of expressions that no rewriting has to make ready for kernels."""

DIAGONALS: Final = frozenset(("leaf", "constant", "diagonal", "slice", *KINDS))
"""The kinds of nodes of expressions that compute with diagonals of arrays, and with vectors."""

FEW: Final = 1 << 14
"""The number of elements below which coordinates take no longer than to call a kernel."""


def dense_values(tensor: Tensor) -> Array:
    """Return a tensor's values as a fresh, writable array in C order."""
    check_memory(tensor)
    made = None if tensor.format.is_dense else _by_kernel(tensor)
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
    """The dense value of diagonals, or of a sum over lists of entries, that is stored in lists.

    It is computed at once, where its lists would be computed to be copied. None of others.
    """
    read = _reading(node)
    return None if read is None else compute.in_format(node, read.format)


def is_read_dense(node: Node) -> bool:
    """Whether NumPy reads a sum as a dense value by rows, while the array's own is stored in lists.

    Of more rows than entries there are no such, and expressions have lists rather as their parts.
    """
    return _reading(node) is not None and bool(lists_by_rows(node))


def _reading(node: Node) -> _Read | None:
    """How a dense value is computed in the place of lists that NumPy would copy; None of others."""
    number = node.number
    if number in PLAIN or number == NONE:
        return None
    options = current()
    key = number, options.planned
    read = _listed.get(key, _NEW)
    if read is _NEW:
        if _is_plain(node):
            room(PLAIN, light=True)[number] = True
            return None
        size = prod(node.shape) * node.dtype.itemsize
        found = _Read(dense(node.ndim, "int64"), size, bool(node.sums) and node.ndim > 1)
        read = room(_listed)[key] = found if _is_listed(node) else None
    if read is None or read.size > options.densify_limit:
        return None
    return None if read.asks and not lists_by_rows(node) else read


def _is_plain(node: Node) -> bool:
    """Whether an expression is not of diagonals, and no sum over lists of entries."""
    if not node.shape:
        return True
    if node.sums:
        return not any([isinstance(one, Tensor) and is_entries(one.format) for one in node.given])
    return len(node.shape) > 1 or not {"diagonal"} <= _kinds(node) <= DIAGONALS


def _is_listed(node: Node) -> bool:
    """Whether the value of a diagonal or a sum is certainly no dense one.

    Rows that are taken of lists of entries are lists of entries, whatever a kernel made of them.
    """
    if node.sums and not _kinds(node) <= KERNELS:
        return False
    return any(map(_takes_entries, nodes_of(node))) or not is_dense(node)


def _takes_entries(node: Node) -> bool:
    """Whether a node takes rows of a list of entries."""
    if node.kind != "take" or node.args[0].kind != "leaf":
        return False
    return node.ndim > 1 and is_entries(node.args[0].data.format)


def _kinds(node: Node) -> set[str]:
    """The kinds of an expression's nodes."""
    return {one.kind for one in nodes_of(node)}


def _by_kernel(tensor: Tensor) -> Tensor | None:
    """The values in C order, if a kernel takes less time to find them, and not too much memory."""
    size = prod(tensor.shape)
    if size < FEW or tensor.format.is_dense or tensor.is_constant or is_listed(tensor):
        return None
    if size * tensor.dtype.itemsize > current().densify_limit:
        return None
    return compute.in_format(leaf(tensor), dense(tensor.ndim, tensor.format.index))
