"""Dense NumPy arrays to tensors and back."""

from __future__ import annotations

from functools import cache, lru_cache
from math import prod
from typing import Any, Final

import numpy as np

from structarr._storage.buffers import conformed
from structarr._storage.memo import OWN
from structarr._storage.scattering import scatter
from structarr._storage.tensor import Tensor
from structarr._support import buffer_pool, dtypes
from structarr._support.caches import MOST
from structarr.formats import parse
from structarr.formats.base import Format
from structarr.formats.entries import Array

LARGE: Final = 1 << 22
"""Bytes from which memory is clear sooner as the system gives it than where it is used again."""


def from_dense(array: Any, fill: np.generic | None = None) -> Tensor:
    """
    Make a dense tensor of an array, sharing its memory where that is contiguous in some order.

    Its fill is 0 unless another of its dtype is given.

    Raises
    ------
    TypeError
        If the dtype cannot be stored, or the array is masked.

    Examples
    --------
    >>> import numpy as np
    >>> tensor = from_dense(np.array([[1.0, 2.0], [3.0, 4.0]]))
    >>> tensor
    <Tensor dense of shape (2, 2), dtype float64, fill 0.0: 4 stored, 32 bytes>
    """
    dense: Array = array if isinstance(array, np.ndarray) else np.asarray(array)
    shape, flags = dense.shape, dense.flags
    order = _natural(dense.ndim) if flags.c_contiguous else _storage_order(dense)
    format, dtype, zero = _dense_kind(order, dense.dtype)
    # What most arrays are: asking `conformed` would take longer than a small kernel.
    fits = flags.c_contiguous and flags.aligned and dense.dtype is dtype and dense.size
    if not (fits and type(dense) is np.ndarray):
        dense = conformed(dense if flags.c_contiguous else dense.transpose(order), dtype)
    # A view of the caller's array, whose own flags stay as they are.
    stored = dense.reshape(-1)
    stored.setflags(write=False)
    return Tensor(format, shape, dtype, zero if fill is None else fill, (stored,))


def from_own(array: Any, fill: np.generic | None = None) -> Tensor:
    """Make a dense tensor of an array that nobody else has, nor a view of it."""
    tensor = from_dense(array, fill)
    tensor.memo[OWN] = True
    return tensor


def from_flat(values: Array, shape: tuple[int, ...]) -> Tensor:
    """Make a dense tensor of a vector of its elements in C order, which nobody else has.

    Its dtype is one that is stored.
    """
    format, dtype, zero = _dense_kind(_natural(len(shape)), values.dtype)
    return Tensor(format, shape, dtype, zero, (values,), {OWN: True})


def dense_view(tensor: Tensor) -> Array | None:
    """Return a read-only view of a tensor's elements if they lie in memory as NumPy's do."""
    if not tensor.format.is_dense:
        return None
    values, order, shape = tensor.buffers[0], tensor.format.order, tensor.shape
    own = OWN in tensor.memo
    if own:  # so that no view is writable, nor can be made so again
        # By its place: by its name it takes three times as long.
        values.setflags(False)  # type: ignore[call-arg]
        held = values.base
        while held is not None and isinstance(held, np.ndarray):
            held.setflags(False)  # type: ignore[call-arg]
            held = held.base
    if len(shape) == 1:
        view: Array = values.view()
    elif order == _natural(len(shape)):
        view = values.reshape(shape)
    else:
        view = values.reshape(tensor.dims).transpose(_places(order))
    if not own:
        view.setflags(write=False)
    return view


@lru_cache(MOST)
def _places(order: tuple[int, ...]) -> tuple[int, ...]:
    """Where each axis comes in an order of axes."""
    return tuple(sorted(range(len(order)), key=order.__getitem__))


def to_dense(tensor: Tensor) -> Array:
    """
    Return a tensor's values as a fresh, writable array in C order.

    Examples
    --------
    >>> import numpy as np
    >>> to_dense(from_dense(np.arange(3)))
    array([0, 1, 2])
    """
    if tensor.format.is_dense:
        return _reordered(tensor)
    shape, dtype = tensor.shape, tensor.dtype
    size = prod(shape)
    if not size:  # NumPy says itself what other lengths it cannot have
        return np.empty(shape, dtype)
    if any(tensor.fill.tobytes()):
        out = np.full(size, tensor.fill, dtype)
    else:
        large = size * dtype.itemsize >= LARGE
        out = np.zeros(size, dtype) if large else buffer_pool.zeros(size, dtype)
    out = out.reshape(shape)
    scatter(tensor, out)
    return out


@lru_cache(MOST)
def _dense_kind(
    order: tuple[int, ...], given: np.dtype[Any]
) -> tuple[Format, np.dtype[Any], np.generic]:
    """The format and dtype in which arrays are stored whose axes lie in an order, and their fill.

    Raises
    ------
    TypeError
        If the dtype cannot be stored.
    """
    dtype = dtypes.check(given)
    return Format(parse("dense", len(order)).root, order), dtype, dtypes.zero(dtype)


@cache
def _natural(ndim: int) -> tuple[int, ...]:
    return tuple(range(ndim))


def _storage_order(array: Array) -> tuple[int, ...]:
    """The axes from the one of the widest stride if the array is contiguous so; else as they are.

    Axes keep their order where their strides do not require another.
    """
    natural = _natural(array.ndim)
    widest = tuple(sorted(natural, key=lambda axis: -array.strides[axis]))
    return widest if array.transpose(widest).flags.c_contiguous else natural


def elements(tensor: Tensor) -> Array:
    """
    Return the elements of a dense tensor where they lie, to be read at once and not kept.

    Examples
    --------
    >>> import numpy as np
    >>> elements(from_dense(np.arange(6).reshape(3, 2).T))
    array([[0, 2, 4],
           [1, 3, 5]])
    """
    order = tensor.format.order
    if order == _natural(len(order)):
        return tensor.buffers[0].reshape(tensor.shape)
    return tensor.buffers[0].reshape(tensor.dims).transpose(_places(order))


def _reordered(tensor: Tensor) -> Array:
    if tensor.format.order == _natural(tensor.ndim):
        return buffer_pool.copied(tensor.buffers[0]).reshape(tensor.shape)
    return buffer_pool.copied(elements(tensor))


def finite(tensor: Tensor, fill: np.generic) -> Tensor | None:
    """A tensor as a dense one in C order with a fill; None where a value is not finite."""
    in_place = tensor.format.is_dense and tensor.format.order == _natural(len(tensor.shape))
    values = tensor.buffers[0] if in_place else to_dense(tensor).reshape(-1)
    are_finite = np.isfinite(values)
    if len(values) and not are_finite[are_finite.argmin()]:  # in a fraction of the time of `all`
        return None
    if not in_place:
        return from_own(values.reshape(tensor.shape), fill)
    if tensor.fill is fill or tensor.fill.tobytes() == fill.tobytes():
        return tensor
    memo = {OWN: True} if OWN in tensor.memo else {}
    return Tensor(tensor.format, tensor.shape, tensor.dtype, fill, tensor.buffers, memo)
