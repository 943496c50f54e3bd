"""Several results in one pass: programs of the same loops over the same operands become one."""

from __future__ import annotations

from collections.abc import Sequence

from structarr._compiler.ir.arrays import Input
from structarr._compiler.ir.cin import Loop, Multi, Stmt, Where
from structarr._compiler.ir.expr import Expr, Index
from structarr._scheduler.assemble import Program


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
    for index, lo, hi in reversed(loops):
        stmt = Loop(index, lo, hi, stmt)
    outputs = tuple(output for one in programs for output in one.outputs)
    return Program(stmt, outputs, inputs, programs[0].lengths)


def _peeled(stmt: Stmt) -> tuple[list[tuple[Index, Expr, Expr]], Stmt]:
    """The loops that a statement begins with, from the outermost, and what stands in them."""
    loops: list[tuple[Index, Expr, Expr]] = []
    while isinstance(stmt, Loop):
        loops.append((stmt.index, stmt.lo, stmt.hi))
        stmt = stmt.body
    return loops, stmt
