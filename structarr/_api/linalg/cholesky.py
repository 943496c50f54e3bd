"""Cholesky factors, within the band or the packed triangle of the operand's format."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._api.core.dense import computed, of_numpy
from structarr._api.core.entry_lists import is_listed
from structarr._api.core.operands import as_array
from structarr._api.core.publish import publish
from structarr._api.creation.diagonals import of_diagonals
from structarr._api.elementwise.elementwise import conj
from structarr._api.linalg.square_checks import (
    check_square,
    diagonals,
    double,
    inexact,
    main_diagonal,
    triangle,
)
from structarr._api.shape.manipulation import matrix_transpose
from structarr._array import Array, NumPyArray, of_tensor, stored
from structarr._storage.coordinates import coordinates
from structarr._storage.density import check_size
from structarr._storage.tensor import Tensor
from structarr._support.array_types import ArrayLike
from structarr.formats import (
    Dense,
    Element,
    Format,
    SparseBand,
    Triangular,
    Uniform,
    parse,
)
from structarr.formats.entries import segments
from structarr.formats.kinds import UPPER


@publish(np.linalg.cholesky)
def cholesky(a: ArrayLike, /, *, upper: bool = False) -> Array:
    """
    Return the triangle `l` of a Hermitian, positive-definite matrix ``l @ l.conj().mT``.

    Parameters
    ----------
    a : array_like
        A matrix, or a stack of them, of which the lower triangle is read.
    upper : bool, optional
        Whether to read the upper triangle, and to return ``l.conj().mT``.

    Returns
    -------
    Array
        Computed at the call. For symmetric, Hermitian and triangular formats the packed triangle;
        for "dia" all diagonals from the outermost to the main one; for other sparse formats "band",
        each row from its first entry on; else dense. The time is that of filling in what the factor
        stores: for a band of w diagonals and n rows proportional to n * w**2.

    Raises
    ------
    numpy.linalg.LinAlgError
        If the matrix is not positive-definite, or not square.
    DensificationError
        If the band that is filled in is larger than `densify_limit`.

    See Also
    --------
    solve : Systems of equations.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.linalg.cholesky(sa.diags([[2.0], [4.0, 5.0], [2.0]], [-1, 0, 1]))
    >>> a.tolist(), a.format.levels[1].offsets
    ([[2.0, 0.0], [1.0, 2.0]], (-1, 0))
    """
    array = as_array(a)
    check_square("cholesky", array)
    if not _is_structured(stored(array)):
        return of_numpy(computed(np.linalg.cholesky, array, upper=upper))
    if not upper:
        return _lower(stored(array))
    return _adjoint(_lower(stored(_adjoint(array))))


def _adjoint(array: Array) -> Array:
    transposed = matrix_transpose(array)
    return conj(transposed) if array.dtype.kind == "c" else transposed


def _is_structured(tensor: Tensor) -> bool:
    if tensor.ndim != 2:
        return False
    return tensor.format.levels[1].kind.is_mirrored or (is_listed(tensor) and tensor.fill == 0)


def _lower(tensor: Tensor) -> Array:
    """The lower factor of a matrix, whose lower triangle alone is read."""
    dtype = inexact(of_tensor(tensor))
    known = diagonals(tensor)
    if known == (0,):
        return _of_diagonal(tensor, dtype)
    if tensor.format.levels[1].kind.is_mirrored or triangle(tensor) == "lower":
        return _of_packed(tensor, dtype)
    (rows, columns), values = coordinates(tensor)
    below = (rows >= columns) & (values != 0)
    rows, columns, values = rows[below], columns[below], values[below]
    n = tensor.shape[0]
    if np.count_nonzero(rows == columns) < n:
        raise _indefinite()
    reach = int((rows - columns).max(initial=0)) if known is None else -min((0, *known))
    size = (reach + 1) * n * double(dtype).itemsize
    advice = "order the rows so that the band is narrow, or use solve"
    what = f"cholesky: a band of {reach + 1} diagonals of shape {tensor.shape}"
    check_size(size, what, advice, tensor.nbytes)
    band = _banded(rows, columns, values.astype(double(dtype)), (reach + 1, n))
    if known is not None:
        return _on_diagonals(band, reach, dtype)
    first = np.arange(n)
    np.minimum.at(first, rows, columns)
    return _in_envelope(band, first, dtype)


def _indefinite() -> np.linalg.LinAlgError:
    return np.linalg.LinAlgError("Matrix is not positive definite")


def _of_diagonal(tensor: Tensor, dtype: np.dtype[Any]) -> Array:
    values = main_diagonal(tensor, dtype).real
    if (values <= 0).any():
        raise _indefinite()
    alike = tensor.format.levels[-1].uniform
    root = np.sqrt(values).astype(dtype)
    if alike and not len(root):  # a uniform leaf stores a number even of no elements
        root = np.ones(1, dtype)
    return of_diagonals((0,), root, tensor.shape, Uniform() if alike else Element())


def _of_packed(tensor: Tensor, dtype: np.dtype[Any]) -> Array:
    """The packed lower triangle by LAPACK's rectangular full packed form."""
    from scipy.linalg import get_lapack_funcs

    n, level, order = tensor.shape[0], tensor.format.levels[1], tensor.format.order
    packed = tensor.values_at(np.arange(n * (n + 1) // 2)).astype(double(dtype))
    if level.kind.conjugates and order == (1, 0):
        packed = packed.conj()
    # LAPACK reads the rows of a lower triangle as the columns of an upper one.
    by_columns = level.kind is UPPER
    uplo = "L" if by_columns else "U"
    if n:
        to_full, factor, to_packed = get_lapack_funcs(("tpttf", "pftrf", "tfttp"), (packed,))
        full, info = factor(n, to_full(n, packed, uplo=uplo)[0], uplo=uplo)
        if info:
            raise _indefinite()
        packed = to_packed(n, full, uplo=uplo)[0]
    held = Triangular(Element(), "upper" if by_columns else "lower")
    format = Format(Dense(held), (1, 0) if by_columns else (0, 1))
    buffers = (packed.astype(dtype, copy=False),)
    return of_tensor(Tensor(format, tensor.shape, dtype, dtype.type(0), buffers))


def _banded(
    rows: NumPyArray, columns: NumPyArray, values: NumPyArray, shape: tuple[int, int]
) -> NumPyArray:
    """The factor's diagonals from the main one down, by columns as LAPACK has them."""
    from scipy.linalg import get_lapack_funcs

    band = np.zeros(shape, values.dtype, order="F")
    band[rows - columns, columns] = values
    if not shape[1]:
        return band
    (factor,) = get_lapack_funcs(("pbtrf",), (band,))
    found: NumPyArray
    found, info = factor(band, lower=True, overwrite_ab=True)
    if info:
        raise _indefinite()
    return found


def _on_diagonals(band: NumPyArray, reach: int, dtype: np.dtype[Any]) -> Array:
    n = band.shape[1]
    stored = np.zeros((reach + 1, n), dtype)
    for below in range(min(reach + 1, n)):
        stored[reach - below, : n - below] = band[below, : n - below]
    return of_diagonals(tuple(range(-reach, 1)), stored.reshape(-1), (n, n), Element())


def _in_envelope(band: NumPyArray, first: NumPyArray, dtype: np.dtype[Any]) -> Array:
    """Each row from its first entry to the main diagonal: no other element is filled in."""
    n = len(first)
    width = np.arange(1, n + 1) - first
    ofs = np.concatenate(([0], np.cumsum(width)))
    row, _, column = segments(first, width)
    values = band[row - column, column].astype(dtype)
    format = parse(Dense(SparseBand(Element())), 2)
    return of_tensor(Tensor(format, (n, n), dtype, dtype.type(0), (ofs, first, values)))
