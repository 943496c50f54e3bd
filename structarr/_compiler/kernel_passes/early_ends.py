"""Inner loops that end as soon as what they look for is found: nothing changes it any more."""

from __future__ import annotations

from typing import Final

from structarr._compiler.ir.expr import Call, Expr, Helper, Lit
from structarr._compiler.ir.kernel import Break, For, If, Line, Set, While, used
from structarr._compiler.ir.ops import OPS
from structarr._compiler.kernel_passes.blocks import Block, with_blocks

SETTLING: Final = ("logical_or", "logical_and")
"""The operators of booleans one of which settles the result."""


def end_early(block: Block, inner: bool = False) -> Block:
    """A kernel whose straight inner loops end where a boolean is settled.

    A loop that is in no other stays as it is, or in one of a few turns that are known: it goes
    through many values by vectors.
    """
    return tuple(_line(line, inner) for line in block)


def _line(line: Line, inner: bool) -> Line:
    if inner and isinstance(line, For):
        settled = _settled(line.body)
        if settled is not None:
            body = (*line.body, If(((settled, (Break(),)),)))
            return For(line.var, line.lo, line.hi, body, line.step)
    inner |= isinstance(line, While) or (isinstance(line, For) and not _is_told(line))
    return with_blocks(line, lambda block: end_early(block, inner))


def _is_told(loop: For) -> bool:
    return isinstance(loop.lo, Lit) and isinstance(loop.hi, Lit)


def _settled(body: Block) -> Expr | None:
    """The condition on which a straight loop that ends in an update of a boolean may end."""
    *others, last = body or (Break(),)
    match last:
        case Set(var, Call("bool", op, (left, term))) if left is var and op.name in SETTLING:
            pass
        case _:
            return None
    plain = all(isinstance(one, Set) and not one.value.mentions(var) for one in others)
    if not plain or term.mentions(var) or any(isinstance(one, Helper) for one in used(body)):
        return None
    return var if op.name == "logical_or" else Call("bool", OPS["logical_not"], (var,))
