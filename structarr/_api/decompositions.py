"""Decompositions without structure: NumPy's, on dense matrices below the limit."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from structarr._api.dense import densified, of_numpy, through
from structarr._api.operands import as_array
from structarr._api.publish import publish
from structarr._api.reductions import any as any_true
from structarr._array import Array


class EigResult(NamedTuple):
    """Eigenvalues, and eigenvectors as columns."""

    eigenvalues: Array
    eigenvectors: Array


class EighResult(NamedTuple):
    """Real eigenvalues in ascending order, and eigenvectors as columns."""

    eigenvalues: Array
    eigenvectors: Array


class QRResult(NamedTuple):
    """A matrix of orthonormal columns, and an upper triangle."""

    Q: Array
    R: Array


class SVDResult(NamedTuple):
    """Left singular vectors, singular values in descending order, right singular vectors."""

    U: Array
    S: Array
    Vh: Array


@publish(np.linalg.eig)
def eig(a: Any) -> EigResult:
    """
    Return eigenvalues and eigenvectors of square matrices.

    Parameters
    ----------
    a : array_like
        A matrix, or a stack of them; the dense one must be below `densify_limit`.

    Returns
    -------
    EigResult
        `eigenvalues` and `eigenvectors`, always complex: values do not decide a dtype.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.linalg.eig([[0.0, 1.0], [1.0, 0.0]]).eigenvalues.dtype
    dtype('complex128')
    """
    found = through(np.linalg.eig, as_array(a), instead="scipy.sparse.linalg.eigs")
    dtype = np.result_type(found.eigenvalues, np.complex64)
    return EigResult(*[of_numpy(part, dtype) for part in found])


@publish(np.linalg.eigvals)
def eigvals(a: Any) -> Array:
    """
    Return eigenvalues of square matrices, always complex; see `eig`.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.linalg.eigvals([[2.0, 0.0], [0.0, 3.0]]).tolist()
    [(2+0j), (3+0j)]
    """
    found = through(np.linalg.eigvals, as_array(a), instead="scipy.sparse.linalg.eigs")
    return of_numpy(found, np.result_type(found, np.complex64))


@publish(np.linalg.eigh)
def eigh(a: Any, UPLO: str = "L") -> EighResult:
    """
    Return eigenvalues and eigenvectors of Hermitian matrices.

    Parameters
    ----------
    a : array_like
        A matrix, or a stack of them; the dense one must be below `densify_limit`.
    UPLO : {"L", "U"}, optional
        Which triangle is read.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.linalg.eigh([[0.0, 1.0], [1.0, 0.0]]).eigenvalues.tolist()
    [-1.0, 1.0]
    """
    instead = "scipy.sparse.linalg.eigsh"
    return EighResult(
        *map(of_numpy, through(np.linalg.eigh, as_array(a), UPLO=UPLO, instead=instead))
    )


@publish(np.linalg.eigvalsh)
def eigvalsh(a: Any, UPLO: str = "L") -> Array:
    """
    Return eigenvalues of Hermitian matrices in ascending order; see `eigh`.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.linalg.eigvalsh([[3.0, 0.0], [0.0, 2.0]]).tolist()
    [2.0, 3.0]
    """
    instead = "scipy.sparse.linalg.eigsh"
    return of_numpy(through(np.linalg.eigvalsh, as_array(a), UPLO=UPLO, instead=instead))


@publish(np.linalg.qr)
def qr(a: Any, mode: str = "reduced") -> Any:
    """
    Factor matrices into orthonormal columns and an upper triangle.

    Parameters
    ----------
    a : array_like
        A matrix, or a stack of them; the dense one must be below `densify_limit`.
    mode : {"reduced", "complete", "r", "raw"}, optional
        Whether `Q` has as many columns as are needed, or is square; "r" gives `R` alone, "raw"
        what LAPACK makes.

    Examples
    --------
    >>> import structarr as sa
    >>> Q, R = sa.linalg.qr([[3.0, 1.0], [4.0, 2.0]])
    >>> sa.allclose(Q @ R, [[3.0, 1.0], [4.0, 2.0]])
    True
    """
    found = through(np.linalg.qr, as_array(a), mode=mode)
    if isinstance(found, np.ndarray):
        return of_numpy(found)
    parts = [of_numpy(part) for part in found]
    return tuple(parts) if mode == "raw" else QRResult(*parts)


@publish(np.linalg.svd)
def svd(
    a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False
) -> Any:
    """
    Return singular values and vectors: ``a == U @ diag(S) @ Vh``.

    Parameters
    ----------
    a : array_like
        A matrix, or a stack of them; the dense one must be below `densify_limit`.
    full_matrices : bool, optional
        Whether `U` and `Vh` are square.
    compute_uv : bool, optional
        Whether to return more than the singular values.
    hermitian : bool, optional
        Whether the matrices are Hermitian, of which one triangle is read.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.linalg.svd([[0.0, 2.0], [1.0, 0.0]]).S.tolist()
    [2.0, 1.0]
    """
    found = through(
        np.linalg.svd,
        as_array(a),
        full_matrices=full_matrices,
        compute_uv=compute_uv,
        hermitian=hermitian,
        instead="scipy.sparse.linalg.svds",
    )
    return SVDResult(*map(of_numpy, found)) if compute_uv else of_numpy(found)


@publish(np.linalg.svdvals)
def svdvals(x: Any, /) -> Array:
    """
    Return singular values in descending order; see `svd`.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.linalg.svdvals([[0.0, 2.0], [1.0, 0.0]]).tolist()
    [2.0, 1.0]
    """
    return of_numpy(through(np.linalg.svdvals, as_array(x), instead="scipy.sparse.linalg.svds"))


def pinv(a: Any, rcond: Any = None, hermitian: bool = False, *, rtol: Any = None) -> Array:
    """
    Return pseudo-inverses of matrices.

    Parameters
    ----------
    a : array_like
        A matrix, or a stack of them; the dense one must be below `densify_limit`.
    rcond, rtol : number or array_like, optional
        What fraction of the largest singular value counts as zero, by NumPy's and by the array
        API's name; ``max(M, N)`` times the dtype's precision by default. `numpy.linalg.pinv`
        takes 1e-15 if neither is given.
    hermitian : bool, optional
        Whether the matrices are Hermitian.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.linalg.pinv([[2.0, 0.0], [0.0, 0.0]]).tolist()
    [[0.5, 0.0], [0.0, 0.0]]
    """
    options = {"rtol": rtol} if rcond is None or rtol is not None else {}
    return _numpys_pinv(a, rcond, hermitian, **options)


@publish(np.linalg.pinv)
def _numpys_pinv(a: Any, rcond: Any = None, hermitian: bool = False, **options: Any) -> Array:
    array = as_array(a)
    options = {name: _plain(value) for name, value in options.items()}
    if array.dtype.kind not in "fc":  # whose precision NumPy does not know
        array = array.astype(np.float64)
    return of_numpy(
        through(
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


@publish(np.linalg.matrix_rank)
def matrix_rank(A: Any, tol: Any = None, hermitian: bool = False, *, rtol: Any = None) -> Array:
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

    Examples
    --------
    >>> import structarr as sa
    >>> int(sa.linalg.matrix_rank([[1.0, 2.0], [2.0, 4.0]]))
    1
    """
    array = as_array(A)
    if array.ndim < 2:
        return any_true(array != 0).astype(np.int64)  # type: ignore[no-any-return]
    options = {"tol": _plain(tol), "hermitian": hermitian, "rtol": _plain(rtol)}
    instead = "scipy.sparse.linalg.svds"
    return of_numpy(through(np.linalg.matrix_rank, array, instead=instead, **options), np.int64)


@publish(np.linalg.lstsq)
def lstsq(a: Any, b: Any, rcond: Any = None) -> tuple[Array, Array, Array, Array]:
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
        The solution, sums of squares that are left, the rank, and the singular values.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.linalg.lstsq([[1.0], [1.0]], [1.0, 3.0])[0].round(6).tolist()
    [2.0]
    """
    operands = as_array(a), as_array(b)
    instead = "scipy.sparse.linalg.lsqr"
    x, left, rank, values = through(np.linalg.lstsq, *operands, rcond=rcond, instead=instead)
    return of_numpy(x), of_numpy(left), of_numpy(rank, np.int64), of_numpy(values)
