"""Products of matrices by NumPy, in memory of the buffer pool where they are large."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Final

import numpy as np

from structarr._support import buffer_pool
from structarr._support.array_types import NumPyArray

FEW: Final = 1 << 13
"""Elements below which no product is large: 16 bytes each are less than a block."""


def matmul(left: NumPyArray, right: NumPyArray) -> NumPyArray:
    """Return `numpy.matmul` of two arrays, in C order and without warnings.

    Examples
    --------
    >>> matmul(np.eye(2), np.array([3.0, 4.0]))
    array([3., 4.])
    """
    if left.ndim < 3 > right.ndim:  # the same product of BLAS, which warns of nothing
        return _into_pool(np.dot, left, right)
    with np.errstate(all="ignore"):
        return _into_pool(np.matmul, left, right)


def _into_pool(
    product: Callable[..., NumPyArray], left: NumPyArray, right: NumPyArray
) -> NumPyArray:
    inner = left.shape[-1] or 1
    if left.size * right.size < FEW * inner * inner or left.ndim + right.ndim < 3:
        return product(left, right)
    shape, dtype = _shape(left, right), np.result_type(left, right)
    if prod(shape) * dtype.itemsize < buffer_pool.LEAST:
        return product(left, right)
    made = buffer_pool.empty(prod(shape), dtype).reshape(shape)
    return product(left, right, out=made)


def _shape(left: NumPyArray, right: NumPyArray) -> tuple[int, ...]:
    """The shape of a product, of which at most one factor is a vector."""
    if left.ndim == 1:
        return (*right.shape[:-2], right.shape[-1])
    if right.ndim == 1:
        return (*left.shape[:-1],)
    stack = np.broadcast_shapes(left.shape[:-2], right.shape[:-2])
    return (*stack, left.shape[-2], right.shape[-1])
