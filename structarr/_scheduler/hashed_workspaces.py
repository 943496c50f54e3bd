"""Hashed workspaces: for rows so wide that a dense one would be spread over too much memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from structarr._compiler.ir.cin import Tensor
from structarr._compiler.ir.node import Node, substitute
from structarr._scheduler.assemble import Program
from structarr.formats import Element, Format
from structarr.formats.hashed_row import HashedRow
from structarr.formats.workspace import Workspace


def hashed(program: Program) -> Iterator[Program]:
    """The program with its dense workspaces hashed, if it has any."""
    table: dict[Node, Node] = {
        temp: _hashed(temp) for temp in program.temps if type(temp.format.root) is Workspace
    }
    if table:
        temps = tuple(table.get(temp, temp) for temp in program.temps)
        yield replace(program, stmt=substitute(program.stmt, table), temps=temps)  # type: ignore[arg-type]


def _hashed(temp: Tensor) -> Tensor:
    row = Format(HashedRow(Element()), (0,), "int64")
    return Tensor(temp.name, row, temp.dtype, temp.fill, temp.dims, temp.role, temp.start)
