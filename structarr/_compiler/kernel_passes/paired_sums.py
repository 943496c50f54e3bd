"""Sums of looked up values in inner loops: two terms in a turn, each added to a sum of its own.

A vector of values from places that other values name is put together one by one, which takes longer
than it gains, most of all in rows of a few entries. Two sums wait for each other half as often.

The last term of an odd number is added without a branch: where there is none, the last one is
computed again, and nothing is added. Processors guess wrong half of the time whether a row is of an
odd number, which takes as long as some entries.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from structarr._compiler.ir.conditions import le, lt
from structarr._compiler.ir.expr import INDEX, Call, Cast, Expr, Helper, Lit, Load
from structarr._compiler.ir.kernel import (
    Break,
    For,
    If,
    Line,
    Set,
    While,
    assigned,
    every_line,
    used,
)
from structarr._compiler.ir.node import Node
from structarr._compiler.ir.ops import OPS
from structarr._compiler.ir.variables import Var, fresh
from structarr._compiler.kernel_passes.blocked_sums import NOTHING, nothing
from structarr._compiler.kernel_passes.blocks import Block, replaced, with_blocks
from structarr._compiler.kernel_passes.relax_sums import CHEAP
from structarr._compiler.runtime import traits


def pair_sums(block: Block) -> Block:
    """A kernel whose inner loops sum looked up values by pairs."""
    if any(_is_sum(line) for line in every_line(block)):
        return _block(block, used(block) | assigned(block), inner=False)
    return block


def _block(block: Block, taken: set[Node], inner: bool) -> Block:
    return tuple(new for line in block for new in _line(line, taken, inner))


def _line(line: Line, taken: set[Node], inner: bool) -> Iterator[Line]:
    if inner and isinstance(line, For) and _looks_up(line.body):
        yield from _pairs(line, taken)
        return
    # The terms of a block are many, and follow each other.
    inner |= isinstance(line, While) or (isinstance(line, For) and line.step == 1)
    yield with_blocks(line, lambda block: _block(block, taken, inner))


def _is_sum(line: Line) -> bool:
    return isinstance(line, Set) and isinstance(line.value, Helper) and _adds(line.value)


def _adds(call: Helper) -> bool:
    return traits(call.name).relaxes == "add"


def _looks_up(body: Block) -> bool:
    """Whether a loop adds values to sums, in any order, and looks some of them up."""
    if not all(isinstance(line, Set) for line in body):
        return False
    calls = [node for node in used(body) if isinstance(node, Call | Helper)]
    sums = [one for one in calls if isinstance(one, Helper)]
    cheap = all(one.op.name in CHEAP for one in calls if isinstance(one, Call))
    return bool(sums) and cheap and all(map(_adds, sums)) and _has_look_up(body)


def _has_look_up(body: Block) -> bool:
    """Whether a load's place was loaded; one that is computed follows the loop, as its index."""
    found: set[Node] = set()
    for line in body:
        if isinstance(line, Set) and any(_is_told(one, found) for one in line.value.nodes()):
            found.add(line.var)
    loads = (node for node in used(body) if isinstance(node, Load))
    return any(_is_told(one, found) for load in loads for one in load.index.nodes())


def _is_told(node: Node, found: set[Node]) -> bool:
    return isinstance(node, Load | Call | Helper) or node in found


def _pairs(loop: For, taken: set[Node]) -> Iterator[Line]:
    """A loop as one that takes two turns at once, and the last turn of an odd number."""
    at, end, one = loop.var, loop.hi, loop.body
    if not isinstance(end, Var) or end in assigned((loop,)):
        end = fresh(Var(INDEX, f"{at.label}_stop"), taken)
        yield Set(end, loop.hi)
    sums = [line.var for line in one if isinstance(line, Set) and _is_sum(line)]
    twins = {var: fresh(Var(var.dtype, f"{var.label}_odd", True), taken) for var in sums}
    last = fresh(Var(INDEX, f"{at.label}_last"), taken)
    if loop.lo is not at:
        yield Set(at, loop.lo)
    pairs = While(
        (
            If(((le(end, at + 1), (Break(),)),)),
            *_turn(one, {}),
            *_turn(one, {at: at + 1, **twins}),
            Set(at, at + 2),
        )
    )
    both = [_next(var, twin) for var, twin in twins.items()]
    is_odd = lt(at, end)
    final = (Set(last, at - 1 + Cast(INDEX, is_odd)), *_last(one, {at: last}, is_odd, taken))
    yield If(((is_odd, (*map(nothing, twins.values()), pairs, *both, *final)),))


def _last(body: Block, table: Mapping[Var, Any], is_odd: Expr, taken: set[Node]) -> Iterator[Line]:
    """The last turn again, of which the terms are added if their number is odd."""
    for line in replaced(body, table):
        if not (isinstance(line, Set) and _is_sum(line)):
            yield line
            continue
        total, term = line.value.args  # type: ignore[attr-defined]
        held = fresh(Var(total.dtype, f"{total.label}_last"), taken)
        term = term if term.dtype == total.dtype else Cast(total.dtype, term)
        yield Set(held, term)  # apart, as a choice reads no more than what it chooses
        zero = Lit(total.dtype, NOTHING[total.dtype])
        yield _next(total, Call(total.dtype, OPS["where"], (is_odd, held, zero)))


def _turn(body: Block, table: Mapping[Var, Any]) -> Block:
    """A turn of a loop, with what stands for its index and its sums."""
    return tuple(map(_in_order, replaced(body, table)))


def _next(total: Var, term: Expr) -> Line:
    return Set(total, Helper(total.dtype, "add_next", (total, term)))


def _in_order(line: Line) -> Line:
    """A line, whose sum is no longer one in any order."""
    match line:
        case Set(_, Helper(_, _, (Var() as total, Expr() as term))):
            return _next(total, term)
    return line
