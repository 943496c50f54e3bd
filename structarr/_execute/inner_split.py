"""Splits within rows by a kernel for parts of the second loop, for every level and protocol.

A row is divided at a column, whatever is stored there: each turn of the second loop belongs to one
part. So that needs no windows, and unstored elements may mean something, as in a maximum.
"""

from __future__ import annotations

from structarr._compiler.ir.cin import Assign, Loop, Where
from structarr._compiler.ir.expr import INDEX, Lit
from structarr._execute.partial_split import is_listed
from structarr._execute.partition_split import (
    BEHIND,
    COMBINED,
    GATHERED,
    LISTS,
    Split,
    bare,
    joining,
    reads_of,
    reads_results,
)
from structarr._scheduler.assemble import Output, Program
from structarr._scheduler.named_operands import strided
from structarr._scheduler.partial_loops import first_loop, second_loop
from structarr._storage.row_parts import is_placed
from structarr.formats.base import Level


def with_inner(split: Split, program: Program) -> Split:
    """The split of a program, with what divides rows by their columns, if they can be.

    Rows that windows divide (`within`) stay with those: they need no further kernel. Outermost
    lists have windows of whole rows alone, so theirs are divided here.
    """
    if split.within and split.length != LISTS:
        return split
    loop = first_loop(program)
    inner = None if loop is None else second_loop(loop)
    if loop is None or inner is None:
        return split
    if inner.lo is not Lit(INDEX, 0) or inner.hi not in program.lengths:
        return split
    if reads_results(loop) or any(one.tensor.role == "begun" for one in program.outputs):
        return split
    told = told_by(program, loop, inner) & split.numbers
    outputs = zip(program.outputs, split.combine, strict=True)
    join = tuple([_joined(split, loop, inner, one, combine) for one, combine in outputs])
    if not told or "" in join or (len(join) > 1 and not {*join} <= {*COMBINED}):
        return split
    length = program.lengths.index(inner.hi)
    return split._replace(inner=told, inner_join=join, inner_length=length)


def told_by(program: Program, loop: Loop, inner: Loop) -> frozenset[int]:
    """The operands with stored columns that both loops go along."""
    return frozenset(
        number
        for number, access in reads_of(program)
        if bare(access.indices)[:2] == (loop.index, inner.index)
        and access.obj.dims[1] is inner.hi  # type: ignore[attr-defined]
        and _tells(access.obj.format.levels[1])  # type: ignore[attr-defined]
    )


def _tells(level: Level) -> bool:
    """Whether a level tells which of its children are in a row."""
    counts = bool(level.slicing) or type(level).before is not Level.before
    return counts and not level.kind.arithmetic


def _joined(split: Split, loop: Loop, inner: Loop, output: Output, combine: str | None) -> str:
    """The operator that joins parts of a row of a result; "" where nothing does."""
    if combine is not None:
        if isinstance(loop.body, Where):  # it is read outside of a part, where it has its fill
            return ""
        return combine if is_placed(output.format.levels) or split.join == (GATHERED,) else ""
    every = [one for one in loop.every(Assign) if one.target.obj is output.tensor]
    if any(one.target.indices[:1] != (loop.index,) for one in every) or not has_rows(output):
        return ""
    if isinstance(loop.body, Where):
        return _gathered(split, loop.body, output)
    names = {one.op.name if one.op is not None else "" for one in every}
    levels = output.format.levels
    each = all(one.target.indices[:2] == (loop.index, inner.index) for one in every)
    if split.length != LISTS:
        if split.partial and not (each or output.format.is_dense):
            return ""  # an element beside its mark is no result of its own
        parts = each and len(levels) == 3 and levels[1].has_parts and levels[0].kind.arithmetic
        return BEHIND if parts and names == {""} else joining(loop, output)
    if each:
        lists = len(levels) == 3 and all(one.buffers[-1:] == ("idx",) for one in levels[:-1])
        return BEHIND if lists and names == {""} and not levels[-1].uniform else ""
    plain = levels[0].buffers == ("ptr", "idx") and not levels[0].starts_group
    dense = all(level.arithmetic for level in levels[1:])
    return names.pop() if plain and dense and len(names) == 1 and names <= {*COMBINED} else ""


def has_rows(output: Output) -> bool:
    """Whether what belongs to an index of the first mode lies together, if a result is dense."""
    view = output.tensor
    return not output.format.is_dense or view.format.root == strided(
        view.dims, range(len(view.dims))
    )


def _gathered(split: Split, body: Where, output: Output) -> str:
    """As `_joined`, of rows that are summed in a workspace and then listed: how, and by what."""
    levels = output.format.levels
    updates = body.producer.every(Assign)
    names = {one.op.name if one.op is not None else "" for one in updates}
    outer = levels[0].arithmetic or is_listed(levels[0])
    listed = len(levels) == 3 and outer and levels[1].buffers == ("ptr", "idx")
    summed = len(body.temps) == 1 and all(one.target.obj is body.temps[0] for one in updates)
    stored = isinstance(body.consumer, Loop) and isinstance(body.consumer.body, Assign)
    fits = listed and summed and stored and not levels[2].uniform and split.length != LISTS
    return f"{GATHERED} {names.pop()}" if fits and len(names) == 1 and names <= {*COMBINED} else ""
