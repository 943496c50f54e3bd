"""Products of dense arrays as steps of a plan."""

from __future__ import annotations

from collections.abc import Callable

from structarr._execute.stand_ins import is_dense
from structarr._execute.steps import Product
from structarr._lazy.graph import Node
from structarr._scheduler.blas import DenseProduct
from structarr._storage.tensor import Tensor


def product_of(node: Node, value: Callable[[Node], Tensor]) -> Product | None:
    """The step of a product of two dense arrays, whose values are computed; None of others."""
    found = DenseProduct.of(node, is_dense)
    if found is None:
        return None
    product, (one, other) = found
    left = value(one)
    right = left if other is one else value(other)
    if not (left.format.is_dense and right.format.is_dense):
        return None
    return Product(product, left, right)
