"""Splits of sums over outermost lists that are listed themselves: vectors that pieces add up."""

from __future__ import annotations

from structarr._compiler.ir.cin import Access, Assign, Loop, Where
from structarr._compiler.rules.engine import RuleSet
from structarr._execute.partition_split import (
    COMBINED,
    GATHERED,
    LISTS,
    Split,
    listed_operands,
)
from structarr._scheduler.assemble import Program


def gather_split(program: Program, rules: RuleSet) -> Split | None:
    """The split of a loop along outermost lists that adds up a vector of lists in a workspace."""
    match program.stmt:
        case Where(
            Loop(index, _, _, Assign(Access(_, out, (last,)), None, Access(_, temp, (place,)))),
            Loop() as loop,
            (space,),
        ) if last is place is index and temp is space:
            pass
        case _:
            return None
    levels = program.outputs[0].format.levels
    updates = loop.every(Assign)
    names = {one.op.name if one.op is not None else "" for one in updates}
    if len(program.outputs) > 1 or len(names) != 1 or not names <= {*COMBINED}:
        return None
    if any(one.target.obj is not space for one in updates) or loop.has(Where):
        return None
    if len(levels) != 2 or levels[0].buffers != ("ptr", "idx") or not levels[0].has_windows:
        return None
    found = listed_operands(program, rules, loop)
    if not found or out is not program.outputs[0].tensor:
        return None
    return Split(LISTS, found, (names.pop(),), found, (GATHERED,))
