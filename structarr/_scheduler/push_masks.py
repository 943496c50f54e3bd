"""Sums of which few elements are asked for: they are multiplied by the pattern of what asks.

In `np.tanh(u @ v.T) * m` a sparse `m` decides the result wherever it stores nothing, whatever the
sum is there. So the sum is made where `m` stores something: it becomes a sum of a product like any
other, `(u @ v.T) * pattern(m)`, whose order and kernels are chosen as those of all products are.
Structure alone says which sums are masked, and by what: the format of the result depends on it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from structarr._compiler.ir.expr import Call, Expr, Lit
from structarr._compiler.ir.variables import Opaque
from structarr._compiler.rules.constants import literal
from structarr._compiler.rules.defaults import rules_in_force
from structarr._compiler.rules.engine import simplifier
from structarr._lazy import graph
from structarr._lazy.distributive import DISTRIBUTES, MOVED, multiplies
from structarr._lazy.node import Node, dtype_name
from structarr._storage.memo import derived
from structarr._storage.tensor import Tensor
from structarr.formats import Uniform


def masked(node: Node) -> Node:
    """The node with sums made where they are asked for; itself where no sum gains by that."""
    below = node.sums - (node.kind == "reduce")
    return _Masking().walk(node, None, True) if below else node


class _Masking:
    def __init__(self) -> None:
        self._made: dict[tuple[int, int], Node] = {}  # by the identities of the sum and the mask

    def walk(self, node: Node, mask: Tensor | None, is_factor: bool) -> Node:
        """The node where elements are asked for that a mask stores.

        A factor of the root's product is masked by the other factors anyway.
        """
        if node.kind == "reduce":
            return self._sum(node, mask, is_factor)
        if node.kind == "slide":
            return self._window(node, mask)
        if not node.sums or node.kind == "first":
            return node
        is_factor &= multiplies(node) or node.kind in MOVED
        args = list(node.args)
        for k, arg in enumerate(node.args):
            if arg.sums:
                same = node.kind in ("map", "convert") and arg.shape == node.shape
                asks = same and not (is_factor and arg.kind == "reduce")
                own = _first([mask, *_beside(node, k)]) if asks else None
                args[k] = self.walk(arg, own, is_factor)
        return node.of(args)

    def _sum(self, node: Node, mask: Tensor | None, is_factor: bool) -> Node:
        name = node.data[0].name
        if is_factor or mask is None or name not in DISTRIBUTES:
            return node.of([self.walk(node.args[0], None, is_factor)])
        return self._asked(
            node, mask, lambda ones: graph.elementwise(DISTRIBUTES[name], (node, ones))
        )

    def _window(self, node: Node, mask: Tensor | None) -> Node:
        """A sum over windows that go forward, made where it is asked for."""
        if mask is None or len(node.args) > 2 or node.data[1]:
            return node
        return self._asked(
            node,
            mask,
            lambda ones: Node("slide", (*node.args, ones), node.data, node.shape, node.dtype),
        )

    def _asked(self, node: Node, mask: Tensor, make: Callable[[Node], Node]) -> Node:
        """A sum made of a mask's pattern, once for both."""
        key = id(node), id(mask)
        if key not in self._made:
            ones = graph.leaf(pattern(mask, node.dtype))
            self._made[key] = graph.first(make(ones))
        return self._made[key]


def _beside(node: Node, place: int) -> list[Tensor | None]:
    """The masks of an operation beside one argument: where they store nothing, it is decided."""
    return [_support(node, k) for k in range(len(node.args)) if k != place]


def _support(node: Node, place: int) -> Tensor | None:
    """An array that stores something wherever an argument does not decide the result alone."""
    arg = node.args[place]
    if node.kind != "map" or arg.shape != node.shape or not annihilates(node, place):
        return None
    while arg.kind == "convert":
        arg = arg.args[0]
    if arg.kind == "leaf":
        return arg.data if _is_mask(arg.data) else None
    return _first([_support(arg, k) for k in range(len(arg.args))])


def may_mask(node: Node) -> bool:
    """Whether an operation may ask for few elements of a sum among its arguments."""
    places = range(len(node.args))
    summed = [k for k in places if node.args[k].sums and node.args[k].shape == node.shape]
    return any(_may_decide(node, k) for one in summed for k in places if k != one)


def _may_decide(node: Node, place: int) -> bool:
    """Whether an argument of an operation has a mask."""
    arg = node.args[place]
    if node.kind != "map" or arg.shape != node.shape:
        return False
    while arg.kind == "convert":
        arg = arg.args[0]
    if arg.kind == "leaf":
        return _is_mask(arg.data)
    return any([_may_decide(arg, k) for k in range(len(arg.args))])


def _is_mask(tensor: Tensor) -> bool:
    return any(level.kind.is_sparse for level in tensor.format.levels)


def _first(masks: Sequence[Tensor | None]) -> Tensor | None:
    return next((mask for mask in masks if mask is not None), None)


def annihilates(node: Node, place: int) -> bool:
    """Whether the fill of an argument decides the result, whatever the others are."""
    fill = graph.fill_of(node.args[place])
    op, kinds = node.data
    args: list[Expr] = []
    for k, (arg, kind) in enumerate(zip(node.args, kinds, strict=True)):
        if k == place:
            args.append(literal(kind, fill.value, fill.structural))
        elif arg.kind == "constant":
            args.append(literal(kind, arg.data))
        else:
            args.append(Opaque(kind, f"value{k}"))
    call = Call(dtype_name(node.dtype), op, tuple(args))
    return isinstance(simplifier(rules_in_force())(call), Lit)


@derived("pattern")
def pattern(tensor: Tensor, dtype: np.dtype[np.generic]) -> Tensor:
    """Ones where an array stores something, and zeros elsewhere; it shares the coordinates."""
    fmt = tensor.format.without(range(tensor.ndim), Uniform())
    inner = [buffer for parts in tensor.level_buffers[:-1] for buffer in parts]
    return Tensor(fmt, tensor.shape, dtype, dtype.type(0), (*inner, np.ones(1, dtype)))
