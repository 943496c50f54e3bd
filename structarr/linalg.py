"""Linear algebra: the array API's extension, the rest of `numpy.linalg`, and SciPy's solvers."""

import typing as _typing

from numpy.linalg import LinAlgError as LinAlgError

from structarr._support.on_demand import homes as _homes, on_demand as _on_demand

if _typing.TYPE_CHECKING:
    from structarr._api.creation.diagonals import matrix_diagonal as diagonal  # noqa: F401
    from structarr._api.linalg.cholesky import cholesky as cholesky
    from structarr._api.linalg.decompositions import (
        eig as eig,
        eigh as eigh,
        eigvals as eigvals,
        eigvalsh as eigvalsh,
        qr as qr,
        svd as svd,
        svdvals as svdvals,
    )
    from structarr._api.linalg.determinants import det as det, slogdet as slogdet
    from structarr._api.linalg.inverses import inv as inv, tensorinv as tensorinv
    from structarr._api.linalg.least_squares import (
        lstsq as lstsq,
        matrix_rank as matrix_rank,
        pinv as pinv,
    )
    from structarr._api.linalg.linalg import (
        matmul as matmul,
        tensordot as tensordot,
        vecdot as vecdot,
        vector_outer as outer,  # noqa: F401
    )
    from structarr._api.linalg.matrices import (
        matrix_power as matrix_power,
        matrix_trace as trace,  # noqa: F401
        multi_dot as multi_dot,
        vector_cross as cross,  # noqa: F401
    )
    from structarr._api.linalg.norms import (
        cond as cond,
        matrix_norm as matrix_norm,
        norm as norm,
        vector_norm as vector_norm,
    )
    from structarr._api.linalg.scipy_solvers import (
        aslinearoperator as aslinearoperator,
        bicg as bicg,
        bicgstab as bicgstab,
        cg as cg,
        cgs as cgs,
        eigs as eigs,
        eigsh as eigsh,
        expm as expm,
        expm_multiply as expm_multiply,
        factorized as factorized,
        funm_multiply_krylov as funm_multiply_krylov,
        gcrotmk as gcrotmk,
        gmres as gmres,
        is_sptriangular as is_sptriangular,
        lgmres as lgmres,
        lobpcg as lobpcg,
        lsmr as lsmr,
        lsqr as lsqr,
        minres as minres,
        onenormest as onenormest,
        qmr as qmr,
        spbandwidth as spbandwidth,
        spilu as spilu,
        splu as splu,
        spsolve as spsolve,
        spsolve_triangular as spsolve_triangular,
        svds as svds,
        tfqmr as tfqmr,
    )
    from structarr._api.linalg.solving import solve as solve, tensorsolve as tensorsolve
    from structarr._api.shape.manipulation import matrix_transpose as matrix_transpose

_PLACES = _homes(
    "structarr._api",
    {
        "creation.diagonals": "diagonal=matrix_diagonal",
        "linalg.cholesky": "cholesky",
        "linalg.decompositions": "eig eigh eigvals eigvalsh qr svd svdvals",
        "linalg.determinants": "det slogdet",
        "linalg.inverses": "inv tensorinv",
        "linalg.least_squares": "lstsq matrix_rank pinv",
        "linalg.linalg": "matmul tensordot vecdot outer=vector_outer",
        "linalg.matrices": "matrix_power trace=matrix_trace multi_dot cross=vector_cross",
        "linalg.norms": "cond matrix_norm norm vector_norm",
        "linalg.scipy_solvers": (
            "aslinearoperator bicg bicgstab cg cgs eigs eigsh expm expm_multiply factorized "
            "funm_multiply_krylov gcrotmk gmres is_sptriangular lgmres lobpcg lsmr lsqr minres "
            "onenormest qmr spbandwidth spilu splu spsolve spsolve_triangular svds tfqmr"
        ),
        "linalg.solving": "solve tensorsolve",
        "shape.manipulation": "matrix_transpose",
    },
)

if not _typing.TYPE_CHECKING:  # for type checkers, every name would be there
    __getattr__, __dir__ = _on_demand(__name__, _PLACES)


__all__ = ["LinAlgError", *_PLACES]
