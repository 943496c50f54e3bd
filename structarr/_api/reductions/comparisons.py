"""Comparisons of whole arrays, composed of elementwise ones."""

from __future__ import annotations

import numpy as np

from structarr._api.core.expressions import apply
from structarr._api.core.operands import as_array
from structarr._api.core.publish import publish
from structarr._api.elementwise.elementwise import abs, equal
from structarr._api.reductions.reductions import all
from structarr._array import Array
from structarr._support.array_types import ArrayLike


@publish(np.isclose)
def isclose(
    a: ArrayLike, b: ArrayLike, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> Array:
    """
    Return where two arrays are equal within a tolerance: ``|a - b| <= atol + rtol * |b|``.

    Parameters
    ----------
    $operands:a, b
    rtol : float, optional
        The tolerance in proportion to the magnitude of `b`.
    atol : float, optional
        The tolerance besides.
    equal_nan : bool, optional
        Whether NaN are equal.

    Returns
    -------
    $elementwise

    Raises
    ------
    $broadcast_error
    $dtype_error

    See Also
    --------
    allclose : Whether all are.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.isclose(sa.asarray([1.0, 2.0]), 1.0 + 1e-9).tolist()
    [True, False]
    """
    left, right = as_array(a), as_array(b)
    right = right * 1.0 if right.dtype.kind in "biu" else right
    near = abs(left - right) <= atol + rtol * abs(right)
    close = near & apply("isfinite", (right,)) | equal(left, right)
    if equal_nan:
        close = close | apply("isnan", (left,)) & apply("isnan", (right,))
    return close


@publish(np.allclose)
def allclose(
    a: ArrayLike, b: ArrayLike, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> bool:
    """
    Return whether two arrays are equal within a tolerance everywhere.

    Parameters
    ----------
    $operands:a, b
    rtol : float, optional
        The tolerance in proportion to the magnitude of `b`.
    atol : float, optional
        The tolerance besides.
    equal_nan : bool, optional
        Whether NaN are equal.

    Returns
    -------
    bool
        Computed at the call, in time at most in proportion to what the operands store.

    Raises
    ------
    $broadcast_error
    $dtype_error

    See Also
    --------
    isclose : Where they are, and the tolerance.
    array_equal : Without a tolerance.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.allclose([1.0, 2.0], [1.0, 2.0 + 1e-9])
    True
    """
    return bool(all(isclose(a, b, rtol, atol, equal_nan)))


@publish(np.array_equal)
def array_equal(a1: ArrayLike, a2: ArrayLike, equal_nan: bool = False) -> bool:
    """
    Return whether two arrays have the same shape and elements.

    Parameters
    ----------
    a1, a2 : array_like
        The arrays.
    equal_nan : bool, optional
        Whether NaN are equal.

    Returns
    -------
    bool
        Computed at the call, in time at most in proportion to what the arrays store.

    See Also
    --------
    array_equiv : Broadcasts the arrays.
    allclose : With a tolerance.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.array_equal(sa.asarray([1, 2]), [1, 2])
    True
    """
    try:
        left, right = as_array(a1), as_array(a2)
    except TypeError:  # texts and other objects, as NumPy does where one is no array
        return False
    if left.shape != right.shape:
        return False
    same = equal(left, right)
    if equal_nan:
        same = same | apply("isnan", (left,)) & apply("isnan", (right,))
    return bool(all(same))
