"""Dtypes: their names, and NumPy's functions of them."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from structarr._api.core.publish import publish
from structarr._array import Array

# Scalar types, as in NumPy's namespace: `x.dtype == float64` holds, `float64 == None` does not.
bool = np.bool
int8, int16, int32, int64 = np.int8, np.int16, np.int32, np.int64
uint8, uint16, uint32, uint64 = np.uint8, np.uint16, np.uint32, np.uint64
float32, float64 = np.float32, np.float64
complex64, complex128 = np.complex64, np.complex128


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
    """
    Return whether a cast is allowed by a rule, by default one that loses nothing.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.can_cast("int32", "int64"), sa.can_cast("int64", "int32")
    (True, False)
    """
    return np.can_cast(_dtype_of(from_), to, casting)


def isdtype(dtype: Any, kind: Any) -> builtins.bool:
    """
    Return whether a dtype is of a kind, as `numpy.isdtype` does.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.isdtype("float32", "real floating")
    True
    """
    return np.isdtype(np.dtype(dtype), kind)


class FloatInfo:
    """The limits of a floating-point dtype by NumPy's names, each a Python float."""

    def __init__(self, limits: Any) -> None:
        self._limits = limits

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # pickle and copy ask before `_limits` is set
            raise AttributeError(name)
        value = getattr(self._limits, name)
        return float(value) if isinstance(value, np.floating) else value

    def __repr__(self) -> str:
        return repr(self._limits)

    def __str__(self) -> str:
        return str(self._limits)


def finfo(type: Any, /) -> FloatInfo:
    """
    Return the limits of a floating-point dtype, or of an array's, as Python floats.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.finfo(sa.float64).eps, sa.finfo("complex64").bits
    (2.220446049250313e-16, 32)
    """
    return FloatInfo(np.finfo(_dtype_of(type)))


def iinfo(type: Any, /) -> Any:
    """
    Return the limits of an integer dtype, or of an array's.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.iinfo("int8").max
    127
    """
    return np.iinfo(_dtype_of(type))


@publish(np.iscomplexobj)
def iscomplexobj(x: Any) -> builtins.bool:
    """
    Return whether the dtype is complex.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.iscomplexobj([1 + 0j])
    True
    """
    return x.dtype.kind == "c" if isinstance(x, Array) else np.iscomplexobj(x)


@publish(np.isrealobj)
def isrealobj(x: Any) -> builtins.bool:
    """
    Return whether the dtype is not complex.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.isrealobj([1 + 0j])
    False
    """
    return not iscomplexobj(x)


def _dtype_of(value: Any) -> Any:
    return value.dtype if isinstance(value, Array) else value
