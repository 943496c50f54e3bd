"""Nodes of lazy expressions: their shapes, dtypes and fills are known at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, Final, TypeAlias

import numpy as np

from structarr._compiler.ir.expr import Call, Index, Lit
from structarr._compiler.ir.scanned import Scanned
from structarr._compiler.options import current
from structarr._compiler.rules.constants import literal
from structarr._compiler.rules.defaults import rules_in_force
from structarr._compiler.rules.engine import simplifier
from structarr._lazy import slice_length, structure
from structarr._lazy.slice_length import SliceLength
from structarr._lazy.structure import NONE
from structarr._storage.tensor import Tensor

Shape: TypeAlias = tuple[int, ...]
DType: TypeAlias = np.dtype[Any]
Given: TypeAlias = tuple[Any, ...]

Definition: TypeAlias = "tuple[Callable[..., Node], tuple[Node, ...]]"
"""The definition of a node: a function, and the nodes that it is applied to."""


class Node:
    """A lazy array: an operation on others, with its shape and dtype.

    A defined node has no kind, arguments and data until one of them is read; one of parts has no
    arguments until they are read.

    Attributes
    ----------
    number : int
        The number of the expression's structure, as `structure` counts them.
    given : tuple
        What tells the expression from others of its structure, in order: tensors, scalars, and
        starts of slices; and lengths of these, which tell it from others of its general structure.
    value : Tensor or None
        What an array computed of it, for the expressions that have it among their parts.
    filled : tuple or None
        The fill that `fill_of` found, and by which options: planning asks for it many times.
    """

    __slots__ = (
        "__weakref__",
        "args",
        "data",
        "definition",
        "dtype",
        "filled",
        "given",
        "kind",
        "number",
        "parts",
        "shape",
        "sums",
        "value",
    )

    definition: Definition | None
    number: int
    given: Given
    parts: tuple[Any, ...]  # the arguments, with scalars for nodes of them
    value: Tensor | None
    filled: tuple[int, Lit] | None

    def __init__(
        self, kind: str, args: tuple[Any, ...], data: Any, shape: Shape, dtype: DType
    ) -> None:
        self.kind = kind
        self.args = self.parts = args
        self.data = data
        self.shape = shape
        self.dtype = dtype
        self.definition = self.value = None
        # The number of reductions and convolutions; shared ones count at each use.
        sums = 1 if kind in ("reduce", "slide", "scan") else 0
        for arg in args:
            sums += arg.sums
        self.sums = sums

    def __getattr__(self, name: str) -> Any:
        # Threads that meet here set equal attributes.
        if name == "number" or name == "given":
            if self.definition is None and self.kind == "leaf":  # what most are that are asked
                self.given = (self.data,)
                self.number = found = structure.of_tensor(self.data)
                return found if name == "number" else self.given
            self.number, self.given = _described(self)
        elif name == "args" and self.definition is None:
            self.args = tuple([one if type(one) is Node else of_scalar(one) for one in self.parts])
        elif name == "filled":
            self.filled = None
        elif name not in ("args", "data", "kind") or self.definition is None:
            return object.__getattribute__(self, name)  # raises
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
        """The value where nothing is stored."""
        return self.dtype.type(fill_of(self).value)

    def of(self, args: Sequence[Node]) -> Node:
        """The same operation on other arguments; itself where they are its own."""
        if all([one is own for one, own in zip(args, self.args, strict=True)]):
            return self
        return Node(self.kind, tuple(args), self.data, self.shape, self.dtype)


def args_of(node: Node) -> tuple[Node, ...]:
    """The arguments of a node, or of its definition, into which nobody looks."""
    return node.args if node.definition is None else node.definition[1]


def remade(node: Node, others: Sequence[Node]) -> Node:
    """The same operation, or definition, on other arguments; itself where they are its own."""
    own = args_of(node)
    if all([one is arg for one, arg in zip(others, own, strict=True)]):
        return node
    if node.definition is None:
        return node.of(others)
    sums = node.sums + sum([one.sums for one in others]) - sum([arg.sums for arg in own])
    return defined((node.definition[0], tuple(others)), node.shape, node.dtype, sums)


def nodes_of(node: Node) -> Iterator[Node]:
    """Each node of an expression once, the root first."""
    seen, left = set(), [node]
    while left:
        one = left.pop()
        if id(one) not in seen:
            seen.add(id(one))
            left += one.args
            yield one


_new = Node.__new__


def of_scalar(value: Any) -> Node:
    """A NumPy scalar, which is not copied."""
    node = _new(Node)
    node.kind, node.args, node.data, node.definition = "constant", (), value, None
    node.shape, node.dtype, node.sums, node.value = (), value.dtype, 0, None
    node.number, node.given = structure.of_scalar(value.dtype), (value,)
    return node


def defined(definition: Definition, shape: Shape, dtype: DType, sums: int) -> Node:
    """A node that is made by its definition when its operation is asked for."""
    node = Node.__new__(Node)
    node.definition, node.shape, node.dtype, node.sums = definition, shape, dtype, sums
    node.value = None
    return node


OF_ARGUMENTS: Final = frozenset(
    (
        "map",
        "convert",
        "reduce",
        "permute",
        "expand",
        "squeeze",
        "diagonal",
        "lead",
        "first",
        "take",
    )
)
"""The kinds of nodes whose lengths are those of their arguments."""

SIZED = ("join", "pad", "slide")
"""The kinds of nodes with lengths and places that no operand tells: their structure has them."""


def _described(node: Node) -> tuple[int, Given]:
    """The number of an expression's structure, and what it is given."""
    if node.definition is not None:
        make, args = node.definition
        return _composed(args, (make,), make)
    kind = node.kind
    if kind == "constant":
        return structure.of_scalar(node.dtype), (node.data,)
    if kind in SIZED:
        return _fixed(node)
    if kind == "slice":
        return _sliced(node)
    general = (kind, node.data, node.dtype) if kind in OF_ARGUMENTS else None
    return _composed(node.args, general, kind, node.data, node.shape, node.dtype)


def _sliced(node: Node) -> tuple[int, Given]:
    """The number of a slice, and what it is given: starts and lengths along axes that it cuts."""
    starts, steps = node.data
    axes = list(zip(starts, steps, node.args[0].shape, node.shape, strict=True))
    cut = tuple([n != m or step != 1 for _, step, n, m in axes])
    lengths = [m for (_, _, _, m), one in zip(axes, cut, strict=True) if one]
    general = node.kind, steps, cut, *[n.bit_length() for n in lengths]
    number, given = _composed(node.args, general, node.kind, steps, node.shape, cut)
    if structure.is_fixed(number) and any(cut):
        return structure.NONE, ()
    own = tuple([start for start, one in zip(starts, cut, strict=True) if one])
    return number, given + own + slice_length.told(lengths)


def _composed(
    args: Sequence[Node], general: tuple[Any, ...] | None, *parts: Any
) -> tuple[int, Given]:
    """The number of an operation on arguments, and what they are given.

    A place that is given and one that the structure has would not be told apart where they are
    equal: there is no number for both. `general` has the parts without lengths, None where the
    operation has lengths of its own.
    """
    numbers: list[int] = []
    given: Given = ()
    every = 0
    for arg in args:
        number = arg.number
        every |= number
        numbers.append(number)
        given += arg.given
    if structure.NONE in numbers:
        return structure.NONE, ()
    if not structure.is_fixed(every):
        own = [structure.general_of(number) for number in numbers]
        alike = NONE if general is None or NONE in own else (*general, *own)
        return structure.number_of(*parts, *numbers, general=alike), given
    if any([isinstance(one, int) for one in given]):
        return structure.NONE, ()
    return structure.number_of(*parts, *numbers, fixed=True), given


def _fixed(node: Node) -> tuple[int, Given]:
    """The number of an expression whose structure has all lengths and places, the starts too."""
    numbers, given = [arg.number for arg in node.args], _given(node.args)
    if structure.NONE in numbers:
        return structure.NONE, ()
    starts = tuple([one for one in given if isinstance(one, int)])
    # Whether what is around an array is its fill is known to the compiler.
    around = node.args[1].data.tobytes() if node.kind == "pad" else None
    parts = node.kind, node.data, node.shape, node.dtype, starts, around
    number = structure.number_of(*parts, *numbers, fixed=True)
    return number, tuple([one for one in given if not isinstance(one, int | SliceLength)])


def _given(args: Sequence[Node]) -> Given:
    return tuple([one for arg in args for one in arg.given])


@cache
def dtype_name(dtype: DType) -> str:
    """NumPy's name of a dtype, kept because NumPy takes long to find it."""
    return dtype.name


def fill_of(node: Node) -> Lit:
    """The fill as the compiler knows it: a number that the user wrote is not a structural zero."""
    planned, known = current().planned, node.filled
    if known is None or known[0] != planned:
        known = node.filled = planned, _fill_of(node)
    return known[1]


def _fill_of(node: Node) -> Lit:
    kind = dtype_name(node.dtype)
    if node.kind == "leaf":
        return literal(kind, node.data.fill, True)
    if node.kind == "constant":
        return literal(kind, node.data)
    if node.kind == "reduce":
        return literal(kind, node.data[2].value, True)
    if node.kind == "slide" or node.kind == "kron":
        return literal(kind, 0, True)
    if node.kind == "scan":
        return _scanned_fill(node)
    known = [fill_of(arg) for arg in node.args]
    if node.kind == "map":
        op, ins = node.data
        args = [literal(to, one.value, one.structural) for to, one in zip(ins, known, strict=True)]
        fill = simplifier(rules_in_force())(Call(kind, op, tuple(args)))
        assert isinstance(fill, Lit), fill
        return fill
    return literal(kind, known[0].value, known[0].structural)


def _scanned_fill(node: Node) -> Lit:
    """The fill of running results; 0 where they differ though nothing is stored."""
    op, _, start = node.data
    kind, own = dtype_name(node.dtype), fill_of(node.args[0])
    scan = Scanned(kind, op, start, literal(kind, own.value, own.structural), Index("i"))
    fill = simplifier(rules_in_force())(scan)
    return fill if isinstance(fill, Lit) else literal(kind, 0)
