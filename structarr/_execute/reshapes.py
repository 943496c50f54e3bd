"""Arrays in other shapes, as steps that no loop nest expresses."""

from __future__ import annotations

import numpy as np

from structarr._execute.compute import in_format
from structarr._execute.dense_values import dense_values
from structarr._lazy.graph import leaf
from structarr._lazy.rewrite.flatten_dense import shaped
from structarr._storage.coordinates import is_listed, nested
from structarr._storage.dense import from_own
from structarr._storage.density import check_density
from structarr._storage.entry_order import longest_counted
from structarr._storage.memo import derived, owning
from structarr._storage.reshape import outer_axes, reshaped_lists
from structarr._storage.tensor import Tensor
from structarr._storage.transpose import is_listed as is_plain
from structarr.formats import Element, parse


@derived("reshaped")
def reshaped(tensor: Tensor, shape: tuple[int, ...]) -> Tensor:
    """
    The elements of a tensor in C order in another shape.

    A tensor that leaves elements out becomes lists, below the axes that stand for its outer levels
    if these store every index; runs stay runs.
    """
    if tensor.format.is_dense:
        return shaped(tensor, shape)
    if tensor.is_constant:
        return _constant(tensor, shape)
    if is_listed(tensor):
        made = reshaped_lists(_in_lists(tensor), shape, outer_axes(tensor, shape))
        return owning(made, tensor)
    check_density(tensor)
    made = from_own(dense_values(tensor).reshape(shape), tensor.fill)
    if not (shape and tensor.format.levels[-2].kind.covers):
        return made
    last = tensor.format.levels[-2].above(Element())
    format = nested([True] * (len(shape) - 1), range(len(shape)), tensor.format.index, last)
    return in_format(leaf(made), format)


def _constant(tensor: Tensor, shape: tuple[int, ...]) -> Tensor:
    value = np.full(1, tensor.constant, tensor.dtype)
    return Tensor(parse("constant", len(shape)), shape, tensor.dtype, value[0], (value,))


def _in_lists(tensor: Tensor) -> Tensor:
    """A tensor as lists in the order of its axes, unless it is one of lists."""
    if is_plain(tensor):
        return tensor
    rows = tensor.shape[0] <= longest_counted(tensor.counts[-1]) and tensor.ndim > 1
    lists = nested([rows, *[False] * (tensor.ndim - 1)], range(tensor.ndim), tensor.format.index)
    return in_format(leaf(tensor), lists)
