"""Square matrices factored by the routine that fits what is stored: LAPACK's for bands and packed
triangles, SuperLU for other lists.

SciPy is imported where it is used: it takes 0.2 s.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from structarr._api.core.entry_lists import is_listed
from structarr._api.linalg.square_checks import diagonals, double, main_diagonal, triangle
from structarr._array import NumPyArray
from structarr._storage.coordinates import coordinates
from structarr._storage.tensor import Tensor
from structarr._support.records import record
from structarr.formats.kinds import UPPER

DType = np.dtype[Any]

# The most elements that a band may have for each stored one, to be factored as a band.
_SLACK: Final = 8


@record(slots=True)
class Factors:
    """
    The factors of a matrix.

    Parameters
    ----------
    pivots : callable
        Returns numbers whose product is the determinant, but for its sign.
    sign : callable
        Returns that sign.
    solve : callable
        From the columns of a right side to those of the solution.
    times : int
        How often each of the pivots counts.
    """

    pivots: Callable[[], NumPyArray]
    sign: Callable[[], int]
    solve: Callable[[NumPyArray], NumPyArray]
    times: int = 1


def factored(tensor: Tensor, given: DType) -> Factors | None:
    """
    Factor a matrix, in time and memory proportional to its stored elements and the fill-in.

    The factors are in double precision, for operands of a dtype.

    None stands for a matrix that NumPy factors: its format leaves nothing out, its fill is not
    zero, or SuperLU would get an infinity or NaN, which substitution in triangles and bands
    handles.

    Raises
    ------
    numpy.linalg.LinAlgError
        If the matrix is singular.
    """
    if tensor.ndim != 2 or tensor.fill != 0 or not is_listed(tensor):
        return None
    count, dtype = tensor.shape[0], double(given)
    if diagonals(tensor) == (0,):
        values = main_diagonal(tensor, dtype)
        return _diagonal(values, count if len(values) == 1 else 1)
    if triangle(tensor) is not None and count:
        return _packed(tensor, dtype)
    (rows, columns), values = coordinates(tensor)
    kept = values != 0
    return _listed(rows[kept], columns[kept], values[kept].astype(dtype), count)


def singular() -> np.linalg.LinAlgError:
    """The error for a matrix that has no inverse."""
    return np.linalg.LinAlgError("Singular matrix")


def _positive() -> int:
    return 1


def _listed(rows: NumPyArray, columns: NumPyArray, values: NumPyArray, n: int) -> Factors | None:
    """The factors of a matrix of entries, none of them zero and no two at one place."""
    if len(values) < n:
        raise singular()
    above = columns - rows
    lower, upper = int(-above.min(initial=0)), int(above.max(initial=0))
    if not lower and not upper:
        diagonal = np.empty(n, values.dtype)
        diagonal[rows] = values
        return _diagonal(diagonal, 1)
    if (2 * lower + upper + 1) * n <= _SLACK * (len(values) + n):
        return _band(rows, above, values, (n, lower, upper))
    if not lower or not upper:
        return _sparse_triangle(rows, columns, values, n)
    if not np.isfinite(values).all():
        return None
    return _superlu(rows, columns, values, n)


def _diagonal(values: NumPyArray, times: int) -> Factors:
    _check_pivots(values)
    return Factors(lambda: values, _positive, lambda right: right / values[:, None], times)


def _band(
    rows: NumPyArray, above: NumPyArray, values: NumPyArray, extent: tuple[int, int, int]
) -> Factors:
    from scipy.linalg import get_lapack_funcs

    n, lower, upper = extent
    factor, substitute = get_lapack_funcs(("gbtrf", "gbtrs"), dtype=values.dtype)
    band = np.zeros((2 * lower + upper + 1, n), values.dtype, order="F")
    band[lower + upper - above, rows + above] = values
    band, swaps, info = factor(band, lower, upper, overwrite_ab=True)
    if info > 0:
        raise singular()

    def solve(right: NumPyArray) -> NumPyArray:
        found: NumPyArray = substitute(band, lower, upper, right, swaps)[0]
        return found

    def sign() -> int:
        return -1 if np.count_nonzero(swaps != np.arange(n)) % 2 else 1

    return Factors(lambda: band[lower + upper], sign, solve)


def _sparse_triangle(rows: NumPyArray, columns: NumPyArray, values: NumPyArray, n: int) -> Factors:
    from scipy.sparse import csc_array
    from scipy.sparse.linalg import spsolve_triangular

    on = rows == columns
    if np.count_nonzero(on) < n:
        raise singular()
    matrix = csc_array((values, (rows, columns)), (n, n))
    lower = bool((rows >= columns).all())

    def solve(right: NumPyArray) -> NumPyArray:
        found: NumPyArray = spsolve_triangular(matrix, right, lower=lower)
        return found

    return Factors(lambda: values[on], _positive, solve)


def _superlu(rows: NumPyArray, columns: NumPyArray, values: NumPyArray, n: int) -> Factors:
    from scipy.sparse import csc_array
    from scipy.sparse.linalg import splu

    try:
        factors = splu(csc_array((values, (rows, columns)), (n, n)))
    except RuntimeError as error:
        if "singular" not in str(error):
            raise
        raise singular() from None

    def sign() -> int:
        return _parity(factors.perm_r) * _parity(factors.perm_c)

    return Factors(lambda: factors.U.diagonal(), sign, factors.solve)


def _parity(permutation: NumPyArray) -> int:
    """1 for an even permutation, -1 for an odd one."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    n = len(permutation)
    graph = csr_array((np.ones(n), permutation, np.arange(n + 1)), (n, n))
    cycles = connected_components(graph, return_labels=False)
    return -1 if (n - cycles) % 2 else 1


def _packed(tensor: Tensor, dtype: DType) -> Factors:
    """A triangle as it is stored, in LAPACK's rectangular full packed form."""
    from scipy.linalg import get_lapack_funcs

    n = tensor.shape[0]
    values = tensor.values_at(np.arange(n * (n + 1) // 2)).astype(dtype, copy=False)
    side = "upper" if tensor.format.levels[1].kind is UPPER else "lower"
    diagonal = values[packed_diagonal(side, n)]
    _check_pivots(diagonal)
    to_full, substitute = get_lapack_funcs(("tpttf", "tfsm"), dtype=dtype)
    # LAPACK reads the rows as columns of the transposed matrix, which is the other triangle.
    uplo = "U" if side == "lower" else "L"
    full, _ = to_full(n, values, uplo=uplo)
    complex_ = dtype.kind == "c"
    transposed = tensor.format.order == (0, 1)

    def solve(right: NumPyArray) -> NumPyArray:
        if not transposed:
            found: NumPyArray = substitute(1, full, right, uplo=uplo)
        elif complex_:  # LAPACK's routine conjugates with transposing
            found = substitute(1, full, right.conj(), uplo=uplo, trans="C").conj()
        else:
            found = substitute(1, full, right, uplo=uplo, trans="T")
        return found

    return Factors(lambda: diagonal, _positive, solve)


def packed_diagonal(side: str, n: int) -> NumPyArray:
    """The places of the main diagonal in a triangle that is stored by rows."""
    rows = np.arange(n)
    return rows * (rows + 3) // 2 if side == "lower" else rows * n - rows * (rows - 1) // 2


def _check_pivots(values: NumPyArray) -> None:
    if not np.all(values):
        raise singular()
