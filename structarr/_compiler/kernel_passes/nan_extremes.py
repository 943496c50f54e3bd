"""Extremes that pass over NaN, by the ones that do not: a second loop runs where that meets one.

The machine has an instruction for vectors where NaN wins, and none where it loses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
from typing import Final

from structarr._compiler.ir.conditions import TRUE, lt
from structarr._compiler.ir.dtypes import FLOATS
from structarr._compiler.ir.expr import INDEX, Call, Helper, Lit, Var
from structarr._compiler.ir.kernel import Break, For, If, Line, Lines, Set, every_line, used
from structarr._compiler.ir.node import substitute
from structarr._compiler.ir.ops import OPS
from structarr._compiler.kernel_passes.blocks import Block, Names, with_blocks
from structarr._compiler.kernel_passes.relax_sums import RELAXED

EXTREMES: Final = {"fmax": ("maximum", -inf), "fmin": ("minimum", inf)}
"""The operators that pass over NaN: those that do not, and what these begin with."""


def pass_over_nan(block: Block) -> Block:
    """A kernel whose straight loops look for extremes without NaN by vectors."""
    if any(_extreme(line) is not None for line in every_line(block)):
        return _block(block, Names(block))
    return block


def _block(block: Block, names: Names) -> Block:
    return tuple(
        (isinstance(line, For) and _twice(line, names))
        or with_blocks(line, lambda inner: _block(inner, names))
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


def _twice(loop: For, names: Names) -> Line | None:
    """A straight loop that ends in an update of an extreme, as two; None of any other loop."""
    *others, last = loop.body or (Break(),)
    call = _extreme(last)
    if call is None or any(isinstance(one, Helper) for one in used(loop.body)):
        return None
    if not all(isinstance(one, Set) and not one.value.mentions(call.args[0]) for one in others):
        return None
    return If(((lt(loop.lo, loop.hi), tuple(_lines(loop, call, others, names))),))


def _lines(loop: For, call: Call, others: Sequence[Line], names: Names) -> Iterator[Line]:
    total, term = call.args
    assert isinstance(total, Var)
    op, start = EXTREMES[call.op.name]
    found = Var(call.dtype, names.fresh(f"{total.name}_nan"), True)
    at = Var(INDEX, names.fresh(f"{loop.var.name}_nan"))
    yield Set(found, Lit(call.dtype, start))
    update = Set(found, Helper(call.dtype, RELAXED[op], (found, term)))
    turn = substitute(Lines((*others, update)), {loop.var: at})
    yield For(at, loop.lo, loop.hi, turn.lines)
    # It is NaN where one term is.
    plain = Call("bool", OPS["equal"], (found, found))
    yield If(((plain, (Set(total, Call(call.dtype, call.op, (total, found))),)), (TRUE, (loop,))))
