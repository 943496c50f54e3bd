"""Masks: comparisons of indices as sequences of truth values (the paper's section 5.2).

Over a loop, `i <= j` is a run of True up to j and a run of False after it; `i == j` is one True.
So a triangle, a band or a scatter costs what it keeps, and no test an element.
"""

from __future__ import annotations

from structarr._compiler.ir.cin import Access, Loop, Stmt
from structarr._compiler.ir.expr import (
    Call,
    Cast,
    Coalesce,
    Eq,
    Index,
    Le,
    Lit,
    add,
    affine,
    scale,
)
from structarr._compiler.ir.node import Node
from structarr._compiler.looplets.base import Looplet
from structarr._compiler.looplets.pipeline import Phase, Pipeline
from structarr._compiler.looplets.run import Run

HOLDS, FAILS = Run(Lit("bool", True)), Run(Lit("bool", False))


def masked(stmt: Stmt, loop: Loop) -> Stmt:
    """Replace the comparisons that the loop's index decides by their masks."""

    def visit(node: Node) -> Node:
        if isinstance(node, Le | Eq):
            mask = _mask(node, loop.index)
            return node if mask is None else Access("bool", mask, (loop.index,))
        return node.rebuild(visit) if isinstance(node, Stmt | Call | Cast | Coalesce) else node

    return visit(stmt)  # type: ignore[return-value]


def _mask(cond: Le | Eq, index: Index) -> Looplet | None:
    gap = add(cond.right, scale(cond.left, -1))
    factor = affine(gap)[0].get(index, 0)
    rest = add(gap, scale(index, -factor))
    if abs(factor) != 1 or any(isinstance(node, Index | Access) for node in rest.nodes()):
        return None
    at = scale(rest, -factor)  # where the gap is zero
    if isinstance(cond, Eq):
        return Pipeline((Phase(at, FAILS), Phase(at + 1, HOLDS), Phase(None, FAILS)))
    if factor == 1:
        return Pipeline((Phase(at, FAILS), Phase(None, HOLDS)))
    return Pipeline((Phase(at + 1, HOLDS), Phase(None, FAILS)))
