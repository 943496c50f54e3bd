"""Nodes without arguments: stored tensors and numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

import numpy as np

from structarr._lazy import structure
from structarr._lazy.node import DType, Node, defined, of_scalar
from structarr._storage.tensor import Tensor
from structarr._support.caches import MOST, cleared

_new = Node.__new__


def leaf(tensor: Tensor) -> Node:
    """A stored tensor."""
    node = _new(Node)
    node.kind = "leaf"  # one by one, as four at once would be a tuple
    node.args = ()
    node.data = tensor
    node.shape = tensor.shape
    node.dtype = tensor.dtype
    node.sums = 0
    node.definition = node.value = None
    return node


def operand(tensor: Tensor) -> Node:
    """A stored tensor whose structure is asked for next, as an operand's is."""
    node = _new(Node)
    node.kind = "leaf"
    node.args = ()
    node.data = tensor
    node.shape = tensor.shape
    node.dtype = tensor.dtype
    node.sums = 0
    node.definition = node.value = None
    # Most are NumPy's arrays, of which no more has to be asked.
    node.number = tensor.memo.get("number") or structure.of_tensor(tensor)
    node.given = (tensor,)
    return node


def constant(value: Any, dtype: Any) -> Node:
    """A number."""
    return of_scalar(_native(dtype).type(value))


def constant_of(tensor: Tensor) -> Node:
    """The number that a tensor has everywhere, as one node."""
    found = tensor.memo.get("constant")
    if found is None:
        found = tensor.memo["constant"] = constant(tensor.constant, tensor.dtype)
    return found


@cache
def _native(dtype: Any) -> DType:
    found: DType = np.dtype(dtype)
    return found


def number(value: Any, dtype: DType) -> Node:
    """A number that structure alone decides: all expressions of a key share it."""
    return defined((_maker(dtype.type(value).tobytes(), dtype), ()), (), dtype, 0)


@cleared
@lru_cache(MOST)
def _maker(value: bytes, dtype: DType) -> Callable[[], Node]:
    return lambda: of_scalar(np.frombuffer(value, dtype)[0])
