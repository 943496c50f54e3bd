"""All elements of a tensor as NumPy's array: by a kernel where most of them are stored in runs,
bands, blocks or tiles, which a list of coordinates would spell out one by one."""

from __future__ import annotations

from math import prod
from typing import Final

import numpy as np

from structarr._compiler.options import current
from structarr._execute import compute
from structarr._lazy.graph import leaf
from structarr._lazy.rewrite.flatten_dense import dense
from structarr._storage.dense import dense_view, to_dense
from structarr._storage.density import check_memory
from structarr._storage.tensor import Tensor
from structarr._storage.transpose import is_listed
from structarr.formats.entries import Array

FEW: Final = 1 << 14
"""The number of elements below which coordinates take no longer than to call a kernel."""


def dense_values(tensor: Tensor) -> Array:
    """Return a tensor's values as a fresh, writable array in C order."""
    check_memory(tensor)
    found = _by_kernel(tensor)
    return to_dense(tensor) if found is None else np.array(found)


def values_to_read(tensor: Tensor) -> Array:
    """Return a tensor's values as an array that is only read, which the tensor may share."""
    view = dense_view(tensor)
    if view is None:
        view = _by_kernel(tensor)
    return to_dense(tensor) if view is None else view


def _by_kernel(tensor: Tensor) -> Array | None:
    """The values, if a kernel takes less time to find them, and not too much memory."""
    size = prod(tensor.shape)
    if size < FEW or tensor.format.is_dense or tensor.is_constant or is_listed(tensor):
        return None
    if size * tensor.dtype.itemsize > current().densify_limit:
        return None
    return dense_view(compute.in_format(leaf(tensor), dense(tensor.ndim, tensor.format.index)))
