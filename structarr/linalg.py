"""Linear algebra: the array API's extension, and the rest of `numpy.linalg`."""

from numpy.linalg import LinAlgError

from structarr._api.creation.diagonals import matrix_diagonal as diagonal
from structarr._api.linalg.cholesky import cholesky
from structarr._api.linalg.decompositions import eig, eigh, eigvals, eigvalsh, qr, svd, svdvals
from structarr._api.linalg.determinants import det, slogdet
from structarr._api.linalg.inverses import inv, tensorinv
from structarr._api.linalg.least_squares import lstsq, matrix_rank, pinv
from structarr._api.linalg.linalg import matmul, tensordot, vecdot, vector_outer as outer
from structarr._api.linalg.matrices import (
    matrix_power,
    matrix_trace as trace,
    multi_dot,
    vector_cross as cross,
)
from structarr._api.linalg.norms import cond, matrix_norm, norm, vector_norm
from structarr._api.linalg.solving import solve, tensorsolve
from structarr._api.shape.manipulation import matrix_transpose

__all__ = [
    "LinAlgError",
    "cholesky",
    "cond",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "inv",
    "lstsq",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "multi_dot",
    "norm",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "tensordot",
    "tensorinv",
    "tensorsolve",
    "trace",
    "vecdot",
    "vector_norm",
]
