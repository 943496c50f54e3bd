"""Scattered operands: rows that inner loops read repeatedly are looked up in a workspace.

`for i: for j: y[i] += A[i, j] * x[j]` with a list x walks x for every i. Scattered, it is walked
once: `for j: W[j] = x[j]`, and the loops look it up. So is row i of `A[i, j] * A[j, k] * A[i, k]`
before the loop over j: the bytemap of triangle counting.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from structarr._compiler.ir.cin import (
    Access,
    Assign,
    Loop,
    Modifier,
    Offset,
    Stmt,
    Stride,
    Tensor,
    Where,
    reads,
)
from structarr._compiler.ir.expr import Expr, Index
from structarr._compiler.ir.node import substitute
from structarr._compiler.rules.written import appends
from structarr._scheduler.assemble import Program
from structarr._scheduler.tensor_names import unused
from structarr.formats import Element, Format, Pattern
from structarr.formats.base import Level
from structarr.formats.bytemap import Bytemap
from structarr.formats.gapped import DTYPES, Gapped, Unmistakable

MOST = 2  # the most operands that one program scatters


def scattered(program: Program) -> Iterator[Program]:
    """The program with some of its operands scattered, in every way."""
    found = [
        access
        for access in reads(program.stmt)
        if _is_list(access)
        and _is_read_again(program.stmt, access)
        and _is_free(program, access.indices[-1])
    ]
    for count in range(1, min(len(found), MOST) + 1):
        for chosen in combinations(found, count):
            for rare in (False, True):
                made = program
                for access in chosen:
                    made = _with_bytemap(made, access, rare)
                yield made


def _with_bytemap(program: Program, access: Access, rare: bool) -> Program:
    temp = _bytemap(access, program, rare)
    stmt = _scatter(program.stmt, access, temp, frozenset())
    return replace(program, stmt=stmt, temps=(*program.temps, temp))


def _is_list(access: Access) -> bool:
    """Whether an operand is a list of elements along an index of the loops."""
    levels = access.obj.format.levels  # type: ignore[attr-defined]
    found = len(levels) > 1 and levels[-2].kind.searched
    return found and isinstance(access.indices[-1], Index) and all(map(_is_affine, _above(access)))


def _above(access: Access) -> tuple[Expr, ...]:
    """The indices of an access that find a row: those of a slice are computed."""
    return access.indices[:-1]


def _is_affine(index: Expr) -> bool:
    """Whether an index is found by arithmetic, of loops' indices and what a call gives."""
    moved = all(isinstance(one, (Offset, Stride)) for one in index.every(Modifier))
    return moved and not index.has(Access)


def _indices(access: Access) -> frozenset[Index]:
    """The indices of the loops that find a row of an access."""
    return frozenset([one for index in _above(access) for one in index.every(Index)])


def _is_free(program: Program, index: Expr) -> bool:
    """Whether a result has the same structure if an operand no longer leads along an index."""
    for output in program.outputs:
        for i, level in zip(output.modes, output.format.levels, strict=False):
            if i is index and not (level.kind.elementwise and _is_told(level)):
                return False
    return True


def _is_told(level: Level) -> bool:
    """Whether a level stores a child only if something is stored in it, not for every visit."""
    return level.kind.arithmetic or level.child.leaf or appends(level.child)


def _is_read_again(stmt: Stmt, access: Access) -> bool:
    """Whether loops run between those that find a row of an operand and the one over the row."""
    last, missing, between = access.indices[-1], {*_indices(access)}, False
    while True:
        match stmt:
            case Loop(index, _, _, body):
                if index is last:
                    return not missing and between
                between |= not missing
                missing.discard(index)
                stmt = body
            case Where(consumer, producer):
                if access in consumer.nodes():
                    return False
                stmt = producer
            case _:
                return False


def _bytemap(access: Access, program: Program, rare: bool) -> Tensor:
    """The workspace for a row of an operand."""
    tensor, last = access.obj, access.indices[-1]
    assert isinstance(tensor, Tensor)
    loop = next(n for n in program.stmt.nodes() if isinstance(n, Loop) and n.index is last)
    values = bool(tensor.format.levels[-1].buffers)
    level: Level = Bytemap(Element() if values else Pattern(), rare)
    if values and tensor.dtype in DTYPES and not rare:
        level = Gapped(Unmistakable())
    written = (*program.temps, *(output.tensor for output in program.outputs))
    taken = {*program.inputs, *(one.name for one in written)}
    name = unused(f"{tensor.name}row", taken)
    row = Format(level, (0,), tensor.format.index)
    return Tensor(name, row, tensor.dtype, tensor.fill, (loop.hi,), "temp")


def _scatter(stmt: Stmt, access: Access, temp: Tensor, bound: frozenset[Index]) -> Stmt:
    """A statement with the row scattered as soon as the loops around it find the row."""
    last = access.indices[-1]
    if bound >= _indices(access):
        assert isinstance(last, Index)
        cell = Access(access.dtype, temp, (last,))
        loop = next(n for n in stmt.nodes() if isinstance(n, Loop) and n.index is last)
        made = Loop(last, loop.lo, loop.hi, Assign(cell, None, access))
        return Where(substitute(stmt, {access: cell}), made, (temp,))
    match stmt:
        case Loop(index, lo, hi, body):
            return Loop(index, lo, hi, _scatter(body, access, temp, bound | {index}))
        case Where(consumer, producer, temps) if access in consumer.nodes():
            return Where(_scatter(consumer, access, temp, bound), producer, temps)
        case Where(consumer, producer, temps):
            return Where(consumer, _scatter(producer, access, temp, bound), temps)
    raise AssertionError(f"{access} is not read by {stmt}")
