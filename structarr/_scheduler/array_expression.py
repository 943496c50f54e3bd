"""Array expressions of graphs: what two calls have in common that can share a kernel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from structarr._compiler.ir import arrays
from structarr._lazy.graph import Node, constant_of, leaf, permute
from structarr._lazy.node import dtype_name
from structarr._lazy.points import is_pointwise
from structarr._scheduler.inputs import (
    common_index,
    input_of,
    known_of,
    ones_of,
    operators_of,
    readable,
    told_of,
)
from structarr._scheduler.operands import Operands, Prepared
from structarr._storage.tensor import Tensor
from structarr._storage.transpose import is_listed
from structarr._storage.views import permuted

PADDED: Final = 2
"""The most arrays side by side of which one kernel pads each, as its length grows with them."""

_UNARY: Final[dict[str, Callable[..., arrays.ArrayExpr]]] = {
    "convert": arrays.Convert,
    "diagonal": arrays.Diagonal,
    "expand": arrays.Expand,
    "lead": arrays.Lead,
    "spread": arrays.Spread,
    "squeeze": arrays.Squeeze,
}
"""The nodes with one argument that a structure has, too."""


class Builder:
    """Builds the array expression of a graph; operands, scalars and sizes get numbers."""

    __slots__ = (
        "_compute",
        "_inside_join",
        "_kept",
        "_memo",
        "_numbers",
        "_scans",
        "_told",
        "_total",
        "constants",
        "settled",
        "sizes",
        "tensors",
    )

    def __init__(self, compute: Callable[[Node], Tensor], total: Node | None = None) -> None:
        self._compute = compute  # computes a node that must be an operand
        self._total = total  # the sum of which the root is an epilogue
        self.tensors: list[Tensor] = []
        self.constants: list[Node] = []  # the nodes of the scalars
        self.sizes: list[int] = []
        self._numbers: dict[int, int] = {}
        self._memo: dict[tuple[int, bool], arrays.ArrayExpr] = {}
        self.settled: dict[int, Node] = {}
        self._inside_join = False  # whether each operand needs its length
        self._kept: list[Node] = []  # kept alive, as `_memo` goes by identity
        self._scans: Sequence[Node] = ()  # those that the loops of the root compute
        self._told: frozenset[Any] = frozenset()  # the numbers that the compiler is to know

    def root(self, node: Node) -> arrays.ArrayExpr:
        """The array expression of a root, which alone may reduce or slide."""
        self._told = told_of(operators_of(node))
        if self._total is not None:
            return arrays.Epilogue(*_header(node), self._sum(self._total), self(node))
        if node.kind == "reduce":
            return self._sum(node)
        if node.kind == "slide":
            starts, backward = node.data
            numbers = tuple([self._size(start) for start in starts])
            a, v, *masks = node.args
            weights = self(v if v.kind == "leaf" else self._settled(v))
            dtype, ones = dtype_name(node.dtype), (False,) * len(node.shape)
            asked = tuple([self(mask) for mask in masks])
            return arrays.Slide(dtype, ones, self._stored(a), weights, numbers, backward, asked)
        self._scans = scans_of(node)
        return self(node)

    def _sum(self, node: Node) -> arrays.Reduce:
        op, axes, start = node.data
        return arrays.Reduce(*_header(node), op, self(node.args[0]), axes, start)

    def __call__(self, node: Node) -> arrays.ArrayExpr:
        key = (id(node), self._inside_join)
        done = self._memo.get(key)
        if done is None:
            build = self._unary if node.kind in _UNARY else getattr(self, "_" + node.kind)
            done = self._memo[key] = build(node)
            self._kept.append(node)
        return done

    def _unary(self, node: Node) -> arrays.ArrayExpr:
        data = () if node.data is None else (node.data,)
        return _UNARY[node.kind](*_header(node), self(node.args[0]), *data)

    def _lengthy(self, nodes: Sequence[Node]) -> tuple[arrays.ArrayExpr, ...]:
        """Operands that may be read out of range, and so have lengths."""
        outside, self._inside_join = self._inside_join, True
        found = tuple([self(one) for one in nodes])
        self._inside_join = outside
        return found

    def _stored(self, node: Node) -> arrays.ArrayExpr:
        """An operand that is computed first and may be read out of range."""
        plain = node
        while plain.kind == "convert":
            plain = plain.args[0]
        return self._lengthy([node if plain.kind == "leaf" else self._settled(node)])[0]

    def _settled(self, node: Node) -> Node:
        """An operand that is computed first, by a kernel of its own."""
        done = self.settled.get(id(node))
        return self._settle(node, leaf(self._compute(node))) if done is None else done

    def _settle(self, node: Node, other: Node) -> Node:
        """The node that stands for another from now on."""
        self.settled[id(node)] = other
        self._kept.append(node)
        return other

    def _leaf(self, node: Node) -> arrays.ArrayExpr:
        tensor: Tensor = node.data
        tensor = readable(tensor)
        if tensor.is_constant and not self._inside_join:
            value = self(constant_of(tensor))
            return arrays.Spread(value.dtype, ones_of(tensor.shape), value)
        number = self._numbers.get(id(tensor))
        if number is None:
            number = self._numbers[id(tensor)] = len(self.tensors)
            self.tensors.append(tensor)
        return input_of(tensor, number, self._told)

    def _constant(self, node: Node) -> arrays.ArrayExpr:
        self.constants.append(node)
        dtype = dtype_name(node.dtype)
        known = known_of(node.data.item(), dtype, False, self._told)
        return arrays.Scalar(dtype, (), len(self.constants) - 1, known)

    def _map(self, node: Node) -> arrays.ArrayExpr:
        op, ins = node.data
        return arrays.Map(*_header(node), op, tuple([self(arg) for arg in node.args]), ins)

    def _slide(self, node: Node) -> arrays.ArrayExpr:
        return self(self._settled(node))

    def _reduce(self, node: Node) -> arrays.ArrayExpr:
        return arrays.Total(*_header(node)) if node is self._total else self._slide(node)

    def _scan(self, node: Node) -> arrays.ArrayExpr:
        if not any(node is one for one in self._scans):
            return self(self._settled(node))
        op, axis, start = node.data
        return arrays.Scan(*_header(node), op, self(node.args[0]), axis, start)

    def _first(self, node: Node) -> arrays.ArrayExpr:
        return self(self._settled(node.args[0]))

    def _permute(self, node: Node) -> arrays.ArrayExpr:
        arg = node.args[0]
        if arg.kind == "leaf":  # an operand of its own, possibly in another order
            return self(self._settle(node, leaf(permuted(arg.data, node.data))))
        if arg.kind in ("convert", "map") and all(one.ndim in (0, node.ndim) for one in arg.args):
            args = tuple([permute(one, node.data) if one.ndim else one for one in arg.args])
            return self(self._settle(node, Node(arg.kind, args, arg.data, node.shape, node.dtype)))
        return arrays.Permute(*_header(node), self(arg), node.data)

    def _slice(self, node: Node) -> arrays.ArrayExpr:
        arg = node.args[0]
        inner = self(arg)
        starts, steps = node.data
        taken = list(zip(arg.shape, node.shape, starts, steps, strict=True))
        cuts = [not (n == m and start == 0 and step == 1) for n, m, start, step in taken]
        numbers = tuple(
            [self._size(n) if cut else None for cut, n in zip(cuts, starts, strict=True)]
        )
        lengths = tuple(
            [
                self._size(n) if self._inside_join and cut else None
                for cut, n in zip(cuts, node.shape, strict=True)
            ]
        )
        return arrays.Slice(*_header(node), inner, numbers, steps, lengths)

    def _take(self, node: Node) -> arrays.ArrayExpr:
        arg, places = node.args
        return arrays.Take(*_header(node), self(arg), self(places), node.data.axis)

    def _points(self, node: Node) -> arrays.ArrayExpr:
        arg, *places = node.args
        read = self(arg if is_pointwise(arg) else self._settled(arg))
        return arrays.Points(*_header(node), read, tuple(map(self, places)))

    def _sizes(self, told: Sequence[bool], values: Sequence[int]) -> tuple[int | None, ...]:
        """The numbers of some lengths or places, of which not all are told."""
        return tuple([self._size(n) if one else None for one, n in zip(told, values, strict=True)])

    def _size(self, value: int) -> int:
        """The number of a length or place that kernels are told."""
        self.sizes.append(value)
        return len(self.sizes) - 1

    def _join(self, node: Node) -> arrays.ArrayExpr:
        args = list(node.args)
        if len(args) > PADDED or not all([_is_listed_zeros(arg, node.data) for arg in args]):
            args = [arg if _is_joinable(arg, node.data) else self._settled(arg) for arg in args]
        return arrays.Join(*_header(node), self._lengthy(args), node.data)

    def _pad(self, node: Node) -> arrays.ArrayExpr:
        arg, value = node.args
        padded = [k for k, n in enumerate(node.shape) if n != arg.shape[k]]
        fits = all(_is_joinable(arg, axis) for axis in padded)
        (inner,) = self._lengthy([arg if fits else self._settled(arg)])
        before = self._sizes([k in padded for k in range(node.ndim)], node.data)
        around = self(value)
        if isinstance(around, arrays.Scalar) and value.data == arg.fill:
            # Without elements before and after, the array is not padded.
            structural = known_of(value.data.item(), dtype_name(node.dtype), True, self._told)
            around = arrays.Scalar(around.dtype, (), around.number, structural)
        return arrays.Pad(*_header(node), inner, around, before)

    def index(self) -> str:
        """The dtype of a result's coordinates: as narrow as all the operands'."""
        return common_index(self.tensors)

    def operands(self, node: Node, prepared: Prepared) -> Operands:
        """The operands of a call of the kernel."""
        extents = node.shape
        node = self._total or node
        if node.kind == "reduce":
            axes = node.data[1]
            extents += tuple(node.args[0].shape[k] for k in axes)
        elif node.kind == "slide":
            extents += node.args[1].shape
        scalars = [one.data for one in self.constants]
        return Operands(self.tensors, scalars, self.sizes, extents, prepared)


def _header(node: Node) -> tuple[str, tuple[bool, ...]]:
    """The dtype of a node, and which of its modes have length one."""
    return dtype_name(node.dtype), ones_of(node.shape)


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


def _is_listed_zeros(node: Node, axis: int) -> bool:
    """Whether a part of a join is a list of what is not zero, or one padded with zeros.

    It may be padded along other axes: around it the join reads all parts as missing, and so zero.
    """
    if node.kind == "pad":
        (arg, value), shape = node.args, node.shape
        if shape[axis] != arg.shape[axis] or value.data.tobytes().strip(b"\0"):
            return False
        node = arg
    if node.kind != "leaf" or node.data.format.is_dense or not is_listed(node.data):
        return False
    return not node.data.fill.tobytes().strip(b"\0")


def scans_of(node: Node) -> list[Node]:
    """The scans that the loops of a root can compute: at its own elements, along one axis."""
    found: list[Node] = []
    left = [node]
    while left:
        one = left.pop()
        if one.kind == "scan" and one.shape == node.shape:
            found.append(one)
        elif one.kind in ("map", "convert") and one.shape == node.shape:
            left += one.args
    return [one for one in found if one.data[1] == found[0].data[1]]
