"""Programs whose outermost loops go along a part of their range, which each call tells."""

from __future__ import annotations

from dataclasses import replace

from structarr._compiler.ir.cin import Access, Assign, Loop, Stmt, Where
from structarr._compiler.ir.given import part
from structarr._compiler.ir.node import Node, substitute
from structarr._scheduler.assemble import Output, Program
from structarr.formats import Format


def partial(program: Program) -> Program:
    """
    A program that does what another does for a part of its outermost loop.

    All calls together whose parts make up the range do what the program does. The ends of the part
    are the last two of the program's lengths.

    Parameters
    ----------
    program : Program
        Its statement is a loop from zero on.

    Returns
    -------
    Program
        With the ends of the part as numbers of a call.
    """
    loop = program.stmt
    assert isinstance(loop, Loop)
    begin, end = part(loop.index)
    lengths = (*program.lengths, begin, end)
    return replace(program, stmt=Loop(loop.index, begin, end, loop.body), lengths=lengths)


def first_loop(program: Program) -> Loop | None:
    """The outermost loop of a program, or of what fills a workspace; None if there is neither."""
    stmt = program.stmt
    if isinstance(stmt, Where) and isinstance(stmt.consumer, Loop):
        stmt = stmt.producer
    return stmt if isinstance(stmt, Loop) else None


def second_loop(loop: Loop) -> Loop | None:
    """The loop that is the body of another, or that fills a workspace there; None if neither is."""
    body = loop.body
    if isinstance(body, Where) and isinstance(body.consumer, Loop):
        body = body.producer
    return body if isinstance(body, Loop) else None


def row_part(program: Program, whole: bool) -> Program:
    """
    A program that does what another does for a part of the second loop, in some rows.

    Parameters
    ----------
    program : Program
        Its outermost loop is from zero on, and there is another in it.
    whole : bool
        Whether its results stay as they are, and its outermost loop goes along its whole range.
        Otherwise the ends of this loop's part are numbers of a call, too, and results whose rows
        are found by arithmetic are one row, without its mode.

    Returns
    -------
    Program
        The ends of the parts are its last two or four lengths, those of the second loop last.
    """
    loop = first_loop(program)
    inner = None if loop is None else second_loop(loop)
    assert loop is not None and inner is not None
    ends = part(inner.index)
    body = _in_place(loop.body, inner, Loop(inner.index, *ends, inner.body))
    if whole:
        made = Loop(loop.index, loop.lo, loop.hi, body)
        stmt = made if program.stmt is loop else program.stmt.replace(producer=made)
        return replace(program, stmt=stmt, lengths=(*program.lengths, *ends))
    rows = part(loop.index)
    outputs, table = [], dict[Node, Node]()
    for output in program.outputs:
        written = [one.target for one in loop.every(Assign) if one.target.obj is output.tensor]
        rows_of = all(one.indices[:1] == (loop.index,) for one in written)
        row = _row_of(output) if rows_of and output.format.root.arithmetic else output
        outputs.append(row)
        if row is not output:
            table |= {one: Access(one.dtype, row.tensor, one.indices[1:]) for one in written}
    stmt = substitute(Loop(loop.index, *rows, body), table)
    lengths = (*program.lengths, *rows, *ends)
    return replace(program, stmt=stmt, outputs=tuple(outputs), lengths=lengths)


def _in_place(body: Stmt, inner: Loop, made: Loop) -> Stmt:
    """The body of the outermost loop with another second loop."""
    return made if body is inner else body.replace(producer=made)


def _row_of(output: Output) -> Output:
    """A row of a result, which has no outermost mode."""
    view = _without_first(output.tensor.format)
    tensor = output.tensor.replace(format=view, dims=output.tensor.dims[1:])
    return replace(
        output, tensor=tensor, format=_without_first(output.format), modes=output.modes[1:]
    )


def _without_first(format: Format) -> Format:
    """The format of a fiber of the outermost level."""
    order = format.order[1:]
    axes = sorted(order)
    return Format(format.root.child, tuple([axes.index(axis) for axis in order]), format.index)
