"""Products of dense arrays as steps of a plan."""

from __future__ import annotations

from collections.abc import Callable

from structarr._execute.stand_ins import is_dense
from structarr._execute.steps import Product
from structarr._lazy.graph import Node
from structarr._scheduler.blas import DenseProduct
from structarr._scheduler.weighted_products import WeightedProduct
from structarr._storage.tensor import Tensor


def product_of(node: Node, value: Callable[[Node], Tensor]) -> Product | None:
    """The step of a product of dense arrays, whose values are computed; None of others."""
    found = DenseProduct.of(node, is_dense) or WeightedProduct.of(node, is_dense)
    if found is None:
        return None
    product, factors = found
    made: dict[int, Tensor] = {}  # by identity, as factors may be one node
    for one in factors:
        if id(one) not in made:
            made[id(one)] = value(one)
    given = tuple([made[id(one)] for one in factors])
    return Product(product, given) if all(one.format.is_dense for one in given) else None
