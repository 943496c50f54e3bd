"""Semirings: additions and multiplications for products of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._api.programs.operators import Named, Operator, op_of
from structarr._api.reductions.reduce import loop_dtype
from structarr._compiler.ir.ops import Op
from structarr._support import dtypes
from structarr._support.records import record


@record
class Semiring:
    """
    Addition and multiplication by which `matmul` and `einsum` combine elements.

    `semiring` makes one, and `structarr.semirings` has the usual ones.

    Parameters
    ----------
    name : str
        The name by which it is printed.
    add, multiply : structarr.cin.Op
        The operators. The identity of the addition should annihilate in the multiplication: it is
        the fill value with which a matrix is sparse.

    See Also
    --------
    semiring : Makes one of two operators.
    matmul : Takes one as `semiring=`.

    Examples
    --------
    >>> import numpy as np
    >>> import structarr as sa
    >>> sa.semirings.min_plus
    <structarr semiring min_plus>
    >>> roads = sa.with_fill(sa.asarray([[0.0, 2.0], [3.0, 0.0]], format="csr"), np.inf)
    >>> sa.matmul(roads, roads, semiring=sa.semirings.min_plus).tolist()
    [[5.0, inf], [inf, 5.0]]
    """

    name: str
    add: Op
    multiply: Op

    def dtype_of(self, left: np.dtype[Any], right: np.dtype[Any]) -> np.dtype[Any]:
        """
        Return the dtype of a product.

        Parameters
        ----------
        left, right : numpy.dtype
            Those of the operands.

        Returns
        -------
        numpy.dtype
            That in which the products are added.

        Raises
        ------
        TypeError
            If the addition has no identity, or does not keep a dtype.

        See Also
        --------
        semiring : Makes a semiring.

        Examples
        --------
        >>> import numpy as np
        >>> import structarr as sa
        >>> sa.semirings.min_plus.dtype_of(np.dtype("int8"), np.dtype("float32"))
        dtype('float32')
        """
        product = np.dtype(dtypes.resolve(self.multiply.name, (left, right))[1])
        dtype = loop_dtype(self.add, product, self.name)
        if dtypes.identity_of(self.add.name, dtype) is None:
            raise TypeError(
                f"semiring {self.name}: the addition {self.add.name} has no identity, the value of "
                "an empty sum; declare it by identity="
            )
        return dtype

    def __repr__(self) -> str:
        return f"<structarr semiring {self.name}>"


def semiring(add: Named, multiply: Named, *, name: str | None = None) -> Semiring:
    """
    Make a semiring of two operators.

    Parameters
    ----------
    add : Operator, ufunc or str
        An associative and commutative operator with an identity.
    multiply : Operator, ufunc or str
        An operator of two operands.
    name : str, optional
        For people; by default that of the two.

    Returns
    -------
    Semiring
        To be given to `matmul` and `einsum`.

    Raises
    ------
    TypeError
        If an operator has not two operands, or the addition is not declared associative and
        commutative.

    See Also
    --------
    operator : Declares an operator.
    matmul : Multiplies in a semiring.

    Examples
    --------
    >>> import structarr as sa
    >>> best = sa.semiring("maximum", "minimum", name="widest path")
    >>> sa.matmul([[3, 1]], [[2], [5]], semiring=best).tolist()
    [[2]]
    """
    added, times = op_of(add), op_of(multiply)
    for op in (added, times):
        if op.arity != 2:
            raise TypeError(
                f"a semiring takes operators of two operands, and {op.name} has {op.arity}"
            )
    if not (added.associative and added.commutative):
        raise TypeError(
            f"the addition {added.name} of a semiring must be declared associative and commutative"
        )
    return Semiring(name or f"{_title(add)}_{_title(multiply)}", added, times)


def check_semiring(semiring: Any) -> Semiring | None:
    """Return the semiring that a user gives, or raise TypeError if it is none."""
    if semiring is None or isinstance(semiring, Semiring):
        return semiring
    raise TypeError(
        f"semiring must be one of structarr.semirings or made by structarr.semiring, not "
        f"{semiring!r}"
    )


def _title(op: Named) -> str:
    return op.title if isinstance(op, Operator) else op_of(op).name
