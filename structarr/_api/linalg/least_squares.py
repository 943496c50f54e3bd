"""Ranks, pseudo-inverses and least squares: NumPy's, on dense matrices below the limit."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._api.core.dense import computed, densified, of_numpy
from structarr._api.core.operands import as_array
from structarr._api.core.publish import publish
from structarr._api.reductions.reductions import any as any_true
from structarr._array import Array
from structarr._support.array_types import ArrayLike
from structarr._support.docstrings import documented


@documented
def pinv(
    a: ArrayLike, rcond: Any = None, hermitian: bool = False, *, rtol: ArrayLike | None = None
) -> Array:
    """
    Return pseudo-inverses of matrices.

    Parameters
    ----------
    a : array_like
        Matrix, or a stack of matrices; a dense copy is made, which `densify_limit` must allow.
    rcond, rtol : number or array_like, optional
        What fraction of the largest singular value counts as zero, by NumPy's and by the array
        API's name; ``max(M, N)`` times the dtype's precision by default. `numpy.linalg.pinv`
        takes 1e-15 if neither is given.
    hermitian : bool, optional
        Whether the matrices are Hermitian.

    Returns
    -------
    $factored

    Raises
    ------
    numpy.linalg.LinAlgError
        If there are fewer axes than two, or the computation does not converge.
    $densification

    See Also
    --------
    inv : Of square matrices.
    lstsq : Least squares.
    numpy.linalg.pinv : The same for arrays of NumPy.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.linalg.pinv([[2.0, 0.0], [0.0, 0.0]]).tolist()
    [[0.5, 0.0], [0.0, 0.0]]
    """
    options = {"rtol": rtol} if rcond is None or rtol is not None else {}
    return _numpys_pinv(a, rcond, hermitian, **options)


@publish(np.linalg.pinv, how="dense")
def _numpys_pinv(a: Any, rcond: Any = None, hermitian: bool = False, **options: Any) -> Array:
    array = as_array(a)
    options = {name: _plain(value) for name, value in options.items()}
    if array.dtype.kind not in "fc":  # NumPy asks the dtype for its precision
        array = array.astype(np.float64)
    return of_numpy(
        computed(
            np.linalg.pinv,
            array,
            rcond=_plain(rcond),
            hermitian=hermitian,
            instead="scipy.sparse.linalg.lsqr",
            **options,
        )
    )


def _plain(tolerance: Any) -> Any:
    return densified(tolerance, "rtol") if isinstance(tolerance, Array) else tolerance


@publish(np.linalg.matrix_rank, how="dense")
def matrix_rank(
    A: ArrayLike,
    tol: ArrayLike | None = None,
    hermitian: bool = False,
    *,
    rtol: ArrayLike | None = None,
) -> Array:
    """
    Count the singular values of matrices that are not zero but for rounding.

    Parameters
    ----------
    A : array_like
        A matrix, or a stack of them; the dense one must be below `densify_limit`. Of a vector it
        is whether any element is not zero.
    tol : number or array_like, optional
        What counts as zero.
    hermitian : bool, optional
        Whether the matrices are Hermitian.
    rtol : number or array_like, optional
        The same as a fraction of the largest singular value; ``max(M, N)`` times the dtype's
        precision by default.

    Returns
    -------
    Array
        One number of int64 for each matrix, computed at the call from the singular values of dense
        copies.

    Raises
    ------
    $densification

    See Also
    --------
    svdvals : The singular values.

    Examples
    --------
    >>> import structarr as sa
    >>> int(sa.linalg.matrix_rank([[1.0, 2.0], [2.0, 4.0]]))
    1
    """
    array = as_array(A)
    if array.ndim < 2:
        return any_true(array != 0).astype(np.int64)
    options = {"tol": _plain(tol), "hermitian": hermitian, "rtol": _plain(rtol)}
    instead = "scipy.sparse.linalg.svds"
    return of_numpy(computed(np.linalg.matrix_rank, array, instead=instead, **options), np.int64)


@publish(np.linalg.lstsq, how="dense")
def lstsq(a: ArrayLike, b: ArrayLike, rcond: Any = None) -> tuple[Array, Array, Array, Array]:
    """
    Return the solutions of ``a @ x == b`` that leave the least squares.

    Parameters
    ----------
    a : array_like
        A matrix; the dense one must be below `densify_limit`.
    b : array_like
        A vector, or a matrix of columns.
    rcond : number, optional
        What fraction of the largest singular value counts as zero.

    Returns
    -------
    tuple of Array
        Solution, sums of squared residuals, rank and singular values: dense, computed at the call
        by LAPACK on dense copies.

    Raises
    ------
    numpy.linalg.LinAlgError
        If `a` is not a matrix, or the rows do not agree.
    $densification

    See Also
    --------
    solve : Of square matrices.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.linalg.lstsq([[1.0], [1.0]], [1.0, 3.0])[0].round(6).tolist()
    [2.0]
    """
    operands = as_array(a), as_array(b)
    instead = "scipy.sparse.linalg.lsqr"
    x, left, rank, values = computed(np.linalg.lstsq, *operands, rcond=rcond, instead=instead)
    return of_numpy(x), of_numpy(left), of_numpy(rank, np.int64), of_numpy(values)
