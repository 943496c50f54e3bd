"""Contractions: products of arrays with named axes, summed over some of the names.

The compiler sees a single loop nest over all operands.
"""

from __future__ import annotations

from functools import lru_cache, reduce
from typing import Any, TypeAlias

import numpy as np

from structarr._api.core.expressions import derive, product_dtype
from structarr._api.linalg.semirings import Semiring
from structarr._array import Array
from structarr._lazy.contraction import Contraction, Labels
from structarr._support.caches import cleared

DType: TypeAlias = np.dtype[Any]


def contract(
    arrays: tuple[Array, ...],
    labels: tuple[Labels, ...],
    result: Labels,
    semiring: Semiring | None = None,
) -> Array:
    """
    Multiply where labels agree, and sum over those that are not in the result.

    Parameters
    ----------
    arrays : tuple of Array
        The operands; axes of one label are broadcast against each other.
    labels : tuple of tuples
        The names of each operand's axes; of axes that share a name the diagonal is meant.
    result : tuple
        The names of the result's axes.
    semiring : Semiring, optional
        What adds and multiplies instead.
    """
    dtypes = tuple([array._node.dtype for array in arrays])
    return derive(contraction_of(labels, result, dtypes, semiring), *arrays)


@cleared
@lru_cache(4096)
def contraction_of(
    labels: tuple[Labels, ...],
    result: Labels,
    dtypes: tuple[DType, ...],
    semiring: Semiring | None,
) -> Contraction:
    """What makes the node of such a product of the nodes of operands of some dtypes."""
    if semiring is not None:
        kind = reduce(semiring.dtype_of, dtypes)
        return Contraction(labels, result, (semiring.add.name, semiring.multiply.name), kind)
    kind = reduce(product_dtype, dtypes)
    operators = ("logical_or", "logical_and") if kind.kind == "b" else ("add", "multiply")
    return Contraction(labels, result, operators, kind)
