"""Operands by name: the tensors of a program, and its expression over them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
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
    """Names for operands, all but the result's."""
    letters = "ABDEFGHIJKLMNOPQRSTUVWXYZ"
    yield from letters
    yield from map("".join, product(letters, repeat=2))


def name_of_form(
    found: Input, names: Mapping[int, str], inputs: Mapping[str, Input], taken: Collection[str]
) -> str:
    """A name like the user's for each form in which an operand is read.

    An axis of length one may be left out in one place and not in another.
    """
    own: str = names[found.number]
    others = {*taken} - {own}
    more = [f"{own}{letter}" for letter in ("", *ascii_lowercase)]
    free = [name for name in more if name not in others and inputs.get(name, found) is found]
    return free[0]


def renamed(root: N, table: Mapping[Access, Access]) -> N:
    """Replace accesses, those in the indices of accesses too."""

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
    strides: list[Expr] = [Lit(INDEX, 1)]
    for dim in reversed(dims[1:]):
        strides.append(multiply(strides[-1], dim))
    modes = list(zip(indices, dims, reversed(strides), range(len(dims)), strict=True))
    modes.sort(key=lambda mode: place.get(driver(mode[0]), -1))  # type: ignore[call-overload]
    root: Level = Element()
    for _, _, stride, _ in reversed(modes):
        root = Strided(root, stride)
    view = Format(root, tuple(mode[-1] for mode in modes), operand.format.index)
    tensor = Tensor(name, view, operand.dtype, fill, tuple(dim for _, dim, _, _ in modes))
    return Access(access.dtype, tensor, tuple(expr for expr, _, _, _ in modes))


def length_of(operand: Input, axis: int, expr: Expr, program: Indexed) -> Expr:
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
