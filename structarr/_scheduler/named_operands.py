"""Operands by name: the tensors of a program, and its expression over them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product
from string import ascii_lowercase

from structarr._compiler.ir.arrays import Input
from structarr._compiler.ir.cin import Access, Permit, Protocol, Tensor, driver
from structarr._compiler.ir.expr import INDEX, Expr, Index, Lit, multiply
from structarr._compiler.ir.given import dim as dim_of
from structarr._compiler.ir.node import N, Node
from structarr._scheduler.accesses import ZERO, fill_of, source
from structarr._scheduler.indexing import Indexed
from structarr._scheduler.loop_order import in_order, is_dense
from structarr.formats import Element, Format, Level
from structarr.formats.strided import Strided


def operand_names() -> Iterator[str]:
    """The names of operands in turn, without that of the result."""
    letters = "ABDEFGHIJKLMNOPQRSTUVWXYZ"
    yield from letters
    yield from map("".join, product(letters, repeat=2))


def name_of_form(
    found: Input, names: Mapping[int, str], inputs: Mapping[str, Input], taken: Collection[str]
) -> str:
    """The name of a form in which an operand is read, like the user's name.

    An axis of length one may be left out in some accesses only.
    """
    own: str = names[found.number]
    others = {*taken} - {own}
    more = [f"{own}{letter}" for letter in ("", *ascii_lowercase)]
    free = [name for name in more if name not in others and inputs.get(name, found) is found]
    return free[0]


def renamed(root: N, table: Mapping[Access, Access]) -> N:
    """An expression with its accesses replaced, also those within indices."""

    def visit(node: Node) -> Node:
        found = table.get(node) if isinstance(node, Access) else None
        if found is not None:
            return found.rebuild(lambda part: part if part is found.obj else visit(part))
        return node if isinstance(node, Tensor) else node.rebuild(visit)

    return visit(root)  # type: ignore[return-value]


def operand(access: Access, name: str, place: dict[Index, int], dims: tuple[Expr, ...]) -> Access:
    """An access of a named tensor, whose modes are of lengths `dims` in the order of storage."""
    operand = source(access)
    given = in_order(access, place)
    fill = fill_of(access)
    indices = tuple(_bounded(expr, dim) for expr, dim in zip(given, dims, strict=True))
    if not is_dense(operand) or not dims:
        tensor = Tensor(name, operand.format, operand.dtype, fill, dims, "in", None, operand.weight)
        return Access(access.dtype, tensor, indices)
    drivers = [place.get(driver(index), -1) for index in indices]  # type: ignore[call-overload]
    order = tuple(sorted(range(len(dims)), key=drivers.__getitem__))
    view = Format(strided(dims, order), order, operand.format.index)
    tensor = Tensor(name, view, operand.dtype, fill, tuple(dims[k] for k in order))
    return Access(access.dtype, tensor, tuple(indices[k] for k in order))


def strided(dims: Sequence[Expr], order: Sequence[int]) -> Level:
    """The levels of a dense array of lengths `dims`, whose modes are visited in an order."""
    strides: list[Expr] = [Lit(INDEX, 1)]
    for dim in reversed(dims[1:]):
        strides.insert(0, multiply(strides[0], dim))
    root: Level = Element()
    for k in reversed(order):
        root = Strided(root, strides[k])
    return root


def length_of(operand: Input, axis: int, expr: Expr, program: Indexed) -> Expr:
    """The length of an axis of an operand: that of the loop over it, if there is one."""
    if (operand.number, axis) in program.dims:
        return program.dims[operand.number, axis]
    while isinstance(expr, Protocol):
        expr = expr.arg
    if isinstance(expr, Index):
        return program.extents[expr]
    if expr is ZERO:
        return Lit(INDEX, 1)
    return dim_of(operand.number, axis)


def _bounded(expr: Expr, dim: Expr) -> Expr:
    """A permitted index with the extent beyond which it is missing."""
    match expr:
        case Permit(arg):
            return Permit(_bounded(arg, dim), dim)
        case Protocol(arg, name):
            return Protocol(_bounded(arg, dim), name)
    return expr
