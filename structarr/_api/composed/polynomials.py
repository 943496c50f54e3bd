"""NumPy's polynomials, vectors of coefficients: on dense copies."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._api.core.dense_fallback import through
from structarr._api.core.publish import publish
from structarr._array import Array
from structarr._support.array_types import ArrayLike


@publish(np.poly, how="dense")
def poly(seq_of_zeros: ArrayLike) -> Array:
    """
    Return the polynomial of given roots, or the characteristic one of a matrix.

    Parameters
    ----------
    seq_of_zeros : array_like
        A vector of roots, or a square matrix.

    Returns
    -------
    $dense

    Raises
    ------
    ValueError
        If it is neither a vector nor a square matrix.
    $densification

    See Also
    --------
    roots : The inverse.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.poly([1, 2]).tolist()
    [1.0, -3.0, 2.0]
    """
    return through(np.poly, seq_of_zeros)  # type: ignore[no-any-return]


@publish(np.polyadd, how="dense")
def polyadd(a1: ArrayLike, a2: ArrayLike) -> Array:
    """
    Return the sum of polynomials.

    Parameters
    ----------
    $polynomials:a1, a2

    Returns
    -------
    $dense

    Raises
    ------
    $densification

    See Also
    --------
    polysub : The difference.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.polyadd([1, 2], [1, 0, 3]).tolist()
    [1, 1, 5]
    """
    return through(np.polyadd, a1, a2)  # type: ignore[no-any-return]


@publish(np.polysub, how="dense")
def polysub(a1: ArrayLike, a2: ArrayLike) -> Array:
    """
    Return the difference of polynomials.

    Parameters
    ----------
    $polynomials:a1, a2

    Returns
    -------
    $dense

    Raises
    ------
    $densification

    See Also
    --------
    polyadd : The sum.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.polysub([1, 2], [1, 0, 3]).tolist()
    [-1, 1, -1]
    """
    return through(np.polysub, a1, a2)  # type: ignore[no-any-return]


@publish(np.polymul, how="dense")
def polymul(a1: ArrayLike, a2: ArrayLike) -> Array:
    """
    Return the product of polynomials.

    Parameters
    ----------
    $polynomials:a1, a2

    Returns
    -------
    $dense

    Raises
    ------
    $densification

    See Also
    --------
    polydiv : The quotient.
    convolve : The same of sparse vectors.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.polymul([1, 2], [1, 3]).tolist()
    [1, 5, 6]
    """
    return through(np.polymul, a1, a2)  # type: ignore[no-any-return]


@publish(np.polydiv, how="dense")
def polydiv(u: ArrayLike, v: ArrayLike) -> tuple[Array, Array]:
    """
    Return the quotient and the remainder of polynomials.

    Parameters
    ----------
    $polynomials:u, v

    Returns
    -------
    tuple of Array
        Both dense, computed at the call by NumPy from dense copies.

    Raises
    ------
    $densification

    See Also
    --------
    polymul : The product.

    Examples
    --------
    >>> import structarr as sa
    >>> [part.tolist() for part in sa.polydiv([1.0, 5.0, 7.0], [1.0, 2.0])]
    [[1.0, 3.0], [1.0]]
    """
    return through(np.polydiv, u, v)  # type: ignore[no-any-return]


@publish(np.polyder, how="dense")
def polyder(p: ArrayLike, m: int = 1) -> Array:
    """
    Return the derivative of a polynomial.

    Parameters
    ----------
    $polynomials:p
    m : int, optional
        Number of times.

    Returns
    -------
    $dense

    Raises
    ------
    ValueError
        If `m` is negative.
    $densification

    See Also
    --------
    polyint : The inverse.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.polyder([1, 2, 3]).tolist()
    [2, 2]
    """
    return through(np.polyder, p, m)  # type: ignore[no-any-return]


@publish(np.polyint, how="dense")
def polyint(p: ArrayLike, m: int = 1, k: Any = None) -> Array:
    """
    Return an antiderivative of a polynomial.

    Parameters
    ----------
    $polynomials:p
    m : int, optional
        Number of times.
    k : scalar or sequence of scalar, optional
        The constants of integration, zeros by default.

    Returns
    -------
    $dense

    Raises
    ------
    ValueError
        If `m` is negative, or there are not as many constants.
    $densification

    See Also
    --------
    polyder : The inverse.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.polyint([2, 2], k=3).tolist()
    [1.0, 2.0, 3.0]
    """
    return through(np.polyint, p, m, k)  # type: ignore[no-any-return]


@publish(np.polyfit, how="dense")
def polyfit(
    x: ArrayLike,
    y: ArrayLike,
    deg: int,
    rcond: float | None = None,
    full: bool = False,
    w: ArrayLike | None = None,
    cov: Any = False,
) -> Any:
    """
    Return the polynomial of least squares through points.

    Parameters
    ----------
    x : array_like
        A vector of coordinates.
    y : array_like
        As many values, or a matrix with a column of them for each polynomial.
    deg : int
        The degree.
    rcond : float, optional
        What fraction of the largest singular value counts as zero.
    full : bool, optional
        Whether to return diagnostics, too.
    w : array_like, optional
        Weight of each point.
    cov : bool or "unscaled", optional
        Whether to return the covariances of the coefficients, too.

    Returns
    -------
    Array or tuple
        The coefficients, dense and computed at the call; with `full` or `cov` also what
        `numpy.polyfit` adds.

    Raises
    ------
    TypeError
        If the vectors are empty, or their lengths do not agree.
    ValueError
        If the degree is negative.
    $densification

    See Also
    --------
    polyval : The values of a polynomial.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.polyfit([0.0, 1.0, 2.0], [1.0, 3.0, 5.0], 1).round(6).tolist()
    [2.0, 1.0]
    """
    return through(np.polyfit, x, y, deg, rcond, full, w, cov)


@publish(np.roots, how="dense")
def roots(p: ArrayLike) -> Array:
    """
    Return the roots of a polynomial.

    Parameters
    ----------
    $polynomials:p

    Returns
    -------
    $dense

    Raises
    ------
    ValueError
        If it is not a vector.
    $densification

    See Also
    --------
    poly : The inverse.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.sort(sa.roots([1, -3, 2])).tolist()
    [1.0, 2.0]
    """
    return through(np.roots, p)  # type: ignore[no-any-return]


@publish(np.vander, how="dense")
def vander(x: ArrayLike, N: int | None = None, increasing: bool = False) -> Array:
    """
    Return the matrix of the powers of a vector, a column each.

    Parameters
    ----------
    x : array_like
        A vector.
    N : int, optional
        How many powers; None stands for as many as there are elements.
    increasing : bool, optional
        Whether the lowest power comes first.

    Returns
    -------
    $dense

    Raises
    ------
    ValueError
        If it is not a vector.
    $densification

    See Also
    --------
    polyfit : Coefficients of such columns.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.vander([1, 2, 3], 2).tolist()
    [[1, 1], [2, 1], [3, 1]]
    """
    return through(np.vander, x, N, increasing)  # type: ignore[no-any-return]
