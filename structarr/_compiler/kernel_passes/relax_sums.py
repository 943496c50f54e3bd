"""Updates of floats in straight loops, which may then be reassociated: they vectorise."""

from __future__ import annotations

from structarr._compiler.ir.dtypes import FLOATS
from structarr._compiler.ir.expr import Call, Expr, Helper, Lit, Load
from structarr._compiler.ir.kernel import For, If, Line, Set, Store
from structarr._compiler.ir.ops import OPS
from structarr._compiler.ir.variables import is_total
from structarr._compiler.kernel_passes.blocks import Block, with_blocks
from structarr._compiler.runtime import HELPERS, traits


def relax_sums(block: Block) -> Block:
    """A block whose straight loops update floats by helpers that vectorise."""
    return tuple(
        with_blocks(line, _straight if isinstance(line, For) else relax_sums) for line in block
    )


def _straight(body: Block) -> Block:
    """The body of a loop over a range, its updates relaxed if there are no branches."""
    body = tuple(map(_unmasked, body))
    if all(isinstance(line, (Set, Store)) for line in body):
        return tuple(map(_relaxed, body))
    return relax_sums(body)


CHEAP = ("add", "subtract", "multiply", "minimum", "maximum", "negative", "absolute", "where")


def _unmasked(line: Line) -> Line:
    """An update under masks as one of zero where they are not set: a loop without branches.

    Masks cover all children, so what they guard may be read in any case.
    """
    masks: list[Expr] = []
    inner = line
    while isinstance(inner, If):
        match inner.arms:
            case ((mask, (only,)),) if _is_mask(mask):
                masks.append(mask)
                inner = only
            case _:
                return line
    match inner:
        case Set(var, Call(dtype, op, (left, value))) if (
            masks
            and left is var
            and is_total(var)
            and op.name == "add"
            and dtype in FLOATS
            and all(node.op.name in CHEAP for node in value.every(Call))
            and not value.has(Helper)
        ):
            cond = masks[0]
            for mask in masks[1:]:
                cond = Call("bool", OPS["logical_and"], (cond, mask))
            chosen = Call(dtype, OPS["where"], (cond, value, Lit(dtype, 0.0)))
            return Set(var, Call(dtype, op, (left, chosen)))
    return line


def _is_mask(cond: Expr) -> bool:
    """Whether a condition is the mask of a child, which exists whether it is stored or not."""
    return cond.dtype == "bool" and (
        isinstance(cond, Load) or (isinstance(cond, Helper) and traits(cond.name).tests_gap)
    )


RELAXED = {operator: name for name in HELPERS if (operator := traits(name).relaxes)}
"""Operators on floats, and the helpers that do the same in any order."""


def _relaxed(line: Line) -> Line:
    match line:
        case Set(var, Call(dtype, op, (left, right))) if (
            left is var and is_total(var) and op.name in RELAXED and dtype in FLOATS
        ):
            return Set(var, Helper(dtype, RELAXED[op.name], (left, right)))
    return line
