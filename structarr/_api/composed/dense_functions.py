"""Functions that structure does not help: NumPy's, on dense copies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from structarr._api.core.dense_fallback import through
from structarr._api.core.publish import publish
from structarr._array import Array
from structarr._support.array_types import ArrayLike, DTypeLike


@publish(np.apply_along_axis, how="dense")
def apply_along_axis(
    func1d: Callable[..., Any], axis: int, arr: ArrayLike, *args: object, **kwargs: object
) -> Array:
    """
    Apply a function to the vectors along an axis.

    Parameters
    ----------
    func1d : callable
        Takes a vector of NumPy, and returns a number or an array.
    axis : int
        Axis to work along.
    $own:arr
    *args, **kwargs
        Further arguments of the function.

    Returns
    -------
    $dense

    Raises
    ------
    $axis_error
    $densification

    See Also
    --------
    apply_over_axes : Reductions, one axis after the other.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.apply_along_axis(max, 1, [[1, 3], [5, 2]]).tolist()
    [3, 5]
    """
    return through(  # type: ignore[no-any-return]
        np.apply_along_axis, func1d, axis, arr, *args, **kwargs
    )


@publish(np.geomspace, how="dense")
def geomspace(
    start: ArrayLike,
    stop: ArrayLike,
    num: int = 50,
    endpoint: bool = True,
    dtype: DTypeLike | None = None,
    axis: int = 0,
) -> Array:
    """
    Return numbers spaced evenly on a logarithmic scale, between two ends.

    Parameters
    ----------
    start, stop : array_like
        The first value, and the last one or, without `endpoint`, the one after it.
    num : int, optional
        Number of values.
    endpoint : bool, optional
        Whether `stop` is among the values.
    $dtype
    axis : int, optional
        The axis of the values in the result.

    Returns
    -------
    $dense

    Raises
    ------
    ValueError
        If an end is 0, or `num` is negative.
    $densification

    See Also
    --------
    logspace : By the logarithms of the ends.
    linspace : Of one distance.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.geomspace(1, 8, 4).round(6).tolist()
    [1.0, 2.0, 4.0, 8.0]
    """
    return through(  # type: ignore[no-any-return]
        np.geomspace, start, stop, num, endpoint, dtype, axis
    )


@publish(np.logspace, how="dense")
def logspace(
    start: ArrayLike,
    stop: ArrayLike,
    num: int = 50,
    endpoint: bool = True,
    base: ArrayLike = 10.0,
    dtype: DTypeLike | None = None,
    axis: int = 0,
) -> Array:
    """
    Return powers of a base with evenly spaced exponents.

    Parameters
    ----------
    start, stop : array_like
        The first exponent, and the last one or, without `endpoint`, the one after it.
    num : int, optional
        Number of values.
    endpoint : bool, optional
        Whether `stop` is among the exponents.
    base : array_like, optional
        What is raised to them.
    $dtype
    axis : int, optional
        The axis of the values in the result.

    Returns
    -------
    $dense

    Raises
    ------
    ValueError
        If `num` is negative.
    $densification

    See Also
    --------
    geomspace : By the ends themselves.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.logspace(0, 2, 3).tolist()
    [1.0, 10.0, 100.0]
    """
    return through(  # type: ignore[no-any-return]
        np.logspace, start, stop, num, endpoint, base, dtype, axis
    )


@publish(np.i0, how="dense")
def i0(x: ArrayLike) -> Array:
    """
    Return the modified Bessel function of the first kind of order 0.

    Parameters
    ----------
    $own:x

    Returns
    -------
    $dense

    Raises
    ------
    TypeError
        If the dtype is complex.
    $densification

    See Also
    --------
    exp : The exponential.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.i0(0.0).item()
    1.0
    """
    return through(np.i0, x)  # type: ignore[no-any-return]


@publish(np.sort_complex, how="dense")
def sort_complex(a: ArrayLike) -> Array:
    """
    Sort along the last axis, by real and then by imaginary parts; the result is complex.

    Parameters
    ----------
    $own:a

    Returns
    -------
    $dense

    Raises
    ------
    $densification

    See Also
    --------
    sort : Keeps the dtype, and what is left out.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.sort_complex([2, 1 + 1j, 1]).tolist()
    [(1+0j), (1+1j), (2+0j)]
    """
    return through(np.sort_complex, a)  # type: ignore[no-any-return]


@publish(np.unwrap, how="dense")
def unwrap(
    p: ArrayLike, discont: float | None = None, axis: int = -1, *, period: float = 2 * np.pi
) -> Array:
    """
    Return angles without jumps of more than half a period.

    Parameters
    ----------
    $own:p
    discont : float, optional
        The largest jump that stays; half a period by default.
    axis : int, optional
        Axis to work along.
    period : float, optional
        Length of a whole turn.

    Returns
    -------
    $dense

    Raises
    ------
    $axis_error
    $densification

    See Also
    --------
    angle : The angles of complex numbers.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.unwrap([1, 3, 0, 2], period=4).tolist()
    [1, 3, 4, 6]
    """
    return through(np.unwrap, p, discont, axis, period=period)  # type: ignore[no-any-return]


@publish(np.frexp, how="dense")
def frexp(x: ArrayLike, /) -> tuple[Array, Array]:
    """
    Return mantissas from 0.5 to 1 and exponents of base two.

    Parameters
    ----------
    $own:x

    Returns
    -------
    tuple of Array
        Both dense, computed at the call by NumPy from dense copies.

    Raises
    ------
    $dtype_error
    $densification

    See Also
    --------
    ldexp : The inverse.

    Examples
    --------
    >>> import structarr as sa
    >>> [part.item() for part in sa.frexp(12.0)]
    [0.75, 4]
    """
    return through(np.frexp, x)  # type: ignore[no-any-return]
