"""Operands that a program reads: their accesses, fills, and the levels that indices drive."""

from __future__ import annotations

from collections.abc import Sequence

from structarr._compiler.ir.arrays import Input
from structarr._compiler.ir.cin import Access, Modifier, driver
from structarr._compiler.ir.expr import INDEX, Cast, Expr, Index, Lit, affine
from structarr._compiler.ir.given import fill
from structarr._compiler.ir.node import Node
from structarr._compiler.rules.constants import literal, same_constant

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


def common_fill(parts: Sequence[Expr], dtype: str) -> tuple[Expr, ...]:
    """The fill of a concatenation, if all parts have the same: it is read where none stores."""
    fills: list[Expr] = []
    for part in parts:
        plain = part.arg if isinstance(part, Cast) else part
        fill = fill_of(plain) if isinstance(plain, Access) else None
        if not isinstance(fill, Lit):
            return ()
        fills.append(literal(dtype, fill.value, fill.structural))
    return (fills[0],) if all(same_constant(fills[0], one) for one in fills[1:]) else ()
