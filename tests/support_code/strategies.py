"""Random formats, data and expressions, each with what NumPy makes of the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from fitting import fitted, formats_for
from hypothesis import strategies as st

from structarr._api.core.expressions import apply
from structarr._api.signal.convolution import convolve
from structarr._array import Array
from structarr._execute import compute
from structarr._lazy import graph, joining
from structarr._storage.dense import from_dense, to_dense
from structarr._storage.tensor import Tensor
from structarr._support import dtypes
from structarr.formats import Format, name_of

Draw = Callable[..., Any]

DTYPES = ("float64", "int64", "bool", "int8", "uint8", "float32", "complex128")
BINARY = ("add", "multiply", "subtract", "maximum", "minimum", "greater", "less_equal", "equal")
BINARY += ("not_equal", "logical_or", "logical_and", "logical_xor")
UNARY = ("negative", "absolute", "logical_not", "square", "sign")
REDUCTIONS: dict[str, Callable[..., Any]] = {
    "add": np.sum,
    "multiply": np.prod,
    "maximum": np.max,
    "minimum": np.min,
    "logical_or": np.any,
    "logical_and": np.all,
}


class Pair:
    """A lazy array, and NumPy's value of it."""

    def __init__(self, node: graph.Node, value: Any) -> None:
        self.node, self.value = node, value

    def __repr__(self) -> str:
        return f"Pair({described(self.node)})"


def described(node: graph.Node) -> str:
    """The expression in words, for the reports of failures."""
    if node.kind == "leaf":
        tensor = node.data
        data = np.array2string(to_dense(tensor), separator=",").replace("\n", "")
        return f"{name_of(tensor.format)}({data}, {tensor.dtype}, {tensor.shape}, {tensor.fill})"
    if node.kind == "constant":
        return repr(node.data)
    return f"{node.kind}[{node.data}]({', '.join(map(described, node.args))})"


def shapes(ndim: int) -> st.SearchStrategy[tuple[int, ...]]:
    """Lengths 0 and 1 included; no more than a few hundred elements."""
    lengths = (0, 1, 2, 3, 5, 7) if ndim < 3 else (0, 1, 2, 3, 4)
    return st.tuples(*[st.sampled_from(lengths)] * ndim)


@st.composite
def values(draw: Draw, shape: tuple[int, ...], dtype: str, fill: Any) -> np.ndarray:
    """Small numbers, arranged as some format likes it: scattered, runs, a band or full."""
    rng = np.random.default_rng(draw(st.integers(0, 2**16)))
    low = 0 if dtype in ("bool", "uint8") else -3
    found = rng.integers(low, 4, shape)
    kind = draw(st.sampled_from(["sparse", "full", "runs", "band"])) if shape else "full"
    if kind == "sparse":
        found = np.where(rng.random(shape) < 0.3, found, fill)
    elif kind == "runs":
        found = np.repeat(found, 3, axis=-1)[..., : shape[-1]]
    elif kind == "band":
        found = np.where(_band(rng, shape), found, fill)
    return np.array(found, dtype)


def _band(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    rows = (*shape[:-1], 1)
    start, width = rng.integers(0, shape[-1] + 1, rows), rng.integers(0, 4, rows)
    index = np.arange(shape[-1])
    return (index >= start) & (index < start + width)


def stored(data: np.ndarray, fmt: Format, fill: Any = 0) -> Tensor:
    """The data in a format, its buffers checked as those of a stranger."""
    dense = from_dense(np.array(data, order="C"))
    told = Tensor(dense.format, dense.shape, dense.dtype, dense.dtype.type(fill), dense.buffers)
    return checked(compute.in_format(graph.leaf(told), fmt))


def checked(tensor: Tensor) -> Tensor:
    """The same tensor, its buffers validated."""
    return Tensor.checked(tensor.format, tensor.shape, tensor.fill, tensor.buffers)


def computed(node: graph.Node, fmt: Format | None = None) -> Tensor:
    """The value of a node, validated."""
    return checked(compute.in_format(node, fmt))


@st.composite
def leaves(draw: Draw, shape: tuple[int, ...]) -> Pair:
    """A stored array of a shape."""
    dtype, fill = draw(st.sampled_from(DTYPES)), draw(st.sampled_from([0, 0, 0, 1, 2]))
    fmt = draw(formats_for(shape, "float64" if fill else dtype))
    data = fitted(draw(values(shape, dtype, fill)), fmt, np.dtype(dtype).type(fill))
    tensor = stored(data, fmt, fill)
    assert np.array_equal(to_dense(tensor), data)
    assert fmt.levels[-1] is tensor.format.levels[-1]
    return Pair(graph.leaf(tensor), data)


@st.composite
def smaller(draw: Draw, shape: tuple[int, ...]) -> tuple[int, ...]:
    """A shape that broadcasts to another."""
    own = shape[draw(st.integers(0, len(shape))) :]
    return tuple(1 if draw(st.integers(0, 3)) == 0 else n for n in own)


@st.composite
def operands(draw: Draw, shape: tuple[int, ...], depth: int) -> Any:
    """A pair or a Python scalar that broadcasts to a shape."""
    kind = draw(st.integers(0, 7))
    if kind == 0:
        return draw(st.sampled_from([0, 1, 2, True, 3.5, -1]))
    if kind <= 2:
        return draw(leaves(draw(smaller(shape))))
    return draw(expressions(shape, depth))


@st.composite
def expressions(draw: Draw, shape: tuple[int, ...], depth: int) -> Pair:
    """An expression of a shape, at most `depth` operations deep."""
    if depth == 0:
        return draw(leaves(shape))
    kind = draw(st.sampled_from(["leaf", "unary", "binary", "binary", "binary", "where", "move"]))
    if kind == "leaf":
        return draw(leaves(shape))
    if kind == "unary":
        return _applied(draw(st.sampled_from(UNARY)), [draw(expressions(shape, depth - 1))])
    if kind == "where":
        parts = [draw(operands(shape, depth - 1)) for _ in range(2)]
        return _where(draw(expressions(shape, depth - 1)), parts)
    if kind == "move":
        return draw(moved(shape, depth))
    left, right = draw(expressions(shape, depth - 1)), draw(operands(shape, depth - 1))
    parts = [left, right] if draw(st.booleans()) else [right, left]
    return _applied(draw(st.sampled_from(BINARY)), parts)


def _applied(op: str, parts: list[Any]) -> Pair:
    """An operator applied; where NumPy refuses, the first operand."""
    with np.errstate(all="ignore"):
        try:
            want = getattr(np, op)(*[p.value if isinstance(p, Pair) else p for p in parts])
        except (TypeError, OverflowError):
            return next(p for p in parts if isinstance(p, Pair))
    ours = apply(op, [Array(p.node) if isinstance(p, Pair) else p for p in parts])
    return Pair(ours._node, np.asarray(want))


def _where(cond: Pair, parts: list[Any]) -> Pair:
    try:
        want = np.where(cond.value, *[p.value if isinstance(p, Pair) else p for p in parts])
        nodes = [p.node if isinstance(p, Pair) else p for p in parts]
        return Pair(graph.elementwise("where", [cond.node, *nodes]), want)
    except OverflowError:
        return cond


@st.composite
def moved(draw: Draw, shape: tuple[int, ...], depth: int) -> Pair:
    """A transposition, a broadcast, or a protocol."""
    ndim = len(shape)
    kind = draw(st.sampled_from(["permute", "spread", "lead"]))
    if kind == "lead":
        inner = draw(expressions(shape, depth - 1))
        name = draw(st.sampled_from(["walk", "gallop", "locate"]))
        return Pair(graph.protocol(inner.node, name), inner.value)
    if kind == "permute" or not ndim:
        axes = tuple(draw(st.permutations(range(ndim))))
        inner = draw(expressions(tuple(shape[axes.index(k)] for k in range(ndim)), depth - 1))
        return Pair(graph.permute(inner.node, axes), np.transpose(inner.value, axes))
    inner = draw(expressions(draw(smaller(shape)), depth - 1))
    return Pair(graph.broadcast_to(inner.node, shape), np.broadcast_to(inner.value, shape))


def joined(parts: list[Pair], axis: int) -> Pair:
    """A concatenation."""
    want = np.concatenate([part.value for part in parts], axis)
    return Pair(joining.concatenate([part.node for part in parts], axis, want.dtype), want)


@st.composite
def reductions(draw: Draw, inner: Pair) -> Pair:
    """A reduction of an expression over some axes, or the expression where NumPy has none."""
    ndim = inner.node.ndim
    axes = tuple(sorted(draw(st.sets(st.integers(0, ndim - 1), min_size=1)))) if ndim else ()
    op, keepdims = draw(st.sampled_from(sorted(REDUCTIONS))), draw(st.booleans())
    return reduced(inner, op, axes, keepdims)


def reduced(inner: Pair, op: str, axes: tuple[int, ...], keepdims: bool) -> Pair:
    """The reduction of an expression."""
    node, shape = inner.node, inner.node.shape
    extreme = op in ("maximum", "minimum")
    if not axes or (extreme and (node.dtype.kind == "c" or any(shape[k] == 0 for k in axes))):
        return inner
    want = np.asarray(REDUCTIONS[op](inner.value, axis=axes, keepdims=keepdims))
    if op.startswith("logical"):
        node = graph.astype(node, bool)
    dtype = dtypes.reduction(op, inner.node.dtype)
    return Pair(graph.reduce(op, node, axes, keepdims, dtype), want)


@st.composite
def programs(draw: Draw) -> Pair:
    """An expression to four dimensions, reduced or not, perhaps used once more."""
    shape = draw(shapes(draw(st.sampled_from([0, 1, 1, 2, 2, 2, 3, 4]))))
    found = draw(expressions(shape, draw(st.integers(1, 3 if len(shape) < 3 else 2))))
    if draw(st.booleans()):
        found = draw(reductions(found))
    if draw(st.integers(0, 4)) == 0:
        other = draw(leaves(found.node.shape))
        found = _applied(draw(st.sampled_from(BINARY)), [found, other])
    return found


@st.composite
def convolutions(draw: Draw) -> Pair:
    """A convolution of two vectors."""
    sides = [draw(expressions((draw(st.sampled_from([1, 2, 3, 5, 8])),), 1)) for _ in range(2)]
    mode = draw(st.sampled_from(["full", "same", "valid"]))
    want = np.convolve(sides[0].value, sides[1].value, mode)
    ours = convolve(*[Array(side.node) for side in sides], mode)
    return Pair(ours._node, want)
