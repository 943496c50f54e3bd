"""Extremes that pass over NaN, by the ones that do not: a second loop runs where that meets one.

The machine has an instruction for vectors where NaN wins, and none where it loses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
from typing import Final

from structarr._compiler.ir.conditions import TRUE, lt
from structarr._compiler.ir.dtypes import FLOATS
from structarr._compiler.ir.expr import INDEX, Call, Helper, Lit
from structarr._compiler.ir.kernel import (
    Break,
    For,
    If,
    Line,
    Set,
    assigned,
    every_line,
    used,
)
from structarr._compiler.ir.node import Node
from structarr._compiler.ir.ops import OPS
from structarr._compiler.ir.variables import Var, unused
from structarr._compiler.kernel_passes.blocks import Block, replaced, with_blocks
from structarr._compiler.kernel_passes.relax_sums import RELAXED

EXTREMES: Final = {"fmax": ("maximum", -inf), "fmin": ("minimum", inf)}
"""The operators that pass over NaN: those that do not, and what these begin with."""


def pass_over_nan(block: Block) -> Block:
    """A kernel whose straight loops look for extremes without NaN by vectors."""
    if not any(map(_extreme, every_line(block))):
        return block
    return _block(block, used(block) | assigned(block))


def _block(block: Block, taken: set[Node]) -> Block:
    return tuple(
        (isinstance(line, For) and _twice(line, taken))
        or with_blocks(line, lambda inner: _block(inner, taken))
        for line in block
    )


def _extreme(line: Line) -> Call | None:
    """The extreme without NaN that a line takes a term into."""
    match line:
        case Set(var, Call(dtype, op, (left, _)) as call) if (
            left is var and dtype in FLOATS and op.name in EXTREMES
        ):
            return call
    return None


def _twice(loop: For, taken: set[Node]) -> Line | None:
    """A straight loop that ends in an update of an extreme, as two; None of any other loop."""
    *others, last = loop.body or (Break(),)
    call = _extreme(last)
    if call is None or any(isinstance(one, Helper) for one in used(loop.body)):
        return None
    if not all(isinstance(one, Set) and not one.value.mentions(call.args[0]) for one in others):
        return None
    return If(((lt(loop.lo, loop.hi), tuple(_lines(loop, call, others, taken))),))


def _lines(loop: For, call: Call, others: Sequence[Line], taken: set[Node]) -> Iterator[Line]:
    total, term = call.args
    assert isinstance(total, Var)
    op, start = EXTREMES[call.op.name]
    found = unused(Var(call.dtype, f"{total.label}_nan", True), taken)
    at = unused(Var(INDEX, f"{loop.var.label}_nan"), taken)
    taken |= {found, at}
    yield Set(found, Lit(call.dtype, start))
    update = Set(found, Helper(call.dtype, RELAXED[op], (found, term)))
    turn = replaced((*others, update), {loop.var: at})
    yield For(at, loop.lo, loop.hi, turn)
    # It is NaN where one term is.
    plain = Call("bool", OPS["equal"], (found, found))
    yield If(((plain, (Set(total, Call(call.dtype, call.op, (total, found))),)), (TRUE, (loop,))))
