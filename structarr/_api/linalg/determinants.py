"""Determinants, and their logarithms: products of pivots."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from structarr._api.core.dense import computed, of_numpy
from structarr._api.core.eager import eager
from structarr._api.core.operands import as_array
from structarr._api.core.publish import publish
from structarr._api.linalg.factorize import factored
from structarr._api.linalg.square_checks import check_square, inexact, real
from structarr._array import Array, stored
from structarr._support.array_types import ArrayLike


class SlogdetResult(NamedTuple):
    """The sign of a determinant, and the logarithm of its absolute value."""

    sign: Array
    logabsdet: Array


@publish(np.linalg.slogdet)
def slogdet(a: ArrayLike) -> SlogdetResult:
    """
    Return the signs of determinants, and the logarithms of their absolute values.

    Parameters
    ----------
    a : array_like
        A square matrix, or a stack of them; how it is factored, `solve` tells.

    Returns
    -------
    SlogdetResult
        `sign` and `logabsdet`; 0 and -inf for a singular matrix.

    Raises
    ------
    $square_error
    $densification

    See Also
    --------
    det : The determinants themselves.

    Examples
    --------
    >>> import structarr as sa
    >>> sign, logabsdet = sa.linalg.slogdet(sa.diags([[-1.0, 1.0]], [0]))
    >>> float(sign), float(logabsdet)
    (-1.0, 0.0)
    """
    array, dtype, found = _signed_logarithm("slogdet", a)
    if found is None:
        found = computed(np.linalg.slogdet, array, instead="scipy.sparse.linalg.splu")
    return SlogdetResult(of_numpy(found[0], dtype), of_numpy(found[1], real(dtype)))


@publish(np.linalg.det)
@eager
def det(a: ArrayLike) -> Array:
    """
    Return determinants of square matrices, 0 of singular ones.

    Parameters
    ----------
    a : array_like
        A square matrix, or a stack of them; how it is factored, `solve` tells.

    Returns
    -------
    Array
        One number for each matrix, dense and computed at the call in the time of a factorization.

    Raises
    ------
    $square_error
    $densification

    See Also
    --------
    slogdet : Their logarithms.

    Examples
    --------
    >>> import structarr as sa
    >>> round(float(sa.linalg.det(sa.asarray([[0, 2], [3, 0]], format="csr"))), 12)
    -6.0
    """
    array, dtype, found = _signed_logarithm("det", a)
    if found is None:
        return of_numpy(computed(np.linalg.det, array, instead="scipy.sparse.linalg.splu"))
    with np.errstate(all="ignore"):
        return of_numpy(found[0] * np.exp(found[1]), dtype)


def _signed_logarithm(name: str, a: Any) -> tuple[Array, np.dtype[Any], tuple[Any, Any] | None]:
    """The operand, its dtype, and the sign and logarithm of its determinant, if known."""
    array = as_array(a)
    check_square(name, array)
    dtype = inexact(array)
    try:
        factors = factored(stored(array), dtype)
    except np.linalg.LinAlgError:
        return array, dtype, (0, -np.inf)
    if factors is None:
        return array, dtype, None
    pivots = factors.pivots()
    size = np.abs(pivots)
    with np.errstate(all="ignore"):
        sign = factors.sign() * np.prod(pivots / size) ** factors.times
        return array, dtype, (sign, np.log(size).sum() * factors.times)
