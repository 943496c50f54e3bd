"""The lazy expression graph: shapes, dtypes and fills are known at once, values when asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from structarr._compiler.ir.expr import Call, Lit
from structarr._compiler.ir.ops import OPS, Op
from structarr._compiler.options import current
from structarr._compiler.rules.constants import literal
from structarr._compiler.rules.defaults import rules_in_force
from structarr._compiler.rules.engine import simplifier
from structarr._storage.tensor import Tensor
from structarr._support import dtypes as _dtypes
from structarr._support.broadcasting import broadcast

Shape = tuple[int, ...]
DType = np.dtype[Any]


class Definition(NamedTuple):
    """The definition of a node: `make` applied to `args`."""

    make: Callable[..., Node]
    args: tuple[Node, ...]


class Node:
    """A lazy array: an operation on others, with its shape and dtype.

    A defined node has no kind, arguments and data until one of them is read.
    """

    __slots__ = ("args", "data", "definition", "dtype", "kind", "shape", "sums")

    definition: Definition | None

    def __init__(
        self, kind: str, args: tuple[Any, ...], data: Any, shape: Shape, dtype: DType
    ) -> None:
        self.kind = kind
        self.args = args
        self.data = data
        self.shape = shape
        self.dtype = dtype
        self.definition = None
        # The number of reductions and convolutions; shared ones count at each use.
        sums = 1 if kind == "reduce" or kind == "slide" else 0
        for arg in args:
            sums += arg.sums
        self.sums = sums

    def __getattr__(self, name: str) -> Any:
        # Only defined nodes lack attributes; threads that meet here set equal ones.
        if name not in ("args", "data", "kind") or self.definition is None:
            raise AttributeError(name)
        make, args = self.definition
        made = make(*args)
        self.args, self.data, self.kind = made.args, made.data, made.kind
        return getattr(made, name)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def fill(self) -> Any:
        """The value where nothing is stored; None where there is no such value."""
        found = fill_of(self)
        return None if found is None else self.dtype.type(found.value)

    def of(self, args: Sequence[Node]) -> Node:
        """The same operation on other arguments; itself where they are its own."""
        if all([one is own for one, own in zip(args, self.args, strict=True)]):
            return self
        return Node(self.kind, tuple(args), self.data, self.shape, self.dtype)


def defined(definition: Definition, shape: Shape, dtype: DType, sums: int) -> Node:
    """A node that is made by its definition when its operation is asked for."""
    node = Node.__new__(Node)
    node.definition, node.shape, node.dtype, node.sums = definition, shape, dtype, sums
    return node


def leaf(tensor: Tensor) -> Node:
    """A stored tensor."""
    return Node("leaf", (), tensor, tensor.shape, tensor.dtype)


def constant(value: Any, dtype: Any) -> Node:
    """A number."""
    kind = np.dtype(dtype)
    return Node("constant", (), kind.type(value), (), kind)


def length(count: int, dtype: DType) -> Node:
    """A number that shapes alone decide, as rewriting needs: all expressions of a key share it."""
    return defined(Definition(lambda: constant(count, dtype), ()), (), dtype, 0)


@cache
def dtype_name(dtype: DType) -> str:
    """NumPy's name of a dtype, kept because NumPy takes long to find it."""
    return dtype.name


@cache
def _resolved(op: str, dtypes: tuple[Any, ...]) -> tuple[tuple[str, ...], DType]:
    ins, out = _dtypes.resolve(op, dtypes)
    return ins, np.dtype(out)


def elementwise(op: str, args: Sequence[Any], dtype: DType | None = None) -> Node:
    """An operator applied to nodes and Python scalars, with NumPy's broadcasting and promotion."""
    if dtype is None:
        kinds = tuple([arg.dtype if type(arg) is Node else type(arg) for arg in args])
    else:
        kinds = tuple(dtype for _ in args) if op != "where" else (np.dtype(bool), dtype, dtype)
    ins, out = _resolved(op, kinds)
    if op == "power" and kinds[0] == out and _is_two(args[1]) and current().rules is None:
        # As NumPy's `x ** 2`, to the bit; not with rules, which match the power as written.
        return elementwise("square", args[:1])
    # NumPy's `where` is no ufunc: it makes arrays of scalars before it converts them.
    taken = _dtypes.wrapped if op == "where" else _dtypes.scalar
    nodes = tuple(
        [
            arg if type(arg) is Node else constant(taken(arg, np.dtype(kind)), kind)
            for arg, kind in zip(args, ins, strict=True)
        ]
    )
    shapes = [node.shape for node in nodes]
    shape = shapes[0]
    if shapes.count(shape) != len(shapes):
        shape = broadcast(shapes)
    negative = op == "power" and out.kind in "iu" and isinstance(args[1], int) and args[1] < 0
    if negative and 0 not in shape:  # of no elements NumPy raises nothing
        raise ValueError("Integers to negative integer powers are not allowed.")
    return Node("map", nodes, (OPS[op], ins), shape, out)


def _is_two(value: Any) -> bool:
    return type(value) in (int, float) and value == 2


@cache
def _start(op: str, dtype: DType) -> tuple[Op, Lit]:
    """An operator, and what a reduction by it starts with."""
    start = _dtypes.identity_of(op, dtype)
    if start is None:
        raise TypeError(f"{op} has no identity to start a reduction with; give initial=")
    return OPS[op], literal(dtype_name(dtype), start)


def astype(arg: Node, dtype: Any) -> Node:
    """`arg` converted to another dtype."""
    kind = _dtypes.check(dtype)
    return arg if kind == arg.dtype else Node("convert", (arg,), None, arg.shape, kind)


def reduce(op: str, arg: Node, axes: tuple[int, ...], keepdims: bool, dtype: Any) -> Node:
    """`arg` reduced over axes, in a dtype."""
    kind = np.dtype(dtype)
    operator, start = _start(op, kind)
    if not axes:
        return astype(arg, kind)
    shape = tuple([n for k, n in enumerate(arg.shape) if k not in axes])
    node = Node("reduce", (arg,), (operator, axes, start), shape, kind)
    return expand_dims(node, axes) if keepdims else node


def permute(arg: Node, axes: tuple[int, ...]) -> Node:
    """Axis k of the result is axis `axes[k]` of the argument."""
    shape = arg.shape
    if axes == tuple(range(len(shape))):
        return arg
    return Node("permute", (arg,), axes, tuple([shape[k] for k in axes]), arg.dtype)


def expand_dims(arg: Node, axes: tuple[int, ...]) -> Node:
    """New axes of length one at positions of the result."""
    if not axes:
        return arg
    left = iter(arg.shape)
    ndim = arg.ndim + len(axes)
    shape = tuple([1 if k in axes else next(left) for k in range(ndim)])
    return Node("expand", (arg,), axes, shape, arg.dtype)


def diagonal(arg: Node, places: tuple[int, ...]) -> Node:
    """Axis k of the argument goes along axis `places[k]` of the result, of which some have several.

    Axes with the same place have the same length.
    """
    lengths = dict(zip(places, arg.shape, strict=True))
    shape = tuple(lengths[k] for k in range(len(lengths)))
    return Node("diagonal", (arg,), places, shape, arg.dtype)


def squeeze(arg: Node, axes: tuple[int, ...]) -> Node:
    """`arg` without some axes of length one."""
    if not axes:
        return arg
    shape = tuple(n for k, n in enumerate(arg.shape) if k not in axes)
    return Node("squeeze", (arg,), axes, shape, arg.dtype)


def broadcast_to(arg: Node, shape: Shape) -> Node:
    """`arg` repeated along axes of length one, with new axes in front."""
    if shape == arg.shape:
        return arg
    return Node("spread", (arg,), None, shape, arg.dtype)


def window(arg: Node, starts: tuple[int, ...], steps: tuple[int, ...], lengths: Shape) -> Node:
    """A slice: `lengths` elements of each axis, from `starts` on, by `steps`."""
    if arg.kind == "slice":
        inner, strides = arg.data
        starts = tuple([a + t * s for a, t, s in zip(inner, strides, starts, strict=True)])
        steps = tuple([t * s for t, s in zip(strides, steps, strict=True)])
        arg = arg.args[0]
    # Slices of at most one element have step 1, so that they share a kernel with other slices.
    steps = tuple([1 if n < 2 else step for n, step in zip(lengths, steps, strict=True)])
    starts = tuple([start if n else 0 for n, start in zip(lengths, starts, strict=True)])
    if lengths == arg.shape and not any(starts) and all(step == 1 for step in steps):
        return arg
    return Node("slice", (arg,), (starts, steps), lengths, arg.dtype)


def protocol(arg: Node, name: str) -> Node:
    """`arg` read by a protocol: walk, gallop or locate."""
    return Node("lead", (arg,), name, arg.shape, arg.dtype)


def first(arg: Node) -> Node:
    """`arg` computed by kernels of its own, before the expression around it."""
    return Node("first", (arg,), None, arg.shape, arg.dtype)


def pad(arg: Node, before: tuple[int, ...], shape: Shape, value: Any) -> Node:
    """The argument in an array of a shape, from the places `before` on, and a value around it."""
    if shape == arg.shape:
        return arg
    return Node("pad", (arg, constant(value, arg.dtype)), before, shape, arg.dtype)


def slide(
    a: Node, v: Node, starts: tuple[int, ...], shape: Shape, backward: bool, dtype: Any
) -> Node:
    """At each place i of a shape, the sum of `a[i + starts + j] * v[j]`, where `a` has elements.

    With `backward`, the sum of `a[i + starts - j] * v[j]`.
    """
    return Node("slide", (a, v), (starts, backward), shape, np.dtype(dtype))


def fill_of(node: Node) -> Lit | None:
    """The fill as the compiler knows it: a number that the user wrote is not a structural zero."""
    kind = dtype_name(node.dtype)
    if node.kind == "leaf":
        return literal(kind, node.data.fill, True)
    if node.kind == "constant":
        return literal(kind, node.data)
    if node.kind == "reduce":
        return literal(kind, node.data[2].value, True)
    if node.kind == "slide":
        return literal(kind, 0, True)
    fills = [fill_of(arg) for arg in node.args]
    known = [fill for fill in fills if fill is not None]
    if len(known) < len(fills):
        return None
    if node.kind == "map":
        op, ins = node.data
        args = [literal(to, one.value, one.structural) for to, one in zip(ins, known, strict=True)]
        found = simplifier(rules_in_force())(Call(kind, op, tuple(args)))
        if not isinstance(found, Lit):
            raise TypeError(f"the fill value {found!r} is not constant")
        return found
    return literal(kind, known[0].value, known[0].structural)
