"""Scalar expressions: values, and the int64 arithmetic of indices and positions.

Index arithmetic is kept in an affine form (`Sum`) under `Min` and `Max`, on which the prover works.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, ClassVar

from structarr._compiler.ir.node import Node
from structarr._compiler.ir.ops import Op
from structarr._support.caches import cleared

INDEX = "int64"


class Expr(Node):
    """Base class of scalar values; `dtype` is NumPy's name of the type."""

    dtype: ClassVar[str]

    def __add__(self, other: Expr | int) -> Expr:
        return add(self, other)

    def __radd__(self, other: int) -> Expr:
        return add(other, self)

    def __sub__(self, other: Expr | int) -> Expr:
        return add(self, scale(other, -1))

    def __rsub__(self, other: int) -> Expr:
        return add(other, scale(self, -1))

    def __mul__(self, other: Expr | int) -> Expr:
        return multiply(self, other)


class Typed(Expr):
    """An expression that stores its dtype."""

    dtype: str  # type: ignore[misc]


def _bits(value: Any) -> Any:
    """Tells 0.0 from -0.0 and makes every NaN equal itself, which Python's == does not."""
    if isinstance(value, float):
        return struct.pack("<d", value)
    if isinstance(value, complex):
        return struct.pack("<dd", value.real, value.imag)
    return value


class Lit(Typed):
    """Constant `value` of a `dtype`; a `structural` one stands for what a format does not store."""

    value: Any
    structural: bool = False

    @classmethod
    def _key(cls, args: tuple[Any, ...]) -> tuple[Any, ...]:
        dtype, value, structural = args
        return (dtype, type(value).__name__, _bits(value), structural)


class Index(Expr):
    """Index of the program, by its `name`, whose loop is not lowered yet."""

    dtype: ClassVar[str] = INDEX
    name: str

    @property
    def label(self) -> str:
        """The name that people know it by."""
        return self.name


class Cast(Typed):
    """Value `arg`, converted to a `dtype` as `astype` would."""

    arg: Expr


class Call(Typed):
    """Operation `op` on values, `args`, which have the dtypes that its loop wants; of a `dtype`."""

    op: Op
    args: tuple[Expr, ...]

    def rebuild(self, change: Callable[[Node], Node]) -> Expr:  # type: ignore[override]
        """The call of the changed arguments; most nodes that are rewritten are calls."""
        changed = [change(arg) for arg in self.args]
        for new, old in zip(changed, self.args, strict=True):
            if new is not old:
                return Call(self.dtype, self.op, tuple(changed))  # type: ignore[arg-type]
        return self


def is_whole_power(call: Call) -> bool:
    """Whether it is a float to a power that is known to be whole, hence some products."""
    if call.op.name not in ("power", "float_power") or call.dtype not in ("float32", "float64"):
        return False
    exponent = call.args[1]
    return isinstance(exponent, Lit) and float(exponent.value).is_integer()


class Buffer(Node):
    """
    One-dimensional array of a `dtype`, which is an argument of the kernel or made by it.

    Its `name` says what it is to its `tensor` and the level at a `depth`, None for the values of
    the whole tensor. It `counts` if it holds coordinates or positions, which are read as int64.
    """

    name: str
    dtype: str
    counts: bool = False  # whether it holds coordinates or positions, which are read as int64
    tensor: str = ""
    depth: int | None = None  # of its level; None for the values of the whole tensor

    @property
    def owner(self) -> str:
        """The names of its tensor and level that people know."""
        return f"{self.tensor}{'' if self.depth is None else self.depth}"

    @property
    def label(self) -> str:
        """The name that people know it by."""
        return f"{self.owner}_{self.name}" if self.tensor else self.name

    def __getitem__(self, index: Expr | int) -> Load:
        return Load(self, index_lit(index))


class Load(Expr):
    """Element of a `buffer` at an `index`."""

    buffer: Buffer
    index: Expr

    @property
    def dtype(self) -> str:  # type: ignore[override]
        """That of the buffer's elements, as kernels read them."""
        return INDEX if self.buffer.counts else self.buffer.dtype


class Helper(Typed):
    """
    Call of a runtime helper by its `name`, on buffers and indices, `args`; of a `dtype`.
    """

    name: str
    args: tuple[Node, ...]


class Sum(Expr):
    """
    Sum of `const` and each of the `atoms` times one of the `factors`; atoms are distinct, in order.
    """

    dtype: ClassVar[str] = INDEX
    atoms: tuple[Expr, ...]
    factors: tuple[int, ...]
    const: int

    def rebuild(self, change: Callable[[Node], Node]) -> Expr:  # type: ignore[override]
        """The sum of the changed atoms, in the canonical form again."""
        atoms = [change(atom) for atom in self.atoms]
        if all(a is b for a, b in zip(atoms, self.atoms, strict=True)):
            return self
        total = index_lit(self.const)
        for atom, factor in zip(atoms, self.factors, strict=True):
            total = add(total, scale(atom, factor))
        return total


class Product(Expr):
    """Product of two index expressions, `left` and `right`, neither of which is constant."""

    dtype: ClassVar[str] = INDEX
    left: Expr
    right: Expr

    def rebuild(self, change: Callable[[Node], Node]) -> Expr:  # type: ignore[override]
        """The product of the changed factors, in the canonical form again."""
        left, right = change(self.left), change(self.right)
        if left is self.left and right is self.right:
            return self
        return multiply(left, right)  # type: ignore[arg-type]


class FloorDiv(Expr):
    """Quotient ``arg // by`` of an index `arg` by a constant `by` of at least 2, rounded down."""

    dtype: ClassVar[str] = INDEX
    arg: Expr
    by: int

    def rebuild(self, change: Callable[[Node], Node]) -> Expr:  # type: ignore[override]
        """The quotient of the changed index, in the canonical form again."""
        arg = change(self.arg)
        return self if arg is self.arg else floor_div(arg, self.by)  # type: ignore[arg-type]


class Min(Expr):
    """Least of the index expressions `args`."""

    dtype: ClassVar[str] = INDEX
    args: tuple[Expr, ...]


class Max(Expr):
    """Greatest of the index expressions `args`."""

    dtype: ClassVar[str] = INDEX
    args: tuple[Expr, ...]


def index_lit(value: Expr | int) -> Expr:
    """`value`, with Python's integers made literals."""
    return Lit(INDEX, value) if isinstance(value, int) else value


def affine(expr: Expr | int) -> tuple[dict[Expr, int], int]:
    """The coefficients of an index expression's atoms, and its constant."""
    if isinstance(expr, int):
        return {}, expr
    if isinstance(expr, Sum):
        return dict(zip(expr.atoms, expr.factors, strict=True)), expr.const
    if isinstance(expr, Lit):
        return {}, int(expr.value)
    return {expr: 1}, 0


@cleared
@lru_cache(maxsize=4096)
def order_key(expr: Node) -> str:
    """A text that orders nodes alike in every process."""
    return getattr(expr, "label", None) or "~" + repr(expr)


def _sum(terms: dict[Expr, int], const: int) -> Expr:
    kept = [(atom, factor) for atom, factor in terms.items() if factor]
    if not kept:
        return Lit(INDEX, const)
    if len(kept) == 1 and kept[0][1] == 1 and const == 0:
        return kept[0][0]
    if len(kept) == 1 and kept[0][1] == 1 and isinstance(kept[0][0], Min | Max):
        bound = kept[0][0]
        return type(bound)(tuple(add(arg, const) for arg in bound.args))
    if len(kept) > 1:
        kept.sort(key=lambda term: order_key(term[0]))
    return Sum(tuple(atom for atom, _ in kept), tuple(factor for _, factor in kept), const)


@cleared
@lru_cache(maxsize=4096)
def add(left: Expr | int, right: Expr | int) -> Expr:
    """`left + right` over indices."""
    terms, const = affine(left)
    more, extra = affine(right)
    for atom, factor in more.items():
        terms[atom] = terms.get(atom, 0) + factor
    return _sum(terms, const + extra)


@cleared
@lru_cache(maxsize=4096)
def scale(expr: Expr | int, factor: int) -> Expr:
    """`expr * factor` over indices."""
    terms, const = affine(expr)
    return _sum({atom: f * factor for atom, f in terms.items()}, const * factor)


def multiply(left: Expr | int, right: Expr | int) -> Expr:
    """`left * right` over indices."""
    for one, other in ((left, right), (right, left)):
        terms, const = affine(one)
        if not terms:
            return scale(other, const)
    return Product(index_lit(left), index_lit(right))


def floor_div(expr: Expr | int, by: int) -> Expr:
    """Return the index expression `expr` divided by a constant, `by`, above 0, and rounded down."""
    terms, const = affine(expr)
    whole = {atom: factor // by for atom, factor in terms.items() if factor % by == 0}
    left = {atom: factor for atom, factor in terms.items() if factor % by}
    outside = _sum(whole, const // by)
    return add(outside, FloorDiv(_sum(left, const % by), by)) if left else outside


def minimum(*args: Expr | int) -> Expr:
    """Return the least of the index expressions `args`."""
    return _extreme(Min, min, args)


def maximum(*args: Expr | int) -> Expr:
    """Return the greatest of the index expressions `args`."""
    return _extreme(Max, max, args)


def _extreme(kind: type[Min | Max], choose: Callable[..., int], args: Iterable[Any]) -> Expr:
    """The least or the largest of index expressions: flat, each once, constants last and as one."""
    atoms: dict[Expr, None] = {}
    consts: list[int] = []
    for arg in args:
        for part in arg.args if isinstance(arg, kind) else (index_lit(arg),):
            if isinstance(part, Lit):
                consts.append(part.value)
            else:
                atoms[part] = None
    items = (*atoms, *([Lit(INDEX, choose(consts))] if consts else []))
    return items[0] if len(items) == 1 else kind(items)
