"""Dtypes: their names, and NumPy's questions about them."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from structarr._api.publish import publish
from structarr._array import Array

bool = np.dtype("bool")
int8, int16, int32, int64 = (np.dtype(f"int{bits}") for bits in (8, 16, 32, 64))
uint8, uint16, uint32, uint64 = (np.dtype(f"uint{bits}") for bits in (8, 16, 32, 64))
float32, float64 = np.dtype("float32"), np.dtype("float64")
complex64, complex128 = np.dtype("complex64"), np.dtype("complex128")


@publish(np.result_type)
def result_type(*arrays_and_dtypes: Any) -> np.dtype[Any]:
    """
    Return the dtype that promotion gives; Python scalars are weak.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.result_type(sa.asarray([1.5], dtype="float32"), 2.0)
    dtype('float32')
    """
    return np.result_type(*[_dtype_of(value) for value in arrays_and_dtypes])


@publish(np.can_cast)
def can_cast(from_: Any, to: Any, /, casting: Any = "safe") -> builtins.bool:
    """Return whether a cast is allowed by a rule, by default one that loses nothing."""
    return np.can_cast(_dtype_of(from_), to, casting)


def isdtype(dtype: Any, kind: Any) -> builtins.bool:
    """Return whether a dtype is of a kind, as `numpy.isdtype` does."""
    return np.isdtype(np.dtype(dtype), kind)


class FloatLimits:
    """The limits of a floating-point dtype: Python's numbers, and what else `numpy.finfo` tells."""

    def __init__(self, dtype: Any) -> None:
        self._known = np.finfo(dtype)

    @property
    def eps(self) -> float:
        """From 1.0 to the next number."""
        return float(self._known.eps)

    @property
    def max(self) -> float:
        """The greatest number."""
        return float(self._known.max)

    @property
    def min(self) -> float:
        """The least number."""
        return float(self._known.min)

    @property
    def smallest_normal(self) -> float:
        """The least positive number of full precision."""
        return float(self._known.smallest_normal)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._known, name)

    def __repr__(self) -> str:
        return repr(self._known)


def finfo(type: Any, /) -> FloatLimits:
    """
    Return the limits of a floating-point dtype, or of an array's.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.finfo(sa.float32).bits, sa.finfo(sa.float32).max > 3e38
    (32, True)
    """
    return FloatLimits(_dtype_of(type))


def iinfo(type: Any, /) -> Any:
    """Return the limits of an integer dtype, or of an array's."""
    return np.iinfo(_dtype_of(type))


@publish(np.iscomplexobj)
def iscomplexobj(x: Any) -> builtins.bool:
    """Return whether the dtype is complex."""
    return np.iscomplexobj(np.empty(0, _dtype_of(x)))


@publish(np.isrealobj)
def isrealobj(x: Any) -> builtins.bool:
    """Return whether the dtype is not complex."""
    return not iscomplexobj(x)


def _dtype_of(value: Any) -> Any:
    return value.dtype if isinstance(value, Array) else value
