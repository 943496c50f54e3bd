"""Several results in one pass: programs of the same loops over the same operands become one."""

from __future__ import annotations

from collections.abc import Sequence

from structarr._compiler.ir.arrays import ArrayExpr, Input
from structarr._compiler.ir.cin import Loop, Multi, Stmt, Where
from structarr._compiler.ir.expr import Expr, Index
from structarr._compiler.rules.defaults import rules_with
from structarr._compiler.rules.engine import simplifier
from structarr._scheduler.assemble import Program, assemble
from structarr._scheduler.compiled import Request
from structarr._scheduler.indexing import index
from structarr._scheduler.loop_order import schedules

OPERANDS, RESULTS = "ABDEFGHIJKLMNOPQRSTU", "CZYXWV"  # names in programs of several results


def fused_programs(roots: Sequence[ArrayExpr], request: Request) -> tuple[Program, ...]:
    """The programs that compute several roots together; none where no loops serve all of them.

    Each result has the format that it has alone.
    """
    simplify = simplifier(rules_with(request.rules, request.strict))
    every = [index(root) for root in roots]
    numbers = {node.number for root in roots for node in root.nodes() if isinstance(node, Input)}
    if len(numbers) > len(OPERANDS) or len(roots) > len(RESULTS):
        return ()
    names = dict(zip(sorted(numbers), OPERANDS, strict=False))
    for one, name in zip(every, RESULTS, strict=False):
        one.names, one.name = names, name
    plans = [
        {plan.order: plan for plan in schedules(one, simplify, None) if not plan.transposed}
        for one in every
    ]
    found = []
    for order in plans[0]:
        if all(order in mine for mine in plans):
            alone = [
                assemble(one, mine[order], simplify, request.index, None)
                for one, mine in zip(every, plans, strict=True)
            ]
            whole = fused(alone)
            found += [] if whole is None else [whole]
    return tuple(found)


def fused(programs: Sequence[Program]) -> Program | None:
    """One program with the results of several; None where loops or operands differ."""
    inputs: dict[str, Input] = {}
    loops, _ = _peeled(programs[0].stmt)
    bodies: list[Stmt] = []
    for one in programs:
        own, body = _peeled(one.stmt)
        if own != loops or isinstance(body, (Multi, Where)):
            return None
        if any(
            inputs.setdefault(name, source) is not source for name, source in one.inputs.items()
        ):
            return None
        bodies.append(body)
    stmt: Stmt = Multi(tuple(bodies))
    for i, lo, hi in reversed(loops):
        stmt = Loop(i, lo, hi, stmt)
    outputs = tuple(output for one in programs for output in one.outputs)
    return Program(stmt, outputs, inputs, programs[0].lengths)


def _peeled(stmt: Stmt) -> tuple[list[tuple[Index, Expr, Expr]], Stmt]:
    """The loops that a statement begins with, from the outermost, and their body."""
    loops: list[tuple[Index, Expr, Expr]] = []
    while isinstance(stmt, Loop):
        loops.append((stmt.index, stmt.lo, stmt.hi))
        stmt = stmt.body
    return loops, stmt
