"""Nodes of lazy expressions: their shapes, dtypes and fills are known at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import islice
from math import prod
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from structarr._compiler.ir.expr import Call, Lit
from structarr._compiler.rules.constants import literal
from structarr._compiler.rules.defaults import rules_in_force
from structarr._compiler.rules.engine import simplifier
from structarr._lazy import structure

Shape: TypeAlias = tuple[int, ...]
DType: TypeAlias = np.dtype[Any]
Given: TypeAlias = tuple[Any, ...]


LIGHT_NODES: Final = 64
LIGHT_SIZE: Final = 4096
"""The most parts of an expression, and elements of each, that are computed to be shown."""


class Definition(NamedTuple):
    """The definition of a node: `make` applied to `args`."""

    make: Callable[..., Node]
    args: tuple[Node, ...]


class Node:
    """A lazy array: an operation on others, with its shape and dtype.

    A defined node has no kind, arguments and data until one of them is read.

    Attributes
    ----------
    number : int
        The number of the expression's structure, as `structure` counts them.
    given : tuple
        What tells the expression from others of its structure: tensors, scalars, and starts of
        slices, in order.
    """

    __slots__ = (
        "args",
        "data",
        "definition",
        "dtype",
        "given",
        "kind",
        "number",
        "shape",
        "sums",
    )

    definition: Definition | None
    number: int
    given: Given

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
        # Threads that meet here set equal attributes.
        if name == "number" or name == "given":
            self.number, self.given = _described(self)
        elif name not in ("args", "data", "kind") or self.definition is None:
            raise AttributeError(name)
        else:
            make, args = self.definition
            made = make(*args)
            self.args, self.data, self.kind = made.args, made.data, made.kind
        return getattr(self, name)

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


def nodes_of(node: Node) -> Iterator[Node]:
    """Each node of an expression once, the root first."""
    seen, left = set(), [node]
    while left:
        one = left.pop()
        if id(one) not in seen:
            seen.add(id(one))
            left += one.args
            yield one


def is_light(node: Node) -> bool:
    """Whether an expression is of few and small parts, so that its value takes no time to speak of.

    Examples
    --------
    >>> import structarr as sa
    >>> small, large = sa.ones((3, 3)), sa.ones((300, 300))
    >>> is_light((small @ small)._node), is_light((large + 1).sum()._node)
    (True, False)
    """
    parts = list(islice(nodes_of(node), 1 + LIGHT_NODES))
    return len(parts) <= LIGHT_NODES and all(prod(one.shape) <= LIGHT_SIZE for one in parts)


def defined(definition: Definition, shape: Shape, dtype: DType, sums: int) -> Node:
    """A node that is made by its definition when its operation is asked for."""
    node = Node.__new__(Node)
    node.definition, node.shape, node.dtype, node.sums = definition, shape, dtype, sums
    return node


SIZED = ("join", "pad", "slide")
"""The kinds of nodes with lengths and places of their own, which seldom come again."""


def _described(node: Node) -> tuple[int, Given]:
    """The number of an expression's structure, and what it is given."""
    if node.definition is not None:
        make, args = node.definition
        return _composed(args, make)
    kind = node.kind
    if kind == "leaf":
        return structure.of_tensor(node.data), (node.data,)
    if kind == "constant":
        return structure.of_scalar(node.dtype), (node.data,)
    if kind in SIZED:
        return structure.NONE, ()
    if kind == "slice":
        starts, steps = node.data
        axes = zip(starts, steps, node.args[0].shape, node.shape, strict=True)
        cut = tuple([n != m or step != 1 for _, step, n, m in axes])
        number, given = _composed(node.args, kind, steps, node.shape, cut)
        return number, given + tuple([start for start, one in zip(starts, cut, strict=True) if one])
    return _composed(node.args, kind, node.data, node.shape, node.dtype)


def _composed(args: Sequence[Node], *parts: Any) -> tuple[int, Given]:
    """The number of an operation on arguments, and what they are given."""
    numbers: list[int] = []
    given: Given = ()
    for arg in args:
        numbers.append(arg.number)
        given += arg.given
    if structure.NONE in numbers:
        return structure.NONE, ()
    return structure.number_of(*parts, *numbers), given


@cache
def dtype_name(dtype: DType) -> str:
    """NumPy's name of a dtype, kept because NumPy takes long to find it."""
    return dtype.name


def fill_of(node: Node) -> Lit | None:
    """The fill as the compiler knows it: a number that the user wrote is not a structural zero."""
    kind = dtype_name(node.dtype)
    if node.kind == "leaf":
        return literal(kind, node.data.fill, True)
    if node.kind == "constant":
        return literal(kind, node.data)
    if node.kind == "reduce":
        return literal(kind, node.data[2].value, True)
    if node.kind == "slide" or node.kind == "kron":
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
