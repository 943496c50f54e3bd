"""Galloping operands: of lists that meet, the one that is ahead makes the others leap."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from structarr._compiler.ir.cin import Access, Protocol, Tensor
from structarr._compiler.ir.expr import Expr, Index
from structarr._compiler.ir.node import Node, substitute
from structarr._compiler.passes.assemble import Program

LEAPING = ("list", "blocks")
"""The words of levels whose looplets can leap."""


def galloping(program: Program) -> Iterator[Program]:
    """The program with every index of several lists galloping, if there is one."""
    lists: dict[Index, list[Access]] = defaultdict(list)
    for node in dict.fromkeys(program.stmt.nodes()):
        if isinstance(node, Access) and isinstance(node.obj, Tensor) and node.obj.role == "in":
            for index, level in zip(node.indices, node.obj.format.levels, strict=False):
                if isinstance(index, Index) and level.word in LEAPING:
                    lists[index].append(node)
    meeting = {index for index, found in lists.items() if len(found) > 1}
    if meeting:
        every = dict.fromkeys(access for index in meeting for access in lists[index])
        table: dict[Node, Node] = {access: _leaping(access, meeting) for access in every}
        yield replace(program, stmt=substitute(program.stmt, table))


def _leaping(access: Access, meeting: set[Index]) -> Access:
    levels = access.obj.format.levels  # type: ignore[attr-defined]
    indices: list[Expr] = [
        Protocol(index, "gallop") if index in meeting and level.word in LEAPING else index
        for index, level in zip(access.indices, levels, strict=False)
    ]
    return Access(access.dtype, access.obj, tuple(indices))
