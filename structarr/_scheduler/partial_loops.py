"""Programs whose outermost loop goes along a part of its range, which each call tells."""

from __future__ import annotations

from dataclasses import replace

from structarr._compiler.ir.cin import Loop
from structarr._compiler.ir.given import part
from structarr._scheduler.assemble import Program


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
