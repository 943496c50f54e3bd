"""Masks: comparisons of indices as sequences of truth values (the paper's section 5.2).

Over a loop, `i <= j` is a run of True up to j and a run of False after it; `i == j` is one True.
So a triangle, a band or a scatter costs what it keeps, and no test an element.
"""

from __future__ import annotations

from structarr._compiler.ir.cin import Access, Loop, Stmt, is_known
from structarr._compiler.ir.conditions import Eq, Le
from structarr._compiler.ir.expr import INDEX, Call, Cast, Index, Lit, add, affine, scale
from structarr._compiler.ir.missing import Coalesce
from structarr._compiler.ir.node import Node
from structarr._compiler.looplets.affine import Affine
from structarr._compiler.looplets.base import Looplet
from structarr._compiler.looplets.pipeline import Phase, Pipeline
from structarr._compiler.looplets.run import Run

# Structural, as the zeros of a triangle that is stored are: so a mask that is a factor annihilates.
HOLDS, FAILS = Run(Lit("bool", True, True)), Run(Lit("bool", False, True))


def masked(stmt: Stmt, loop: Loop) -> Stmt:
    """Replace the comparisons that the loop's index decides by their masks."""

    def visit(node: Node) -> Node:
        if isinstance(node, Le | Eq):
            mask = _mask(node, loop.index)
            return node if mask is None else Access("bool", mask, (loop.index,))
        return node.rebuild(visit) if isinstance(node, Stmt | Call | Cast | Coalesce) else node

    compares = any(map(stmt.every, (Le, Eq)))
    return visit(stmt) if compares else stmt  # type: ignore[return-value]


def _mask(cond: Le | Eq, index: Index) -> Looplet | None:
    gap = add(cond.right, scale(cond.left, -1))
    factor = affine(gap)[0].get(index)
    if factor is None:
        return None
    rest = add(gap, scale(index, -factor))
    if not is_known(rest):
        return None
    by = Affine(factor, rest)
    zero, above = (by.bound(Lit(INDEX, stop)) for stop in (0, 1))  # where the gap gets there
    if isinstance(cond, Eq):
        first, last = (zero, above) if factor > 0 else (above, zero)
        return Pipeline((Phase(first, FAILS), Phase(last, HOLDS), Phase(None, FAILS)))
    before, after = (FAILS, HOLDS) if factor > 0 else (HOLDS, FAILS)
    return Pipeline((Phase(zero, before), Phase(None, after)))
