"""Products of matrices by NumPy, in memory of the buffer pool where they are large."""

from __future__ import annotations

from math import prod
from typing import Final

import numpy as np

from structarr._support import buffer_pool
from structarr._support.array_types import NumPyArray
from structarr._support.quiet import quietly

FEW: Final = 1 << 13
"""Elements below which no product is large: 16 bytes each are less than a block."""


def matmul(left: NumPyArray, right: NumPyArray) -> NumPyArray:
    """Return `numpy.matmul` of two arrays, without warnings.

    Examples
    --------
    >>> matmul(np.eye(2), np.array([3.0, 4.0]))
    array([3., 4.])
    """
    inner = left.shape[-1] or 1
    if left.size * right.size < FEW * inner * inner or left.ndim + right.ndim < 3:
        return np.asarray(quietly(np.matmul, left, right))
    shape, dtype = _shape(left, right), left.dtype
    if dtype is not right.dtype:
        dtype = np.result_type(left, right)
    if prod(shape) * dtype.itemsize < buffer_pool.LEAST:
        return np.asarray(quietly(np.matmul, left, right))
    made = buffer_pool.empty(prod(shape), dtype).reshape(shape)
    return np.asarray(quietly(np.matmul, left, right, made))


def _shape(left: NumPyArray, right: NumPyArray) -> tuple[int, ...]:
    """The shape of a product, of which at most one factor is a vector."""
    if left.ndim == right.ndim == 2:
        return left.shape[0], right.shape[1]
    if left.ndim == 1:
        return (*right.shape[:-2], right.shape[-1])
    if right.ndim == 1:
        return (*left.shape[:-1],)
    stack = np.broadcast_shapes(left.shape[:-2], right.shape[:-2])
    return (*stack, left.shape[-2], right.shape[-1])
