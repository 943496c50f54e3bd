"""Vectors of evenly spaced values, which are computed where they are read."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from structarr._api.core.default_format import placed
from structarr._api.core.operands import check_device
from structarr._api.creation.creation import asarray
from structarr._array import Array, NumPyArray, Spec, of_tensor
from structarr._storage.density import check_size
from structarr._storage.tensor import Tensor
from structarr._support import dtypes
from structarr._support.array_types import DTypeLike
from structarr.errors import DensificationError
from structarr.formats import Element, Range, parse

_CHECKED = 1024  # the number of elements that are compared with NumPy's
_PLAIN = (int, float, np.int64, np.float64)  # types whose results do not depend on the type


def arange(
    start: Any,
    /,
    stop: Any = None,
    step: Any = 1,
    *,
    dtype: DTypeLike | None = None,
    device: str | None = None,
    format: Spec | None = None,
) -> Array:
    """
    Make a vector of evenly spaced values, the same as `numpy.arange` makes.

    Parameters
    ----------
    start : number
        The first value; if it is given alone, where to stop: the first value is then 0.
    stop : number, optional
        The end, which is left out.
    step : number, optional
        Difference of neighbouring values.
    dtype : dtype_like, optional
        Of the values; None stands for what NumPy infers.
    device : {"cpu"}, optional
        Device of the array; there is one.
    format : str, Level or Format, optional
        How to store the array; None leaves it as it is made, or as `options(default_format=...)`
        says.

    Returns
    -------
    Array
        In a format that computes each element from two stored numbers, in constant time; complex
        and boolean values, and those between NumPy scalars, are stored one by one.

    Raises
    ------
    ValueError
        If the device is not "cpu".
    ZeroDivisionError
        If the step is 0.
    DensificationError
        If a vector that has to be stored is larger than the option `densify_limit`.

    See Also
    --------
    numpy.arange : The same for arrays of NumPy.
    linspace : By the number of values.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.arange(1, 10**9, 2)
    >>> a
    <structarr.Array shape=(500000000,) dtype=int64 format=Range nstored=2 fill=0
      (0)                  1
      (1)                  3
      (2)                  5
      (3)                  7
      ...
      (499999996)  999999993
      (499999997)  999999995
      (499999998)  999999997
      (499999999)  999999999>
    >>> a.nbytes, (sa.arange(4) * 2).tolist()
    (16, [0, 2, 4, 6])
    """
    check_device(device)
    low, high = (0, start) if stop is None else (start, stop)
    plain = all(type(number) in _PLAIN and abs(number) < 2**62 for number in (low, high, step))
    count = max(0, math.ceil((high - low) / step)) if plain and step else 0
    if count <= _CHECKED:
        _check_size("arange", (high - low) / step if step else 0)
        return _of_range(np.arange(low, high, step, dtype=dtype), format)
    head = np.arange(low, low + _CHECKED * step, step, dtype=dtype)[:_CHECKED]
    ruled = _ruled(head, count)
    if ruled is None:
        _check_size("arange", count)
        return asarray(np.arange(low, high, step, dtype=dtype), format=format)
    return placed(ruled, format)


def linspace(
    start: complex,
    stop: complex,
    /,
    num: int,
    *,
    dtype: DTypeLike | None = None,
    device: str | None = None,
    endpoint: bool = True,
    format: Spec | None = None,
) -> Array:
    """
    Make a vector of `num` evenly spaced values, the same as `numpy.linspace` makes.

    Parameters
    ----------
    start, stop : number
        The first value, and the last one or, with ``endpoint=False``, the one after it.
    num : int
        Number of values.
    dtype : dtype_like, optional
        Of the values; None stands for what NumPy infers.
    device : {"cpu"}, optional
        Device of the array; there is one.
    endpoint : bool, optional
        Whether `stop` is among the values.
    format : str, Level or Format, optional
        How to store the array; None leaves it as it is made, or as `options(default_format=...)`
        says.

    Returns
    -------
    Array
        Of two stored numbers, in constant time, if each of NumPy's values follows from them to the
        bit; else dense.

    Raises
    ------
    ValueError
        If `num` is negative, or the device is not "cpu".
    DensificationError
        If the vector is larger than the option `densify_limit`.

    See Also
    --------
    numpy.linspace : The same for arrays of NumPy.
    arange : By the distance of values.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.linspace(0, 1, 5).tolist()
    [0.0, 0.25, 0.5, 0.75, 1.0]
    """
    check_device(device)
    _check_size("linspace", num)
    return _of_range(np.linspace(start, stop, num, endpoint=endpoint, dtype=dtype), format)


def _of_range(values: NumPyArray, format: Spec | None) -> Array:
    """Values that are there, as a rule if they follow one."""
    ruled = _ruled(values, len(values))
    return asarray(values, format=format) if ruled is None else placed(ruled, format)


def _ruled(head: NumPyArray, count: int) -> Array | None:
    """An array of `count` values by the rule that the first of them follow to the bit, if any."""
    kind = dtypes.check(head.dtype).kind
    if kind not in "iuf" or (kind != "f" and count - 1 > np.iinfo(head.dtype).max):
        return None
    start = head[:1] if len(head) else np.zeros(1, head.dtype)
    with np.errstate(all="ignore"):
        step = head[1:2] - start if len(head) > 1 else np.zeros(1, head.dtype)
        follows = start + np.arange(len(head)).astype(head.dtype) * step
    if follows.tobytes() != head.tobytes():
        return None
    held = np.concatenate([start, step])
    held.flags.writeable = False
    return of_tensor(
        Tensor(parse(Range(Element()), 1), (count,), head.dtype, head.dtype.type(0), (held,))
    )


def _check_size(name: str, count: float) -> None:
    if count == math.inf:
        raise DensificationError(f"{name}: infinitely many elements; give bounds that are finite")
    if math.isfinite(count):  # for NaN, NumPy raises the error
        what = f"{name}: a vector of {count:.0f} elements"
        check_size(8 * math.ceil(count), what, "make it in parts")
