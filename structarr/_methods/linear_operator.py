"""Methods by which solvers apply a matrix: those of `scipy.sparse.linalg.LinearOperator`."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._methods.tables import FUNCTIONS
from structarr._support.array_types import ArrayLike, NumPyArray


class AppliedMatrix:
    """What `scipy.sparse.linalg.aslinearoperator` asks of a matrix.

    Solvers compute in place with what they get, so that each product is a new array of NumPy's.
    """

    __slots__ = ()

    def matvec(self, x: ArrayLike) -> NumPyArray:
        """
        Return ``a @ x`` as solvers take it: a NumPy array that they may write to.

        Parameters
        ----------
        x : array_like
            A vector, or a matrix of one column.

        Returns
        -------
        numpy.ndarray
            Dense, of the shape of ``a @ x``, computed at the call.

        Raises
        ------
        ValueError
            If the shapes do not fit.

        See Also
        --------
        structarr.matmul : The product as a lazy array.

        Examples
        --------
        >>> import numpy as np
        >>> import structarr as sa
        >>> from structarr.linalg import cg
        >>> a = sa.diags([[2.0, 4.0]], [0])
        >>> x, failed = cg(a, np.array([2.0, 8.0]))
        >>> x.tolist()
        [1.0, 2.0]
        """
        return _product(self, x)

    def rmatvec(self, x: ArrayLike) -> NumPyArray:
        """
        Return ``a.conj().T @ x`` as solvers take it: a NumPy array that they may write to.

        Parameters
        ----------
        x : array_like
            A vector, or a matrix of one column.

        Returns
        -------
        numpy.ndarray
            Dense, of the shape of the product, computed at the call.

        Raises
        ------
        ValueError
            If the shapes do not fit.

        See Also
        --------
        Array.matvec : Without the adjoint.

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([[0, 2j], [0, 1]], format="csr").rmatvec([1, 1]).tolist()
        [0j, (1-2j)]
        """
        return _product(_adjoint(self), x)

    def matmat(self, X: ArrayLike) -> NumPyArray:
        """
        Return ``a @ X`` as solvers take it: a NumPy array that they may write to.

        Parameters
        ----------
        X : array_like
            A matrix of columns.

        Returns
        -------
        numpy.ndarray
            Dense, of the shape of ``a @ X``, computed at the call.

        Raises
        ------
        ValueError
            If the shapes do not fit.

        See Also
        --------
        structarr.matmul : The product as a lazy array.

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([[0, 2], [0, 0]], format="csr").matmat([[1], [3]]).tolist()
        [[6], [0]]
        """
        return _product(self, X)

    def rmatmat(self, X: ArrayLike) -> NumPyArray:
        """
        Return ``a.conj().T @ X`` as solvers take it: a NumPy array that they may write to.

        Parameters
        ----------
        X : array_like
            A matrix of columns.

        Returns
        -------
        numpy.ndarray
            Dense, of the shape of the product, computed at the call.

        Raises
        ------
        ValueError
            If the shapes do not fit.

        See Also
        --------
        Array.matmat : Without the adjoint.

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([[0, 2], [0, 0]], format="csr").rmatmat([[1], [3]]).tolist()
        [[0], [2]]
        """
        return _product(_adjoint(self), X)


def _product(matrix: Any, x: ArrayLike) -> NumPyArray:
    product: NumPyArray = FUNCTIONS[np.matmul](matrix, x).todense()
    return product


def _adjoint(matrix: Any) -> Any:
    turned = FUNCTIONS[np.transpose](matrix, None)
    return FUNCTIONS[np.conjugate](turned) if matrix.dtype.kind == "c" else turned
