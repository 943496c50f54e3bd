"""The values of a graph: plans of its structures, made at most once, and what precedes them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from contextlib import nullcontext
from contextvars import ContextVar
from typing import Any

import numpy as np

from structarr._compiler.backend.build import call
from structarr._compiler.context import TooLarge
from structarr._compiler.ir import arrays
from structarr._compiler.options import current
from structarr._execute.plan import TooManyPositions
from structarr._execute.program_choice import Choice
from structarr._execute.replay import Likeness, Trace, recipe_of, remember
from structarr._lazy.graph import Node, leaf
from structarr._lazy.rewrite import common_subexpressions
from structarr._lazy.rewrite.flatten_dense import flat, shaped
from structarr._lazy.rewrite.on_stored_values import on_values, owner_of, restored
from structarr._scheduler import push_masks, reorder_products
from structarr._scheduler.array_expression import Builder
from structarr._scheduler.blas import dense_product
from structarr._scheduler.operands import Operands, Prepared
from structarr._scheduler.pipeline import Request, Transpose, programs
from structarr._storage.conform import conform, prepared_rows
from structarr._storage.memo import derived
from structarr._storage.tensor import Tensor
from structarr._storage.transpose import is_listed, is_relisted, lists_of, pruned, relisted, reorder
from structarr._support.caches import room
from structarr.errors import FormatError
from structarr.formats import Constant, Dense, Format, name_of

_INT32 = int(np.iinfo(np.int32).max)


def in_format(node: Node, fmt: Format) -> Tensor:
    """The value of a node in a format."""
    return _compute(node, fmt)


BUDGET = 1500  # statements that lowering an expression of several operations may take

_choices: dict[Any, Choice | Transpose] = {}
_trace: ContextVar[Trace | None] = ContextVar("structarr_trace", default=None)


def call_of(node: Node, transposed: bool = False) -> tuple[Choice, Operands] | None:
    """The last kernel of a node's value and what it is called with; None where none is needed.

    The kernel is one of several programs', and can be lowered.
    """
    if node.kind == "leaf":
        return None
    if node.kind in _VIEWS:
        return call_of(node.args[0])
    node = node if transposed else _rewritten(node)
    node = flat(node) or node
    builder = Builder(value)
    choice = _choice_for(builder.root(node), None, builder, node, transposed)
    if isinstance(choice, Transpose):
        return call_of(_transposed(node, builder, choice), not choice.conflict)
    if owner_of(node, choice.format) is not None:
        return call_of(on_values(node))
    given = builder.operands(node, {})
    try:
        choice.plan(given)
    except TooLarge:
        return call_of(_split(node))
    return choice, given


def _rewritten(node: Node) -> Node:
    """An expression of the same value that is expected to take less time."""
    while node.kind == "first":
        node = node.args[0]
    node = push_masks.masked(node)
    if node.sums > 1:
        (node,) = common_subexpressions.shared([node], value)
    return reorder_products.reordered(node)


def value(node: Node) -> Tensor:
    """The value of a node in the format that the algebra gives it."""
    if node.definition is None and node.kind == "leaf":
        return node.data  # type: ignore[no-any-return]
    if _trace.get() is not None:  # part of an expression
        return _compute(node, None)
    like = Likeness(node)
    if like.key is None:
        return _compute(node, None)
    key = tuple(like.key)
    recipe = recipe_of(key)
    if recipe is None:
        return _traced(node, key, like)
    try:
        return recipe(like)
    except (TooLarge, TooManyPositions):
        return _compute(node, None)


def _traced(node: Node, key: Hashable, like: Likeness) -> Tensor:
    """The value of a node; how it came about is remembered."""
    trace = Trace(like)
    token = _trace.set(trace)
    try:
        result = _compute(node, None)
    finally:
        _trace.reset(token)
    recipe = trace.recipe(result)
    if recipe is not None:
        remember(key, recipe)
    return result


def _compute(
    node: Node, fmt: Format | None, transposed: bool = False, prune: bool = True
) -> Tensor:
    if node.kind == "leaf" and (fmt is None or fmt is node.data.format):
        return node.data  # type: ignore[no-any-return]
    if not transposed:
        node = _rewritten(node)
        product = dense_product(node, value)
        if product is not None:
            node = leaf(product)
            if fmt is None:
                return product
    prepared: Prepared = {}
    if fmt is not None:
        if node.kind == "slide":  # its loops have one order
            node = leaf(_compute(node, None))
        direct = _relisted(node, fmt)
        if direct is not None:
            return direct
        node, fmt = _fitted(node, fmt)
        prepared = _prepared(node, fmt)
    if fmt is None and node.kind in _VIEWS:
        return _VIEWS[node.kind](node)
    vectors = flat(node) if fmt is None else None
    if vectors is not None:
        result = _compute(vectors, None)
        return shaped(result, node.shape) if node.shape else result
    builder = Builder(value)
    choice = _choice_for(builder.root(node), fmt, builder, node, transposed, prune=prune)
    if isinstance(choice, Transpose):
        return _compute(_transposed(node, builder, choice), fmt, not choice.conflict, prune)
    stored = None if fmt is not None else _on_values(node, choice)
    if stored is not None:
        return stored
    given = builder.operands(node, prepared)
    try:
        return _called(choice, given, node.shape)
    except TooLarge:
        return _compute(_split(node), fmt, prune=prune)
    except TooManyPositions:
        if fmt is not None:
            raise
        wide = _choice_for(builder.root(node), None, builder, node, transposed, True)
        assert isinstance(wide, Choice)
        return _called(wide, given, node.shape)


def _on_values(node: Node, choice: Choice) -> Tensor | None:
    """The value of an expression that is stored at its operands' places; None of any other."""
    owner = owner_of(node, choice.format)
    if owner is None:
        return None
    trace = _trace.get()
    with nullcontext() if trace is None else trace.counting():
        values = _compute(on_values(node), None)
    if not values.format.is_dense:
        return None
    result = restored(owner, values)
    if trace is not None:
        trace.restored.append((result, owner, values))
    return result


def _called(choice: Choice, given: Operands, shape: tuple[int, ...]) -> Tensor:
    result = choice(given, shape)
    trace = _trace.get()
    if trace is not None:
        trace.add(result, choice, given, shape)
    return result


def _choice_for(
    root: arrays.ArrayExpr,
    fmt: Format | None,
    builder: Builder,
    node: Node,
    transposed: bool,
    wide: bool = False,
    prune: bool = True,
) -> Choice | Transpose:
    """The programs of a structure, made at most once; `wide` asks for int64 positions.

    `prune` leaves out what equals the fill where a format is asked for.
    """
    options = current()
    wide = wide or is_wide(node)
    # What is a tensor in one expression may be computed in another, which alone can be split.
    parts = _parts(node)
    key = (root, fmt, wide, options.strict_ieee, options.rules, transposed, prune, parts)
    choice = _choices.get(key)
    if choice is None:
        narrow = builder.index() if fmt is None else fmt.index
        index = "int64" if wide and fmt is None else narrow
        choice = room(_choices)[key] = _choice(root, fmt, index, node, transposed, prune)
    return choice


def is_wide(node: Node) -> bool:
    """Whether a result has coordinates that int32 does not hold."""
    return any([n > _INT32 for n in node.shape])


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

    A format that does not take every array looks at what differs from the fill first, as does one
    that tells by the places alone: which sums stay at the fill is known when they are complete.
    """
    _check_writable(node, fmt)
    demanding = [level for level in fmt.levels if level.is_partial]
    known = not demanding or (all(level.regions for level in demanding) and _is_exact(node))
    if known and (fmt.levels[-1].buffers or not node.sums):
        return node, fmt
    listed = pruned(_compute(node, lists_of(fmt)))
    return leaf(listed), conform(listed, fmt)


def _prepared(node: Node, fmt: Format) -> Prepared:
    """The buffers of a matrix's inner level that are known before its values are written."""
    made: dict[int, tuple[Any, ...]] = {}
    for depth, level in enumerate(fmt.levels):
        if level.prepares:
            found = level.prepare(prepared_rows(node.data, fmt), call)
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
        if not (fmt.ndim and fmt.levels[-2].stores_nonfill_only and fmt.drops_fill):
            raise FormatError(
                f"format {name_of(fmt)}: {leaf_name} can be written below levels that store "
                "exactly what is not fill, such as SparseList, and no runs above"
            )


def _is_exact(node: Node) -> bool:
    """Whether what is stored says what differs from the fill, or nearly so."""
    if node.kind == "leaf":
        return any(level.stores_nonfill_only or level.regions for level in node.data.format.levels)
    return any(_is_exact(arg) for arg in node.args)


def _choice(
    root: arrays.ArrayExpr,
    fmt: Format | None,
    index: str,
    node: Node,
    transposed: bool,
    prune: bool,
) -> Choice | Transpose:
    options = current()
    prune = prune and fmt is not None and not isinstance(root, arrays.Reduce)
    budget = BUDGET if _parts(node) else None
    strict, rules = options.strict_ieee, options.rules
    request = Request(root, fmt, index, strict, prune, rules, transposed, budget)
    try:
        return Choice(programs(request), request, node.dtype)
    except Transpose as order:
        return order.with_traceback(None)  # whose frames would keep the operands


def _parts(node: Node) -> bool:
    """Whether an expression has operations below its outermost one."""
    return any(arg.kind not in ("leaf", "constant") for arg in node.args)


def _split(node: Node) -> Node:
    """The node with the operations below its outermost one computed first."""
    return node.of(
        [
            arg if arg.kind in ("leaf", "constant") else leaf(_compute(arg, None))
            for arg in node.args
        ]
    )


def _transposed(node: Node, builder: Builder, order: Transpose) -> Node:
    """The node with operands replaced by copies stored in the order of the loops."""
    if order.conflict:  # one operand in two orders: each reads a twin of its own
        apart = _apart(node, builder.settled, Counter())
        return _split(node) if apart is node else apart
    table = {}
    for source, axes in zip(order.inputs, order.orders, strict=True):
        tensor = builder.tensors[source.number]
        table[id(tensor)] = reordered(tensor, axes)
    return _replace(node, table, builder.settled)


def _apart(node: Node, settled: dict[int, Node], seen: Counter[int]) -> Node:
    """The node with a twin of a tensor wherever it is read again; itself if none is."""
    node = settled.get(id(node), node)
    if node.kind == "leaf":
        tensor = node.data
        number = seen[id(tensor)]
        seen[id(tensor)] += 1
        return leaf(_twin(tensor, number)) if number else node
    return node.of([_apart(arg, settled, seen) for arg in node.args])


@derived("twin")
def _twin(tensor: Tensor, number: int) -> Tensor:
    """The same tensor as another operand, which remembers orders of its own."""
    return Tensor(tensor.format, tensor.shape, tensor.dtype, tensor.fill, tensor.buffers)


def _replace(node: Node, table: dict[int, Tensor], settled: dict[int, Node]) -> Node:
    node = settled.get(id(node), node)
    if node.kind == "leaf":
        return leaf(table.get(id(node.data), node.data))
    return node.of([_replace(arg, table, settled) for arg in node.args])


@derived("order")
def reordered(tensor: Tensor, axes: tuple[int, ...]) -> Tensor:
    """A tensor stored with its axes in another order."""
    return reorder(tensor, axes, _stored_in)


def _stored_in(tensor: Tensor, fmt: Format) -> Tensor:
    """All that a tensor stores, values that equal the fill too, in another format."""
    return _compute(leaf(tensor), fmt, prune=False)


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
