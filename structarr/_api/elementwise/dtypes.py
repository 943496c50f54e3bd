"""Dtypes: their names, and NumPy's functions of them."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from structarr._api.core.publish import publish
from structarr._array import Array
from structarr._support.array_types import ArrayLike, Casting, DTypeLike

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

    Parameters
    ----------
    *arrays_and_dtypes : array_like, dtype_like or scalar
        What is promoted; nothing is computed.

    Returns
    -------
    numpy.dtype
        That of an operation on all of them.

    Raises
    ------
    ValueError
        If nothing is given.

    See Also
    --------
    can_cast : Whether one dtype becomes another.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.result_type(sa.asarray([1.5], dtype="float32"), 2.0)
    dtype('float32')
    """
    return np.result_type(*[_dtype_of(value) for value in arrays_and_dtypes])


@publish(np.can_cast)
def can_cast(from_: Any, to: Any, /, casting: Casting = "safe") -> builtins.bool:
    """
    Return whether a cast is allowed by a rule, by default one that loses nothing.

    Parameters
    ----------
    from_ : dtype_like or Array
        What is cast.
    to : dtype_like
        What to.
    casting : {"no", "equiv", "safe", "same_kind", "unsafe"}, optional
        The rule.

    Returns
    -------
    bool
        Nothing is computed.

    Raises
    ------
    TypeError
        If a dtype is none.

    See Also
    --------
    result_type : The dtype that promotion gives.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.can_cast("int32", "int64"), sa.can_cast("int64", "int32")
    (True, False)
    """
    return np.can_cast(_dtype_of(from_), to, casting)


def isdtype(dtype: DTypeLike | None, kind: Any) -> builtins.bool:
    """
    Return whether a dtype is of a kind, as `numpy.isdtype` does.

    Parameters
    ----------
    dtype : dtype_like
        The dtype.
    kind : str, dtype_like or tuple of them
        A kind's name, as "bool", "integral", "real floating", "complex floating" or "numeric"; a
        dtype; or several of which one must fit.

    Returns
    -------
    bool
        Whether it is.

    Raises
    ------
    TypeError
        If there is no such kind.

    See Also
    --------
    numpy.isdtype : The same for dtypes alone.

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

    Parameters
    ----------
    type : dtype_like or Array
        Of a floating-point or complex dtype.

    Returns
    -------
    FloatInfo
        With NumPy's names of the limits: `eps`, `max`, `min`, `bits`, and so on.

    Raises
    ------
    ValueError
        If the dtype is not one of floating-point numbers.

    See Also
    --------
    numpy.finfo : With limits of NumPy's types.
    iinfo : Of integers.

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

    Parameters
    ----------
    type : dtype_like or Array
        Of an integer dtype.

    Returns
    -------
    numpy.iinfo
        With `min`, `max` and `bits`.

    Raises
    ------
    ValueError
        If the dtype is not one of integers.

    See Also
    --------
    numpy.iinfo : The same for dtypes alone.
    finfo : Of floating-point numbers.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.iinfo("int8").max
    127
    """
    return np.iinfo(_dtype_of(type))


@publish(np.iscomplexobj)
def iscomplexobj(x: ArrayLike) -> builtins.bool:
    """
    Return whether the dtype is complex.

    Parameters
    ----------
    $array:x

    Returns
    -------
    bool
        Nothing is computed.

    See Also
    --------
    iscomplex : Of each element.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.iscomplexobj([1 + 0j])
    True
    """
    given: Any = x
    return given.dtype.kind == "c" if isinstance(x, Array) else np.iscomplexobj(given)


@publish(np.isrealobj)
def isrealobj(x: ArrayLike) -> builtins.bool:
    """
    Return whether the dtype is not complex.

    Parameters
    ----------
    $array:x

    Returns
    -------
    bool
        Nothing is computed.

    See Also
    --------
    isreal : Of each element.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.isrealobj([1 + 0j])
    False
    """
    return not iscomplexobj(x)


def _dtype_of(value: Any) -> Any:
    return value.dtype if isinstance(value, Array) else value
