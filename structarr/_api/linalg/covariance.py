"""Covariances and correlations, as products of deviations from the mean."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._api.core.by_structure import by_structure
from structarr._api.core.dense_fallback import dense, through
from structarr._api.core.expressions import apply
from structarr._api.core.operands import as_array
from structarr._api.core.publish import publish
from structarr._api.creation.diagonals import diag
from structarr._api.creation.full import zeros
from structarr._api.elementwise.combined import clip
from structarr._api.elementwise.elementwise import conj, divide, imag, real
from structarr._api.linalg.linalg import matmul
from structarr._api.reductions.averages import average
from structarr._api.shape.joining import concat
from structarr._api.shape.manipulation import atleast_2d, expand_dims, squeeze
from structarr._array import Array, NumPyArray, of_tensor
from structarr._storage.dense import from_dense
from structarr._support import dtypes
from structarr._support.array_types import ArrayLike, DTypeLike


@publish(np.cov, note="its result is dense")
@by_structure(1)
def cov(
    m: ArrayLike,
    y: ArrayLike | None = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: ArrayLike | None = None,
    aweights: ArrayLike | None = None,
    *,
    dtype: DTypeLike | None = None,
) -> Array:
    """
    Return the covariances of variables, estimated by observations.

    Parameters
    ----------
    m : array_like
        A row of observations for each variable, or a vector of those of one.
    y : array_like, optional
        More variables.
    rowvar : bool
        Whether the variables are rows and not columns.
    bias : bool
        Whether sums are divided by the number of observations, and not by one less.
    ddof : int, optional
        What that number is lessened by.
    fweights, aweights : array_like, optional
        How often each observation was made, and how much it counts.
    dtype : dtype_like, optional
        Of the result, at least float64.

    Returns
    -------
    Array
        The differences from the mean are runs where the observations are a list, and products of
        runs take the time of their ends.

    Raises
    ------
    ValueError
        If `ddof` is not an integer, there are more axes than two, or a weight is negative.
    TypeError
        If `fweights` are not integers.
    RuntimeError
        If weights are not a vector of as many as observations.

    See Also
    --------
    corrcoef : By standard deviations.
    var : Of one variable.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.cov([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]).tolist()
    [[1.0, -1.0], [-1.0, 1.0]]
    """
    if ddof is not None and ddof != int(ddof):
        raise ValueError("ddof must be integer")
    observed = _variables(m, y, rowvar, dtype)
    if not observed.shape[0]:
        return zeros((0, 0))
    weights = _weights(fweights, aweights, observed.shape[1])
    mean = average(observed, axis=1, weights=weights)
    less = (0 if bias else 1) if ddof is None else ddof
    freedom = _freedom(observed.shape[1], weights, less, aweights)
    centred = observed - expand_dims(mean, 1)
    weighted = centred if weights is None else centred * weights
    products = matmul(centred, conj(weighted.T))
    if freedom <= 0:  # zeros become NaN, also where nothing is stored
        with np.errstate(all="ignore"):
            return squeeze(through(np.multiply, products, np.inf))
    return squeeze(products * (1 / freedom))


def _variables(m: Any, y: Any, rowvar: bool, dtype: Any) -> Array:
    """A matrix with a row of observations for each variable."""
    given = [as_array(one) for one in (m, y) if one is not None]
    if any(array.ndim > 2 for array in given):
        raise ValueError(f"{'m' if given[0].ndim > 2 else 'y'} has more than 2 dimensions")
    kinds = [array.dtype for array in given]
    kind = np.result_type(*kinds, np.float64) if dtype is None else dtypes.check(dtype)
    rows: list[Array] = []
    for array in given:
        two = atleast_2d(array).astype(kind)
        # The first may be a single variable of any shape; the others follow `rowvar`.
        turned = not rowvar and (array.ndim == 2 if not rows else two.shape[0] != 1)
        rows.append(two.T if turned else two)
    return rows[0] if len(rows) == 1 else concat(rows)


def _weights(fweights: Any, aweights: Any, count: int) -> NumPyArray | None:
    """The product of the weights that are given."""
    found = None
    for name, given in (("fweights", fweights), ("aweights", aweights)):
        if given is None:
            continue
        weights = np.asarray(given, dtype=float)
        if weights.ndim > 1:
            raise RuntimeError(f"cannot handle multidimensional {name}")
        if weights.shape[0] != count:
            raise RuntimeError(f"incompatible numbers of samples and {name}")
        if (weights < 0).any():
            raise ValueError(f"{name} cannot be negative")
        if name == "fweights" and (weights != np.around(weights)).any():
            raise TypeError("fweights must be integer")
        found = weights if found is None else found * weights
    return found


def _freedom(count: int, weights: NumPyArray | None, less: int, aweights: Any) -> float:
    """The degrees of freedom, by which the sums are divided."""
    if weights is None:
        return count - less
    whole = float(weights.sum())
    if aweights is None or not less:
        return whole - less
    return whole - less * float((weights * np.asarray(aweights, float)).sum()) / whole


@publish(np.corrcoef, note="its result is dense")
def corrcoef(
    x: ArrayLike, y: ArrayLike | None = None, rowvar: bool = True, *, dtype: DTypeLike | None = None
) -> Array:
    """
    Return the correlations of variables: their covariances by their standard deviations.

    Parameters
    ----------
    x : array_like
        A row of observations for each variable, or a vector of those of one.
    y : array_like, optional
        More variables.
    rowvar : bool, optional
        Whether the variables are rows and not columns.
    dtype : dtype_like, optional
        Dtype of the result, at least float64.

    Returns
    -------
    Array
        Dense matrix, or a number for one variable, computed at the call in the time of `cov`.

    Raises
    ------
    ValueError
        If there are more axes than two.
    $densification

    See Also
    --------
    cov : Covariances.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.corrcoef([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]).tolist()
    [[1.0, -1.0], [-1.0, 1.0]]
    """
    # Dense, as correlations of constants are NaN.
    products = of_tensor(from_dense(dense(cov(x, y, rowvar, dtype=dtype), "corrcoef")))
    if not products.ndim:
        return divide(products, products)
    spread = apply("sqrt", (real(diag(products)),))
    shares = divide(divide(products, expand_dims(spread, 1)), expand_dims(spread, 0))
    limited: Array = clip(real(shares), -1, 1)
    return limited if shares.dtype.kind != "c" else limited + 1j * clip(imag(shares), -1, 1)
