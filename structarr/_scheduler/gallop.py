"""Protocols of a program's operands: lists that meet leap, or every element is looked up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from structarr._compiler.ir.cin import Access, Protocol, driver, reads
from structarr._compiler.ir.expr import Expr, Index
from structarr._compiler.ir.node import Node, substitute
from structarr._scheduler.assemble import Program
from structarr.formats.base import Level


def galloping(program: Program) -> Iterator[Program]:
    """The program with every index of several lists galloping, if there is one."""
    lists: dict[Index, list[Access]] = defaultdict(list)
    for access in reads(program.stmt):
        for index, level in _modes(access):
            if isinstance(index, Index) and level.kind.leaps:
                lists[index].append(access)
    meeting = {index for index, found in lists.items() if len(found) > 1}
    if meeting:
        every = dict.fromkeys(access for index in meeting for access in lists[index])
        table: dict[Node, Node] = {access: _leaping(access, meeting) for access in every}
        yield replace(program, stmt=substitute(program.stmt, table))


def located(program: Program) -> Program:
    """The program with every element looked up where it is read: no cases of who stores what."""
    table: dict[Node, Node] = {
        access: Access(access.dtype, access.obj, tuple(map(_sought, access.indices)))
        for access in reads(program.stmt)
    }
    return replace(program, stmt=substitute(program.stmt, table))


def _sought(index: Expr) -> Expr:
    return Protocol(index, "locate") if isinstance(driver(index), Index) else index


def _leaping(access: Access, meeting: set[Index]) -> Access:
    indices: list[Expr] = [
        Protocol(index, "gallop") if index in meeting and level.kind.leaps else index
        for index, level in _modes(access)
    ]
    return Access(access.dtype, access.obj, tuple(indices))


def _modes(access: Access) -> Iterator[tuple[Expr, Level]]:
    """The indices of an access, each with the level that it reads."""
    return zip(access.indices, access.obj.format.levels, strict=False)  # type: ignore[attr-defined]
