"""The lazy expression graph: shapes, dtypes and fills are known at once, values when asked for."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np

from structarr._compiler.ir.expr import Lit
from structarr._compiler.ir.ops import Op, operator
from structarr._compiler.options import current
from structarr._compiler.rules.constants import literal
from structarr._lazy.leaves import (
    constant as constant,
    constant_of as constant_of,
    leaf as leaf,
    number as number,
    operand as operand,
)
from structarr._lazy.node import (
    DType,
    Node as Node,
    Shape as Shape,
    args_of as args_of,
    defined as defined,
    dtype_name,
    fill_of as fill_of,
)
from structarr._lazy.outline import Outline, outline
from structarr._storage.tensor import Tensor
from structarr._support import dtypes as _dtypes
from structarr._support.broadcasting import broadcast, countable
from structarr._support.caches import MOST, cleared, room, table

_outlines: dict[Hashable, Outline] = table()


@cleared
@lru_cache(MOST)
def _resolved(op: str, dtypes: tuple[Any, ...]) -> tuple[tuple[str, ...], DType]:
    ins, out = _dtypes.resolve(op, dtypes)
    return ins, np.dtype(out)


def elementwise(op: str, args: Sequence[Any], dtype: DType | None = None) -> Node:
    """An operator applied to nodes and Python scalars, with NumPy's broadcasting and promotion."""
    if dtype is not None or (op in _OF_VALUES and not _is_of_types(op, args)):
        return _elementwise(op, args, dtype)
    key = (op, *[arg.number if type(arg) is Node else type(arg) for arg in args])
    known = _outlines.get(key)
    if known is not None:
        return known(*args)
    made = _elementwise(op, args, None)
    if made.number:
        kinds = zip(args, made.args, strict=True)
        takes = [None if type(arg) is Node else _dtypes.taker(one.dtype) for arg, one in kinds]
        _note(key, tuple(takes), made)
    return made


def _note(key: Hashable, takes: tuple[Any, ...], made: Node) -> None:
    if made.definition is None:
        make, args, kind, data = None, made.args, made.kind, made.data
    else:
        (make, args), kind, data = made.definition, "", None
    own = made.sums - sum([one.sums for one in args])
    parts = takes, make, kind, own, data, made.shape, made.dtype, made.number
    room(_outlines, light=True)[key] = outline(*parts)


def again(key: Hashable, *args: Node) -> Node | None:
    """The operation on nodes that was noted of some of their structures; None if none was."""
    if len(args) == 2:  # no list is made for what most are
        known = _outlines.get((key, args[0].number, args[1].number))
    else:
        known = _outlines.get((key, *[arg.number for arg in args]))
    return None if known is None else known(*args)


def of_one_again(key: Hashable, arg: Node) -> Node | None:
    """The same of one node."""
    known = _outlines.get((key, arg.number))
    return None if known is None else known(arg)


def note(key: Hashable, made: Node, *args: Node) -> None:
    """Note the operation on nodes that a key names; not one of several steps, or seldom again."""
    if args_of(made) == args and made.number:
        _note((key, *[arg.number for arg in args]), (None,) * len(args), made)


outlined: Final[Callable[[Hashable], Outline | None]] = _outlines.get
"""The outline of an operator of nodes and Python scalars, by its name, their numbers and types."""


def binary(op: str, left: Node, right: Node) -> Node:
    """An operator of two applied to nodes."""
    known = _outlines.get((op, left.number, right.number))
    return elementwise(op, (left, right)) if known is None else known(left, right)


_OF_VALUES: Final = ("power", "where")
"""The operators whose scalars matter by more than their type."""


def _is_of_types(op: str, args: Sequence[Any]) -> bool:
    """Whether the scalars of an operator matter by their type: no integer of these can overflow."""
    return op == "where" and all([type(one) is not int or one in (0, 1) for one in args])


def _elementwise(op: str, args: Sequence[Any], dtype: DType | None) -> Node:
    """The same for a structure that was not seen before."""
    if dtype is None:
        kinds = tuple([arg.dtype if type(arg) is Node else type(arg) for arg in args])
    else:
        kinds = tuple(dtype for _ in args) if op != "where" else (np.dtype(bool), dtype, dtype)
    ins, out = _resolved(op, kinds)
    if op == "power" and type(args[1]) is not Node:
        if kinds[0] == out and _is_two(args[1]) and current().rules is None:
            # As NumPy's `x ** 2`, to the bit; not with rules, which match the power as written.
            return elementwise("square", args[:1])
        _check_exponent(args, out)
    # NumPy's `where` is no ufunc: it makes arrays of scalars before it converts them.
    taken = _dtypes.wrapped if op == "where" else _dtypes.scalar
    nodes = tuple(
        [
            arg if type(arg) is Node else constant(taken(arg, kind), kind)
            for arg, kind in zip(args, ins, strict=True)
        ]
    )
    shapes = [node.shape for node in nodes]
    return Node("map", nodes, (operator(op), ins), broadcast(shapes), out)


def _check_exponent(args: Sequence[Any], dtype: DType) -> None:
    base, exponent = args
    negative = dtype.kind in "iu" and isinstance(exponent, int) and exponent < 0
    if negative and 0 not in base.shape:  # of no elements NumPy raises nothing
        raise ValueError("Integers to negative integer powers are not allowed.")


def _is_two(value: Any) -> bool:
    return type(value) in (int, float) and value == 2


@cleared
@lru_cache(MOST)
def start_of(op: str, dtype: DType) -> tuple[Op, Lit]:
    """An operator, and what a reduction by it starts with."""
    start = _dtypes.identity_of(op, dtype)
    assert start is not None, op
    return operator(op), literal(dtype_name(dtype), start)


def astype(arg: Node, dtype: Any) -> Node:
    """`arg` converted to another dtype."""
    kind = _dtypes.check(dtype)
    return arg if kind == arg.dtype else Node("convert", (arg,), None, arg.shape, kind)


def reduce(op: str, arg: Node, axes: tuple[int, ...], keepdims: bool, dtype: Any) -> Node:
    """`arg` reduced over axes, in a dtype."""
    kind = np.dtype(dtype)
    operator, start = start_of(op, kind)
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
    if arg.definition is None and arg.kind == "permute":
        return permute(arg.args[0], tuple([arg.data[k] for k in axes]))
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


def _plain(inner: int, step: int, outer: int) -> int:
    """The start of a slice of a slice, as a number."""
    return inner + step * outer


def window(
    arg: Node,
    starts: tuple[int, ...],
    steps: tuple[int, ...],
    lengths: Shape,
    start: Callable[[int, int, int], int] = _plain,
) -> Node:
    """A slice: `lengths` elements of each axis, from `starts` on, by `steps`.

    `start` makes the start of a slice of a slice where both cut an axis: of the start and the step
    of the one that is cut again, and of the start within it.
    """
    if (arg.definition is None or not arg.sums) and arg.kind == "slice":
        inner, strides = arg.data
        axes = zip(arg.args[0].shape, arg.shape, lengths, inner, strides, starts, strict=True)
        starts = tuple(
            [
                s if n == m and t == 1 else a if m == k and step == 1 else start(a, t, s)
                for (n, m, k, a, t, s), step in zip(axes, steps, strict=True)
            ]
        )
        steps = tuple([t * s for t, s in zip(strides, steps, strict=True)])
        arg = arg.args[0]
    # Slices of at most one element have step 1, so that they share a kernel with other slices.
    steps = tuple([1 if n < 2 else step for n, step in zip(lengths, steps, strict=True)])
    starts = tuple([start if n else 0 for n, start in zip(lengths, starts, strict=True)])
    if lengths == arg.shape and not any(starts) and all(step == 1 for step in steps):
        return arg
    return Node("slice", (arg,), (starts, steps), lengths, arg.dtype)


def reshape(arg: Node, shape: Shape) -> Node:
    """The elements in C order in another shape."""
    if arg.definition is None and arg.kind == "reshape":
        arg = arg.args[0]
    return arg if arg.shape == shape else Node("reshape", (arg,), shape, shape, arg.dtype)


class Taking(NamedTuple):
    """The axis of an array that is read at places, and how elements are taken by themselves."""

    axis: int
    form: Callable[[Tensor, Tensor, int], Tensor]


def take(arg: Node, places: Tensor, taking: Taking) -> Node:
    """`arg` read along an axis at the places in a dense vector, which are in bounds."""
    shape = (*arg.shape[: taking.axis], *places.shape, *arg.shape[taking.axis + 1 :])
    return Node("take", (arg, leaf(places)), taking, shape, arg.dtype)


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
    return Node("pad", (arg, constant(value, arg.dtype)), before, countable(shape), arg.dtype)


def slide(
    a: Node, v: Node, starts: tuple[int, ...], shape: Shape, backward: bool, dtype: Any
) -> Node:
    """At each place i of a shape, the sum of `a[i + starts + j] * v[j]`, where `a` has elements.

    With `backward`, the sum of `a[i + starts - j] * v[j]`.
    """
    return Node("slide", (a, v), (starts, backward), countable(shape), np.dtype(dtype))
