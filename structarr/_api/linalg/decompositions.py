"""Decompositions without structure: NumPy's, on dense matrices below the limit."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, overload

import numpy as np

from structarr._api.core.dense import computed, of_numpy
from structarr._api.core.operands import as_array
from structarr._api.core.publish import publish
from structarr._array import Array
from structarr._support.array_types import ArrayLike


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


@publish(np.linalg.eig, how="dense")
def eig(a: ArrayLike) -> EigResult:
    """
    Return eigenvalues and eigenvectors of square matrices.

    Parameters
    ----------
    a : array_like
        Matrix, or a stack of matrices; a dense copy is made, which `densify_limit` must allow.

    Returns
    -------
    EigResult
        `eigenvalues` and `eigenvectors`, always complex: values do not decide a dtype.

    Raises
    ------
    $square_error
    $densification

    See Also
    --------
    eigvals : The values alone.
    eigh : Of Hermitian matrices.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.linalg.eig([[0.0, 1.0], [1.0, 0.0]]).eigenvalues.dtype
    dtype('complex128')
    """
    found = computed(np.linalg.eig, as_array(a), instead="scipy.sparse.linalg.eigs")
    dtype = np.result_type(found.eigenvalues, np.complex64)
    return EigResult(*[of_numpy(part, dtype) for part in found])


@publish(np.linalg.eigvals, how="dense")
def eigvals(a: ArrayLike) -> Array:
    """
    Return eigenvalues of square matrices, always complex.

    Parameters
    ----------
    $matrix:a

    Returns
    -------
    $factored

    Raises
    ------
    $square_error
    $densification

    See Also
    --------
    eig : With vectors.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.linalg.eigvals([[2.0, 0.0], [0.0, 3.0]]).tolist()
    [(2+0j), (3+0j)]
    """
    found = computed(np.linalg.eigvals, as_array(a), instead="scipy.sparse.linalg.eigs")
    return of_numpy(found, np.result_type(found, np.complex64))


@publish(np.linalg.eigh, how="dense")
def eigh(a: ArrayLike, UPLO: Literal["L", "U"] = "L") -> EighResult:
    """
    Return eigenvalues and eigenvectors of Hermitian matrices.

    Parameters
    ----------
    a : array_like
        Matrix, or a stack of matrices; a dense copy is made, which `densify_limit` must allow.
    UPLO : {"L", "U"}, optional
        Which triangle is read.

    Returns
    -------
    EighResult
        `eigenvalues`, real and in ascending order, and `eigenvectors` as columns; dense.

    Raises
    ------
    $square_error
    $densification

    See Also
    --------
    eigvalsh : The values alone.
    eig : Of any square matrices.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.linalg.eigh([[0.0, 1.0], [1.0, 0.0]]).eigenvalues.tolist()
    [-1.0, 1.0]
    """
    instead = "scipy.sparse.linalg.eigsh"
    return EighResult(
        *map(of_numpy, computed(np.linalg.eigh, as_array(a), UPLO=UPLO, instead=instead))
    )


@publish(np.linalg.eigvalsh, how="dense")
def eigvalsh(a: ArrayLike, UPLO: Literal["L", "U"] = "L") -> Array:
    """
    Return eigenvalues of Hermitian matrices in ascending order.

    Parameters
    ----------
    $matrix:a
    UPLO : {"L", "U"}, optional
        Which triangle is read.

    Returns
    -------
    $factored

    Raises
    ------
    $square_error
    $densification

    See Also
    --------
    eigh : With vectors.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.linalg.eigvalsh([[3.0, 0.0], [0.0, 2.0]]).tolist()
    [2.0, 3.0]
    """
    instead = "scipy.sparse.linalg.eigsh"
    return of_numpy(computed(np.linalg.eigvalsh, as_array(a), UPLO=UPLO, instead=instead))


@overload
def qr(a: ArrayLike, mode: Literal["reduced", "complete"] = ...) -> QRResult: ...
@overload
def qr(a: ArrayLike, mode: Literal["r"]) -> Array: ...
@overload
def qr(a: ArrayLike, mode: Literal["raw"]) -> tuple[Array, Array]: ...


@publish(np.linalg.qr, how="dense")
def qr(a: ArrayLike, mode: Literal["reduced", "complete", "r", "raw"] = "reduced") -> Any:
    """
    Factor matrices into orthonormal columns and an upper triangle.

    Parameters
    ----------
    a : array_like
        Matrix, or a stack of matrices; a dense copy is made, which `densify_limit` must allow.
    mode : {"reduced", "complete", "r", "raw"}, optional
        Whether `Q` has as many columns as are needed, or is square; "r" gives `R` alone, "raw"
        what LAPACK makes.

    Returns
    -------
    QRResult, Array or tuple of Array
        `Q` and `R`; with "r" `R` alone, with "raw" what LAPACK makes. Dense.

    Raises
    ------
    ValueError
        If there is no such mode.
    $densification

    See Also
    --------
    svd : Singular values.

    Examples
    --------
    >>> import structarr as sa
    >>> Q, R = sa.linalg.qr([[3.0, 1.0], [4.0, 2.0]])
    >>> sa.allclose(Q @ R, [[3.0, 1.0], [4.0, 2.0]])
    True
    """
    found = computed(np.linalg.qr, as_array(a), mode=mode)
    if isinstance(found, np.ndarray):
        return of_numpy(found)
    parts = [of_numpy(part) for part in found]
    return tuple(parts) if mode == "raw" else QRResult(*parts)


@overload
def svd(
    a: ArrayLike,
    full_matrices: bool = ...,
    compute_uv: Literal[True] = ...,
    hermitian: bool = ...,
) -> SVDResult: ...
@overload
def svd(
    a: ArrayLike, full_matrices: bool = ..., *, compute_uv: Literal[False], hermitian: bool = ...
) -> Array: ...


@publish(np.linalg.svd, how="dense")
def svd(
    a: ArrayLike, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False
) -> Any:
    """
    Return singular values and vectors: ``a == U @ diag(S) @ Vh``.

    Parameters
    ----------
    a : array_like
        Matrix, or a stack of matrices; a dense copy is made, which `densify_limit` must allow.
    full_matrices : bool, optional
        Whether `U` and `Vh` are square.
    compute_uv : bool, optional
        Whether to return more than the singular values.
    hermitian : bool, optional
        Whether the matrices are Hermitian, of which one triangle is read.

    Returns
    -------
    SVDResult or Array
        `U`, `S` and `Vh`; the singular values alone without `compute_uv`. Dense.

    Raises
    ------
    numpy.linalg.LinAlgError
        If there are fewer axes than two, or the computation does not converge.
    $densification

    See Also
    --------
    svdvals : The values alone.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.linalg.svd([[0.0, 2.0], [1.0, 0.0]]).S.tolist()
    [2.0, 1.0]
    """
    found = computed(
        np.linalg.svd,
        as_array(a),
        full_matrices=full_matrices,
        compute_uv=compute_uv,
        hermitian=hermitian,
        instead="scipy.sparse.linalg.svds",
    )
    return SVDResult(*map(of_numpy, found)) if compute_uv else of_numpy(found)


@publish(np.linalg.svdvals, how="dense")
def svdvals(x: ArrayLike, /) -> Array:
    """
    Return singular values in descending order.

    Parameters
    ----------
    $matrix:x

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
    svd : With vectors.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.linalg.svdvals([[0.0, 2.0], [1.0, 0.0]]).tolist()
    [2.0, 1.0]
    """
    return of_numpy(computed(np.linalg.svdvals, as_array(x), instead="scipy.sparse.linalg.svds"))
