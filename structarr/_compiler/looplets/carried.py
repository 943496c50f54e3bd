"""Carried: a variable that the turns of a loop hand on, as the running result of a scan.

Where an operand is the identity of the operator, nothing is carried on: what reads the variable
there reads a run. Where the same value is taken in again and again and once is as good, it is taken
in once. Elsewhere the loop visits each index, in order.
"""

from __future__ import annotations

from typing import ClassVar

from structarr._compiler.context import Context
from structarr._compiler.ir.cin import Access, Assign, Loop, Multi, Stmt
from structarr._compiler.ir.conditions import lt
from structarr._compiler.ir.expr import Expr
from structarr._compiler.ir.node import Node, substitute
from structarr._compiler.ir.variables import State
from structarr._compiler.looplets.accept import Accept
from structarr._compiler.looplets.base import Looplet, consume, looplets
from structarr._compiler.looplets.lookup import Lookup
from structarr._compiler.rules.written import joined, reads, states


class Carried(Looplet):
    """`var` as it is at an index: as the turns before have left it, and this one so far."""

    var: State
    priority: ClassVar[int] = 25
    writes: ClassVar[bool] = True

    def place(self, lo: Expr, hi: Expr, ctx: Context) -> Node:
        """The variable itself."""
        return self.var

    def commit(self, lo: Expr, hi: Expr, child: Node, wrote: bool, ctx: Context) -> None:
        """Nothing is to be recorded."""

    @classmethod
    def lower(cls, loop: Loop, ctx: Context) -> None:
        """Lower the loop: a body that carries nothing is a run, any other runs at each index."""
        places = {one.target.obj for one in loop.body.every(Assign)}
        if not any(isinstance(one, Carried) and reads(loop.body, one) for one in places):
            ctx.lower(Loop(loop.index, loop.lo, loop.hi, _plain(loop)))
            return
        first, rest = _taken_in(loop)
        if first is not None:
            with ctx.under(lt(loop.lo, loop.hi)):
                ctx.lower(first)
            ctx.lower(Loop(loop.index, loop.lo, loop.hi, rest))
        elif any(isinstance(one, Accept) for one in looplets(loop)):
            Accept.lower(loop, ctx)
        else:
            Lookup.lower(loop, ctx)


def carried(loop: Loop) -> Stmt:
    """The body of a loop, in which what it reads and updates is accessed by its index."""
    body = loop.body
    own = [var for var in states(body) if reads(body, var)]
    table: dict[Node, Node] = {}
    for var in own:
        table[var] = Access(var.dtype, Carried(var), (loop.index,))
        table[Access(var.dtype, var, ())] = table[var]
    return substitute(body, table) if table else body


def _plain(loop: Loop) -> Stmt:
    """The body of a loop, its variables accessed by no index."""
    return consume(loop, lambda one: one.var if isinstance(one, Carried) else None)


def _taken_in(loop: Loop) -> tuple[Stmt | None, Stmt]:
    """The updates that a body begins with, if doing them once is enough; and its rest."""
    stmts = loop.body.stmts if isinstance(loop.body, Multi) else (loop.body,)
    count = 0
    for one in stmts:
        if not (isinstance(one, Assign) and _is_once(one, loop)):
            break
        count += 1
    rest = joined(stmts[count:])
    first = Loop(loop.index, loop.lo, loop.hi, joined(stmts[:count]))
    if not count or any(isinstance(one.target.obj, Carried) for one in rest.every(Assign)):
        return None, loop.body
    return _plain(first), rest


def _is_once(one: Assign, loop: Loop) -> bool:
    """Whether an update of a variable changes it in the first turn alone."""
    once = one.op is None or one.op.repeat == "once"
    return isinstance(one.target.obj, Carried) and once and not one.value.mentions(loop.index)
