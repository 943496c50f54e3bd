"""Indices: an array expression applied to indices is a scalar expression over accesses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from structarr._compiler.ir import given
from structarr._compiler.ir.arrays import (
    ArrayExpr,
    Convert,
    Diagonal,
    Epilogue,
    Expand,
    Input,
    Join,
    Lead,
    Map,
    Pad,
    Permute,
    Points,
    Reduce,
    Scalar,
    Scan,
    Slice,
    Slide,
    Spread,
    Squeeze,
    Take,
    Total,
)
from structarr._compiler.ir.cin import Access, Offset, Permit, Protocol, Within, driver
from structarr._compiler.ir.expr import Call, Cast, Expr, Index, Lit, add, scale
from structarr._compiler.ir.given import Given
from structarr._compiler.ir.missing import Coalesce
from structarr._compiler.ir.ops import OPS, Op
from structarr._compiler.ir.scanned import Scanned
from structarr._compiler.ir.variables import Opaque
from structarr._compiler.rules.constants import literal
from structarr._scheduler.accesses import ZERO, Operand, common_fill
from structarr._scheduler.extents import extent, length
from structarr._scheduler.windows import window


@dataclass
class Indexed:
    """A program without an order of loops: `out[result] op= value` for all indices."""

    value: Expr
    result: tuple[Index, ...]
    reduced: tuple[Index, ...] = ()
    op: Op | None = None
    start: Lit | None = None
    dtype: str = ""
    extents: dict[Index, Expr] = field(default_factory=dict)
    prune: bool = False  # whether values equal to the fill are dropped
    begun: bool = False  # whether the result holds what is added to
    shifts: bool = False  # whether reduced indices shift stored elements
    order: tuple[Index, ...] | None = None  # the loops', if the user gives it
    name: str = "C"  # of the result
    names: Mapping[int, str] = field(default_factory=dict)  # the operands', if the user gives them
    dims: Mapping[tuple[int, int], Expr] = field(default_factory=dict)  # of operands, likewise
    lengths: tuple[Given, ...] = ()  # variables in `dims` that are not extents of loops
    then: Expr | None = (
        None  # what is stored instead of an element of the sum, for which `total` stands
    )


def index(root: ArrayExpr) -> Indexed:
    """Name the indices of a root, and apply it to them."""
    if isinstance(root, Reduce):
        every = _indices(root.arg.ndim)
        result = tuple(every[k] for k in range(root.arg.ndim) if k not in root.axes)
        reduced = tuple(every[k] for k in root.axes)
        value = _cast(apply(root.arg, every), root.dtype)
        program = Indexed(value, result, reduced, root.op, root.start, root.dtype)
        program.extents = {i: extent(root.arg, k, i) for k, i in enumerate(every)}
        return program
    if isinstance(root, Slide):
        return _slide(root)
    if isinstance(root, Epilogue):
        program = index(root.total)
        program.then = apply(root.value, program.result)
        return program
    result = _indices(root.ndim)
    extents = {i: extent(root, k, i) for k, i in enumerate(result)}
    return Indexed(apply(root, result), result, dtype=root.dtype, extents=extents)


def _indices(count: int) -> tuple[Index, ...]:
    names = "ijklmnopqrst"
    return tuple(Index(names[k] if k < len(names) else f"i{k}") for k in range(count))


def _slide(root: Slide) -> Indexed:
    """The loops of a window, outside that of the last mode, which visits the stored elements.

    With a mask, the mask's loops are outside of the window's, and the last of them visits stored
    elements.
    """
    every = _indices(2 * root.ndim)
    result, window = every[: root.ndim], every[root.ndim :]
    *outer, last = _storage(root.arg)
    sign = -1 if root.backward else 1
    pairs = zip(root.starts, window, strict=True)
    moves = [add(given.whole(start), scale(j, sign)) for start, j in pairs]
    places: list[Expr] = [add(i, move) for i, move in zip(result, moves, strict=True)]
    if root.masks:
        places[last] = Offset(
            window[last], scale(add(result[last], given.whole(root.starts[last])), -1)
        )
    else:
        places[last] = Offset(result[last], scale(moves[last], -1))
    held = _cast(apply(root.arg, tuple(Permit(one) for one in places)), root.dtype)
    weight = _cast(apply(root.weights, window), root.dtype)
    zero = literal(root.dtype, 0, True)
    met = Call(root.dtype, OPS["multiply"], (held, weight))
    value: Expr = Coalesce(root.dtype, (met, zero))
    for mask in root.masks:
        asked = _cast(apply(mask, result), root.dtype)
        value = Call(root.dtype, OPS["multiply"], (asked, value))
    program = Indexed(value, result, window, OPS["add"], zero, root.dtype, shifts=True)
    program.extents = {i: given.extent(i) for i in every}
    rows, inner = [result[k] for k in outer], [window[k] for k in (*outer, last)]
    program.order = (*rows, *inner, result[last])
    for mask in root.masks:
        program.order = (*[result[k] for k in _storage(mask)], *inner)
    return program


def _storage(node: ArrayExpr) -> tuple[int, ...]:
    """The modes of an operand in the order in which they are stored."""
    while isinstance(node, Convert):
        node = node.arg
    assert isinstance(node, Input)
    return tuple(node.format.order)


def _cast(expr: Expr, dtype: str) -> Expr:
    return expr if expr.dtype == dtype else Cast(dtype, expr)


def total(dtype: str) -> Expr:
    """The placeholder of an element of a program's sum."""
    return Opaque(dtype, "total")


def apply(node: ArrayExpr, indices: tuple[Expr, ...]) -> Expr:
    """The scalar expression `node[indices]`."""
    return _APPLY[type(node)](node, indices)


def _input(node: Input, indices: tuple[Expr, ...]) -> Expr:
    """An access in storage order, without the modes along which nothing varies.

    The indices of a symmetric pair of modes are ordered by name, so that equal elements are the
    same access.
    """
    format, order = node.format, node.format.order
    kept = [
        depth
        for depth, axis in enumerate(order)
        if not format.levels[depth].kind.is_constant
        or indices[axis].has(Permit)  # one index may be out of bounds
        or indices[axis].has(Within)
    ]
    if len(kept) < len(order):
        node = Input(
            node.dtype, node.ones, node.number, format.without(kept), node.fill, node.weight
        )
    read = [indices[order[depth]] for depth in kept]
    for k, level in enumerate(node.format.levels[:-1]):
        pair = read[k - 1 : k + 1]
        if level.kind.is_symmetric and all(isinstance(one, Index) for one in pair):
            read[k - 1 : k + 1] = sorted(pair, key=lambda one: one.name)
    return Access(node.dtype, Operand(node), tuple(read))


def _scalar(node: Scalar, indices: tuple[Expr, ...]) -> Expr:
    return node.value if node.value is not None else given.scalar(node.number, node.dtype)


def _map(node: Map, indices: tuple[Expr, ...]) -> Expr:
    args = []
    for arg, dtype in zip(node.args, node.ins, strict=True):
        aligned = _aligned(arg, node.ones[node.ndim - arg.ndim :], indices[node.ndim - arg.ndim :])
        args.append(_cast(apply(arg, aligned), dtype))
    return Call(node.dtype, node.op, tuple(args))


def _aligned(arg: ArrayExpr, ones: tuple[bool, ...], indices: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """Indices of an argument: a mode of length one that broadcasts is read at 0."""
    return tuple(
        ZERO if mine and not theirs else one
        for mine, theirs, one in zip(arg.ones, ones, indices, strict=True)
    )


def _convert(node: Convert, indices: tuple[Expr, ...]) -> Expr:
    return _cast(apply(node.arg, indices), node.dtype)


def _permute(node: Permute, indices: tuple[Expr, ...]) -> Expr:
    where = {axis: k for k, axis in enumerate(node.axes)}
    return apply(node.arg, tuple(indices[where[axis]] for axis in range(node.ndim)))


def _expand(node: Expand, indices: tuple[Expr, ...]) -> Expr:
    return apply(node.arg, tuple(one for k, one in enumerate(indices) if k not in node.axes))


def _diagonal(node: Diagonal, indices: tuple[Expr, ...]) -> Expr:
    return apply(node.arg, tuple(indices[place] for place in node.places))


def _squeeze(node: Squeeze, indices: tuple[Expr, ...]) -> Expr:
    left = iter(indices)
    return apply(
        node.arg, tuple(ZERO if k in node.axes else next(left) for k in range(node.arg.ndim))
    )


def _spread(node: Spread, indices: tuple[Expr, ...]) -> Expr:
    skip = node.ndim - node.arg.ndim
    return apply(node.arg, _aligned(node.arg, node.ones[skip:], indices[skip:]))


def _lead(node: Lead, indices: tuple[Expr, ...]) -> Expr:
    """An argument whose indices carry its protocol, as in the paper."""
    return apply(
        node.arg,
        tuple(Protocol(i, node.protocol) if isinstance(driver(i), Index) else i for i in indices),
    )


def _slice(node: Slice, indices: tuple[Expr, ...]) -> Expr:
    places = list(indices)
    for k, start in enumerate(node.starts):
        if start is not None:
            places[k] = window(indices[k], given.size(start), node.steps[k], node.lengths[k])
    return apply(node.arg, tuple(places))


def _take(node: Take, indices: tuple[Expr, ...]) -> Expr:
    place = apply(node.places, _plain(indices[node.axis : node.axis + 1]))
    return apply(node.arg, (*indices[: node.axis], place, *indices[node.axis + 1 :]))


def _plain(indices: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """Indices without protocols: what they read is known, however it is read."""
    return tuple(one.arg if isinstance(one, Protocol) else one for one in indices)


def _points(node: Points, indices: tuple[Expr, ...]) -> Expr:
    return apply(node.arg, tuple(apply(one, _plain(indices)) for one in node.places))


def _scan(node: Scan, indices: tuple[Expr, ...]) -> Expr:
    index = indices[node.axis]
    assert isinstance(index, Index)
    value = _cast(apply(node.arg, indices), node.dtype)
    return Scanned(node.dtype, node.op, node.start, value, index)


def _join(node: Join, indices: tuple[Expr, ...]) -> Expr:
    at = indices[node.axis]
    start: Expr = ZERO
    parts: list[Expr] = []
    for arg in node.args:
        moved = Permit(at if start is ZERO else Offset(at, start))
        places = (*indices[: node.axis], moved, *indices[node.axis + 1 :])
        # What is around a padded part is around all parts.
        taken = apply(arg.arg, _padded(arg, places)) if isinstance(arg, Pad) else apply(arg, places)
        parts.append(_cast(taken, node.dtype))
        start = start + length(arg, node.axis)
    return Coalesce(node.dtype, (*parts, *common_fill(parts, node.dtype)))


def _pad(node: Pad, indices: tuple[Expr, ...]) -> Expr:
    inside = apply(node.arg, _padded(node, indices))
    return Coalesce(node.dtype, (inside, apply(node.value, ())))


def _padded(node: Pad, indices: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """The indices of what is padded, which miss it around it."""
    return tuple(
        one if before is None else Permit(Offset(one, given.size(before)))
        for one, before in zip(indices, node.before, strict=True)
    )


_APPLY: dict[type[ArrayExpr], Callable[..., Expr]] = {
    Input: _input,
    Total: lambda node, indices: total(node.dtype),
    Scalar: _scalar,
    Map: _map,
    Convert: _convert,
    Permute: _permute,
    Expand: _expand,
    Diagonal: _diagonal,
    Squeeze: _squeeze,
    Slice: _slice,
    Spread: _spread,
    Take: _take,
    Points: _points,
    Scan: _scan,
    Join: _join,
    Pad: _pad,
    Lead: _lead,
}
