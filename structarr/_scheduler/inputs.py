"""Operands and constants as the compiler sees them: formats and special values, no other data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np

from structarr._compiler.ir import arrays
from structarr._compiler.ir.expr import Lit
from structarr._compiler.ir.ops import CONSTANTS, Op
from structarr._compiler.options import current
from structarr._compiler.rules.constants import algebraic, literal
from structarr._lazy.node import Node, dtype_name, nodes_of
from structarr._storage.dense import from_dense
from structarr._storage.tensor import Tensor
from structarr._support.caches import MOST
from structarr.formats import Format


def index_of(node: Node) -> str:
    """The dtype of the coordinates of an expression's value: as narrow as all its operands'."""
    return common_index([one.data for one in nodes_of(node) if one.kind == "leaf"])


def common_index(tensors: Sequence[Tensor]) -> str:
    kinds = {_positions(tensor.format) for tensor in tensors} - {None}
    return "int32" if kinds == {"int32"} else "int64"


@lru_cache(MOST)
def _positions(format: Format) -> str | None:
    """The dtype of coordinates and positions; None where a format has none."""
    return format.index if any(level.buffers for level in format.levels[:-1]) else None


@lru_cache(MOST)
def positioned(format: Format, index: str) -> Format:
    """A format with coordinates and positions of a dtype, where it has any."""
    return format if _positions(format) is None else Format(format.root, format.order, index)


def readable(tensor: Tensor) -> Tensor:
    """A tensor whose buffers may be read; one with a constant level of extent 0 has none."""
    if not tensor.is_vacant:
        return tensor
    if "vacated" not in tensor.memo:
        tensor.memo["vacated"] = from_dense(np.empty(tensor.shape, tensor.dtype))
    return tensor.memo["vacated"]  # type: ignore[no-any-return]


def told_of(ops: Iterable[Op]) -> frozenset[Any]:
    """The numbers of which operators from outside speak, and the rules in force."""
    return with_rules(told_by(ops))


def told_by(ops: Iterable[Op]) -> frozenset[Any]:
    """The numbers of which operators from outside speak."""
    return frozenset().union(*[op.constants() for op in ops if op.function is not None])


def with_rules(told: frozenset[Any]) -> frozenset[Any]:
    """Some numbers, and those of which the rules in force speak."""
    rules = current().rules
    return told if rules is None else told.union(rules.constants)


def operators_of(node: Node) -> Iterable[Op]:
    """The operators of an expression."""
    return (one.data[0] for one in nodes_of(node) if one.kind in ("map", "reduce"))


def input_of(tensor: Tensor, number: int, told: frozenset[Any]) -> arrays.Input:
    """The structure of an operand, of whose fill the compiler knows what it is told of."""
    known: arrays.Input | None = tensor.memo.get(number)
    if known is None:
        known = tensor.memo[number] = _input_of(tensor, number)
    if told and known.fill is None and tensor.fill.item() in told:
        return known.replace(fill=literal(known.dtype, tensor.fill.item(), True))
    return known


def _input_of(tensor: Tensor, number: int) -> arrays.Input:
    """The structure of an operand; its weight tells sizes apart within a factor of four."""
    dtype = dtype_name(tensor.dtype)
    weight = (tensor.counts[-1] if tensor.counts else 1).bit_length() // 2
    if tensor.format.is_dense:
        weight = 0
    fill = known_of(tensor.fill.item(), dtype, True, frozenset())
    return arrays.Input(dtype, ones_of(tensor.shape), number, tensor.format, fill, weight)


def ones_of(shape: tuple[int, ...]) -> tuple[bool, ...]:
    return tuple([n == 1 for n in shape])


def known_of(value: Any, dtype: str, structural: bool, told: frozenset[Any]) -> Lit | None:
    """A constant that the compiler is to know: one with an algebraic meaning, or one of the told.

    It is a number of Python, and the dtype is the one that it has.
    """
    if value in CONSTANTS or value != value or value in _bounds(dtype) or value in told:
        if structural and value == 0:
            value = abs(value)  # -0.0 and 0.0 are the same fill
        return literal(dtype, value, structural)
    return None


@cache
def _bounds(dtype: str) -> tuple[Any, ...]:
    """The whole numbers that stand for the infinities."""
    infinities = (float("-inf"), float("inf"))
    return tuple(algebraic(dtype, one).value for one in infinities) if "int" in dtype else ()
