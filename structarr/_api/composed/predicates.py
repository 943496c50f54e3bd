"""NumPy's predicates of values, dtypes and shapes."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._api.core.operands import as_array, owned
from structarr._api.core.out import Out, deliver
from structarr._api.core.publish import publish
from structarr._api.elementwise.elementwise import (
    equal,
    imag,
    isinf,
    logical_and,
    logical_not,
    real,
    signbit,
)
from structarr._api.reductions.reductions import all as all_of
from structarr._array import Array
from structarr._support.array_types import ArrayLike


@publish(np.isreal)
def isreal(x: ArrayLike) -> Array:
    """
    Return where the imaginary part is zero.

    Parameters
    ----------
    $elements:x

    Returns
    -------
    $mapped

    Raises
    ------
    $dtype_error

    See Also
    --------
    iscomplex : The opposite.
    isrealobj : Of the dtype.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.isreal([1 + 1j, 2]).tolist()
    [False, True]
    """
    return equal(imag(x), 0)


@publish(np.iscomplex)
def iscomplex(x: ArrayLike) -> Array:
    """
    Return where the imaginary part is not zero.

    Parameters
    ----------
    $elements:x

    Returns
    -------
    $mapped

    Raises
    ------
    $dtype_error

    See Also
    --------
    isreal : The opposite.
    iscomplexobj : Of the dtype.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.iscomplex([1 + 1j, 2]).tolist()
    [True, False]
    """
    return logical_not(isreal(x))


@publish(np.isposinf)
def isposinf(x: ArrayLike, out: Out | None = None) -> Out:
    """
    Return where elements are positive infinity.

    Parameters
    ----------
    $real:x
    $out

    Returns
    -------
    $mapped

    Raises
    ------
    TypeError
        If the dtype is complex.

    See Also
    --------
    isinf : Of either sign.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.isposinf([-sa.inf, sa.inf]).tolist()
    [False, True]
    """
    return _infinite(x, out, logical_not(signbit(_real("isposinf", x))))


@publish(np.isneginf)
def isneginf(x: ArrayLike, out: Out | None = None) -> Out:
    """
    Return where elements are negative infinity.

    Parameters
    ----------
    $real:x
    $out

    Returns
    -------
    $mapped

    Raises
    ------
    TypeError
        If the dtype is complex.

    See Also
    --------
    isinf : Of either sign.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.isneginf([-sa.inf, sa.inf]).tolist()
    [True, False]
    """
    return _infinite(x, out, signbit(_real("isneginf", x)))


def _infinite(x: Any, out: Out | None, sign: Array) -> Out:
    return deliver(logical_and(isinf(x), sign), out, broadcasts=True)


def _real(name: str, x: Any) -> Array:
    array = as_array(x)
    if array.dtype.kind == "c":
        raise TypeError(
            f"This operation is not supported for {array.dtype} values because it would be "
            f"ambiguous: call {name} on real parts"
        )
    return array


@publish(np.real_if_close)
def real_if_close(a: ArrayLike, tol: float = 100) -> Array:
    """
    Return the real parts if all imaginary parts are close to zero, else the array.

    Parameters
    ----------
    $elements:a
    tol : float, optional
        What is close to zero: so many times the precision of the dtype if above 1, else the number
        itself.

    Returns
    -------
    Array
        In the format of `a`. A complex array is computed, in time proportional to what it stores.

    Raises
    ------
    $dtype_error

    See Also
    --------
    real : The real parts in any case.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.real_if_close([1 + 1e-15j, 2]).dtype
    dtype('float64')
    """
    array = as_array(a)
    if array.dtype.kind != "c":
        return owned(array)
    limit = tol * np.finfo(array.dtype).eps if tol > 1 else tol
    close = bool(all_of(np.abs(imag(array)) < float(limit)))
    return real(array) if close else owned(array)


@publish(np.array_equiv)
def array_equiv(a1: ArrayLike, a2: ArrayLike) -> bool:
    """
    Return whether two arrays are equal once they are broadcast.

    Parameters
    ----------
    a1, a2 : array_like
        The arrays.

    Returns
    -------
    bool
        Computed at the call, in time at most in proportion to what the arrays, broadcast, store.

    See Also
    --------
    array_equal : Of one shape.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.array_equiv([1, 1], 1)
    True
    """
    try:
        left, right = as_array(a1), as_array(a2)
        np.broadcast_shapes(left.shape, right.shape)
    except (TypeError, ValueError):  # texts and other objects, as in NumPy, equal no array
        return False
    return bool(all_of(equal(left, right)))


@publish(np.common_type)
def common_type(*arrays: ArrayLike) -> Any:
    """
    Return the inexact type that all arrays can be cast to.

    Parameters
    ----------
    *arrays : array_like
        Of numbers; nothing is computed.

    Returns
    -------
    type
        A scalar type of NumPy, float64 for integers.

    Raises
    ------
    TypeError
        If an array is of booleans.

    See Also
    --------
    result_type : The dtype that promotion gives.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.common_type(sa.asarray([1.0], dtype="float32")).__name__
    'float32'
    """
    return np.common_type(*[_hollow(array) for array in arrays])


@publish(np.min_scalar_type)
def min_scalar_type(a: ArrayLike, /) -> np.dtype[Any]:
    """
    Return the dtype of an array, or the smallest that holds a scalar.

    Parameters
    ----------
    a : array_like or scalar
        The array or the scalar.

    Returns
    -------
    numpy.dtype
        That of an array of any axes, unless it has none.

    Raises
    ------
    $dtype_error

    See Also
    --------
    result_type : The dtype that promotion gives.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.min_scalar_type(300)
    dtype('uint16')
    """
    array = as_array(a)
    return np.min_scalar_type(_hollow(array) if array.ndim else array.item())


@publish(np.einsum_path)
def einsum_path(*operands: Any, **kwargs: Any) -> tuple[list[Any], str]:
    """
    Return NumPy's order of contractions for `einsum`, by shapes alone; ours is chosen by counts.

    The arguments are those of `numpy.einsum_path`.

    Parameters
    ----------
    *operands : str or array_like
        Subscripts and what they stand for, as `einsum` takes them.
    **kwargs
        `optimize` and `einsum_call`, as of `numpy.einsum_path`.

    Returns
    -------
    tuple
        The pairs to contract in their order, and a description to print.

    Raises
    ------
    ValueError
        If subscripts and operands do not agree.

    See Also
    --------
    einsum : Whose order follows from counts.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.einsum_path("ij,jk->ik", sa.eye(2), sa.eye(2))[0]
    ['einsum_path', (0, 1)]
    """
    return np.einsum_path(*[_hollow(one) for one in operands], **kwargs)


def _hollow(value: Any) -> Any:
    """An array of the same shape and dtype that takes no memory."""
    if not isinstance(value, Array):
        return value
    return np.broadcast_to(np.zeros((), value.dtype), value.shape)
