"""Lengths and numbers of axes, copies, and memory shared between arrays."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np

from structarr._api.core.operands import as_array
from structarr._api.core.publish import publish
from structarr._api.shape.manipulation import Axes, axes_in
from structarr._array import Array, stored


@publish(np.shape)
def shape(a: Any) -> tuple[int, ...]:
    """
    Return the lengths of the axes.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.shape([[1, 2]])
    (1, 2)
    """
    return as_array(a).shape


@publish(np.ndim)
def ndim(a: Any) -> int:
    """
    Return the number of axes.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.ndim([[1, 2]])
    2
    """
    return as_array(a).ndim


@publish(np.size)
def size(a: Any, axis: Axes | None = None) -> int:
    """
    Return the number of elements, or of those along an axis.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.size([[1, 2, 3]], 1)
    3
    """
    array = as_array(a)
    return math.prod(array.shape[place] for place in axes_in(axis, array.ndim, "axis"))


@publish(np.copy)
def copy(a: Any, order: Any = "K", subok: bool = False) -> Array:
    """
    Return an array of the same value that shares no buffer with any other.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.copy([1, 2]).tolist()
    [1, 2]
    """
    return as_array(a).copy()


@publish(np.shares_memory, np.may_share_memory)
def shares_memory(a: Any, b: Any, /, max_work: int | None = None) -> bool:
    """
    Return whether any buffers of two arrays overlap.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.shares_memory(sa.asarray([1, 2]), sa.asarray([1, 2]))
    False
    """
    pairs = product(_buffers(a), _buffers(b))
    return any(np.may_share_memory(mine, others) for mine, others in pairs)


def _buffers(value: Any) -> tuple[Any, ...]:
    return stored(value).buffers if isinstance(value, Array) else (value,)
