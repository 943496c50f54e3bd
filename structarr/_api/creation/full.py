"""Arrays of one value, which is stored once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any, Final, TypeAlias

import numpy as np

from structarr._api.core.default_format import placed
from structarr._api.core.operands import as_array, as_shape, check_device
from structarr._api.core.publish import member, publish
from structarr._array import WEAK, Array, Spec, of_tensor
from structarr._lazy import graph
from structarr._storage.tensor import Tensor
from structarr._support import dtypes
from structarr._support.array_types import ArrayLike, DTypeLike, Number, Order
from structarr._support.docstrings import documented
from structarr.formats import Format, parse

Shape: TypeAlias = int | Sequence[int]

SMALL: Final = (0, 1)
"""The numbers of which buffers are shared."""


@documented
def full(
    shape: Shape,
    fill_value: Number,
    *,
    dtype: DTypeLike | None = None,
    device: str | None = None,
    format: Spec | None = None,
) -> Array:
    """
    Make an array of one value, which is stored once, whatever the shape.

    Parameters
    ----------
    $lengths
    fill_value : scalar
        The value.
    dtype : dtype_like, optional
        Dtype of the elements; None stands for that of `fill_value`.
    $device
    $stored_as

    Returns
    -------
    Array
        In format "constant": one number is stored, in constant time. Operations take it for that
        number: ``full((n, n), 3) + a`` is as sparse as `a`, with a fill value of 3.

    Raises
    ------
    ValueError
        If `fill_value` is not a scalar, a length is negative, or the device is not "cpu".
    TypeError
        If the dtype is neither of numbers nor of booleans.

    See Also
    --------
    numpy.full : The same for arrays of NumPy.
    full_like : Of another array's shape.
    with_fill : Another fill of an array.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.full((10**6, 10**6), 7)
    >>> a
    <structarr.Array shape=(1000000, 1000000) dtype=int64 format=constant nstored=1 fill=7
      (0:1000000, 0:1000000)  7>
    >>> a.nbytes, int(a.sum())
    (8, 7000000000000)
    """
    check_device(device)
    return placed(constant(shape, fill_value, dtype), format)


def constant(shape: Shape, fill_value: Number, dtype: Any = None) -> Array:
    """An array of one value in format "constant", whatever the default format is."""
    lengths = as_shape(shape)
    value = fill_value if type(fill_value) in WEAK else np.asarray(fill_value)
    if type(value) is not int and np.ndim(value):
        raise ValueError(f"fill_value must be a scalar, not of shape {np.shape(value)}")
    kind = dtypes.check(np.asarray(value).dtype if dtype is None else dtype)
    held = _small(value, kind) if type(value) is int and value in SMALL else _held(value, kind)
    if not lengths:
        return Array(graph.constant(held[0], kind))
    return of_tensor(Tensor(_format(len(lengths)), lengths, kind, held[0], (held,)))


@cache
def _format(ndim: int) -> Format:
    """The format of so many axes."""
    return parse("constant", ndim)


def _held(value: Any, kind: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """A value as a buffer that nobody writes to."""
    with np.errstate(all="ignore"):
        held = np.full(1, value, kind)
    held.flags.writeable = False
    return held


_small = lru_cache(256)(_held)
"""The same of whole numbers that are asked for again and again."""


@documented
def zeros(
    shape: Shape,
    *,
    dtype: DTypeLike | None = None,
    device: str | None = None,
    format: Spec | None = None,
) -> Array:
    """
    Make an array of zeros.

    Parameters
    ----------
    $lengths
    $made
    $device
    $stored_as

    Returns
    -------
    $constant

    Raises
    ------
    $device_error

    See Also
    --------
    numpy.zeros : The same for arrays of NumPy.
    full : Of any value.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.zeros(2).tolist()
    [0.0, 0.0]
    """
    kind = np.float64 if dtype is None else dtype
    return full(shape, 0, dtype=kind, device=device, format=format)


@documented
def ones(
    shape: Shape,
    *,
    dtype: DTypeLike | None = None,
    device: str | None = None,
    format: Spec | None = None,
) -> Array:
    """
    Make an array of ones.

    Parameters
    ----------
    $lengths
    $made
    $device
    $stored_as

    Returns
    -------
    $constant

    Raises
    ------
    $device_error

    See Also
    --------
    numpy.ones : The same for arrays of NumPy.
    full : Of any value.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.ones(2).tolist()
    [1.0, 1.0]
    """
    kind = np.float64 if dtype is None else dtype
    return full(shape, 1, dtype=kind, device=device, format=format)


@documented
def empty(
    shape: Shape,
    *,
    dtype: DTypeLike | None = None,
    device: str | None = None,
    format: Spec | None = None,
) -> Array:
    """
    Make an array whose elements are not to be relied on; here they are zeros.

    Parameters
    ----------
    $lengths
    $made
    $device
    $stored_as

    Returns
    -------
    $constant

    Raises
    ------
    $device_error

    See Also
    --------
    numpy.empty : The same for arrays of NumPy.
    zeros : The same.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.empty((2, 3)).shape
    (2, 3)
    """
    return zeros(shape, dtype=dtype, device=device, format=format)


@publish(np.full_like)
def full_like(
    x: ArrayLike,
    /,
    fill_value: Number,
    dtype: DTypeLike | None = None,
    order: Order = "K",
    subok: bool = True,
    shape: Shape | None = None,
    *,
    device: str | None = None,
    format: Spec | None = None,
) -> Array:
    """
    Make an array of one value, with the shape and dtype of another array.

    Parameters
    ----------
    x : array_like
        Array whose shape and dtype are taken; its values do not matter.
    fill_value : scalar
        The value.
    dtype : dtype_like, optional
        Dtype of the elements; None stands for that of `x`.
    order, subok
        Accepted as NumPy's function has them, and ignored.
    shape : int or sequence of int, optional
        Lengths of the axes; None stands for those of `x`.
    $device
    $stored_as

    Returns
    -------
    $constant

    Raises
    ------
    ValueError
        If `fill_value` is no scalar, or the device is not "cpu".

    See Also
    --------
    full : Of a given shape.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.full_like([1, 2], 7).tolist()
    [7, 7]
    """
    like = as_array(x)
    wanted = like.shape if shape is None else shape
    kind = like.dtype if dtype is None else dtype
    return full(wanted, fill_value, dtype=kind, device=device, format=format)


def _like(
    twin: Any,
    x: ArrayLike,
    /,
    dtype: DTypeLike | None = None,
    order: Order = "K",
    subok: bool = True,
    shape: Shape | None = None,
    *,
    device: str | None = None,
    format: Spec | None = None,
) -> Array:
    """
    Arrays of a value.

    Parameters
    ----------
    $likeness

    Returns
    -------
    $constant

    Raises
    ------
    $device_error

    See Also
    --------
    zeros_like : Zeros.
    ones_like : Ones.
    empty_like : Of any value.
    full_like : Of a given value.
    """
    value = int(twin is np.ones_like)
    return full_like(x, value, dtype, order, subok, shape, device=device, format=format)


zeros_like = member(
    _like,
    np.zeros_like,
    "Make an array of zeros like another; the arguments are those of `full_like`.",
    "sa.zeros_like([1, 2]).tolist()",
    "[0, 0]",
)
ones_like = member(
    _like,
    np.ones_like,
    "Make an array of ones like another; the arguments are those of `full_like`.",
    "sa.ones_like([1, 2]).tolist()",
    "[1, 1]",
)
empty_like = member(
    _like,
    np.empty_like,
    "Make an array of another one's shape and dtype; its elements are not to be relied on.",
    "sa.empty_like([1, 2]).shape",
    "(2,)",
)
