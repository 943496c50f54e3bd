"""Operands that a program reads: their accesses, fills, and the levels that indices drive."""

from __future__ import annotations

from structarr._compiler.ir.arrays import Input
from structarr._compiler.ir.cin import Access, Modifier, driver
from structarr._compiler.ir.expr import INDEX, Expr, Index, Lit, affine
from structarr._compiler.ir.given import fill
from structarr._compiler.ir.node import Node

ZERO = Lit(INDEX, 0)


class Operand(Node):
    """A tensor of the program before its modes are in an order: by number and format."""

    source: Input


def operands(expr: Node) -> tuple[Access, ...]:
    """The accesses of operands in an expression, each once."""
    return tuple(node for node in expr.every(Access) if isinstance(node.obj, Operand))


def source(access: Access) -> Input:
    """The operand that an access of a program without tensors reads."""
    assert isinstance(access.obj, Operand)
    return access.obj.source


def fill_of(access: Access) -> Expr:
    """The fill of an operand: a constant, or a variable that a call gives."""
    operand = source(access)
    if operand.fill is not None:
        return operand.fill
    return fill(operand.number, operand.dtype)


def mode_of(access: Access, which: Index) -> int | None:
    """The level at which an access is driven by an index."""
    for level, expr in enumerate(access.indices):
        plain = driver(expr)
        if plain is which:
            return level
    return None


def factor(expr: Expr, which: Index) -> int:
    """The step of an index expression, in elements, for each step of `which`."""
    found = expr
    while isinstance(found, Modifier):
        found = found.arg
    return affine(found)[0].get(which, 0)
