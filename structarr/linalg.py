"""Linear algebra: the array API's extension, and the rest of `numpy.linalg`."""

from numpy.linalg import LinAlgError

from structarr._api.cholesky import cholesky
from structarr._api.decompositions import (
    eig,
    eigh,
    eigvals,
    eigvalsh,
    qr,
    svd,
    svdvals,
)
from structarr._api.determinants import det, slogdet
from structarr._api.diagonals import matrix_diagonal as diagonal
from structarr._api.inverses import inv, tensorinv
from structarr._api.least_squares import lstsq, matrix_rank, pinv
from structarr._api.linalg import matmul, tensordot, vecdot
from structarr._api.linalg import vector_outer as outer
from structarr._api.manipulation import matrix_transpose
from structarr._api.matrices import matrix_power, multi_dot
from structarr._api.matrices import matrix_trace as trace
from structarr._api.matrices import vector_cross as cross
from structarr._api.norms import cond, matrix_norm, norm, vector_norm
from structarr._api.solving import solve, tensorsolve

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
