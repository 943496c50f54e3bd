"""Buffers from outside, laid out as kernels take them."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from structarr._support.buffer_pool import copied
from structarr.formats.entries import Array


def conformed(array: Any, dtype: np.dtype[Any] | None = None) -> Array:
    """
    Elements as kernels take them: C-contiguous, aligned, and in the machine's byte order.

    Every buffer from outside passes here: operands, buffers of SciPy's and pandas' arrays, of files
    and of pickles. Compiled code assumes this layout, and the interpreted tier reads indices
    through memoryviews, which refuse unaligned memory.

    Parameters
    ----------
    array : array_like
        Of any strides, alignment, byte order and subclass; it is not changed.
    dtype : numpy.dtype, optional
        To cast to; None keeps the array's own, in the machine's byte order.

    Returns
    -------
    numpy.ndarray
        The array itself, or a view if its dtype has another name, or a copy where it must be.

    Raises
    ------
    TypeError
        If the array is masked.

    Examples
    --------
    >>> conformed(np.arange(6, dtype=">i4")[::2])
    array([0, 2, 4], dtype=int32)
    """
    if type(array) is np.ndarray and array.size:  # of what most are no more is asked
        own, flags = array.dtype, array.flags
        fits = id(own) in _OWN if dtype is None else own is dtype
        if fits and flags.c_contiguous and flags.aligned:
            return array
    if isinstance(array, np.ma.MaskedArray):
        raise TypeError("masked arrays are not supported: give a.filled(value)")
    plain: Array = np.asarray(array)
    wanted = _native(plain.dtype) if dtype is None else dtype
    if not plain.size:
        # A new array, as NumPy takes any empty array for aligned and a memoryview does not.
        return np.empty(plain.shape, wanted)
    flags = plain.flags
    if not (flags.aligned and flags.c_contiguous and plain.dtype == wanted):
        return np.array(plain, wanted, order="C")
    return plain if plain.dtype is wanted else plain.view(wanted)


def writable(array: Any) -> bool:
    """
    Whether somebody can write the memory of an array: it, or what it is a view of.

    Examples
    --------
    >>> whole = np.arange(3)
    >>> view = whole[1:]
    >>> view.flags.writeable = False
    >>> writable(view), writable(np.frombuffer(b"abcd", np.int32))
    (True, False)
    """
    while isinstance(array, np.ndarray):
        if array.flags.writeable:
            return True
        array = array.base
    try:
        return not (array is None or memoryview(array).readonly)
    except TypeError:  # of what lends its memory by another protocol, nothing is known
        return True


def settled(array: Array) -> Array:
    """
    Coordinates as they are now: a copy, unless nobody can write them.

    Kernels trust coordinates and pointers once they were checked, and read memory where these say;
    so no one may change them from then on.
    """
    return copied(array) if writable(array) else array


def sealed(array: Array) -> Array:
    """
    Return a buffer that nobody can write, so that what is checked of it holds from then on.

    Examples
    --------
    >>> sealed(np.arange(3)).flags.writeable
    False
    """
    found = settled(array)
    found.flags.writeable = False
    return found


def _native(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """A dtype in the machine's byte order; of numbers, the object that NumPy has of it."""
    return np.dtype(dtype.str[1:]) if dtype.kind in "biufc" else dtype.newbyteorder("=")


_NAMES: Final = "b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16"

_OWN: Final = frozenset(id(np.dtype(name)) for name in _NAMES.split())
"""The dtypes that `_native` returns as they are: equal ones may be other objects."""
