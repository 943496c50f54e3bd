"""Contractions: products of arrays whose axes have names, summed over some of them.

The compiler sees a single loop nest, with whatever the operands are made of.
"""

from __future__ import annotations

from functools import cache, reduce
from typing import Any, TypeAlias

import numpy as np

from structarr import _dtypes, _graph
from structarr._api.expressions import derive
from structarr._api.semirings import Semiring
from structarr._array import Array
from structarr._labels import Labels, summed_product

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
    add, times, dtype = _operators(tuple([array.dtype for array in arrays]), semiring)

    def make(*nodes: _graph.Node) -> _graph.Node:
        return summed_product(nodes, labels, result, (add, times), dtype)

    return derive(make, *arrays)


@cache
def _operators(dtypes: tuple[DType, ...], semiring: Semiring | None) -> tuple[str, str, DType]:
    """What adds and multiplies, and the dtype of a product."""
    if semiring is not None:
        kind = reduce(semiring.dtype_of, dtypes)
        return semiring.add.name, semiring.multiply.name, kind
    kind = reduce(_promoted, dtypes)
    add, times = ("logical_or", "logical_and") if kind.kind == "b" else ("add", "multiply")
    return add, times, kind


def _promoted(left: DType, right: DType) -> DType:
    return np.dtype(_dtypes.resolve("multiply", (left, right))[1])
