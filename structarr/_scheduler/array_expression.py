"""From a graph to a structure: what two calls that can share a kernel have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from structarr._compiler.ir import arrays
from structarr._compiler.ir.expr import Lit
from structarr._compiler.ir.ops import CONSTANTS
from structarr._compiler.options import current
from structarr._compiler.rules.algebra import algebraic, literal
from structarr._lazy.graph import Node, constant, dtype_name, leaf, permute
from structarr._scheduler.operands import Operands, Prepared
from structarr._storage.dense import from_dense
from structarr._storage.tensor import Tensor
from structarr._storage.views import permuted


class Builder:
    """From a graph to a structure: operands, scalars and sizes get numbers."""

    __slots__ = (
        "_compute",
        "_inside_join",
        "_kept",
        "_memo",
        "_numbers",
        "constants",
        "settled",
        "sizes",
        "tensors",
    )

    def __init__(self, compute: Callable[[Node], Tensor]) -> None:
        self._compute = compute  # what must have a value before it can be an operand
        self.tensors: list[Tensor] = []
        self.constants: list[Node] = []  # whose values are the scalars
        self.sizes: list[int] = []
        self._numbers: dict[int, int] = {}
        self._memo: dict[tuple[int, bool], arrays.ArrayExpr] = {}
        self.settled: dict[int, Node] = {}
        self._inside_join = False  # where every operand has a length
        self._kept: list[Node] = []  # `_memo` goes by identity, which only the living have

    def root(self, node: Node) -> arrays.ArrayExpr:
        """The structure of a root, which alone may reduce or slide."""
        if node.kind == "reduce":
            op, axes, start = node.data
            inner = self(node.args[0])
            return arrays.Reduce(dtype_name(node.dtype), _ones(node.shape), op, inner, axes, start)
        if node.kind == "slide":
            starts, backward = node.data
            numbers = tuple([self._size(start) for start in starts])
            a, v, *masks = node.args
            weights = self(v if v.kind == "leaf" else self._settled(v))
            dtype, ones = dtype_name(node.dtype), (False,) * len(node.shape)
            asked = tuple([self(mask) for mask in masks])
            return arrays.Slide(dtype, ones, self._stored(a), weights, numbers, backward, asked)
        return self(node)

    def __call__(self, node: Node) -> arrays.ArrayExpr:
        key = (id(node), self._inside_join)
        done = self._memo.get(key)
        if done is None:
            done = self._memo[key] = getattr(self, "_" + node.kind)(node)
            self._kept.append(node)
        return done

    def _stored(self, node: Node) -> arrays.ArrayExpr:
        """An operand that is computed first and may be read out of range."""
        outside, self._inside_join = self._inside_join, True
        plain = node
        while plain.kind == "convert":
            plain = plain.args[0]
        found = self(node if plain.kind == "leaf" else self._settled(node))
        self._inside_join = outside
        return found

    def _settled(self, node: Node) -> Node:
        """An operand that is computed first, by a kernel of its own."""
        done = self.settled.get(id(node))
        if done is None:
            done = self.settled[id(node)] = leaf(self._compute(node))
            self._kept.append(node)
        return done

    def _leaf(self, node: Node) -> arrays.ArrayExpr:
        tensor: Tensor = node.data
        tensor = readable(tensor)
        if tensor.is_constant and not self._inside_join:
            value = self(constant(tensor.constant, tensor.dtype))
            return arrays.Spread(value.dtype, _ones(tensor.shape), value)
        number = self._numbers.get(id(tensor))
        if number is None:
            number = self._numbers[id(tensor)] = len(self.tensors)
            self.tensors.append(tensor)
        known: arrays.Input | None = tensor.memo.get(number)
        if known is None:
            known = tensor.memo[number] = input_of(tensor, number)
        return known

    def _constant(self, node: Node) -> arrays.ArrayExpr:
        self.constants.append(node)
        dtype = dtype_name(node.dtype)
        known = known_of(node.data, dtype, False)
        return arrays.Scalar(dtype, (), len(self.constants) - 1, known)

    def _map(self, node: Node) -> arrays.ArrayExpr:
        op, ins = node.data
        args = tuple([self(arg) for arg in node.args])
        return arrays.Map(dtype_name(node.dtype), _ones(node.shape), op, args, ins)

    def _convert(self, node: Node) -> arrays.ArrayExpr:
        return arrays.Convert(dtype_name(node.dtype), _ones(node.shape), self(node.args[0]))

    def _reduce(self, node: Node) -> arrays.ArrayExpr:
        return self(self._settled(node))

    def _slide(self, node: Node) -> arrays.ArrayExpr:
        return self(self._settled(node))

    def _first(self, node: Node) -> arrays.ArrayExpr:
        return self(self._settled(node.args[0]))

    def _permute(self, node: Node) -> arrays.ArrayExpr:
        arg = node.args[0]
        if arg.kind == "leaf":  # an operand of its own, which may be stored in another order
            return self(self._view(node, arg.data))
        if arg.kind in ("convert", "map") and all(one.ndim in (0, node.ndim) for one in arg.args):
            args = tuple([permute(one, node.data) if one.ndim else one for one in arg.args])
            inner = self.settled[id(node)] = Node(arg.kind, args, arg.data, node.shape, node.dtype)
            self._kept.append(node)
            return self(inner)
        return arrays.Permute(
            dtype_name(node.dtype), _ones(node.shape), self(node.args[0]), node.data
        )

    def _view(self, node: Node, tensor: Tensor) -> Node:
        """The leaf of a tensor with its axes permuted."""
        view = self.settled[id(node)] = leaf(permuted(tensor, node.data))
        self._kept.append(node)
        return view

    def _expand(self, node: Node) -> arrays.ArrayExpr:
        return arrays.Expand(
            dtype_name(node.dtype), _ones(node.shape), self(node.args[0]), node.data
        )

    def _diagonal(self, node: Node) -> arrays.ArrayExpr:
        return arrays.Diagonal(
            dtype_name(node.dtype), _ones(node.shape), self(node.args[0]), node.data
        )

    def _squeeze(self, node: Node) -> arrays.ArrayExpr:
        return arrays.Squeeze(
            dtype_name(node.dtype), _ones(node.shape), self(node.args[0]), node.data
        )

    def _spread(self, node: Node) -> arrays.ArrayExpr:
        return arrays.Spread(dtype_name(node.dtype), _ones(node.shape), self(node.args[0]))

    def _lead(self, node: Node) -> arrays.ArrayExpr:
        return arrays.Lead(dtype_name(node.dtype), _ones(node.shape), self(node.args[0]), node.data)

    def _slice(self, node: Node) -> arrays.ArrayExpr:
        arg = node.args[0]
        inner = self(arg)
        starts, steps = node.data
        taken = list(zip(arg.shape, node.shape, starts, steps, strict=True))
        whole = [n == m and start == 0 and step == 1 for n, m, start, step in taken]
        numbers = [None if all_ else self._size(n) for all_, n in zip(whole, starts, strict=True)]
        joined = self._inside_join
        lengths = [
            self._size(n) if joined and not all_ else None
            for all_, n in zip(whole, node.shape, strict=True)
        ]
        dtype, ones = dtype_name(node.dtype), _ones(node.shape)
        return arrays.Slice(dtype, ones, inner, tuple(numbers), steps, tuple(lengths))

    def _size(self, value: int) -> int:
        """The number of a length or place that kernels are told."""
        self.sizes.append(value)
        return len(self.sizes) - 1

    def _join(self, node: Node) -> arrays.ArrayExpr:
        outside, self._inside_join = self._inside_join, True
        args = [arg if _is_joinable(arg, node.data) else self._settled(arg) for arg in node.args]
        parts = tuple([self(arg) for arg in args])
        self._inside_join = outside
        return arrays.Join(dtype_name(node.dtype), _ones(node.shape), parts, node.data)

    def _pad(self, node: Node) -> arrays.ArrayExpr:
        arg, value = node.args
        padded = [k for k, n in enumerate(node.shape) if n != arg.shape[k]]
        outside, self._inside_join = self._inside_join, True
        fits = all(_is_joinable(arg, axis) for axis in padded)
        inner = self(arg if fits else self._settled(arg))
        self._inside_join = outside
        before = tuple([self._size(n) if k in padded else None for k, n in enumerate(node.data)])
        dtype, ones = dtype_name(node.dtype), _ones(node.shape)
        around = self(value)
        if isinstance(around, arrays.Scalar) and value.data == arg.fill:
            # Where nothing is stored before and after, nothing is around it.
            structural = known_of(value.data, dtype, True)
            around = arrays.Scalar(around.dtype, (), around.number, structural)
        return arrays.Pad(dtype, ones, inner, around, before)

    def index(self) -> str:
        """The dtype of a result's coordinates: as narrow as all the operands'."""
        return _index_of(self.tensors)

    def operands(self, node: Node, prepared: Prepared) -> Operands:
        """What the kernel is called with."""
        if node.kind == "reduce":
            arg = node.args[0].shape
            axes = node.data[1]
            kept = tuple(n for k, n in enumerate(arg) if k not in axes)
            extents = kept + tuple(arg[k] for k in axes)
        elif node.kind == "slide":
            extents = node.shape + node.args[1].shape
        else:
            extents = node.shape
        scalars = [one.data for one in self.constants]
        return Operands(self.tensors, scalars, self.sizes, extents, prepared)


def index_of(node: Node) -> str:
    """The dtype of coordinates that an expression's value has: as narrow as all its operands'."""
    found, left = [], [node]
    while left:
        one = left.pop()
        left += one.args
        if one.kind == "leaf":
            found.append(one.data)
    return _index_of(found)


def _index_of(tensors: Sequence[Tensor]) -> str:
    kinds = {
        tensor.format.index
        for tensor in tensors
        if any(level.buffers for level in tensor.format.levels[:-1])
    }
    return "int32" if kinds == {"int32"} else "int64"


def readable(tensor: Tensor) -> Tensor:
    """A tensor whose buffers may be read: below a constant of extent 0 there is nothing."""
    if not tensor.is_vacant:
        return tensor
    if "vacated" not in tensor.memo:
        tensor.memo["vacated"] = from_dense(np.empty(tensor.shape, tensor.dtype))
    return tensor.memo["vacated"]  # type: ignore[no-any-return]


def input_of(tensor: Tensor, number: int) -> arrays.Input:
    """The structure of an operand; its weight tells sizes apart within a factor of four."""
    dtype = tensor.dtype.name
    weight = (tensor.counts[-1] if tensor.counts else 1).bit_length() // 2
    if tensor.format.is_dense:
        weight = 0
    fill = known_of(tensor.fill, dtype, True)
    return arrays.Input(dtype, _ones(tensor.shape), number, tensor.format, fill, weight)


def _ones(shape: tuple[int, ...]) -> tuple[bool, ...]:
    return tuple([n == 1 for n in shape])


def _is_joinable(node: Node, axis: int) -> bool:
    """Whether each access may be read out of range: it has the mode that is joined."""
    match node.kind:
        case "leaf":
            return True
        case "slice":
            return bool(node.data[1][axis] == 1) and _is_joinable(node.args[0], axis)
        case "permute":
            return bool(node.args[0].kind == "leaf")
        case "convert":
            return _is_joinable(node.args[0], axis)
        case "map":
            return all(
                arg.kind == "constant" or (arg.shape == node.shape and _is_joinable(arg, axis))
                for arg in node.args
            )
    return False


def known_of(value: Any, dtype: str, structural: bool) -> Lit | None:
    """A constant that the compiler is to know: one with an algebraic meaning."""
    plain = value.item()
    if plain != plain or plain in CONSTANTS or plain in _bounds(dtype) or _is_of_rules(plain):
        if structural and plain == 0:
            plain = abs(plain)  # -0.0 and 0.0 are the same fill
        return literal(dtype, plain, structural)
    return None


def _is_of_rules(value: Any) -> bool:
    """Whether the rules that are applied speak of a number."""
    rules = current().rules
    return rules is not None and value in rules.constants


@cache
def _bounds(dtype: str) -> tuple[Any, ...]:
    """What the infinities are among whole numbers."""
    infinities = (float("-inf"), float("inf"))
    return tuple(algebraic(dtype, one).value for one in infinities) if "int" in dtype else ()
