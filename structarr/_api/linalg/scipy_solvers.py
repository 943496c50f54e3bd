"""The functions of `scipy.sparse.linalg` on arrays of structarr, and on expressions of them.

SciPy's own solvers compute in place with what operators give, so ours give NumPy's arrays. Its
other functions ask NumPy for their elements, and so make them dense: these hand on what is stored.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, Final

from structarr._api.core.dense import densified
from structarr._api.core.operands import as_array
from structarr._array import Array, is_scipy, stored
from structarr._storage.coordinates import is_listed

_OPERATORS: Final = frozenset({"A", "B", "M", "M1", "M2", "Minv", "OPinv"})
"""The keywords of solvers that stand for matrices, which are applied."""


@cache
def _module() -> Any:
    return import_module("scipy.sparse.linalg")  # its import takes some tenths of a second


def _applied(value: Any, name: str) -> Any:
    """A matrix as an operator, which is never looked into.

    `aslinearoperator` of SciPy 1.18 hands on lazy products of what solvers write to afterwards.
    """
    if not isinstance(value, Array) or value.ndim != 2:
        return value
    return _module().LinearOperator(
        value.shape,
        matvec=value.matvec,
        rmatvec=value.rmatvec,
        matmat=value.matmat,
        rmatmat=value.rmatmat,
        dtype=value.dtype,
    )


def _listed(value: Any, name: str) -> Any:
    """A matrix as SciPy's, by columns."""
    return value.to_scipy("csc") if isinstance(value, Array) else value


def _right_side(value: Any, name: str) -> Any:
    """An operand that SciPy takes in both ways: as a list where it leaves something out."""
    if isinstance(value, Array) and value.ndim == 2 and is_listed(stored(value)):
        return _listed(value, name)
    return _dense(value, name)


def _dense(value: Any, name: str) -> Any:
    """A vector or a block of vectors as NumPy's."""
    return densified(value, f"structarr.linalg.{name}") if isinstance(value, Array) else value


def _ours(found: Any) -> Any:
    """A sparse matrix among the results as an array of ours."""
    return as_array(found) if is_scipy(found) else found


def _solver(name: str, says: str, example: str, gives: str) -> Callable[..., Any]:
    """A function that applies its matrix, and looks at nothing else of it."""

    def function(A: Any, *args: Any, **kwargs: Any) -> Any:
        named = {
            key: (_applied if key in _OPERATORS else _dense)(value, name)
            for key, value in kwargs.items()
        }
        plain = [_dense(value, name) for value in args]
        return getattr(_module(), name)(_applied(A, name), *plain, **named)

    return _told(function, name, says, example, gives)


def _of_entries(name: str, says: str, example: str, gives: str) -> Callable[..., Any]:
    """A function that reads the entries of its matrices."""

    def function(A: Any, *args: Any, **kwargs: Any) -> Any:
        plain = [_right_side(value, name) for value in args]
        named = {key: _right_side(value, name) for key, value in kwargs.items()}
        return _ours(getattr(_module(), name)(_listed(A, name), *plain, **named))

    return _told(function, name, says, example, gives)


def _told(
    function: Callable[..., Any], name: str, says: str, example: str, gives: str
) -> Callable[..., Any]:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = _TEXT.format(name=name, says=says, example=example, gives=gives)
    return function


_TEXT = """
{says}

Parameters
----------
A : array_like, sparse array, or LinearOperator
    The matrix, in any format.
*args, **kwargs
    As `scipy.sparse.linalg.{name}` has them; arrays of this package are taken, too.

Returns
-------
object
    What SciPy returns, but for sparse matrices, which are arrays of this package.

Raises
------
FormatError
    If the matrix has other than two axes; where its entries are read, if its fill is not 0.
DensificationError
    If an operand that has to be dense is larger than the option `densify_limit`.

See Also
--------
scipy.sparse.linalg.{name} : SciPy's function.

Examples
--------
>>> import numpy as np
>>> import structarr as sa
>>> a = sa.diags([[1.0, 2.0, 4.0, 5.0]], [0])
>>> {example}
{gives}
"""

_FOUR: Final = "np.array([1.0, 2.0, 4.0, 5.0])"
_ONES: Final = "[1.0, 1.0, 1.0, 1.0]"


def _iterative(name: str, says: str) -> Callable[..., Any]:
    """A solver that returns the solution first."""
    return _solver(name, says, f"sa.linalg.{name}(a, {_FOUR})[0].round(3).tolist()", _ONES)


cg = _iterative("cg", "Solve a system with a symmetric positive matrix by conjugate gradients.")
cgs = _iterative("cgs", "Solve a system by squared conjugate gradients.")
bicg = _iterative("bicg", "Solve a system by biconjugate gradients.")
bicgstab = _iterative("bicgstab", "Solve a system by stabilised biconjugate gradients.")
gmres = _iterative("gmres", "Solve a system by generalised minimal residuals.")
lgmres = _iterative("lgmres", "Solve a system by the loose GMRES method.")
gcrotmk = _iterative("gcrotmk", "Solve a system by the flexible GCROT method.")
minres = _iterative("minres", "Solve a system with a symmetric matrix by minimal residuals.")
qmr = _iterative("qmr", "Solve a system by quasi-minimal residuals.")
tfqmr = _iterative("tfqmr", "Solve a system by quasi-minimal residuals without transposes.")
lsqr = _iterative("lsqr", "Solve a least squares problem by bidiagonalisation.")
lsmr = _iterative("lsmr", "Solve a least squares problem by minimal residuals of the gradient.")

eigs = _solver(
    "eigs",
    "Return some eigenvalues and eigenvectors of a square matrix.",
    "sa.linalg.eigs(a, k=1, v0=np.ones(4))[0].real.round(6).tolist()",
    "[5.0]",
)
eigsh = _solver(
    "eigsh",
    "Return some eigenvalues and eigenvectors of a symmetric matrix.",
    "sa.linalg.eigsh(a, k=1, v0=np.ones(4))[0].round(6).tolist()",
    "[5.0]",
)
svds = _solver(
    "svds",
    "Return some singular values and vectors of a matrix.",
    "sa.linalg.svds(a, k=1, v0=np.ones(4))[1].round(6).tolist()",
    "[5.0]",
)
lobpcg = _solver(
    "lobpcg",
    "Return the extreme eigenvalues and eigenvectors of a symmetric matrix, by blocks.",
    "np.shape(sa.linalg.lobpcg(a, np.eye(4)[:, :1])[1])",
    "(4, 1)",
)
aslinearoperator = _solver(
    "aslinearoperator",
    "Return a matrix as an operator of SciPy's, for expressions of operators.",
    "sa.linalg.aslinearoperator(a).matvec(np.ones(4)).tolist()",
    "[1.0, 2.0, 4.0, 5.0]",
)

spsolve = _of_entries(
    "spsolve",
    "Solve a system by SuperLU.",
    f"sa.linalg.spsolve(a, {_FOUR}).tolist()",
    _ONES,
)
spsolve_triangular = _of_entries(
    "spsolve_triangular",
    "Solve a system with a triangular matrix.",
    f"sa.linalg.spsolve_triangular(a, {_FOUR}).tolist()",
    _ONES,
)
splu = _of_entries(
    "splu", "Factor a matrix by SuperLU.", f"sa.linalg.splu(a).solve({_FOUR}).tolist()", _ONES
)
spilu = _of_entries(
    "spilu",
    "Factor a matrix incompletely by SuperLU, as a preconditioner.",
    f"sa.linalg.spilu(a).solve({_FOUR}).tolist()",
    _ONES,
)
factorized = _of_entries(
    "factorized",
    "Return a function that solves systems with one matrix.",
    f"sa.linalg.factorized(a)({_FOUR}).tolist()",
    _ONES,
)
expm = _of_entries(
    "expm",
    "Return the exponential of a matrix.",
    "np.log(sa.linalg.expm(a).diagonal().todense()).round(6).tolist()",
    "[1.0, 2.0, 4.0, 5.0]",
)
expm_multiply = _of_entries(
    "expm_multiply",
    "Multiply the exponential of a matrix, which is not formed, by vectors.",
    "np.log(sa.linalg.expm_multiply(a, np.ones(4))).round(6).tolist()",
    "[1.0, 2.0, 4.0, 5.0]",
)
funm_multiply_krylov = _of_entries(
    "funm_multiply_krylov",
    "Multiply a function of a matrix, which is not formed, by a vector.",
    "from scipy.linalg import expm\n"
    ">>> found = sa.linalg.funm_multiply_krylov(expm, a, np.ones(4))\n"
    ">>> np.log(found).round(6).tolist()",
    "[1.0, 2.0, 4.0, 5.0]",
)
onenormest = _of_entries(
    "onenormest",
    "Estimate the 1-norm of a matrix.",
    "float(sa.linalg.onenormest(a))",
    "5.0",
)
is_sptriangular = _of_entries(
    "is_sptriangular",
    "Return whether a matrix is lower, and whether it is upper triangular.",
    "[bool(one) for one in sa.linalg.is_sptriangular(a)]",
    "[True, True]",
)
spbandwidth = _of_entries(
    "spbandwidth",
    "Return how far a matrix reaches below and above its main diagonal.",
    "sa.linalg.spbandwidth(a)",
    "(0, 0)",
)
