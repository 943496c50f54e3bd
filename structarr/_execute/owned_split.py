"""Splits of sums of which each piece owns a range of rows: no piece has a result of its own.

`for k: for i: for j: C[i, j] += A[k, i] * B[k, j]` adds to any row of C for each k. A kernel for
parts of the second loop adds to a range of rows alone, in the order of the whole.
"""

from __future__ import annotations

from structarr._compiler.ir.cin import Assign, Loop
from structarr._compiler.ir.expr import INDEX, Index, Lit
from structarr._execute.inner_split import has_rows, told_by
from structarr._execute.partition_split import GATHERED, Split, reads_results
from structarr._scheduler.assemble import Output, Program
from structarr._storage.row_parts import is_placed


def with_owned(split: Split, program: Program) -> Split:
    """The split of a program, with what tells ranges of rows of its sums, if all can be owned."""
    loop = program.stmt
    if None in split.combine or split.join == (GATHERED,) or not isinstance(loop, Loop):
        return split
    inner = loop.body
    if not isinstance(inner, Loop) or inner.lo is not Lit(INDEX, 0):
        return split
    if inner.hi not in program.lengths or reads_results(loop):
        return split
    if not all(_is_owned(program, one, inner.index) for one in program.outputs):
        return split
    told = told_by(program, loop, inner)
    length = program.lengths.index(inner.hi)
    return split._replace(owned=told, owned_length=length)


def _is_owned(program: Program, output: Output, index: Index) -> bool:
    """Whether a turn of a loop adds to one row of a result, and no other one does."""
    if not is_placed(output.format.levels) or output.tensor.role == "begun" or not has_rows(output):
        return False
    every = [one for one in program.stmt.every(Assign) if one.target.obj is output.tensor]
    return all(one.target.indices[:1] == (index,) for one in every)
