"""Lengths and numbers of axes, copies, and memory shared between arrays."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np

from structarr._api.core.operands import as_array
from structarr._api.core.publish import publish
from structarr._api.shape.manipulation import Axes, axes_in
from structarr._array import Array
from structarr._support.array_types import ArrayLike, Order
from structarr._value import seen


@publish(np.shape)
def shape(a: ArrayLike) -> tuple[int, ...]:
    """
    Return the lengths of the axes.

    Parameters
    ----------
    $array:a

    Returns
    -------
    tuple of int
        Nothing is computed.

    Raises
    ------
    $dtype_error

    See Also
    --------
    ndim : How many there are.
    size : Their product.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.shape([[1, 2]])
    (1, 2)
    """
    return as_array(a).shape


@publish(np.ndim)
def ndim(a: ArrayLike) -> int:
    """
    Return the number of axes.

    Parameters
    ----------
    $array:a

    Returns
    -------
    int
        Nothing is computed.

    Raises
    ------
    $dtype_error

    See Also
    --------
    shape : The lengths of the axes.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.ndim([[1, 2]])
    2
    """
    return as_array(a).ndim


@publish(np.size)
def size(a: ArrayLike, axis: Axes | None = None) -> int:
    """
    Return the number of elements, or of those along an axis.

    Parameters
    ----------
    $array:a
    axis : int or tuple of int, optional
        The axes whose lengths are multiplied; None stands for all.

    Returns
    -------
    int
        Nothing is computed. Elements count whether they are stored or not.

    Raises
    ------
    $axis_error

    See Also
    --------
    Array.nnz : The number of stored elements.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.size([[1, 2, 3]], 1)
    3
    """
    array = as_array(a)
    return math.prod(array.shape[place] for place in axes_in(axis, array.ndim, "axis"))


@publish(np.copy)
def copy(a: ArrayLike, order: Order = "K", subok: bool = False) -> Array:
    """
    Return an array of the same value that shares no buffer with any other.

    Parameters
    ----------
    $array:a
    order : {"C", "F", "A", "K"}, optional
        Accepted as NumPy's function has it, and ignored.
    subok : bool, optional
        Accepted as NumPy's function has it, and ignored.

    Returns
    -------
    Array
        Computed, in the same format; it takes time in proportion to what is stored.

    Raises
    ------
    $dtype_error

    See Also
    --------
    asarray : Copies where it has to.
    Array.copy : The same as a method.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.copy([1, 2]).tolist()
    [1, 2]
    """
    return as_array(a).copy()


@publish(np.shares_memory)
def shares_memory(a: ArrayLike, b: ArrayLike, /, max_work: int | None = None) -> bool:
    """
    Return whether any buffers of two arrays overlap.

    Parameters
    ----------
    a, b : array_like
        The arrays.
    max_work : int, optional
        Ignored: bounds of memory are compared.

    Returns
    -------
    bool
        The arrays are computed. Views of one buffer share it even where they have no element in
        common.

    See Also
    --------
    copy : An array that shares no buffer.
    may_share_memory : The same, and whether one is a NumPy array that may stand for the other.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.shares_memory(sa.asarray([1, 2]), sa.asarray([1, 2]))
    False
    """
    pairs = product(_buffers(a), _buffers(b))
    return any(np.may_share_memory(mine, others) for mine, others in pairs)


@publish(np.may_share_memory)
def may_share_memory(a: ArrayLike, b: ArrayLike, /, max_work: int | None = None) -> bool:
    """
    Return whether any buffers of two arrays overlap, or one may be what `numpy.asarray` gave.

    Parameters
    ----------
    a, b : array_like
        The arrays.
    max_work : int, optional
        Ignored: bounds of memory are compared.

    Returns
    -------
    bool
        True, too, of a read-only NumPy array and an array of ours of its shape and dtype. What
        `numpy.asarray` gives is such a one, whether it was copied or not, and libraries that ask
        before they write make a copy then.

    See Also
    --------
    shares_memory : Whether they do.

    Examples
    --------
    >>> import numpy as np
    >>> import structarr as sa
    >>> a = sa.asarray([0, 2], format="list")
    >>> sa.may_share_memory(np.asarray(a), a), sa.may_share_memory(np.array(a), a)
    (True, False)
    """
    return _stands_for(a, b) or _stands_for(b, a) or shares_memory(a, b)


def _stands_for(handed: Any, array: Any) -> bool:
    """Whether an array may be what NumPy was given of one of ours."""
    return (
        isinstance(handed, np.ndarray)
        and isinstance(array, Array)
        and not handed.flags.writeable
        and (handed.shape, handed.dtype) == (array.shape, array.dtype)
    )


def _buffers(value: Any) -> tuple[Any, ...]:
    return seen(value).buffers if isinstance(value, Array) else (value,)
