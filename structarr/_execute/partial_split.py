"""Splits of calls whose operands cannot be cut: each piece goes along a part of the loop.

Blocks of several rows, triangles that are read both ways, operands that are read at shifted or
computed indices: none of these can be handed to a kernel row by row. A second kernel has the ends
of its outermost loop as arguments, and every piece is given all operands.
"""

from __future__ import annotations

from structarr._compiler.ir.cin import Access, Assign, Loop
from structarr._compiler.ir.expr import INDEX, Lit
from structarr._execute.partition_split import (
    BEHIND,
    Split,
    bare,
    joining,
    reads_of,
    reads_results,
)
from structarr._execute.partition_work import tells_rows
from structarr._scheduler.assemble import Output, Program
from structarr._storage.row_parts import are_apart
from structarr.formats.base import Format, Level


def partial_split(program: Program) -> Split | None:
    """The split of a program whose outermost loop can be gone along in parts; None if it cannot."""
    loop = program.stmt
    if not isinstance(loop, Loop) or loop.lo is not Lit(INDEX, 0):
        return None
    if loop.hi not in program.lengths or reads_results(loop):
        return None
    combine = tuple([_combining(loop, output) for output in program.outputs])
    appends = [_appends(output.format) for output in program.outputs]
    if "" in combine or (any(appends) and len(appends) > 1):
        return None
    length = program.lengths.index(loop.hi)
    updates = any(one.op is not None for one in loop.every(Assign))
    join = () if updates else (BEHIND,)  # elements that are no sums are rounded alike
    along = _along(program, loop)
    found = Split(length, along, combine, frozenset(), join, True, any(appends))
    return found._replace(bounding=_bounding(program, loop, along))


def _combining(loop: Loop, output: Output) -> str | None:
    """The operator that adds up a result of pieces; "" where they cannot be put together.

    None where each piece has elements of its own.
    """
    written = [one.target for one in loop.every(Assign) if one.target.obj is output.tensor]
    own = [loop.index in one.indices for one in written]
    if not all(own):
        return joining(loop, output)
    first = all(one.indices[0] is loop.index for one in written)
    if output.format.is_dense or are_apart(output.format.levels):
        return None
    return None if first and is_joined(output.format) else ""


def is_joined(format: Format) -> bool:
    """Whether a result is joined from pieces that each have stored some of its rows.

    The rows may be listed themselves.
    """
    *outer, last, leaf = format.levels
    if not outer or leaf.uniform or any(not level.arithmetic for level in outer[1:]):
        return False
    if not (outer[0].arithmetic or is_listed(outer[0])):
        return False
    behind = (last.has_windows and last.slicing == "entries") or bool(last.positions)
    return behind and last.writing.appends


def is_listed(level: Level) -> bool:
    """Whether a level lists the indices of each fiber, behind one another."""
    return level.buffers == ("ptr", "idx") and level.has_windows and level.slicing == "entries"


def _appends(format: Format) -> bool:
    return any(level.writing.appends for level in format.levels)


def _along(program: Program, loop: Loop) -> frozenset[int]:
    """The operands whose outermost level the loop goes along, which tell how long a piece takes."""
    return frozenset(number for number, access in reads_of(program) if _is_own(access, loop))


def _bounding(program: Program, loop: Loop, along: frozenset[int]) -> frozenset[int]:
    """Those of some operands that are read along a loop alone, and tell what rows store."""
    others = {number for number, access in reads_of(program) if not _is_own(access, loop)}
    reads = {number: access.obj.format.levels for number, access in reads_of(program)}  # type: ignore[attr-defined]
    return frozenset([one for one in along - others if tells_rows(reads[one])])


def _is_own(access: Access, loop: Loop) -> bool:
    """Whether an access reads what belongs to each turn of a loop."""
    return bare(access.indices)[:1] == (loop.index,) and access.obj.dims[0] is loop.hi  # type: ignore[attr-defined]
