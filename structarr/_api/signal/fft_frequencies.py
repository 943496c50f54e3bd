"""The frequencies of Fourier transforms, and shifts of them, which are rolls."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from structarr._api.core.operands import as_array, check_device, owned
from structarr._api.core.publish import member
from structarr._api.creation.ranges import arange
from structarr._api.shape.joining import concat
from structarr._api.shape.manipulation import Axes
from structarr._api.shape.shifting import roll
from structarr._array import Array
from structarr._support import dtypes
from structarr._support.array_types import ArrayLike, DTypeLike
from structarr._support.docstrings import documented


def fftfreq(
    n: int, /, d: float = 1.0, *, dtype: DTypeLike | None = None, device: str | None = None
) -> Array:
    """
    Return the frequencies of the elements of `fft`'s result.

    Parameters
    ----------
    n : int
        The length of the vector.
    d : float, optional
        The distance of its elements.
    dtype : dtype_like, optional
        Of the result; float64 by default.
    device : {"cpu"}, optional
        Device of the array; there is one.

    Returns
    -------
    Array
        Lazy vector; computing takes time proportional to `n`.

    Raises
    ------
    ValueError
        If the device is not "cpu".
    ZeroDivisionError
        If `n` or `d` is 0.

    See Also
    --------
    numpy.fft.fftfreq : The same for arrays of NumPy.
    structarr.fft.rfftfreq : Of real vectors.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.fft.fftfreq(4, d=0.5).tolist()
    [0.0, 0.5, -1.0, -0.5]
    """
    count = _count(n, device)
    middle = (count - 1) // 2 + 1
    places = concat([arange(0, middle), arange(-(count // 2), 0)])
    return _scaled(places, count, d, dtype)


@documented
def rfftfreq(
    n: int, /, d: float = 1.0, *, dtype: DTypeLike | None = None, device: str | None = None
) -> Array:
    """
    Return the frequencies of the elements of `rfft`'s result.

    Parameters
    ----------
    n : int
        The length of the vector.
    d : float, optional
        The distance of its elements.
    $made
    $device

    Returns
    -------
    Array
        Lazy vector; computing takes time proportional to `n`.

    Raises
    ------
    ValueError
        If the device is not "cpu".
    ZeroDivisionError
        If `n` or `d` is 0.

    See Also
    --------
    numpy.fft.rfftfreq : The same for arrays of NumPy.
    structarr.fft.fftfreq : Of any vectors.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.fft.rfftfreq(4, d=0.5).tolist()
    [0.0, 0.5, 1.0]
    """
    count = _count(n, device)
    return _scaled(arange(0, count // 2 + 1), count, d, dtype)


def _count(n: int, device: str | None) -> int:
    check_device(device)
    return operator.index(n)


def _scaled(places: Array, count: int, d: float, dtype: Any) -> Array:
    kind = dtypes.check(np.float64 if dtype is None else dtype)
    return (places * (1.0 / (count * d))).astype(kind)


def _shifted(twin: Any, x: ArrayLike, /, axes: Axes | None = None) -> Array:
    """
    Rolls by half of the lengths.

    Parameters
    ----------
    x : array_like
        The array.
    axes : int or sequence of int, optional
        Along which axes; None stands for all.

    Returns
    -------
    $joined

    Raises
    ------
    $axis_error

    See Also
    --------
    structarr.fft.fftshift : Frequency zero to the middle.
    structarr.fft.ifftshift : The way back.
    structarr.roll : By any number.
    """
    array, sign = as_array(x), 1 if twin is np.fft.fftshift else -1
    every = range(array.ndim) if axes is None else axes
    places = np.lib.array_utils.normalize_axis_tuple(every, array.ndim, "axes", True)
    shifts = [sign * (array.shape[place] // 2) for place in places]
    return roll(array, shifts, places) if places else owned(array)


fftshift = member(
    _shifted,
    np.fft.fftshift,
    "Move the element of frequency zero to the middle; a roll, which keeps structure.",
    "sa.fft.fftshift([0, 1, 2, -2, -1]).tolist()",
    "[-2, -1, 0, 1, 2]",
)
ifftshift = member(
    _shifted,
    np.fft.ifftshift,
    "Undo `fftshift`.",
    "sa.fft.ifftshift([-2, -1, 0, 1, 2]).tolist()",
    "[0, 1, 2, -2, -1]",
)
