"""The lazy expression graph: shapes, dtypes and fills are known at once, values when asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from structarr import _dtypes
from structarr._compiler.build import call
from structarr._compiler.context import TooLarge
from structarr._compiler.ir import arrays
from structarr._compiler.ir.expr import Call, Lit
from structarr._compiler.ir.ops import OPS, Op
from structarr._compiler.pipeline import Request, Transpose, compile_request, default_rules
from structarr._compiler.rules.algebra import literal
from structarr._compiler.rules.engine import Simplifier
from structarr._config import current
from structarr._plan import Operands, Plan, Prepared, TooManyPositions
from structarr._reorder import is_listed, is_relisted, lists_of, relisted, reorder
from structarr._tensor import Tensor
from structarr.errors import FormatError
from structarr.formats import Constant, Dense, Element, Format, SparseList, name_of
from structarr.interop.conform import conform, rows_of
from structarr.interop.coordinates import coordinates, from_coordinates
from structarr.interop.numpy import from_dense, to_dense

Shape = tuple[int, ...]
DType = np.dtype[Any]

_INT32 = int(np.iinfo(np.int32).max)
_SPECIAL = {0, 1, -1, float("inf"), float("-inf")}


class Node:
    """An array that is not computed yet: what makes it, and what is known of it."""

    __slots__ = ("args", "data", "dtype", "kind", "shape")

    def __init__(
        self, kind: str, args: tuple[Any, ...], data: Any, shape: Shape, dtype: DType
    ) -> None:
        self.kind = kind
        self.args = args
        self.data = data
        self.shape = shape
        self.dtype = dtype

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def fill(self) -> Any:
        """The value where nothing is stored; None where there is no such value."""
        return _fill(self)


def leaf(tensor: Tensor) -> Node:
    """A stored tensor."""
    return Node("leaf", (), tensor, tensor.shape, tensor.dtype)


def constant(value: Any, dtype: Any) -> Node:
    """A number."""
    kind = np.dtype(dtype)
    return Node("constant", (), kind.type(value), (), kind)


@cache
def _name(dtype: DType) -> str:
    """NumPy's name of a dtype, which NumPy itself takes a while to find."""
    return dtype.name


@cache
def _resolved(op: str, dtypes: tuple[Any, ...]) -> tuple[tuple[str, ...], DType]:
    ins, out = _dtypes.resolve(op, dtypes)
    return ins, np.dtype(out)


def _broadcast(shapes: list[Shape]) -> Shape:
    """NumPy's broadcasting, whose own function takes longer than a small kernel."""
    ndim = max(map(len, shapes))
    lengths = [1] * ndim
    for shape in shapes:
        for k, n in enumerate(shape, ndim - len(shape)):
            if n != 1 and lengths[k] != n:
                if lengths[k] != 1:
                    return np.broadcast_shapes(*shapes)  # raises NumPy's own error
                lengths[k] = n
    return tuple(lengths)


def elementwise(op: str, args: Sequence[Any], dtype: DType | None = None) -> Node:
    """An operator applied to nodes and Python scalars, with NumPy's broadcasting and promotion."""
    kinds = tuple([arg.dtype if isinstance(arg, Node) else type(arg) for arg in args])
    if dtype is not None:
        kinds = tuple(dtype for _ in args) if op != "where" else (np.dtype(bool), dtype, dtype)
    ins, out = _resolved(op, kinds)
    if op == "power" and out.kind in "iu" and isinstance(args[1], int) and args[1] < 0:
        raise ValueError("Integers to negative integer powers are not allowed.")
    nodes = tuple(
        [
            arg if isinstance(arg, Node) else constant(_dtypes.scalar(arg, np.dtype(kind)), kind)
            for arg, kind in zip(args, ins, strict=True)
        ]
    )
    shape = nodes[0].shape
    if any(node.shape != shape for node in nodes):
        shape = _broadcast([node.shape for node in nodes])
    return Node("map", nodes, (OPS[op], ins), shape, out)


@cache
def _start(op: str, dtype: DType) -> tuple[Op, Lit]:
    """An operator, and what a reduction by it starts with."""
    start = _dtypes.identity_of(op, dtype)
    if start is None:
        raise TypeError(f"{op} has no identity to start a reduction with")
    return OPS[op], literal(_name(dtype), start)


def astype(arg: Node, dtype: Any) -> Node:
    """Another dtype."""
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
    if axes == tuple(range(arg.ndim)):
        return arg
    return Node("permute", (arg,), axes, tuple(arg.shape[k] for k in axes), arg.dtype)


def expand_dims(arg: Node, axes: tuple[int, ...]) -> Node:
    """New axes of length one at positions of the result."""
    if not axes:
        return arg
    left = iter(arg.shape)
    ndim = arg.ndim + len(axes)
    shape = tuple(1 if k in axes else next(left) for k in range(ndim))
    return Node("expand", (arg,), axes, shape, arg.dtype)


def squeeze(arg: Node, axes: tuple[int, ...]) -> Node:
    """Without some axes of length one."""
    if not axes:
        return arg
    shape = tuple(n for k, n in enumerate(arg.shape) if k not in axes)
    return Node("squeeze", (arg,), axes, shape, arg.dtype)


def broadcast_to(arg: Node, shape: Shape) -> Node:
    """Repeated along axes of length one, and new axes in front."""
    if shape == arg.shape:
        return arg
    return Node("spread", (arg,), None, shape, arg.dtype)


def protocol(arg: Node, name: str) -> Node:
    """The same array, read by a protocol: walk, gallop or locate."""
    return Node("lead", (arg,), name, arg.shape, arg.dtype)


def concatenate(args: Sequence[Node], axis: int, dtype: Any) -> Node:
    """The arguments one after the other along an axis."""
    kind = np.dtype(dtype)
    if len(args) == 1:
        return astype(args[0], kind)
    shape = list(args[0].shape)
    shape[axis] = sum(arg.shape[axis] for arg in args)
    return Node("join", tuple(args), axis, tuple(shape), kind)


def convolve(a: Node, v: Node, mode: str, dtype: Any) -> Node:
    """The convolution of two vectors, as NumPy's."""
    if a.shape[0] < v.shape[0]:
        a, v = v, a
    n, m = a.shape[0], v.shape[0]
    length, before = {
        "full": (n + m - 1, m - 1),
        "same": (n, m - 1 - (m - 1) // 2),
        "valid": (n - m + 1, 0),
    }[mode]
    return Node("slide", (a, v), before, (length,), np.dtype(dtype))


def materialize(nodes: Sequence[Node], formats: Sequence[Format | None]) -> list[Tensor]:
    """The values of some nodes, each in the format asked for or the algebra's."""
    return [_compute(node, fmt) for node, fmt in zip(nodes, formats, strict=True)]


BUDGET = 1500  # statements that lowering an expression of several operations may take

_plans: dict[Any, Any] = {}  # None where the expression is to be split
_UNKNOWN = object()


def plan_of(node: Node, transposed: bool = False) -> Plan | None:
    """The plan by which the last kernel of a node's value runs; None where none is needed."""
    if node.kind == "leaf":
        return None
    for kind in _VIEWS:
        if node.kind == kind:
            return plan_of(node.args[0])
    builder = _Builder()
    plan = _plan_for(builder.root(node), None, builder, node, transposed)
    if isinstance(plan, Transpose):
        return plan_of(_transposed(node, builder, plan), not plan.conflict)
    return plan_of(_split(node)) if plan is None else plan


def _compute(
    node: Node, fmt: Format | None, transposed: bool = False, prune: bool = True
) -> Tensor:
    if node.kind == "leaf" and (fmt is None or fmt is node.data.format):
        return node.data  # type: ignore[no-any-return]
    prepared: Prepared = {}
    if fmt is not None:
        direct = _relisted(node, fmt)
        if direct is not None:
            return direct
        node, fmt = _fitted(node, fmt)
        prepared = _prepared(node, fmt)
    if fmt is None and node.kind in _VIEWS:
        return _VIEWS[node.kind](node)
    builder = _Builder()
    plan = _plan_for(builder.root(node), fmt, builder, node, transposed, prune=prune)
    if isinstance(plan, Transpose):
        return _compute(_transposed(node, builder, plan), fmt, not plan.conflict, prune)
    if plan is None:
        return _compute(_split(node), fmt, prune=prune)
    try:
        return plan(builder.operands(node, prepared), node.shape)
    except TooManyPositions:
        if fmt is not None:
            raise
        wide = _plan_for(builder.root(node), None, builder, node, transposed, True)
        assert isinstance(wide, Plan)
        return wide(builder.operands(node, prepared), node.shape)


def _plan_for(
    root: arrays.ArrayExpr,
    fmt: Format | None,
    builder: _Builder,
    node: Node,
    transposed: bool,
    wide: bool = False,
    prune: bool = True,
) -> Plan | Transpose | None:
    """The plan of a structure, made at most once; `wide` asks for int64 positions.

    `prune` leaves out what equals the fill where a format is asked for.
    """
    options = current()
    wide = wide or any([n > _INT32 for n in node.shape])
    key = (root, fmt, wide, options.strict_ieee, options.rules, transposed, prune)
    plan = _plans.get(key, _UNKNOWN)
    if plan is _UNKNOWN:
        narrow = builder.index() if fmt is None else fmt.index
        index = "int64" if wide and fmt is None else narrow
        plan = _plans[key] = _planned(root, fmt, index, node, transposed, prune)
    return plan  # type: ignore[no-any-return]


def _relisted(node: Node, fmt: Format) -> Tensor | None:
    """A matrix as lists of entries or rows, in one pass; None where that takes a kernel."""
    tensor = _own(node)
    if tensor is None or not is_relisted(tensor, fmt):
        return None
    if not is_listed(tensor):
        own = Format(lists_of(tensor.format).root, tensor.format.order, fmt.index)
        tensor = _compute(leaf(tensor), own)
    return relisted(tensor, fmt, prune=True)


def _own(node: Node) -> Tensor | None:
    """The tensor that a node is, with its axes permuted if need be."""
    if node.kind == "leaf":
        return node.data  # type: ignore[no-any-return]
    if node.kind == "permute" and node.args[0].kind == "leaf":
        tensor: Tensor = node.args[0].data
        return tensor.transposed(node.data)
    return None


def _fitted(node: Node, fmt: Format) -> tuple[Node, Format]:
    """What is to be stored, and a format that is known to hold it.

    A format that does not take every array looks at what differs from the fill first.
    """
    _check_writable(node, fmt)
    demanding = [level for level in fmt.levels if level.demands]
    if not demanding or (all(level.regions for level in demanding) and _is_exact(node)):
        return node, fmt
    listed = _compute(node, lists_of(fmt))
    return leaf(listed), conform(listed, fmt)


def _prepared(node: Node, fmt: Format) -> Prepared:
    """The buffers of a matrix's inner level that are known before its values are written."""
    made: dict[int, tuple[Any, ...]] = {}
    for depth, level in enumerate(fmt.levels):
        if level.prepares:
            found = level.prepare(rows_of(node.data), call)
            made[depth] = tuple(buffer.astype(fmt.index, copy=False) for buffer in found)
    return made


def _check_writable(node: Node, fmt: Format) -> None:
    refused = next((level for level in fmt.levels if not level.writable), None)
    if refused is not None:
        raise FormatError(f"format {name_of(fmt)}: {type(refused).__name__} cannot be written")
    if not fmt.levels[-1].buffers:
        leaf_name = type(fmt.levels[-1]).__name__
        if node.dtype != bool or node.fill is None or node.fill:
            raise FormatError(
                f"format {name_of(fmt)}: {leaf_name} holds bool arrays of fill False, not "
                f"{node.dtype} of fill {node.fill}; compare it with a number first"
            )
        if not (fmt.ndim and fmt.levels[-2].exact and fmt.drops_fill):
            raise FormatError(
                f"format {name_of(fmt)}: {leaf_name} can be written below levels that store "
                "exactly what is not fill, such as SparseList, and no runs above"
            )


def _is_exact(node: Node) -> bool:
    """Whether what is stored says what differs from the fill, or nearly so."""
    if node.kind == "leaf":
        return any(level.exact or level.regions for level in node.data.format.levels)
    return any(_is_exact(arg) for arg in node.args)


def _planned(
    root: arrays.ArrayExpr,
    fmt: Format | None,
    index: str,
    node: Node,
    transposed: bool,
    prune: bool,
) -> Plan | Transpose | None:
    options = current()
    prune = prune and fmt is not None and not isinstance(root, arrays.Reduce)
    budget = BUDGET if _parts(node) else None
    strict, rules = options.strict_ieee, options.rules
    request = Request(root, fmt, index, strict, prune, rules, transposed, budget)
    try:
        return Plan(compile_request(request), node.dtype)
    except Transpose as order:
        return order
    except TooLarge:
        return None


def _parts(node: Node) -> bool:
    """Whether an expression has operations below its outermost one."""
    return any(arg.kind not in ("leaf", "constant") for arg in node.args)


def _split(node: Node) -> Node:
    """The node with the operations below its outermost one computed first."""
    args = tuple(
        arg if arg.kind in ("leaf", "constant") else leaf(_compute(arg, None)) for arg in node.args
    )
    return Node(node.kind, args, node.data, node.shape, node.dtype)


class _Builder:
    """From a graph to a structure: operands, scalars and sizes get numbers."""

    __slots__ = (
        "_inside_join",
        "_kept",
        "_memo",
        "_numbers",
        "scalars",
        "settled",
        "sizes",
        "tensors",
    )

    def __init__(self) -> None:
        self.tensors: list[Tensor] = []
        self.scalars: list[Any] = []
        self.sizes: list[int] = []
        self._numbers: dict[int, int] = {}
        self._memo: dict[int, arrays.ArrayExpr] = {}
        self.settled: dict[int, Node] = {}
        self._inside_join = False  # where every operand has a length
        self._kept: list[Node] = []  # `_memo` goes by identity, which only the living have

    def root(self, node: Node) -> arrays.ArrayExpr:
        """The structure of a root, which alone may reduce or slide."""
        if node.kind == "reduce":
            op, axes, start = node.data
            inner = self(node.args[0])
            return arrays.Reduce(_name(node.dtype), _ones(node.shape), op, inner, axes, start)
        if node.kind == "slide":
            a, v = node.args
            self.sizes.append(node.data)
            weights = leaf(_reversed(_compute(v, None)))
            return arrays.Slide(
                _name(node.dtype), (False,), self._stored(a), self(weights), len(self.sizes) - 1
            )
        return self(node)

    def __call__(self, node: Node) -> arrays.ArrayExpr:
        done = self._memo.get(id(node))
        if done is None:
            done = self._memo[id(node)] = getattr(self, "_" + node.kind)(node)
            self._kept.append(node)
        return done

    def _stored(self, node: Node) -> arrays.ArrayExpr:
        """An operand that is computed first and may be read out of range."""
        outside, self._inside_join = self._inside_join, True
        found = self(node if node.kind == "leaf" else self._settled(node))
        self._inside_join = outside
        return found

    def _settled(self, node: Node) -> Node:
        """An operand that is computed first, by a kernel of its own."""
        done = self.settled.get(id(node))
        if done is None:
            done = self.settled[id(node)] = leaf(_compute(node, None))
            self._kept.append(node)
        return done

    def _leaf(self, node: Node) -> arrays.ArrayExpr:
        tensor: Tensor = node.data
        if tensor.is_vacant:  # below a constant of extent 0 there is nothing that may be read
            tensor = self._vacated(tensor)
        if tensor.is_constant and not self._inside_join:
            stored = tensor.buffers[-1]
            value = self(constant(stored[0] if len(stored) else tensor.fill, tensor.dtype))
            return arrays.Spread(value.dtype, _ones(tensor.shape), value)
        number = self._numbers.get(id(tensor))
        if number is None:
            number = self._numbers[id(tensor)] = len(self.tensors)
            self.tensors.append(tensor)
        known: arrays.Input | None = tensor.memo.get(number)
        if known is None:
            known = tensor.memo[number] = _input(tensor, number)
        return known

    def _vacated(self, tensor: Tensor) -> Tensor:
        """An array without elements, in a format that has nothing to read."""
        if "vacated" not in tensor.memo:
            tensor.memo["vacated"] = from_dense(np.empty(tensor.shape, tensor.dtype))
        return tensor.memo["vacated"]  # type: ignore[no-any-return]

    def _constant(self, node: Node) -> arrays.ArrayExpr:
        self.scalars.append(node.data)
        dtype = _name(node.dtype)
        known = _known(node.data, dtype, False)
        return arrays.Scalar(dtype, (), len(self.scalars) - 1, known)

    def _map(self, node: Node) -> arrays.ArrayExpr:
        op, ins = node.data
        args = tuple([self(arg) for arg in node.args])
        return arrays.Map(_name(node.dtype), _ones(node.shape), op, args, ins)

    def _convert(self, node: Node) -> arrays.ArrayExpr:
        return arrays.Convert(_name(node.dtype), _ones(node.shape), self(node.args[0]))

    def _reduce(self, node: Node) -> arrays.ArrayExpr:
        return self(self._settled(node))

    def _slide(self, node: Node) -> arrays.ArrayExpr:
        return self(self._settled(node))

    def _permute(self, node: Node) -> arrays.ArrayExpr:
        arg = node.args[0]
        if arg.kind == "leaf":  # an operand of its own, which may be stored in another order
            return self(self._view(node, arg.data))
        return arrays.Permute(_name(node.dtype), _ones(node.shape), self(node.args[0]), node.data)

    def _view(self, node: Node, tensor: Tensor) -> Node:
        """The leaf of a tensor with its axes permuted, which shares the buffers."""
        key = ("view", node.data)
        if key not in tensor.memo:
            tensor.memo[key] = tensor.transposed(node.data)
        view = self.settled[id(node)] = leaf(tensor.memo[key])
        self._kept.append(node)
        return view

    def _expand(self, node: Node) -> arrays.ArrayExpr:
        return arrays.Expand(_name(node.dtype), _ones(node.shape), self(node.args[0]), node.data)

    def _squeeze(self, node: Node) -> arrays.ArrayExpr:
        return arrays.Squeeze(_name(node.dtype), _ones(node.shape), self(node.args[0]), node.data)

    def _spread(self, node: Node) -> arrays.ArrayExpr:
        return arrays.Spread(_name(node.dtype), _ones(node.shape), self(node.args[0]))

    def _lead(self, node: Node) -> arrays.ArrayExpr:
        return arrays.Lead(_name(node.dtype), _ones(node.shape), self(node.args[0]), node.data)

    def _join(self, node: Node) -> arrays.ArrayExpr:
        outside, self._inside_join = self._inside_join, True
        args = tuple([self(self._joinable(arg)) for arg in node.args])
        self._inside_join = outside
        return arrays.Join(_name(node.dtype), _ones(node.shape), args, node.data)

    def _joinable(self, node: Node) -> Node:
        """What may be read out of range: each access of it has the mode that is joined."""
        if node.kind == "leaf":
            return node
        if node.kind == "map" and all(
            arg.kind == "constant" or (arg.kind == "leaf" and arg.shape == node.shape)
            for arg in node.args
        ):
            return node
        return self._settled(node)

    def index(self) -> str:
        """The dtype of a result's coordinates: as narrow as all the operands'."""
        kinds = {
            t.format.index
            for t in self.tensors
            if any(level.buffers for level in t.format.levels[:-1])
        }
        return "int32" if kinds == {"int32"} else "int64"

    def operands(self, node: Node, prepared: Prepared) -> Operands:
        """What the kernel is called with."""
        if node.kind == "reduce":
            arg = node.args[0].shape
            axes = node.data[1]
            kept = tuple(n for k, n in enumerate(arg) if k not in axes)
            extents = kept + tuple(arg[k] for k in axes)
        elif node.kind == "slide":
            extents = (node.shape[0], node.args[1].shape[0])
        else:
            extents = node.shape
        return Operands(self.tensors, self.scalars, self.sizes, extents, prepared)


def _input(tensor: Tensor, number: int) -> arrays.Input:
    """The structure of an operand; its weight tells sizes apart within a factor of four."""
    dtype = tensor.dtype.name
    weight = (tensor.counts[-1] if tensor.counts else 1).bit_length() // 2
    if tensor.format.is_dense:
        weight = 0
    fill = _known(tensor.fill, dtype, True)
    return arrays.Input(dtype, _ones(tensor.shape), number, tensor.format, fill, weight)


def _ones(shape: Shape) -> tuple[bool, ...]:
    return tuple([n == 1 for n in shape])


def _known(value: Any, dtype: str, structural: bool) -> Lit | None:
    """A constant that the compiler is to know: one with an algebraic meaning."""
    plain = value.item()
    if plain != plain or plain in _SPECIAL:
        if structural and plain == 0:
            plain = abs(plain)  # -0.0 and 0.0 are the same fill
        return literal(dtype, plain, structural)
    return None


def _transposed(node: Node, builder: _Builder, order: Transpose) -> Node:
    """The node with operands replaced by copies stored in the order of the loops."""
    if order.conflict:  # one operand in two orders: each part of the expression has its own
        return _split(node)
    table = {}
    for source, axes in zip(order.inputs, order.orders, strict=True):
        tensor = builder.tensors[source.number]
        table[id(tensor)] = reordered(tensor, axes)
    return _replace(node, table, builder.settled)


def _replace(node: Node, table: dict[int, Tensor], settled: dict[int, Node]) -> Node:
    node = settled.get(id(node), node)
    if node.kind == "leaf":
        return leaf(table.get(id(node.data), node.data))
    args = tuple(_replace(arg, table, settled) for arg in node.args)
    return Node(node.kind, args, node.data, node.shape, node.dtype)


def reordered(tensor: Tensor, axes: tuple[int, ...]) -> Tensor:
    """A tensor stored with its axes in another order; remembered as long as the tensor lives."""
    key = ("order", axes)
    if key not in tensor.memo:
        tensor.memo[key] = reorder(tensor, axes, _stored_in)
    return tensor.memo[key]  # type: ignore[no-any-return]


def _stored_in(tensor: Tensor, fmt: Format) -> Tensor:
    """All that a tensor stores, values that equal the fill too, in another format."""
    return _compute(leaf(tensor), fmt, prune=False)


def _reversed(tensor: Tensor) -> Tensor:
    """A vector back to front."""
    if tensor.format.root.word == "list":
        (coords,), values = coordinates(tensor)
        fmt = Format(SparseList(Element()), (0,), tensor.format.index)
        back = tensor.shape[0] - 1 - coords
        return from_coordinates((back,), values, tensor.shape, tensor.fill, fmt)
    return from_dense(np.ascontiguousarray(to_dense(tensor)[::-1]))


def _fill(node: Node) -> Any:
    if node.kind == "leaf":
        return node.data.fill
    if node.kind == "constant":
        return node.data
    if node.kind in ("reduce", "slide"):
        return node.dtype.type(0)
    fills = [_fill(arg) for arg in node.args]
    if any(fill is None for fill in fills):
        return None
    if node.kind == "map":
        op, ins = node.data
        return _map_fill(op.name, tuple(fills), ins, node.dtype)
    return node.dtype.type(fills[0])


def _map_fill(name: str, fills: tuple[Any, ...], ins: tuple[str, ...], dtype: DType) -> Any:
    args = tuple(literal(kind, fill, True) for kind, fill in zip(ins, fills, strict=True))
    value = Simplifier(default_rules(current().strict_ieee))(Call(dtype.name, OPS[name], args))
    return dtype.type(value.value)


def _permute_view(node: Node) -> Tensor:
    return _compute(node.args[0], None).transposed(node.data)


def _expand_view(node: Node) -> Tensor:
    tensor = _compute(node.args[0], None)
    old = [k for k in range(node.ndim) if k not in node.data]
    order = tuple(old[axis] for axis in tensor.format.order)
    root = tensor.format.root
    # A level that must be at some depth does not count those along which nothing varies.
    outer = Constant if any(one.at_depth is not None for one in tensor.format.levels) else Dense
    for _ in node.data:
        root = outer(root)
    order = tuple(node.data) + order
    if tensor.format.is_dense and tensor.format.order == tuple(range(tensor.ndim)):
        order = tuple(range(node.ndim))
    fmt = Format(root, order, tensor.format.index)
    return Tensor(fmt, node.shape, tensor.dtype, tensor.fill, tensor.buffers)


_VIEWS: dict[str, Callable[[Node], Tensor]] = {"permute": _permute_view, "expand": _expand_view}
